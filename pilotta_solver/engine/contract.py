"""Turning a deal for the search, and the payoff of its cards.

The kernel knows no suit by name. A turned card is bit ``8 * lane + strength``: the trump suit in
the highest lane, so that any trump is a greater number than any plain card, and the bits of each
suit ascending in strength, so that comparing cards is comparing numbers. Without a trump suit
the lanes are the suits as they are.
"""

from __future__ import annotations

import numpy as np
from numba import int64

from pilotta_solver import cards
from pilotta_solver.engine.annotations import Int, Workspace
from pilotta_solver.engine.jit import inner
from pilotta_solver.engine.workspace import TRUMP_LANE

SUIT_TRUMP, NO_TRUMP, ALL_TRUMP, TRICKS = range(4)
"""Kinds of payoff. TRICKS counts a point a card and none for the last trick: a side that takes
every point has taken every trick, so a capot needs no search of its own."""

_ALL = 0xFFFFFFFF
_TRUMP_SUIT = 0xFF << 8 * TRUMP_LANE


def _by_strength(points: tuple[int, ...], strength: tuple[int, ...]) -> list[int]:
    return [points[strength.index(place)] for place in range(8)]


def _byte_map(strength: tuple[int, ...]) -> list[int]:
    """Map a byte of ranks to the byte of strengths."""
    return [
        sum(1 << strength[rank] for rank in range(8) if byte >> rank & 1) for byte in range(256)
    ]


_PLAIN = _by_strength(cards.PLAIN_POINTS, cards.PLAIN_STRENGTH)
_LANE_POINTS = np.array(
    [
        [_PLAIN] * 3 + [_by_strength(cards.TRUMP_POINTS, cards.TRUMP_STRENGTH)],
        [_by_strength(cards.NO_TRUMP_POINTS, cards.PLAIN_STRENGTH)] * 4,
        [_by_strength(cards.ALL_TRUMP_POINTS, cards.TRUMP_STRENGTH)] * 4,
        [[1] * 8] * 4,
    ],
    dtype=np.int64,
)
_PLAIN_BYTE = np.array(_byte_map(cards.PLAIN_STRENGTH), dtype=np.uint8)
_TRUMP_BYTE = np.array(_byte_map(cards.TRUMP_STRENGTH), dtype=np.uint8)
_LAST_TRICK = cards.LAST_TRICK_POINTS


@inner
def lane_of(suit: Int, trump: Int) -> Int:
    """Lane of a suit: the plain suits in their order, then the trump suit."""
    if trump > 3:
        return suit
    if suit == trump:
        return int64(TRUMP_LANE)
    return suit - int64(suit > trump)


@inner
def turn(hand: Int, trump: Int) -> Int:
    """Turn a set of cards (card = 8 * suit + rank) for a contract."""
    turned = int64(0)
    for suit in range(4):
        byte = (hand >> (8 * suit)) & 255
        strong = trump in (suit, cards.ALL_TRUMP)
        placed = int64(_TRUMP_BYTE[byte]) if strong else int64(_PLAIN_BYTE[byte])
        turned |= placed << (8 * lane_of(int64(suit), trump))
    return turned


@inner
def set_contract(ws: Workspace, trump: Int) -> None:
    """Set the masks and the payoff of a contract (0-3 a suit, 4 no trump, 5 all trump)."""
    kind = int64(SUIT_TRUMP) if trump < 4 else trump - 3
    ws.trumps = _TRUMP_SUIT if kind == SUIT_TRUMP else 0
    ws.beat_lead = 0
    if ws.beat_trump_lead != 0:
        ws.beat_lead = _ALL if kind == ALL_TRUMP else ws.trumps
    set_payoff(ws, kind)


@inner
def set_payoff(ws: Workspace, kind: Int) -> None:
    """Set what each card is worth, and the sums that the search looks up."""
    if ws.kind == kind:
        return
    ws.kind = kind
    ws.last_trick = 0 if kind == TRICKS else _LAST_TRICK
    for lane in range(4):
        for place in range(8):
            ws.points[8 * lane + place] = _LANE_POINTS[kind, lane, place]
        for byte in range(256):
            total = int64(0)
            ranked = np.uint64(0)
            shift = np.uint64(0)
            for place in range(8):
                if (byte >> place) & 1 != 0:
                    total += _LANE_POINTS[kind, lane, place]
                    ranked |= np.uint64(_LANE_POINTS[kind, lane, place]) << shift
                    shift += np.uint64(8)
            ws.byte_points[lane, byte] = total
            ws.ranked_points[lane, byte] = ranked


@inner
def set_points(ws: Workspace, hand: Int) -> Int:
    """Points of a set of turned cards."""
    return (
        ws.byte_points[0, hand & 255]
        + ws.byte_points[1, (hand >> 8) & 255]
        + ws.byte_points[2, (hand >> 16) & 255]
        + ws.byte_points[3, (hand >> 24) & 255]
    )
