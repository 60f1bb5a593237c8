"""A naive solver of Pilotta endings: the yardstick that the engine is held against.

It is written from the rules alone and shares nothing with the library, not even the idea of a card:
a card is a text such as ``"SJ"``, a hand a tuple of cards, a trick the tuple of cards on the table
from its leader on. There are no bits, no bounds and no ordering of plays. Positions already met are
looked up by everything that bears on their value, and that is the only short cut.

Seats are 0 to 3 in order of play; seats 0 and 2 are side 0. Contracts are the four suits, ``"N"``
(no trump) and ``"A"`` (all trump).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

SUITS = "SHDC"
DECK = tuple(suit + rank for suit in SUITS for rank in "789TJQKA")
CONTRACTS = "SHDCNA"

PLAIN_LOW_TO_HIGH = "789JQKTA"
TRUMP_LOW_TO_HIGH = "78QKTA9J"

PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3}
NO_TRUMP_POINTS = {"A": 19, "T": 10, "K": 4, "Q": 3, "J": 2}
ALL_TRUMP_POINTS = {"J": 14, "9": 9, "A": 6, "T": 5, "K": 3, "Q": 1}
LAST_TRICK = 10

Hand = tuple[str, ...]
Trick = tuple[str, ...]


@dataclass(frozen=True)
class Law:
    """The three keys of the law of play."""

    partner_exempt: bool
    undertrump: str
    beat_trump_lead: bool


LAWS = tuple(
    Law(exempt, undertrump, beat)
    for exempt, undertrump, beat in itertools.product(
        (False, True), ("must", "may", "forbidden"), (True, False)
    )
)
"""All twelve laws of play; the first is that of Pilotta."""


@dataclass(frozen=True)
class Place:
    """A position: what is left in the hands, who leads the trick, what lies on the table.

    ``lost`` tells of each side whether it has lost a trick earlier in the deal, and so can no
    longer take them all.
    """

    hands: tuple[Hand, Hand, Hand, Hand]
    leader: int
    trick: Trick = ()
    lost: tuple[bool, bool] = (True, True)

    @property
    def to_move(self) -> int:
        return (self.leader + len(self.trick)) % 4

    @property
    def n_cards(self) -> int:
        return sum(len(hand) for hand in self.hands)

    def __str__(self) -> str:
        hands = " | ".join(" ".join(hand) or "-" for hand in self.hands)
        table = " ".join(self.trick) or "-"
        return f"hands {hands}; seat {self.leader} led; table {table}; lost {self.lost}"


@dataclass
class Game:
    """A contract, a law of play and what a side gets on top for taking every trick of the deal."""

    contract: str
    law: Law
    bonus: int = 0
    known: dict[Place, int] = field(default_factory=dict)

    def order(self, suit: str) -> str:
        """Ranks of a suit from the lowest to the highest."""
        trumps = self.contract in ("A", suit)
        return TRUMP_LOW_TO_HIGH if trumps else PLAIN_LOW_TO_HIGH

    def points(self, card: str) -> int:
        """Points that a card is worth."""
        suit, rank = card[0], card[1]
        if self.contract == "N":
            return NO_TRUMP_POINTS.get(rank, 0)
        if self.contract == "A":
            return ALL_TRUMP_POINTS.get(rank, 0)
        return (TRUMP_POINTS if suit == self.contract else PLAIN_POINTS).get(rank, 0)

    def highest(self, cards: Sequence[str]) -> str:
        """Highest of some cards of one suit."""
        return max(cards, key=lambda card: self.order(card[0]).index(card[1]))

    def winning_card(self, trick: Trick) -> str:
        """The highest trump, else the highest card of the suit led."""
        trumps = [card for card in trick if card[0] == self.contract]
        if trumps:
            return self.highest(trumps)
        return self.highest([card for card in trick if card[0] == trick[0][0]])

    def is_higher(self, card: str, than: str) -> bool:
        """Whether a card beats another of the same suit."""
        order = self.order(card[0])
        return order.index(card[1]) > order.index(than[1])

    def legal(self, hand: Hand, trick: Trick) -> Hand:
        """Cards that may be played, rule after rule."""
        if not trick:
            return hand
        winning = self.winning_card(trick)
        suit_led = trick[0][0]
        of_suit_led = tuple(card for card in hand if card[0] == suit_led)
        if of_suit_led:
            trumps_led = self.contract in ("A", suit_led)
            if trumps_led and self.law.beat_trump_lead:
                beating = tuple(card for card in of_suit_led if self.is_higher(card, winning))
                return beating or of_suit_led
            return of_suit_led
        trumps = tuple(card for card in hand if card[0] == self.contract)
        if not trumps:
            return hand
        partner_winning = len(trick) >= 2 and winning == trick[-2]
        free = self.law.partner_exempt and partner_winning
        if winning[0] != self.contract:
            return hand if free else trumps
        over = tuple(card for card in trumps if self.is_higher(card, winning))
        if over and not free:
            return over
        under = tuple(card for card in trumps if card not in over)
        if self.law.undertrump == "forbidden":
            return tuple(card for card in hand if card not in under) or hand
        if free or self.law.undertrump == "may":
            return hand
        return under

    def after(self, place: Place, card: str) -> tuple[Place, int]:
        """Position after a card is played, and the points that side 0 takes by it."""
        seat = place.to_move
        hands = list(place.hands)
        hands[seat] = tuple(held for held in hands[seat] if held != card)
        left = (hands[0], hands[1], hands[2], hands[3])
        trick = (*place.trick, card)
        if len(trick) < 4:
            return Place(left, place.leader, trick, place.lost), 0
        winner = (place.leader + trick.index(self.winning_card(trick))) % 4
        gained = sum(self.points(one) for one in trick)
        if not any(left):
            gained += LAST_TRICK
        if winner % 2 == 0:
            return Place(left, winner, (), (place.lost[0], True)), gained
        return Place(left, winner, (), (True, place.lost[1])), 0

    def value(self, place: Place) -> int:
        """Points that side 0 still takes, a sweep's bonus included, under best play by both."""
        if not any(place.hands):
            lost_0, lost_1 = place.lost
            return self.bonus * (lost_1 and not lost_0) - self.bonus * (lost_0 and not lost_1)
        if place not in self.known:
            values = self.card_values(place).values()
            self.known[place] = max(values) if place.to_move % 2 == 0 else min(values)
        return self.known[place]

    def card_values(self, place: Place) -> dict[str, int]:
        """Value for side 0 of each card that may be played."""
        values = {}
        for card in self.legal(place.hands[place.to_move], place.trick):
            following, gained = self.after(place, card)
            values[card] = gained + self.value(following)
        return values

    def sequences(self, place: Place, depth: int) -> int:
        """Number of ways to play ``depth`` cards."""
        if depth == 0:
            return 1
        return sum(
            self.sequences(self.after(place, card)[0], depth - 1)
            for card in self.legal(place.hands[place.to_move], place.trick)
        )
