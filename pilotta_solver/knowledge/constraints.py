"""What is known of hidden hands: statements about seats, and their normal form.

`Knowledge` is a list of statements, each an expression about one seat with the text in which it was
given. Its normal form splits every seat's statements into two parts that say the same together:

- *restrictions*: which cards the seat must and must not hold, and which lengths each suit may
  have. Worlds that agree with them are counted and drawn exactly (`engine.completions`).
- the *rest*: expressions that a drawn world is tested against.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pilotta_solver.cards import FULL_DECK, KING, N_RANKS, N_SUITS, QUEEN, cards_of, make_card
from pilotta_solver.deal import SEATS
from pilotta_solver.errors import ConstraintError
from pilotta_solver.knowledge.expression import (
    COMPARE,
    OPPOSITE,
    And,
    Comparison,
    Expression,
    Not,
    Or,
    parts_of,
    sums_of,
)
from pilotta_solver.knowledge.expression_text import (
    format_expression,
    parse_expression as parse_expression,
    parse_statements,
)
from pilotta_solver.knowledge.quantities import Terms, suit_tables
from pilotta_solver.ruleset import Ruleset, load_ruleset

EVERY_LENGTH = (1 << (N_RANKS + 1)) - 1
"""The set of all lengths, 0 to 8, one bit a length."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that is known of one seat's hand.

    Attributes
    ----------
    seat
        The seat, 0 to 3.
    expression
        What is said of its hand of eight cards.
    text
        The same as it was written, for messages.
    source
        Who or what says so, for messages: ``partner``, ``West's pass``.
    """

    seat: int
    expression: Expression
    text: str
    source: str

    def __str__(self) -> str:
        return f"{self.source}: {self.text}"


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All that is known of hidden hands.

    Attributes
    ----------
    statements
        The statements; all of them hold.
    rules
        The ruleset, which says what the declarations of a hand are worth.
    """

    statements: tuple[Statement, ...] = ()
    rules: Ruleset = field(default_factory=load_ruleset)

    @classmethod
    def of(
        cls,
        said: Mapping[int, str | Expression],
        rules: Ruleset | None = None,
        *,
        sources: Mapping[int, str] | None = None,
        cards: str = "en",
    ) -> Knowledge:
        """Make knowledge of one expression a seat.

        Parameters
        ----------
        said
            For each seat, 0 to 3, of which something is known: an expression or its text. Each part
            that its outermost ``and`` joins becomes a statement of its own.
        rules
            The ruleset, by default ``tsaka``.
        sources
            What messages call a seat; by default its letter.
        cards
            The tongue of the names of cards and suits in texts.

        Raises
        ------
        NotationError
            If a text cannot be read.
        ConstraintError
            If a seat is not 0 to 3.

        Examples
        --------
        >>> [str(one) for one in Knowledge.of({2: "SJ and S>=3"}).statements]
        ['S: SJ', 'S: S>=3']
        """
        statements: list[Statement] = []
        for seat, what in said.items():
            if not 0 <= seat < len(SEATS):
                raise ConstraintError(f"seat {seat}: it is 0 to 3, for {', '.join(SEATS)}")
            source = (sources or {}).get(seat, SEATS[seat])
            parts: Iterable[tuple[Expression, str]]
            if isinstance(what, str):
                parts = parse_statements(what, cards)
            else:
                conjuncts = what.parts if isinstance(what, And) else (what,)
                parts = ((part, format_expression(part)) for part in conjuncts)
            statements += [Statement(seat, part, text, source) for part, text in parts]
        return cls(tuple(statements), load_ruleset() if rules is None else rules)

    def and_also(self, statements: Iterable[Statement]) -> Knowledge:
        """Return this knowledge with more statements, under the same rules."""
        return replace(self, statements=(*self.statements, *statements))

    def of_seat(self, seat: int) -> tuple[Statement, ...]:
        """Return the statements about one seat."""
        return tuple(one for one in self.statements if one.seat == seat)


@dataclass(frozen=True, slots=True)
class Restrictions:
    """What is said of one hand's cards and lengths, and the rest of what is said.

    Attributes
    ----------
    held, excluded
        The cards that it must hold and must not hold, card sets. A card in both fits no hand.
    lengths
        For each of the four suits, the lengths that it may have: bit k stands for k cards. No bit
        fits no hand.
    rest
        Expressions that must hold besides, and that say more than cards and lengths.
    """

    held: int = 0
    excluded: int = 0
    lengths: tuple[int, ...] = (EVERY_LENGTH,) * N_SUITS
    rest: tuple[Expression, ...] = ()

    def __and__(self, other: Restrictions) -> Restrictions:
        return Restrictions(
            self.held | other.held,
            self.excluded | other.excluded,
            tuple(a & b for a, b in zip(self.lengths, other.lengths, strict=True)),
            self.rest + other.rest,
        )


NEVER = Restrictions(lengths=(0,) * N_SUITS)
"""What no hand fulfils."""


