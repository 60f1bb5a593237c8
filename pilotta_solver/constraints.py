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

from pilotta_solver.cards import FULL_DECK, KING, N_RANKS, N_SUITS, QUEEN, cards_of, make_card
from pilotta_solver.deal import SEATS
from pilotta_solver.errors import ConstraintError
from pilotta_solver.expression import (
    COMPARE,
    OPPOSITE,
    And,
    Comparison,
    Expression,
    Not,
    Or,
)
from pilotta_solver.expression_text import (
    format_expression,
    parse_expression as parse_expression,
    parse_statements,
)
from pilotta_solver.quantities import Quantity, suit_tables
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

    def without(self, statement: Statement) -> Knowledge:
        """Return this knowledge with one statement less."""
        kept = tuple(one for one in self.statements if one is not statement)
        return replace(self, statements=kept)

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


def normal_form(expression: Expression) -> Restrictions:
    """Split an expression into restrictions on cards and lengths and the rest.

    Both say together exactly what the expression says. The outermost conjunction is searched, once
    ``not`` has been driven inwards, for

    - comparisons of one suit's length with a number, and disjunctions of such for the same suit;
    - comparisons of a count of cards that only all or none of these cards fulfil: a card held or
      not, ``SJ + S9 >= 2``, ``aces = 0``, a belote;
    - comparisons that every hand or no hand fulfils.

    Examples
    --------
    >>> from pilotta_solver.notation import format_cards
    >>> form = normal_form(parse_expression("SJ and not (HA or DA) and S>=3 and aces>=1"))
    >>> format_cards(cards_of(form.held)), format_cards(cards_of(form.excluded))
    ('SJ', 'HA DA')
    >>> f"{form.lengths[0]:09b}", [format_expression(one) for one in form.rest]
    ('111111000', ['aces>=1'])
    """
    found = Restrictions()
    for part in _conjuncts(_inwards(expression)):
        found &= _restrict(part)
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


def _restrict(part: Expression) -> Restrictions:
    """Return what one conjunct says."""
    by_length = _lengths(part)
    if by_length is not None:
        suit, lengths = by_length
        every = Restrictions().lengths
        return Restrictions(lengths=(*every[:suit], lengths, *every[suit + 1 :]))
    if isinstance(part, Comparison):
        by_cards = _all_or_none(_belote_by_cards(part))
        if by_cards is not None:
            return by_cards
    if isinstance(part, Or) and not part.parts:
        return NEVER
    return Restrictions(rest=(part,))


def _lengths(part: Expression) -> tuple[int, int] | None:
    """Return the suit and the set of lengths, if that is all that an expression speaks of."""
    if isinstance(part, Comparison):
        if len(part.terms) != 1 or part.terms[0][1].kind != "length":
            return None
        factor, quantity = part.terms[0]
        fits = COMPARE[part.relation]
        fitting = (k for k in range(N_RANKS + 1) if fits(factor * k, part.number))
        return quantity.index, sum(1 << k for k in fitting)
    if not isinstance(part, Or | And) or not part.parts:
        return None
    found = [_lengths(one) for one in part.parts]
    known = [one for one in found if one is not None]
    suits = {suit for suit, _ in known}
    if len(known) < len(found) or len(suits) > 1:
        return None
    lengths = 0 if isinstance(part, Or) else EVERY_LENGTH
    for _, allowed in known:
        lengths = lengths | allowed if isinstance(part, Or) else lengths & allowed
    return suits.pop(), lengths


def _all_or_none(comparison: Comparison) -> Restrictions | None:
    """Return what a comparison says that is fulfilled by all or by none of some cards only.

    The sum runs over cards with weights, so it is greatest where exactly the cards of positive
    weight are held and least where exactly those of negative weight are. A comparison that only the
    greatest or only the least sum fulfils names the hand's cards; one that both extremes and all
    between fulfil says nothing.
    """
    weights = _weights(comparison)
    if weights is None:
        return None
    gains = {card: weight for card, weight in weights.items() if weight > 0}
    losses = {card: weight for card, weight in weights.items() if weight < 0}
    least, most = sum(losses.values()), sum(gains.values())
    step = min(map(abs, weights.values()), default=1)
    fits = COMPARE[comparison.relation]
    fitting = [total for total in range(least, most + 1) if fits(total, comparison.number)]
    if len(fitting) == most - least + 1:
        return Restrictions()
    if not fitting:
        return NEVER
    up, down = _mask(gains), _mask(losses)
    # Between an extreme and the next sum lies at least the smallest weight.
    if fitting[0] > most - step and fitting[-1] == most:
        return Restrictions(held=up, excluded=down)
    if fitting[-1] < least + step and fitting[0] == least:
        return Restrictions(held=down, excluded=up)
    return None


def _belote_by_cards(comparison: Comparison) -> Comparison:
    """Say that a hand has the belote of a suit by its K and its Q; leave the rest as it is."""
    factor, quantity = comparison.terms[0]
    if len(comparison.terms) > 1 or quantity.kind != "belote" or quantity.index < 0:
        return comparison
    fits = COMPARE[comparison.relation]
    if fits(0, comparison.number) or not fits(factor, comparison.number):
        return comparison
    cards = (make_card(quantity.index, rank) for rank in (KING, QUEEN))
    return Comparison(tuple((1, Quantity("card", card)) for card in cards), ">=", 2)


def _weights(comparison: Comparison) -> dict[int, int] | None:
    """Return what each card adds to the sum; None if the sum is not one over single cards."""
    weights: dict[int, int] = {}
    for factor, quantity in comparison.terms:
        if quantity.kind in ("declarations", "belote"):
            return None
        tables = suit_tables(quantity)
        for card in cards_of(FULL_DECK):
            weight = int(tables[card // N_RANKS, 1 << card % N_RANKS])
            weights[card] = weights.get(card, 0) + factor * weight
    return {card: weight for card, weight in weights.items() if weight}


def _mask(cards: Iterable[int]) -> int:
    return sum(1 << card for card in cards)
