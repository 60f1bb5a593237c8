"""What can be counted of one hand: cards, lengths, ranks, points, declarations, belotes.

A quantity is a whole number that a hand has. Each is written twice: `measure` reads one hand card
by card, with the code of the rules, and `measure_many` looks up arrays of hands, suit by suit, in
tables of 256 entries. Tests hold the two together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Literal

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import (
    KING,
    N_RANKS,
    N_SUITS,
    QUEEN,
    SUIT_MASKS,
    card_points,
    cards_of,
    make_card,
    rank_of,
)
from pilotta_solver.declarations import CARRE_POINTS, belotes, hand_declarations, sequences
from pilotta_solver.ruleset import Ruleset

Hands = npt.NDArray[np.uint32]
Kind = Literal["card", "length", "rank", "points", "declarations", "belote"]

N_CARRES_AT_MOST = 2
"""Eight cards hold two fours of a kind at most."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number that a hand has.

    Attributes
    ----------
    kind
        ``"card"``: 1 if the hand holds a card, else 0. ``"length"``: its number of cards of a
        suit. ``"rank"``: its number of cards of a rank. ``"points"``: the card points of its cards
        under a contract, without the last trick. ``"declarations"``: what its declarations are
        worth, whoever wins the contest. ``"belote"``: 1 if it holds K and Q of a suit, else 0.
    index
        The card, suit, rank or contract; for a belote the suit, or -1 to count those of all suits;
        -1 for declarations.
    """

    kind: Kind
    index: int = -1


Terms = tuple[tuple[int, Quantity], ...]
"""A sum of quantities, each with its factor."""


def measure(quantity: Quantity, hand: int, rules: Ruleset) -> int:
    """Return a quantity of one hand, a card set.

    This is the readable twin of `measure_many`.
    """
    kind, index = quantity.kind, quantity.index
    if kind == "card":
        return hand >> index & 1
    if kind == "length":
        return (hand & SUIT_MASKS[index]).bit_count()
    if kind == "rank":
        return sum(rank_of(card) == index for card in cards_of(hand))
    if kind == "points":
        return sum(card_points(card, index) for card in cards_of(hand))
    if kind == "declarations":
        # A contract breaks ties between declarations; the total does not depend on it.
        return sum(one.points for one in hand_declarations(hand, 0, rules))
    suits = range(N_SUITS) if index < 0 else (index,)
    return sum(len(belotes((hand,), suit, rules)) for suit in suits)


def measure_many(quantity: Quantity, hands: Hands, rules: Ruleset) -> npt.NDArray[np.int32]:
    """Return a quantity of many hands.

    Parameters
    ----------
    quantity
        What to measure.
    hands
        Card sets of shape (n,), uint32.
    rules
        The ruleset: it says what is a sequence, and whether declarations count at all.

    Returns
    -------
    numpy.ndarray
        int32 of shape (n,).
    """
    if quantity.kind == "declarations":
        return _declaration_points(hands, rules)
    return look_up(suit_tables(quantity), hands)


@cache
def suit_tables(quantity: Quantity) -> npt.NDArray[np.int32]:
    """Return what the cards of each suit add to a quantity other than declarations.

    Returns
    -------
    numpy.ndarray
        int32 of shape (4, 256): a row a suit, a column a set of ranks. The quantity of a hand is
        the sum of one entry a row, since no such quantity looks at two suits at once.
    """
    kind, index = quantity.kind, quantity.index
    tables = np.zeros((N_SUITS, 1 << N_RANKS), np.int32)
    ranks = np.arange(1 << N_RANKS)
    for suit in range(N_SUITS):
        if kind == "belote":
            both = 1 << KING | 1 << QUEEN
            tables[suit] = (index in (-1, suit)) & (ranks & both == both)
            continue
        for rank in range(N_RANKS):
            tables[suit] += _weight(quantity, make_card(suit, rank)) * (ranks >> rank & 1)
    return tables


def _weight(quantity: Quantity, card: int) -> int:
    """What a single card adds to a quantity that is a sum over cards."""
    kind, index = quantity.kind, quantity.index
    if kind == "card":
        return int(card == index)
    if kind == "length":
        return int(SUIT_MASKS[index] >> card & 1)
    if kind == "rank":
        return int(rank_of(card) == index)
    return card_points(card, index)


def look_up(tables: npt.NDArray[np.int32], hands: Hands) -> npt.NDArray[np.int32]:
    """Add up what the four suits of each hand have in tables of shape (4, 256)."""
    total = np.zeros(len(hands), np.int32)
    for suit in np.flatnonzero(tables.any(axis=1)):
        total += tables[suit][ranks_of(hands, int(suit))]
    return total


def ranks_of(hands: Hands, suit: int) -> npt.NDArray[np.uint8]:
    """Return the set of ranks that each hand holds in a suit: a byte a hand."""
    return (hands >> np.uint32(N_RANKS * suit)).astype(np.uint8)


def _declaration_points(hands: Hands, rules: Ruleset) -> npt.NDArray[np.int32]:
    """Return what the declarations of each hand are worth.

    Without a carré that is the sum of the runs of each suit. With one, the choice of greatest total
    counts: for every set of carrés that a hand may claim, its points and the runs of what is left.
    """
    if not rules.declarations:
        return np.zeros(len(hands), np.int32)
    runs = np.stack([_run_points(rules)] * N_SUITS)
    total = look_up(runs, hands)
    fours = np.bitwise_and.reduce([ranks_of(hands, suit) for suit in range(N_SUITS)])
    rich = np.flatnonzero(fours & sum(1 << rank for rank in CARRE_POINTS))
    for size in range(1, N_CARRES_AT_MOST + 1):
        for claimed in combinations(CARRE_POINTS, size):
            ranks = sum(1 << rank for rank in claimed)
            where = rich[fours[rich] & ranks == ranks]
            left = hands[where] & ~np.uint32(ranks * 0x01010101)
            claim = look_up(runs, left) + sum(CARRE_POINTS[rank] for rank in claimed)
            total[where] = np.maximum(total[where], claim)
    return total


@cache
def _run_points(rules: Ruleset) -> npt.NDArray[np.int32]:
    """Return what the runs in each set of ranks of one suit are worth; shape (256,)."""
    points = [sum(run.points for run in sequences(ranks, rules)) for ranks in range(1 << N_RANKS)]
    return np.array(points, np.int32)
