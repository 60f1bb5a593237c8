"""The structure of a position between two tricks: what decides its legal games, and nothing else.

Per suit: which seat, counted from the leader, owns each card that is left, in order of strength.
Two positions of one structure have the same legal games card by card; only the points on the
cards differ. That is payoff similarity (Furtak and Buro, "Using payoff-similarity to speed up
search", IJCAI 2011). Plain suits obey one law, so their order is free, and they are sorted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64

from pilotta_solver.engine.annotations import Int, Word, Workspace
from pilotta_solver.engine.bits import below, lowest, lowest_index, popcount
from pilotta_solver.engine.jit import inner

U = np.uint64
_0, _1, _2, _3, _4, _6, _8, _16, _24, _32, _48 = (
    U(n) for n in (0, 1, 2, 3, 4, 6, 8, 16, 24, 32, 48)
)
_BYTE = U(0xFF)
_SECOND_BYTE = U(0xFF00)
_LOW_BITS = U(0x0101010101010101)
_UP_1 = U(0xFEFEFEFEFEFEFEFE)
_UP_2 = U(0xFCFCFCFCFCFCFCFC)
_UP_4 = U(0xF0F0F0F0F0F0F0F0)


@inner
def structure_of(ws: Workspace, h1: Int, h2: Int, h3: Int, cards: Int) -> Any:
    """Return (owners, masks, lanes) of the cards left, the leader's hand being the rest.

    ``owners`` has 16 bits a suit, ``masks`` the suit's byte of cards left, both in sorted order;
    ``lanes`` says in two bits each which lane a sorted suit is. In ``owners`` a suit's low byte
    has the low bit of each owner, its high byte the high bit, compressed to the cards left, and
    above them, in both bytes, a bit that marks the length. A suit of eight cards has no room for
    the mark: `table.dearer_cheaper` tells it by its mask, 0xFF.
    """
    left = U(cards) | (U(cards) << _32)
    owners = compress_bytes(U(h1 | h3) | (U(h2 | h3) << _32), left)
    a = lane_word(owners, cards, _0)
    b = lane_word(owners, cards, _1)
    c = lane_word(owners, cards, _2)
    d = lane_word(owners, cards, _3)
    if ws.trumps == 0:
        c, d = min(c, d), max(c, d)
        b, c = min(b, c), max(b, c)
        a, b = min(a, b), max(a, b)
        c, d = min(c, d), max(c, d)
    b, c = min(b, c), max(b, c)
    a, b = min(a, b), max(a, b)
    b, c = min(b, c), max(b, c)
    return (
        (a >> _16) | ((b >> _16) << _16) | ((c >> _16) << _32) | ((d >> _16) << _48),
        ((a >> _8) & _BYTE)
        | (b & _SECOND_BYTE)
        | ((c & _SECOND_BYTE) << _8)
        | ((d & _SECOND_BYTE) << _16),
        int64((a & _3) | ((b & _3) << _2) | ((c & _3) << _4) | ((d & _3) << _6)),
    )


@inner
def compress_bytes(bits: Word, mask: Word) -> Word:
    """Move the bits under the mask to the low end of their byte, with a mark above the last.

    Eight bytes side by side, in three steps of doubling distance ("Hacker's Delight", 7-4).
    """
    zeros = (~mask << _1) & _UP_1
    distance = _1
    for _ in range(3):
        parity = zeros ^ ((zeros << _1) & _UP_1)
        parity ^= (parity << _2) & _UP_2
        parity ^= (parity << _4) & _UP_4
        moving = parity & mask
        mask = (mask ^ moving) | (moving >> distance)
        moved = bits & moving
        bits = (bits ^ moved) | (moved >> distance)
        zeros &= ~parity
        distance <<= _1
    return bits | ((((mask << _1) & _UP_1) | _LOW_BITS) ^ mask)


@inner
def lane_word(owners: Word, cards: Int, lane: Word) -> Word:
    """One suit as a word to sort by: owners, then the mask of its cards, then its lane."""
    shift = lane << _3
    low = (owners >> shift) & _BYTE
    high = (owners >> (shift + _32)) & _BYTE
    return (high << _24) | (low << _16) | (((U(cards) >> shift) & _BYTE) << _8) | lane


@inner
def pack_move(card: Int, cards: Int, lanes: Int) -> Int:
    """Name a card by its suit's sorted place and its rank among the cards left: six bits."""
    lane = lowest_index(card) >> 3
    place = int64(0)
    for k in range(4):
        if (lanes >> (2 * k)) & 3 == lane:
            place = int64(k)
    return place * 8 + popcount(cards & (int64(255) << (8 * lane)) & below(card))


@inner
def unpack_move(move: Int, cards: Int, lanes: Int) -> Int:
    """Card that has this name in another position of the same structure."""
    lane = (lanes >> (2 * (move >> 3))) & 3
    suit = cards & (int64(255) << (8 * lane))
    for _ in range(move & 7):
        suit &= suit - 1
    return lowest(suit)
