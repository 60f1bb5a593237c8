"""The transposition table: bounds on what the side to lead still takes, kept by structure.

An entry is two words: the owners; and the masks (32 bits), lower and upper bound, best move and
generation (8 bits each). Four entries make a bucket, 64 bytes, a cache line.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64

from pilotta_solver.engine.annotations import Int, Word, Workspace
from pilotta_solver.engine.bits import highest_index, popcount
from pilotta_solver.engine.jit import inner
from pilotta_solver.engine.workspace import TABLE_BITS, TRUMP_LANE

NO_MOVE = 255

U = np.uint64
_MASKS = U(0xFFFFFFFF)
_BYTE = U(0xFF)
_LOWER, _UPPER, _MOVE, _GENERATION = U(32), U(40), U(48), U(56)
_FULL_SUIT = 0xFF
_UNLIKE = 1000

_TRUMP_OWNERS = U(16 * TRUMP_LANE)

_LOW_BITS = U(0x0101010101010101)
_HIGH_BITS = U(0x8080808080808080)
_TO_LOW_BIT, _TO_SUM, _SEVEN_BITS = U(7), U(56), U(0x7F)

_MULTIPLIER = U(0x9E3779B97F4A7C15)
_INDEX_SHIFT = U(64 - TABLE_BITS)


@inner
def bucket_of(owners: Word) -> Int:
    """First word of the bucket of a structure (Fibonacci hashing)."""
    return int64((owners * _MULTIPLIER) >> _INDEX_SHIFT) * 8


@inner
def is_current(ws: Workspace, word: Word) -> bool:
    """Whether an entry was written for the deal in hand."""
    return int64(word >> _GENERATION) == ws.generation


@inner
def probe(ws: Workspace, owners: Word, masks: Word, left: Int) -> Any:
    """Return (lower, upper, move) from all entries of this structure."""
    bucket = bucket_of(owners)
    lower = int64(0)
    upper = int64(left)
    move = int64(NO_MOVE)
    for i in range(bucket, bucket + 8, 2):
        word = ws.table[i + 1]
        if ws.table[i] != owners or not is_current(ws, word):
            continue
        low = int64((word >> _LOWER) & _BYTE)
        up = int64((word >> _UPPER) & _BYTE)
        stored = word & _MASKS
        if stored != masks:
            dearer, cheaper = dearer_cheaper(ws, owners, masks, stored)
            low -= cheaper
            up += dearer
        lower = max(lower, low)
        upper = min(upper, up)
        kept = int64((word >> _MOVE) & _BYTE)
        if kept != NO_MOVE:
            move = kept
    return lower, upper, move


@inner
def dearer_cheaper(ws: Workspace, owners: Word, masks: Word, stored: Word) -> Any:
    """How much more, and how much less, the side to lead may take than in the stored position.

    In the same game, card for card, that is at most the sum of what cards are dearer, and of what
    they are cheaper, rank by rank. The top trumps of a side are sure to be taken by it: of these
    the leader's side has all the difference, not at most, and the other side's do not count.

    Where one suit has all eight cards and the other has not, the owners look alike without being
    so, and both figures are beyond any value.
    """
    dearer = int64(0)
    cheaper = int64(0)
    for lane in range(4):
        shift = U(8 * lane)
        now = int64((masks >> shift) & _BYTE)
        then = int64((stored >> shift) & _BYTE)
        if now == then:
            continue
        if now == _FULL_SUIT or then == _FULL_SUIT:
            return int64(_UNLIKE), int64(_UNLIKE)
        points, stored_points = ws.ranked_points[lane, now], ws.ranked_points[lane, then]
        if lane == TRUMP_LANE and ws.trumps != 0:
            n_open, ours = below_top_trumps(owners, popcount(now))
            above = U(8 * n_open)
            if ours:
                more = sum_bytes(points >> above) - sum_bytes(stored_points >> above)
                dearer += more
                cheaper -= more
            points &= (U(1) << above) - U(1)
            stored_points &= (U(1) << above) - U(1)
        # eight differences side by side, 128 added to each so that none borrows from the next
        gaps = (points | _HIGH_BITS) - stored_points
        positive = ((gaps & _HIGH_BITS) >> _TO_LOW_BIT) * _SEVEN_BITS
        more = sum_bytes(gaps & positive)
        dearer += more
        cheaper += more - (sum_bytes(points) - sum_bytes(stored_points))
    return dearer, cheaper


@inner
def sum_bytes(word: Word) -> Int:
    """Sum of the eight bytes of a word, below 256."""
    return int64((word * _LOW_BITS) >> _TO_SUM)


@inner
def below_top_trumps(owners: Word, n: Int) -> Any:
    """Number of the ``n`` trumps left below the top ones of a side; whether it is the leader's."""
    every = (int64(1) << n) - 1
    sides = int64(owners >> _TRUMP_OWNERS) & every  # an owner's low bit is his side
    ours = (sides >> (n - 1)) & 1 == 0
    others = sides if ours else sides ^ every
    return (highest_index(others) + 1 if others != 0 else int64(0)), ours


@inner
def store(ws: Workspace, owners: Word, masks: Word, lower: Int, upper: Int, move: Int) -> None:
    """Keep bounds: in the entry of these very cards, else in an old one, else in one by turns."""
    bucket = bucket_of(owners)
    at = bucket + 2 * (ws.cards_searched & 3)
    for i in range(bucket, bucket + 8, 2):
        word = ws.table[i + 1]
        if not is_current(ws, word):
            at = i
        elif ws.table[i] == owners and word & _MASKS == masks:
            at = i
            break
    ws.table[at] = owners
    ws.table[at + 1] = (
        masks
        | (U(lower) << _LOWER)
        | (U(upper) << _UPPER)
        | (U(move) << _MOVE)
        | (U(ws.generation) << _GENERATION)
    )
