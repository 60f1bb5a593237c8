"""Seats, deals, and positions part-way through the play.

Seats are ints from 0 to 3: N, W, S, E, in the order of play, which runs anticlockwise. Side 0 is
N and S, side 1 is W and E: the side of a seat is ``seat & 1``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pilotta_solver.cards import (
    CARD_POINTS_TOTAL,
    FULL_DECK,
    N_CARDS,
    N_RANKS,
    RANKS,
    SUITS,
    TRUMPS,
    cards_of,
    rank_of,
    suit_of,
)
from pilotta_solver.errors import DealError

SEATS = "NWSE"
SIDES = ("ns", "ew")

Hands = tuple[int, int, int, int]


def side_of(seat: int) -> int:
    """Return the side of a seat: 0 for N and S, 1 for W and E."""
    return seat & 1


def next_seat(seat: int) -> int:
    """Return the seat that plays after this one: the one to its right."""
    return (seat + 1) & 3


def _check_disjoint(hands: Sequence[int]) -> None:
    if len(hands) != len(SEATS):
        raise DealError(f"{len(hands)} hands: a deal has four, from N in order of play")
    seen = 0
    for seat, hand in enumerate(hands):
        if not 0 <= hand <= FULL_DECK:
            raise DealError(f"hand {SEATS[seat]}: {hand} is not a set of 32 cards")
        if seen & hand:
            card = next(cards_of(seen & hand))
            name = SUITS[suit_of(card)] + RANKS[rank_of(card)]
            other = next(s for s in range(seat) if hands[s] & (1 << card))
            raise DealError(
                f"{name} is in two hands, {SEATS[other]} and {SEATS[seat]}: "
                "give every card to one hand only"
            )
        seen |= hand


@dataclass(frozen=True, slots=True)
class Deal:
    """The four hands before the first card is played.

    Attributes
    ----------
    hands
        Four card sets, from N in order of play; all of the same size, 1 to 8, and disjoint.

    Raises
    ------
    DealError
        If the sets are no such deal.
    """

    hands: Hands

    def __post_init__(self) -> None:
        _check_disjoint(self.hands)
        sizes = [hand.bit_count() for hand in self.hands]
        if len(set(sizes)) != 1 or not 1 <= sizes[0] <= N_RANKS:
            found = ", ".join(f"{SEATS[seat]} {size}" for seat, size in enumerate(sizes))
            raise DealError(
                f"hands of unequal or wrong size ({found} cards): give all four the same number, "
                f"1 to {N_RANKS}"
            )

    @property
    def n_cards(self) -> int:
        """The number of cards in each hand."""
        return self.hands[0].bit_count()


@dataclass(frozen=True, slots=True)
class Position:
    """A deal part-way through the play.

    Attributes
    ----------
    hands
        The cards left in the four hands, from N in order of play.
    trump
        The contract: 0 to 3 a suit, 4 no trump, 5 all trump.
    leader
        The seat that led the trick in progress, or leads the next one.
    trick
        The cards on the table, in order from the leader; at most three.
    points
        The card points that NS and EW have taken so far, with the last trick once it is over.
    tricks
        The number of tricks that NS and EW have taken so far.

    Raises
    ------
    DealError
        If the parts do not fit together.
    """

    hands: Hands
    trump: int
    leader: int
    trick: tuple[int, ...] = ()
    points: tuple[int, int] = (0, 0)
    tricks: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        check_contract(self.trump, self.leader)
        _check_disjoint(self.hands)
        if len(self.trick) >= len(SEATS):
            raise DealError(f"{len(self.trick)} cards on the table: a trick in progress has 0 to 3")
        held = self.hands[0] | self.hands[1] | self.hands[2] | self.hands[3]
        on_table = 0
        for card in self.trick:
            if not 0 <= card < N_CARDS:
                raise DealError(f"card {card} on the table: cards are 0 to {N_CARDS - 1}")
            if (held | on_table) & (1 << card):
                name = SUITS[suit_of(card)] + RANKS[rank_of(card)]
                raise DealError(f"{name} is on the table and elsewhere too: a card lies once only")
            on_table |= 1 << card
        sizes = [
            hand.bit_count() + ((seat - self.leader) % 4 < len(self.trick))
            for seat, hand in enumerate(self.hands)
        ]
        if len(set(sizes)) != 1 or sizes[0] + sum(self.tricks) > N_RANKS:
            found = ", ".join(
                f"{SEATS[seat]} {hand.bit_count()}" for seat, hand in enumerate(self.hands)
            )
            raise DealError(
                f"hands of unequal or wrong size ({found} cards, {len(self.trick)} on the table): "
                "every seat needs as many cards as tricks are left"
            )
        if min(self.points) < 0 or sum(self.points) > CARD_POINTS_TOTAL or min(self.tricks) < 0:
            raise DealError(
                f"points {self.points} or tricks {self.tricks} taken so far: "
                f"they are at least 0 and the points at most {CARD_POINTS_TOTAL} together"
            )

    @property
    def to_move(self) -> int:
        """The seat that plays the next card."""
        return (self.leader + len(self.trick)) & 3

    @property
    def is_over(self) -> bool:
        """Whether every card has been played."""
        return not any(self.hands)


def check_contract(trump: int, leader: int) -> None:
    """Raise DealError unless trump is 0 to 5 and leader 0 to 3."""
    if not 0 <= trump < len(TRUMPS):
        raise DealError(f"trump {trump}: it is 0 to {len(TRUMPS) - 1}, for {', '.join(TRUMPS)}")
    if not 0 <= leader < len(SEATS):
        raise DealError(f"leader {leader}: it is 0 to {len(SEATS) - 1}, for {', '.join(SEATS)}")
