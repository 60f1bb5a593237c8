"""Declarations: sequences, carrés, the contest between the two sides, and the belote.

The rules are those of "Declarations" in ``docs/rules.md``. The functions for one deal say them; the
``*_many`` twins do the same for arrays of deals through tables, and tests hold both together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import (
    ALL_TRUMP,
    KING,
    N_RANKS,
    N_SUITS,
    NO_TRUMP,
    PLAIN_STRENGTH,
    QUEEN,
    RANKS,
    is_trump,
    make_card,
    rank_of,
    suit_of,
)
from pilotta_solver.deal import SEATS, SIDES, Deal, side_of
from pilotta_solver.notation import format_card
from pilotta_solver.ruleset import Ruleset

SEQUENCE_POINTS = {3: 20, 4: 50, 5: 100, 6: 100, 7: 100, 8: 100}
CARRE_POINTS = dict.fromkeys(map(RANKS.index, "QKTA"), 100)
CARRE_POINTS |= {RANKS.index("9"): 150, RANKS.index("J"): 200}
BELOTE_POINTS = 20

# Carrés of 100, the best last.
_CARRE_ORDER = [RANKS.index(letter) for letter in "QKTA"]
_SEQUENCE_NAMES = {3: "tierce", 4: "quarte", 5: "quinte"}

# Ranks from the lowest to the highest, as sequences run.
_RANK_ORDER = {
    "natural": tuple(range(N_RANKS)),
    "plain": tuple(sorted(range(N_RANKS), key=PLAIN_STRENGTH.__getitem__)),
}


@dataclass(frozen=True, slots=True)
class Declaration:
    """One declaration of a hand.

    Attributes
    ----------
    kind
        ``"sequence"`` or ``"carre"``.
    cards
        The card set that makes it.
    top
        The highest card of a sequence; of a carré, its card of spades.
    points
        What it is worth.
    """

    kind: Literal["sequence", "carre"]
    cards: int
    top: int
    points: int

    def __str__(self) -> str:
        return describe(self)


@dataclass(frozen=True, slots=True)
class Contest:
    """What the four hands of a deal declare, and which side scores it.

    Attributes
    ----------
    declared
        For each seat from N, its declarations, the best first.
    winner
        The side that scores all of its own, 0 for NS and 1 for EW; None if neither does.
    points
        The declaration points that NS and EW score.
    is_level
        Whether the best of both sides are level, so that ``declaration_tie`` decides.
    """

    declared: tuple[tuple[Declaration, ...], ...]
    winner: int | None
    points: tuple[int, int]
    is_level: bool


def describe(declaration: Declaration, *, symbols: bool = True) -> str:
    """Describe a declaration as a player would, as in ``tierce to the K♥ 20``."""
    if declaration.kind == "carre":
        return f"carré of {RANKS[rank_of(declaration.top)]}s {declaration.points}".replace(
            "T", "10"
        )
    length = declaration.cards.bit_count()
    name = _SEQUENCE_NAMES.get(length, f"sequence of {length}")
    card = format_card(declaration.top, symbols=symbols)
    return f"{name} to the {card[1:]}{card[0]} {declaration.points}"


def sequences(cards: int, rules: Ruleset) -> list[Declaration]:
    """Return every maximal run of three or more cards in one suit.

    A run of three is 20, of four 50, and one of five to eight is one declaration of 100.
    """
    order = _RANK_ORDER[rules.sequence_order]
    found = []
    for suit in range(N_SUITS):
        run: list[int] = []
        for rank in (*order, None):
            if rank is not None and cards >> make_card(suit, rank) & 1:
                run.append(make_card(suit, rank))
                continue
            if len(run) >= min(SEQUENCE_POINTS):
                mask = sum(1 << card for card in run)
                found.append(Declaration("sequence", mask, run[-1], SEQUENCE_POINTS[len(run)]))
            run = []
    return found


def carres(cards: int) -> list[Declaration]:
    """Return every four of a kind that counts: A, K, Q and 10 are 100, 9s 150, Js 200."""
    found = []
    for rank, points in CARRE_POINTS.items():
        mask = sum(1 << make_card(suit, rank) for suit in range(N_SUITS))
        if cards & mask == mask:
            found.append(Declaration("carre", mask, rank, points))
    return found


def strength(declaration: Declaration, trump: int, rules: Ruleset) -> tuple[int, ...]:
    """Return what compares two declarations: the greater tuple is the better declaration.

    The greater value is better. At 100 a carré beats a sequence (``carre_beats_quint``), and
    carrés rank A, 10, K, Q. Sequences of one value go by length, then by their top card, then a
    trump suit beats a plain one.
    """
    is_carre = declaration.kind == "carre"
    favoured = int(is_carre == rules.carre_beats_quint)
    rank = rank_of(declaration.top)
    if is_carre:
        order = _CARRE_ORDER.index(rank) if rank in _CARRE_ORDER else 0
        return declaration.points, favoured, N_SUITS, order, 0
    top = _RANK_ORDER[rules.sequence_order].index(rank)
    length = declaration.cards.bit_count()
    return declaration.points, favoured, length, top, int(is_trump(declaration.top, trump))


def hand_declarations(hand: int, trump: int, rules: Ruleset) -> tuple[Declaration, ...]:
    """Return what a hand declares, the best declaration first.

    A card counts in one declaration only. The player chooses which carrés to claim, and every run
    among the cards left is a sequence; the choice of greatest total is taken, then the one with
    the best single declaration.

    Examples
    --------
    >>> from pilotta_solver import load_ruleset, parse_hand
    >>> [str(one) for one in hand_declarations(parse_hand("KQJ.T98.7.7"), 0, load_ruleset())]
    ['tierce to the K♠ 20', 'tierce to the 10♥ 20']
    """
    if not rules.declarations:
        return ()

    def worth(choice: list[Declaration]) -> tuple[int, list[tuple[int, ...]]]:
        total = sum(declaration.points for declaration in choice)
        return total, [strength(declaration, trump, rules) for declaration in choice]

    choices: list[list[Declaration]] = []
    for claimed in _subsets(carres(hand)):
        left = hand
        for carre in claimed:
            left ^= carre.cards
        choice = [*claimed, *sequences(left, rules)]
        choice.sort(key=lambda declaration: strength(declaration, trump, rules), reverse=True)
        choices.append(choice)
    best = max(choices, key=worth)
    return tuple(best)


def _subsets(found: list[Declaration]) -> Iterator[tuple[Declaration, ...]]:
    for size in range(len(found) + 1):
        yield from combinations(found, size)


def contest(
    deal: Deal | Sequence[int],
    trump: int,
    rules: Ruleset,
    leader: int | None = None,
    led: int | None = None,
) -> Contest:
    """Decide which side's declarations score.

    The side with the single best declaration scores all of its own, the other side none. What
    happens when the best of both sides are level is for ``declaration_tie`` to say.

    Parameters
    ----------
    deal
        The deal, or its four hands from N.
    trump
        The contract: 0 to 3 a suit, 4 no trump, 5 all trump.
    rules
        The ruleset.
    leader
        The seat that leads to the first trick, if known; ``"first"`` counts from it (from N when
        it is not known).
    led
        The card led to the first trick, if the deal has been played; ``"led_suit"`` needs it and
        the leader, and counts as ``"none"`` without them.
    """
    hands = deal.hands if isinstance(deal, Deal) else deal
    declared = tuple(hand_declarations(hand, trump, rules) for hand in hands)
    best = [strength(own[0], trump, rules) if own else () for own in declared]
    holders = [seat for seat in range(len(SEATS)) if best[seat] and best[seat] == max(best)]
    is_level = len({side_of(seat) for seat in holders}) == len(SIDES)
    winner = side_of(holders[0]) if holders else None
    if is_level:
        winner = _break_tie(holders, declared, trump, rules, leader, led)
    points = [0, 0]
    for seat, own in enumerate(declared):
        if side_of(seat) == winner:
            points[winner] += sum(declaration.points for declaration in own)
    return Contest(declared, winner, (points[0], points[1]), is_level)


def _break_tie(
    holders: list[int],
    declared: tuple[tuple[Declaration, ...], ...],
    trump: int,
    rules: Ruleset,
    leader: int | None,
    led: int | None,
) -> int | None:
    """Return the side that wins when seats of both hold a best declaration."""
    if rules.declaration_tie == "first":
        return side_of(min(holders, key=lambda seat: (seat - (leader or 0)) % len(SEATS)))
    if rules.declaration_tie == "led_suit" and leader is not None and led is not None:
        for declaration in declared[leader] if leader in holders else ():
            is_best = strength(declaration, trump, rules) == strength(
                declared[leader][0], trump, rules
            )
            if is_best and suit_of(declaration.top) == suit_of(led):
                return side_of(leader)
    return None


def belotes(deal: Deal | Sequence[int], trump: int, rules: Ruleset) -> tuple[tuple[int, int], ...]:
    """Return each belote of a deal as its seat and its suit.

    K and Q of trumps in one hand are a belote. No trump has none; all trump has one for every suit
    under ``all_trump_belote``, else none.
    """
    hands = deal.hands if isinstance(deal, Deal) else deal
    if trump == NO_TRUMP or (trump == ALL_TRUMP and not rules.all_trump_belote):
        return ()
    suits = range(N_SUITS) if trump == ALL_TRUMP else (trump,)
    return tuple(
        (seat, suit)
        for suit in suits
        for seat, hand in enumerate(hands)
        if hand & _belote_cards(suit) == _belote_cards(suit)
    )


def belote_points(deal: Deal | Sequence[int], trump: int, rules: Ruleset) -> tuple[int, int]:
    """Return the belote points of NS and EW: 20 for each belote, apart from the contest."""
    sides = [side_of(seat) for seat, _ in belotes(deal, trump, rules)]
    return BELOTE_POINTS * sides.count(0), BELOTE_POINTS * sides.count(1)


def _belote_cards(suit: int) -> int:
    return 1 << make_card(suit, KING) | 1 << make_card(suit, QUEEN)


def declaration_points_many(
    hands: npt.NDArray[np.uint32],
    trump: int | npt.NDArray[np.integer[Any]],
    leader: int | npt.NDArray[np.integer[Any]],
    rules: Ruleset,
) -> npt.NDArray[np.int16]:
    """Return the declaration points that each side scores, for many deals before the play.

    Parameters
    ----------
    hands
        Card sets of shape ``(n, 4)``, the columns from N in order of play.
    trump, leader
        One index, or one for each deal.
    rules
        The ruleset. ``declaration_tie = "led_suit"`` counts as ``"none"``, for nothing has been
        led.

    Returns
    -------
    ndarray
        int16 of shape ``(n, 2)``: NS, EW.
    """
    n = len(hands)
    points = np.zeros((n, 2), np.int16)
    if not rules.declarations or n == 0:
        return points
    trumps = np.broadcast_to(np.asarray(trump), (n,))
    totals, best = _hands_many(hands, trumps, rules)
    sides = np.stack([best[:, 0::2].max(axis=1), best[:, 1::2].max(axis=1)], axis=1)
    wins = sides > sides[:, ::-1]
    if rules.declaration_tie == "first":
        level = (sides[:, 0] == sides[:, 1]) & (sides[:, 0] > 0)
        holds = best == sides[:, :1]
        after = (np.arange(4) - np.broadcast_to(np.asarray(leader), (n,))[:, None]) % 4
        first = np.where(holds, after, 4).argmin(axis=1) & 1
        wins |= level[:, None] & (first[:, None] == np.arange(2))
    points[:, 0] = np.where(wins[:, 0], totals[:, 0] + totals[:, 2], 0)
    points[:, 1] = np.where(wins[:, 1], totals[:, 1] + totals[:, 3], 0)
    return points


def _hands_many(
    hands: npt.NDArray[np.uint32], trumps: npt.NDArray[np.integer[Any]], rules: Ruleset
) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int32]]:
    """Return each hand's declaration points and its best declaration, packed; both ``(n, 4)``."""
    run_points, run_best = _run_tables(rules)
    suits = hands[:, :, None] >> np.arange(0, 32, 8, dtype=np.uint32) & np.uint32(255)
    totals = run_points[suits].sum(axis=2, dtype=np.int16)
    best = run_best[suits]
    suit_is_trump = np.array([[t in (suit, ALL_TRUMP) for suit in range(4)] for t in range(6)])
    best |= (best > 0) & suit_is_trump[trumps][:, None, :]
    best = best.max(axis=2)
    # A carré may break up a run: the few hands that hold one are read card by card.
    fours = np.bitwise_and.reduce(suits, axis=2) & np.uint32(sum(1 << r for r in CARRE_POINTS))
    for deal, seat in np.argwhere(fours):
        kind = int(trumps[deal])
        own = hand_declarations(int(hands[deal, seat]), kind, rules)
        totals[deal, seat] = sum(declaration.points for declaration in own)
        best[deal, seat] = _packed(strength(own[0], kind, rules))
    return totals, best