@lru_cache(maxsize=1024)
def normal_form(expression: Expression) -> Restrictions:
    """Split an expression into restrictions on cards and lengths and the rest.

    Both say together exactly what the expression says. Once ``not`` has been driven inwards, the
    outermost conjunction is searched for what speaks of one sum only: comparisons of the same
    sum, joined by ``and`` and ``or`` as they may be, allow some of its values. That is a
    restriction where

    - the sum is the length of a suit;
    - it is a sum over cards, and only the cards that make it greatest, all of them, give an
      allowed value, or only those that make it least: a card that is held or not,
      ``SJ + S9 >= 2``, ``aces = 0``, and a belote likewise;
    - every value is allowed, or none.

    Examples
    --------
    >>> from pilotta_solver.notation import format_cards
    >>> form = normal_form(parse_expression("SJ and not (HA or DA) and S>=3 and aces>=1"))
    >>> format_cards(cards_of(form.held)), format_cards(cards_of(form.excluded))
    ('SJ', 'HA DA')
    >>> f"{form.lengths[0]:09b}", [format_expression(one) for one in form.rest]
    ('111111000', ['aces>=1'])
    """
    by_sum: dict[Terms, list[Expression]] = {}
    found = Restrictions()
    for part in _conjuncts(_inwards(expression)):
        sums = set(sums_of(part))
        if len(sums) == 1:
            by_sum.setdefault(sums.pop(), []).append(part)
        elif sums:
            found &= Restrictions(rest=(part,))
        elif not _allows(part, 0):  # such as an "or" of nothing
            found &= NEVER
    for terms, parts in by_sum.items():
        found &= _restrict(terms, tuple(parts))
    return found


def _inwards(expression: Expression, is_denied: bool = False) -> Expression:
    """Drive every ``not`` inwards until it turns a relation into its opposite."""
    if isinstance(expression, Not):
        return _inwards(expression.part, not is_denied)
    if isinstance(expression, Comparison):
        relation = OPPOSITE[expression.relation] if is_denied else expression.relation
        return replace(expression, relation=relation)
    parts = tuple(_inwards(part, is_denied) for part in expression.parts)
    return And(parts) if isinstance(expression, And) != is_denied else Or(parts)


def _conjuncts(expression: Expression) -> Iterator[Expression]:
    if isinstance(expression, And):
        for part in expression.parts:
            yield from _conjuncts(part)
    else:
        yield expression


def _allows(expression: Expression, value: int) -> bool:
    """Tell whether an expression without ``not`` holds where every sum in it has some value."""
    if isinstance(expression, Comparison):
        return bool(COMPARE[expression.relation](value, expression.number))
    join = all if isinstance(expression, And) else any
    return join(_allows(part, value) for part in parts_of(expression))


def _restrict(terms: Terms, parts: tuple[Expression, ...]) -> Restrictions:
    """Return what expressions say that all speak of one sum."""
    allowed = And(parts)
    factor, quantity = terms[0]
    if len(terms) == 1 and quantity.kind == "length":
        lengths = sum(1 << k for k in range(N_RANKS + 1) if _allows(allowed, factor * k))
        every = Restrictions().lengths
        before, after = every[: quantity.index], every[quantity.index + 1 :]
        return Restrictions(lengths=(*before, lengths, *after))
    weights = _weights(terms)
    if weights is not None:
        found = _all_or_none(weights, allowed)
    elif len(terms) == 1 and quantity.kind == "belote" and quantity.index >= 0:
        found = _belote(quantity.index, _allows(allowed, 0), _allows(allowed, factor))
    else:
        found = None
    return Restrictions(rest=parts) if found is None else found


def _all_or_none(weights: Mapping[int, int], allowed: Expression) -> Restrictions | None:
    """Return what a sum over cards says whose allowed values only one set of the cards gives.

    The sum is greatest where exactly the cards of positive weight are held, and least where exactly
    those of negative weight are. Between such an extreme and the next value that any other cards
    can give lies at least the smallest weight.
    """
    gains = {card: weight for card, weight in weights.items() if weight > 0}
    losses = {card: weight for card, weight in weights.items() if weight < 0}
    least, most = sum(losses.values()), sum(gains.values())
    step = min(map(abs, weights.values()), default=1)
    fitting = [value for value in range(least, most + 1) if _allows(allowed, value)]
    if len(fitting) == most - least + 1:
        return Restrictions()
    if not fitting:
        return NEVER
    up, down = _mask(gains), _mask(losses)
    if fitting[0] > most - step and fitting[-1] == most:
        return Restrictions(held=up, excluded=down)
    if fitting[-1] < least + step and fitting[0] == least:
        return Restrictions(held=down, excluded=up)
    return None


def _belote(suit: int, may_lack: bool, may_have: bool) -> Restrictions | None:
    """Return what is said of the belote of a suit by whether a hand may lack it and may have it."""
    if may_lack:
        return Restrictions() if may_have else None
    if not may_have:
        return NEVER
    return Restrictions(held=_mask(make_card(suit, rank) for rank in (KING, QUEEN)))


def _weights(terms: Terms) -> dict[int, int] | None:
    """Return what each card adds to a sum; None if the sum is not one over single cards."""
    weights: dict[int, int] = {}
    for factor, quantity in terms:
        if quantity.kind in ("declarations", "belote"):
            return None
        tables = suit_tables(quantity)
        for card in cards_of(FULL_DECK):
            weight = int(tables[card // N_RANKS, 1 << card % N_RANKS])
            weights[card] = weights.get(card, 0) + factor * weight
    return {card: weight for card, weight in weights.items() if weight}


def _mask(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)
