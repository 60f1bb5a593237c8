"""The text of expressions: ``SJ and S>=3 and (aces>=2 or points(S)>=40)``.

The grammar, in which the words and signs in quotes stand for themselves::

    expression  = conjunction { "or" conjunction }
    conjunction = negation { "and" negation }
    negation    = ( "not" | "!" ) negation | "(" expression ")" | "any" | statement
    statement   = sum { relation sum }
    relation    = "<" | "<=" | "=" | "!=" | ">=" | ">"
    sum         = [ "-" ] term { ( "+" | "-" ) term }
    term        = number | card | suit | rank | function
    rank        = "aces" | "kings" | "queens" | "jacks" | "tens" | "nines" | "eights" | "sevens"
    function    = "trumps" "(" suit ")" | "points" "(" trump ")"
                | "belote" [ "(" suit ")" ] | "declarations"

A card, suit or trump is written as everywhere else (`notation`). A suit stands for its length, and
a card counts 1 if it is held, else 0. A statement without a relation is a card or a belote, which
is held. ``docs/notation.md`` says the same with examples.
"""

from __future__ import annotations

from pilotta_solver.knowledge.expression import And, Comparison, Expression, Not, Or
from pilotta_solver.knowledge.expression_parser import RANK_NAMES, YES_OR_NO, Parser
from pilotta_solver.knowledge.quantities import Quantity
from pilotta_solver.notation import format_card, format_trump


def parse_expression(text: str, cards: str = "en") -> Expression:
    """Read an expression.

    Parameters
    ----------
    text
        The expression.
    cards
        The tongue of the names of cards and suits: en, fr, nl, pt, es or el. The words of the
        grammar are always English.

    Raises
    ------
    NotationError
        If it cannot be read; the message names the column and what to write.

    Examples
    --------
    >>> from pilotta_solver import load_ruleset, parse_hand
    >>> from pilotta_solver.knowledge.expression import holds
    >>> strong = parse_expression("(SJ or S9) and S>=3 and aces - SA >= 1")
    >>> holds(strong, parse_hand("J9K.T8.A7.8"), load_ruleset())
    True
    """
    return Parser(text, cards).whole()[0]


def parse_statements(text: str, cards: str = "en") -> tuple[tuple[Expression, str], ...]:
    """Read an expression as the statements that its outermost ``and`` joins.

    Returns
    -------
    tuple of (Expression, str)
        Each statement, and its own piece of the text as it was written.

    Raises
    ------
    NotationError
        If it cannot be read.

    Examples
    --------
    >>> [piece for _, piece in parse_statements("SJ and  S >= 3 and (HA or DA)")]
    ['SJ', 'S >= 3', '(HA or DA)']
    """
    return Parser(text, cards).whole()[1]


def format_expression(expression: Expression, *, symbols: bool = False) -> str:
    """Write an expression so that `parse_expression` reads the same back.

    Examples
    --------
    >>> format_expression(parse_expression("!SJ and 2<=♥<=4"))
    '!SJ and (H>=2 and H<=4)'
    """
    if isinstance(expression, Comparison):
        return _format_comparison(expression, symbols)
    if isinstance(expression, Not):
        inner = expression.part
        text = format_expression(inner, symbols=symbols)
        if isinstance(inner, And | Or) and inner.parts:
            return f"not ({text})"
        return f"!{text}" if _is_bare(inner) else f"not {text}"
    if not expression.parts:
        return "any" if isinstance(expression, And) else "not any"
    pieces = [
        f"({text})" if isinstance(part, And | Or) and part.parts else text
        for part in expression.parts
        for text in [format_expression(part, symbols=symbols)]
    ]
    return (" and " if isinstance(expression, And) else " or ").join(pieces)


def _is_bare(expression: Expression) -> bool:
    """Whether a comparison is written as a card or a belote without a number."""
    if not isinstance(expression, Comparison) or len(expression.terms) != 1:
        return False
    factor, quantity = expression.terms[0]
    is_held = factor == 1 and (expression.relation, expression.number) == (">=", 1)
    return is_held and quantity.kind in YES_OR_NO


def _format_comparison(comparison: Comparison, symbols: bool) -> str:
    text = ""
    for factor, quantity in comparison.terms:
        sign = "-" if factor < 0 else "+" if text else ""
        text += (sign + _format_quantity(quantity, symbols)) * abs(factor)
    if _is_bare(comparison):
        return text
    return f"{text}{comparison.relation}{comparison.number}"


def _format_quantity(quantity: Quantity, symbols: bool) -> str:
    kind, index = quantity.kind, quantity.index
    if kind == "card":
        return format_card(index, symbols=symbols)
    if kind == "length":
        return format_trump(index, symbols=symbols)
    if kind == "rank":
        return RANK_NAMES[index] + "s"
    if index < 0:
        return kind
    return f"{kind}({format_trump(index, symbols=symbols)})"
