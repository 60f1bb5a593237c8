"""Cards, card sets and what a card is worth.

A card is an int from 0 to 31: ``8 * suit + rank``, with the suits S H D C as 0 to 3 and the ranks
7 8 9 T J Q K A as 0 to 7. A card set is an int whose bit ``1 << card`` is set for every card in it,
so that a deck is 32 bits and a suit is a byte. A trump, the kind of a contract, is an int from 0 to
5: one of the four suits, no trump or all trump.

Orders and points are those of the Pilotta rule texts ("The deck and the two orders" in
``docs/rules.md``).
"""

from __future__ import annotations

from collections.abc import Iterator

SUITS = "SHDC"
RANKS = "789TJQKA"
TRUMPS = "SHDCNA"

N_SUITS = 4
N_RANKS = 8
N_CARDS = 32

NO_TRUMP = 4
ALL_TRUMP = 5

FULL_DECK = 0xFFFFFFFF
SUIT_MASKS = (0x000000FF, 0x0000FF00, 0x00FF0000, 0xFF000000)

JACK, QUEEN, KING = (RANKS.index(letter) for letter in "JQK")

LAST_TRICK_POINTS = 10
CARD_POINTS_TOTAL = 162

# By rank index, that is for 7, 8, 9, T, J, Q, K, A.
PLAIN_POINTS = (0, 0, 0, 10, 2, 3, 4, 11)
TRUMP_POINTS = (0, 0, 14, 10, 20, 3, 4, 11)
NO_TRUMP_POINTS = (0, 0, 0, 10, 2, 3, 4, 19)
ALL_TRUMP_POINTS = (0, 0, 9, 5, 14, 1, 3, 6)

# Place in the order of strength, 0 the lowest: 7 8 9 J Q K T A, and as trumps 7 8 Q K T A 9 J.
PLAIN_STRENGTH = (0, 1, 2, 6, 3, 4, 5, 7)
TRUMP_STRENGTH = (0, 1, 6, 4, 7, 2, 3, 5)


def make_card(suit: int, rank: int) -> int:
    """Return the card of a suit (0 to 3) and a rank (0 to 7)."""
    return N_RANKS * suit + rank


def suit_of(card: int) -> int:
    """Return the suit of a card, 0 to 3."""
    return card >> 3


def rank_of(card: int) -> int:
    """Return the rank of a card, 0 to 7."""
    return card & 7


def cards_of(mask: int) -> Iterator[int]:
    """Iterate over the cards of a set, in ascending order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def is_trump(card: int, trump: int) -> bool:
    """Tell whether a card ranks and counts as a trump.

    Under all trump every card does, and under no trump none.
    """
    return trump == ALL_TRUMP or card >> 3 == trump


def card_points(card: int, trump: int) -> int:
    """Return the points of a card under a contract, without the last trick."""
    rank = card & 7
    if trump == NO_TRUMP:
        return NO_TRUMP_POINTS[rank]
    if trump == ALL_TRUMP:
        return ALL_TRUMP_POINTS[rank]
    return TRUMP_POINTS[rank] if card >> 3 == trump else PLAIN_POINTS[rank]


def card_strength(card: int, trump: int) -> int:
    """Return the place of a card within its suit under a contract: 0 the lowest, 7 the highest."""
    order = TRUMP_STRENGTH if is_trump(card, trump) else PLAIN_STRENGTH
    return order[card & 7]
