"""The transposition table: bounds on what the side to lead still takes, keyed on structure."""

from __future__ import annotations

import numpy as np

from pilotta_solver.engine.jit import inner
from pilotta_solver.engine.workspace import TABLE_BITS

U = np.uint64
_ONES = U(0x0101010101010101)
_TOPS = U(0x8080808080808080)
_LOWS = U(0x7F7F7F7F7F7F7F7F)
_UP1 = U(0xFEFEFEFEFEFEFEFE)
_UP2 = U(0xFCFCFCFCFCFCFCFC)
_UP4 = U(0xF0F0F0F0F0F0F0F0)
_1, _2, _4, _7, _8, _16, _24, _32, _40, _48, _56 = (
    U(n) for n in (1, 2, 4, 7, 8, 16, 24, 32, 40, 48, 56)
)
_BYTE = U(0xFF)
_FULL = 0xFF
_NEVER = 1000
_MULTIPLIER = U(0x9E3779B97F4A7C15)
_INDEX_SHIFT = U(64 - TABLE_BITS)


@inner
def structure_of(ws, h1, h2, h3, left):
    """Return the owners word and the masks word."""
    m = U(left) | (U(left) << _32)
    x = U(h1 | h3) | (U(h2 | h3) << _32)
    mk = (~m << _1) & _UP1
    s = _1
    for _ in range(3):
        mp = mk ^ ((mk << _1) & _UP1)
        mp = mp ^ ((mp << _2) & _UP2)
        mp = mp ^ ((mp << _4) & _UP4)
        mv = mp & m
        m = (m ^ mv) | (mv >> s)
        t = x & mv
        x = (x ^ t) | (t >> s)
        mk = mk & ~mp
        s = s << _1
    x |= (((m << _1) & _UP1) | _ONES) ^ m
    a = ((x & _BYTE) << _8) | (((x >> _32) & _BYTE) << _16) | (U(left) & _BYTE)
    b = (((x >> _8) & _BYTE) << _8) | (((x >> _40) & _BYTE) << _16) | ((U(left) >> _8) & _BYTE)
    c = (((x >> _16) & _BYTE) << _8) | (((x >> _48) & _BYTE) << _16) | ((U(left) >> _16) & _BYTE)
    d = (((x >> _24) & _BYTE) << _8) | ((x >> _56) << _16) | ((U(left) >> _24) & _BYTE)
    if ws.trumps == 0:
        c, d = min(c, d), max(c, d)
        b, c = min(b, c), max(b, c)
        a, b = min(a, b), max(a, b)
        c, d = min(c, d), max(c, d)
    b, c = min(b, c), max(b, c)
    a, b = min(a, b), max(a, b)
    b, c = min(b, c), max(b, c)
    owners = (a >> _8) | ((b >> _8) << _16) | ((c >> _8) << _32) | ((d >> _8) << _48)
    masks = (a & _BYTE) | ((b & _BYTE) << _8) | ((c & _BYTE) << _16) | ((d & _BYTE) << _24)
    return owners, masks


@inner
def bucket_of(owners):
    return np.int64((owners * _MULTIPLIER) >> _INDEX_SHIFT) * 8


@inner
def dearer_cheaper(ws, masks, stored):
    """How much dearer in sum, and how much cheaper, the cards are than the stored ones."""
    dearer = np.int64(0)
    cheaper = np.int64(0)
    for lane in range(4):
        s = U(8 * lane)
        now = np.int64((masks >> s) & _BYTE)
        then = np.int64((stored >> s) & _BYTE)
        if now != then:
            if now == _FULL or then == _FULL:
                return np.int64(_NEVER), np.int64(_NEVER)
            p = ws.ranked_points[lane, now]
            q = ws.ranked_points[lane, then]
            t = (p | _TOPS) - q
            keep = ((t & _TOPS) >> _7) * U(0x7F)
            u = np.int64(((t & keep) * _ONES) >> _56)
            dearer += u
            cheaper += u - (ws.byte_points[lane, now] - ws.byte_points[lane, then])
    return dearer, cheaper


@inner
def probe(ws, owners, masks, bucket, points_left):
    """Bounds on the points of the side to lead, from all entries of this structure."""
    lower = np.int64(0)
    upper = np.int64(points_left)
    for i in range(bucket, bucket + 8, 2):
        if ws.table[i] != owners:
            continue
        word = ws.table[i + 1]
        if np.int64(word >> _56) != ws.generation:
            continue
        stored = word & U(0xFFFFFFFF)
        lo = np.int64((word >> _32) & _BYTE)
        hi = np.int64((word >> _40) & _BYTE)
        if stored != masks:
            dearer, cheaper = dearer_cheaper(ws, masks, stored)
            lo -= cheaper
            hi += dearer
        lower = max(lower, lo)
        upper = min(upper, hi)
    return lower, upper


@inner
def store(ws, owners, masks, bucket, lower, upper):
    """Keep bounds: in the entry of these very cards, else over the one least worth keeping."""
    at = bucket
    for i in range(bucket, bucket + 8, 2):
        word = ws.table[i + 1]
        if np.int64(word >> _56) != ws.generation:
            at = i
            continue
        if ws.table[i] == owners and (word & U(0xFFFFFFFF)) == masks:
            at = i
            break
    else:
        if np.int64(ws.table[at + 1] >> _56) == ws.generation:
            at = bucket + 2 * (ws.cards_searched & 3)
    ws.table[at] = owners
    ws.table[at + 1] = masks | (U(lower) << _32) | (U(upper) << _40) | (U(ws.generation) << _56)