def _packed(key: tuple[int, ...]) -> int:
    """Pack the key of `strength` into one int of the same order; its last bit is the trump's."""
    points, favoured, length, order, trump = key
    return (((points * 2 + favoured) * 16 + length) * 8 + order) * 2 + trump


@cache
def _run_tables(rules: Ruleset) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int32]]:
    """Return for each set of ranks the points of its runs, and the best, packed, in plain suit."""
    runs = [sequences(ranks, rules) for ranks in range(1 << N_RANKS)]
    points = [sum(run.points for run in found) for found in runs]
    # The ranks stand in the suit of spades, which no trump leaves plain.
    keys = [[_packed(strength(run, NO_TRUMP, rules)) for run in found] for found in runs]
    return np.array(points, np.int16), np.array([max(own, default=0) for own in keys], np.int32)


def belote_seats_many(
    hands: npt.NDArray[np.uint32], trump: int | npt.NDArray[np.integer[Any]]
) -> npt.NDArray[np.int8]:
    """Return the seat that holds K and Q of the trump suit in each deal, -1 if none does.

    Parameters
    ----------
    hands
        Card sets of shape ``(n, 4)``.
    trump
        One index, or one for each deal; no trump and all trump give -1 (`belote_points_many` knows
        the belotes of all trump).
    """
    trumps = np.broadcast_to(np.asarray(trump), (len(hands),))
    cards = np.array([_belote_cards(suit) for suit in range(N_SUITS)] + [0, 0], np.uint32)[trumps]
    holds = (hands & cards[:, None]) == cards[:, None]
    found = holds.any(axis=1) & (trumps < NO_TRUMP)
    return np.where(found, holds.argmax(axis=1), -1).astype(np.int8)


def belote_points_many(
    hands: npt.NDArray[np.uint32],
    trump: int | npt.NDArray[np.integer[Any]],
    rules: Ruleset,
) -> npt.NDArray[np.int16]:
    """Return the belote points of NS and EW for many deals, as int16 of shape ``(n, 2)``."""
    trumps = np.broadcast_to(np.asarray(trump), (len(hands),))
    points = np.zeros((len(hands), 2), np.int16)
    for suit in range(N_SUITS):
        counts = (trumps == suit) | ((trumps == ALL_TRUMP) & rules.all_trump_belote)
        seats = belote_seats_many(hands, suit)
        for side in range(2):
            points[:, side] += BELOTE_POINTS * (counts & (seats >= 0) & (seats & 1 == side))
    return points
