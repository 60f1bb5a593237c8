"""Drawing worlds: uniform completions of the hands that one player does not see.

World i of seed s is a function of (s, i) alone: a SplitMix64 stream that starts at a mix of the
two. Results therefore do not depend on threads, and any one world can be made again.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import int64, types

from pilotta_solver.engine.bits import lowest
from pilotta_solver.engine.jit import inner, kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
_WORD = np.uint64(0xFFFFFFFF)


@inner
def mix(word: Any) -> Any:
    """SplitMix64's finaliser (Steele, Lea and Flood, 2014): a bijection of 64 bits."""
    word = (word ^ (word >> _30)) * _MIX_1
    word = (word ^ (word >> _27)) * _MIX_2
    return word ^ (word >> _31)


@inner
def stream_of(seed: Any, number: int) -> Any:
    """State from which the draws of world ``number`` start."""
    return mix(mix(seed + _GOLDEN) + np.uint64(number) * _GOLDEN)


@inner
def draw(state: Any, n: int) -> Any:
    """Return (state, uniform integer below ``n``), by Lemire's multiplication with rejection."""
    size = np.uint64(n)
    state += _GOLDEN
    product = (mix(state) >> _32) * size
    if product & _WORD < size:
        least = (_WORD - size + np.uint64(1)) % size
        while product & _WORD < least:
            state += _GOLDEN
            product = (mix(state) >> _32) * size
    return state, int64(product >> _32)


@inner
def draw_cards(state: Any, cards: int, n_cards: int, n: int) -> Any:
    """Return (state, n cards drawn uniformly from a set of ``n_cards``)."""
    drawn = int64(0)
    for i in range(n):
        state, skip = draw(state, n_cards - i)
        rest = cards & ~drawn
        for _ in range(skip):
            rest &= rest - 1
        drawn |= lowest(rest)
    return state, drawn


@kernel(types.void(int64, int64, types.uint64, int64, types.uint32[:, ::1]))
def deal_worlds(hand: int, seat: int, seed: Any, start: int, worlds: Any) -> None:
    """Fill row i with world ``start + i``: the hand in its seat, the rest dealt to the others.

    ``hand`` may be empty: then every seat is dealt a hand and ``seat`` only comes last.
    """
    per_seat = int64(8)
    for i in range(worlds.shape[0]):
        state = stream_of(seed, start + i)
        rest = int64(0xFFFFFFFF) & ~hand
        n_rest = int64(32) if hand == 0 else int64(24)
        for k in range(1, 4):
            state, drawn = draw_cards(state, rest, n_rest, per_seat)
            rest ^= drawn
            n_rest -= per_seat
            worlds[i, (seat + k) & 3] = np.uint32(drawn)
        worlds[i, seat] = np.uint32(hand | rest)
