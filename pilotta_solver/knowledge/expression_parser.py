"""Reading the text of expressions; `expression_text` has the grammar."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NoReturn

from pilotta_solver.errors import NotationError
from pilotta_solver.knowledge.expression import (
    ANY,
    OPPOSITE,
    And,
    Comparison,
    Expression,
    Not,
    Or,
    Relation,
    at_least,
)
from pilotta_solver.knowledge.quantities import Quantity
from pilotta_solver.notation import format_card, parse_cards, parse_trump
from pilotta_solver.tongues import fold, tongue

_TOKEN = re.compile(
    r"\s*(?:(?P<relation><=|>=|!=|==|[<>=≤≥≠])|(?P<sign>[-+−()!,;])|(?P<word>[^\s<>=≤≥≠+−()!,;-]+))"
)
_SAME_RELATION: dict[str, Relation] = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!="}

RANK_NAMES = ("seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
_RANKS = {name + s: rank for rank, name in enumerate(RANK_NAMES) for s in ("", "s")}
_FUNCTIONS = ("trumps", "points", "declarations", "belote")
_JOINS = ("and", "or", "not", "any")

# Quantities that are yes or no, and so need no number.
YES_OR_NO = ("card", "belote")

_EXAMPLES = "write as in SJ, !HA, S>=3, aces>=2, points(S)>=40, declarations>=50 or belote"
_MAX_DIGITS = 4
_MAX_DEPTH = 50


@dataclass(frozen=True, slots=True)
class _Token:
    """A word or a sign, and where it stands."""

    kind: str
    text: str
    start: int
    end: int


# A sum as it is read: its terms, and the numbers in it added up.
_Sum = tuple[tuple[tuple[int, Quantity], ...], int]


@cache
def _words(cards: str) -> dict[str, Quantity]:
    """Return the words that are quantities by themselves."""
    ranks = {name: Quantity("rank", rank) for name, rank in _RANKS.items()}
    suits = {
        name: Quantity("length", suit)
        for name, suit in tongue(cards).suit_names().items()
        if name not in ranks
    }
    return ranks | suits


class Parser:
    """Recursive descent through one text, one method for each line of the grammar.

    Parameters
    ----------
    text
        The expression.
    cards
        The tongue of the names of cards and suits.
    """

    def __init__(self, text: str, cards: str) -> None:
        self._text = text
        self._cards = cards
        self._tokens = self._split()
        self._at = 0
        self._depth = 0

    def whole(self) -> tuple[Expression, tuple[tuple[Expression, str], ...]]:
        """Read the text to its end: the expression, and its outermost statements.

        Raises
        ------
        NotationError
            If it cannot be read; the message names the column and what to write.
        """
        if not self._tokens[:-1]:
            raise NotationError(f"an empty expression: {_EXAMPLES}, or any for no knowledge")
        spans = self._conjunction()
        if self._next().text == "or":
            expression = self._rest_of_disjunction(spans)
            pieces: tuple[tuple[Expression, str], ...] = ((expression, self._text.strip()),)
        else:
            expression = _joined(And, [part for part, _, _ in spans])
            pieces = tuple((part, self._text[start:end]) for part, start, end in spans)
        token = self._next()
        if token.kind != "end":
            before = self._tokens[self._at - 1].text
            self._fail(
                token, f"'{token.text}' cannot follow '{before}'; join statements by and or or"
            )
        return expression, pieces

    def _split(self) -> list[_Token]:
        tokens: list[_Token] = []
        at, end = 0, len(self._text.rstrip())
        while at < end:
            match = _TOKEN.match(self._text, at)
            assert match is not None
            assert match.lastgroup is not None
            text = match[match.lastgroup]
            word = fold(text)
            kind = match.lastgroup
            if word in _JOINS:
                kind, text = "join", word
            elif re.fullmatch("[0-9]+", word):
                kind = "number"
            text = "-" if text == "−" else text
            tokens.append(_Token(kind, text, match.start(match.lastgroup), match.end()))
            at = match.end()
        return [*tokens, _Token("end", "", end, end)]

    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _take(self, *texts: str) -> _Token | None:
        """Take the next token if it is a sign or a join with one of these texts."""
        token = self._next()
        if token.kind in ("sign", "join") and token.text in texts:
            self._at += 1
            return token
        return None

    def _fail(self, token: _Token, says: str) -> NoReturn:
        raise NotationError(f"expression '{self._text.strip()}', column {token.start + 1}: {says}")

    def _expression(self) -> Expression:
        return self._rest_of_disjunction(self._conjunction())

    def _rest_of_disjunction(self, first: list[tuple[Expression, int, int]]) -> Expression:
        parts = [_joined(And, [part for part, _, _ in first])]
        while self._take("or"):
            parts.append(_joined(And, [part for part, _, _ in self._conjunction()]))
        return _joined(Or, parts)

    def _conjunction(self) -> list[tuple[Expression, int, int]]:
        """Read statements joined by and; each with where it begins and ends."""
        parts = []
        while True:
            start = self._next().start
            part = self._negation()
            parts.append((part, start, self._tokens[self._at - 1].end))
            if not self._take("and"):
                return parts

    def _negation(self) -> Expression:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._fail(self._next(), f"nested more than {_MAX_DEPTH} deep; say it in fewer words")
        expression = self._negation_within()
        self._depth -= 1
        return expression

    def _negation_within(self) -> Expression:
        if self._take("not", "!"):
            return Not(self._negation())
        if self._take("any"):
            return ANY
        opened = self._take("(")
        if opened is None:
            return self._statement()
        expression = self._expression()
        if not self._take(")"):
            self._fail(opened, "this bracket is not closed; write ) after the last part")
        return expression

    def _statement(self) -> Expression:
        first = self._next()
        sides = [self._sum()]
        relations: list[Relation] = []
        while self._next().kind == "relation":
            text = self._next().text
            relations.append(_SAME_RELATION.get(text) or _as_relation(text))
            self._at += 1
            sides.append(self._sum())
        if relations:
            compared = [
                self._comparison(first, left, relation, right)
                for left, relation, right in zip(sides, relations, sides[1:], strict=False)
            ]
            return _joined(And, compared)
        terms, number = sides[0]
        name = self._text[first.start : self._tokens[self._at - 1].end]
        if len(terms) != 1 or number or terms[0][0] != 1 or terms[0][1].kind not in YES_OR_NO:
            self._fail(first, f"{name} is a number; compare it, as in {name}>=1")
        return at_least(terms[0][1])

    def _comparison(self, first: _Token, left: _Sum, relation: Relation, right: _Sum) -> Comparison:
        """Bring the quantities to the left and the numbers to the right."""
        terms = left[0] + tuple((-factor, quantity) for factor, quantity in right[0])
        number = right[1] - left[1]
        if not terms:
            self._fail(first, f"two numbers are compared; {_EXAMPLES}")
        if not left[0]:
            # 3<=S is S>=3.
            return Comparison(right[0], _FLIPPED[relation], -number)
        return Comparison(terms, relation, number)

    def _sum(self) -> _Sum:
        terms: list[tuple[int, Quantity]] = []
        number = 0
        sign = self._take("-")
        while True:
            factor = -1 if sign is not None and sign.text == "-" else 1
            token = self._next()
            if token.kind == "number":
                number += factor * self._number()
            else:
                terms.append((factor, self._quantity()))
            sign = self._take("+", "-")
            if sign is None:
                return tuple(terms), number

    def _number(self) -> int:
        token = self._next()
        self._at += 1
        if len(token.text) > _MAX_DIGITS:
            self._fail(token, f"{token.text} is too large; no hand has more than a few hundred")
        return int(token.text)

    def _quantity(self) -> Quantity:
        token = self._next()
        if token.kind != "word":
            self._fail(token, self._what_is_missing(token))
        self._at += 1
        word = fold(token.text)
        if word in _FUNCTIONS:
            return self._function(token, word)
        known = _words(self._cards)
        if word in known:
            return known[word]
        try:
            held = parse_cards(token.text, self._cards)
        except NotationError:
            names = (*_FUNCTIONS, *(f"{rank}s" for rank in RANK_NAMES))
            close = difflib.get_close_matches(word, names, n=1, cutoff=0.6)
            hint = f"did you mean {close[0]}?" if close else _EXAMPLES
            self._fail(token, f"'{token.text}' is no card, suit or count; {hint}")
        if len(held) != 1:
            one_by_one = " and ".join(format_card(card) for card in held) or "SJ"
            self._fail(token, f"'{token.text}' is not one card; write {one_by_one}")
        return Quantity("card", held[0])

    def _what_is_missing(self, token: _Token) -> str:
        before = self._tokens[self._at - 1] if self._at else None
        found = f"'{token.text}' stands" if token.text else "the text ends"
        if before is None:
            return f"'{token.text}' stands where a statement begins; {_EXAMPLES}"
        wants = "a number or a count" if before.kind == "relation" else "a card, suit or count"
        return f"{found} where {wants} goes after '{before.text}'; {_EXAMPLES}"

    def _function(self, token: _Token, word: str) -> Quantity:
        if word == "declarations":
            return Quantity("declarations")
        opened = self._take("(")
        if opened is None:
            if word == "belote":
                return Quantity("belote")
            self._fail(token, f"{word} of which suit? write {word}(S)")
        argument = self._next()
        if argument.kind != "word":
            self._fail(argument, f"a suit goes here, as in {word}(S)")
        self._at += 1
        index = self._trump(argument)
        if not self._take(")"):
            self._fail(self._next(), f"{word}({argument.text} wants a closing bracket")
        if word == "points":
            return Quantity("points", index)
        if index >= len(tongue(self._cards).suits):
            self._fail(argument, f"{word}({argument.text}): give a suit, as in {word}(S)")
        return Quantity("length" if word == "trumps" else "belote", index)

    def _trump(self, token: _Token) -> int:
        try:
            return parse_trump(token.text, self._cards)
        except NotationError as error:
            self._fail(token, str(error))


_FLIPPED: dict[Relation, Relation] = {
    "<": ">",
    "<=": ">=",
    "=": "=",
    "!=": "!=",
    ">=": "<=",
    ">": "<",
}


def _as_relation(text: str) -> Relation:
    """Tell the type checker that a token of this kind is a relation."""
    assert text in OPPOSITE
    return next(relation for relation in OPPOSITE if relation == text)


def _joined(join: type[And] | type[Or], parts: Sequence[Expression]) -> Expression:
    return parts[0] if len(parts) == 1 else join(tuple(parts))
