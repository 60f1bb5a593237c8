"""Drawing worlds that agree with what is known of cards and lengths: uniformly, without rejection.

The four hands hold eight cards each. For every card it is known which seats may hold it, and for
every suit and seat which lengths are allowed; cards that are seen may lie in one seat only. A
*split* of a suit says how many of its cards each seat gets. Two counts by dynamic programming:

- ``ways[u, j, x]``: in how many ways the cards from rank j on of suit u can be given to seats that
  may hold them, so that the seats get as many as x says. The card of rank j goes to one seat s, so

      ways[u, j, x] = sum over the seats s that may hold it of ways[u, j + 1, x less one for s],
      ways[u, 8, 0] = 1.

- ``deals[u, r]``: in how many ways the suits from u on can be dealt so that the seats get r cards
  in all. Suit u is split in some allowed way x, so

      deals[u, r] = sum over the allowed splits x <= r of ways[u, 0, x] * deals[u + 1, r - x],
      deals[4, 0] = 1.

``deals[0, (8, 8, 8, 8)]`` counts the worlds that agree. A world is drawn along the same sums: suit
by suit a split, each with chance ``ways[u, 0, x] * deals[u + 1, r - x] / deals[u, r]``, and within
the suit card by card a seat, with chance ``ways[u, j + 1, x less one for s] / ways[u, j, x]``.
Along any one world the factors of the cards cancel down to ``1 / ways[u, 0, x]``, which cancels
against the split's own, and the ``deals`` cancel down to ``1 / deals[0, (8, 8, 8, 8)]``: every
world has this chance. All counts are whole numbers, at most 32! / 8!^4 < 2^57, and every draw is an
unbiased whole number below a count, so uniform is meant exactly.

Four numbers of cards, one for each seat, are packed into the bytes of an int, N in the lowest.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import from_dtype, int64, types, uint64

from pilotta_solver.engine.annotations import Int, Word
from pilotta_solver.engine.jit import inner, kernel
from pilotta_solver.engine.sampling import draw, mix, stream_of

_N_SUITS, _N_RANKS, _N_SEATS = 4, 8, 4

# Numbers of cards of three seats, 0 to 8 each; the fourth has what is missing.
_N_COUNTS = 9**3

# Ways to write 8 as a sum of four numbers.
_N_SPLITS = 165

COMPLETIONS = np.dtype(
    [
        ("seats", np.int64, (_N_SUITS, _N_RANKS)),
        ("lengths", np.int64, (_N_SUITS, _N_SEATS)),
        ("ways", np.int64, (_N_SUITS, _N_RANKS + 1, _N_COUNTS)),
        ("n_splits", np.int64, (_N_SUITS,)),
        ("splits", np.int64, (_N_SUITS, _N_SPLITS)),
        ("deals", np.int64, (_N_SUITS + 1, _N_COUNTS)),
    ],
    align=True,
)
"""What is known, and the counts.

``seats``: for each card the seats that may hold it, bit s for seat s; ``lengths``: for each suit
and seat the allowed lengths, bit k for k cards. `count_completions` fills in the rest: ``ways`` and
``deals`` as above, and the allowed splits of each suit.
"""

FULL = 0x08080808
"""Eight cards for every seat."""

_Completions = types.Array(from_dtype(COMPLETIONS), 1, "C")

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MOST = np.uint64(0xFFFFFFFFFFFFFFFF)
_1 = np.uint64(1)


@inner
def place(counts: Int) -> Int:
    """Index of four packed numbers in ``ways`` and ``deals``, whose sum is known there."""
    return 81 * (counts & 255) + 9 * (counts >> 8 & 255) + (counts >> 16 & 255)


@inner
def is_within(counts: Int, room: Int) -> Int:
    """Whether each of four packed numbers is at most its counterpart: no byte has to borrow."""
    return ((room | 0x80808080) - counts) & 0x80808080 == 0x80808080


@inner
def draw_large(state: Word, n: Int) -> Any:
    """Return (state, uniform integer below ``n``), for ``n`` up to 2^63.

    A word of 64 bits beyond the last whole multiple of ``n`` is thrown away.
    """
    size = np.uint64(n)
    while True:
        state += _GOLDEN
        word = mix(state)
        drawn = word % size
        if word - drawn <= _MOST - (size - _1):
            return state, int64(drawn)


@inner
def count_ways(known: Any, suit: Int) -> None:
    """Fill ``ways`` of one suit, from its last rank to its first, and list the allowed splits."""
    ways = known.ways[suit]
    ways[_N_RANKS, 0] = 1
    n_splits = 0
    for rank in range(_N_RANKS - 1, -1, -1):
        seats = known.seats[suit, rank]
        n_left = _N_RANKS - rank
        for north in range(n_left + 1):
            for west in range(n_left - north + 1):
                for south in range(n_left - north - west + 1):
                    east = n_left - north - west - south
                    counts = north | west << 8 | south << 16 | east << 24
                    n_ways = int64(0)
                    for seat in range(_N_SEATS):
                        if seats >> seat & 1 and counts >> 8 * seat & 255:
                            n_ways += ways[rank + 1, place(counts - (1 << 8 * seat))]
                    ways[rank, place(counts)] = n_ways
                    if rank == 0 and n_ways and is_allowed(known, suit, counts):
                        known.splits[suit, n_splits] = counts
                        n_splits += 1
    known.n_splits[suit] = n_splits


@inner
def is_allowed(known: Any, suit: Int, split: Int) -> Int:
    """Whether every seat may have as many cards of a suit as a split gives it."""
    for seat in range(_N_SEATS):
        if not known.lengths[suit, seat] >> (split >> 8 * seat & 255) & 1:
            return False
    return True


@inner
def count_deals(known: Any, suit: Int) -> None:
    """Fill ``deals`` of one suit from those of the next."""
    n_left = _N_RANKS * (_N_SUITS - suit)
    for north in range(_N_RANKS + 1):
        for west in range(_N_RANKS + 1):
            for south in range(_N_RANKS + 1):
                east = n_left - north - west - south
                if east < 0 or east > _N_RANKS:
                    continue
                room = north | west << 8 | south << 16 | east << 24
                n_deals = int64(0)
                for k in range(known.n_splits[suit]):
                    split = known.splits[suit, k]
                    if is_within(split, room):
                        n_ways = known.ways[suit, 0, place(split)]
                        n_deals += n_ways * known.deals[suit + 1, place(room - split)]
                known.deals[suit, place(room)] = n_deals


@kernel(int64(_Completions))
def count_completions(completions: Any) -> Int:
    """Count the worlds that agree with ``seats`` and ``lengths`` of the one record given."""
    known = completions[0]
    known.deals[_N_SUITS, 0] = 1
    for suit in range(_N_SUITS - 1, -1, -1):
        count_ways(known, suit)
        count_deals(known, suit)
    return known.deals[0, place(FULL)]


@kernel(types.void(_Completions, uint64, int64[::1], int64[::1], types.uint32[:, ::1]))
def draw_completions(completions: Any, seed: Word, numbers: Any, tries: Any, worlds: Any) -> None:
    """Fill row i with try ``tries[i]`` at world ``numbers[i]``, from counts that are not zero.

    A row depends on what is known, the seed, the number and the try alone.
    """
    known = completions[0]
    for i in range(worlds.shape[0]):
        state = mix(stream_of(seed, numbers[i]) + np.uint64(tries[i]))
        for seat in range(_N_SEATS):
            worlds[i, seat] = 0
        room = int64(FULL)
        for suit in range(_N_SUITS):
            state, pick = draw_large(state, known.deals[suit, place(room)])
            split = int64(0)
            for k in range(known.n_splits[suit]):
                split = known.splits[suit, k]
                if is_within(split, room):
                    n_ways = known.ways[suit, 0, place(split)]
                    pick -= n_ways * known.deals[suit + 1, place(room - split)]
                    if pick < 0:
                        break
            room -= split
            for rank in range(_N_RANKS):
                n_ways = known.ways[suit, rank, place(split)]
                pick = int64(0)
                if n_ways > 1:
                    state, pick = draw(state, n_ways)
                seats = known.seats[suit, rank]
                for seat in range(_N_SEATS):
                    if seats >> seat & 1 and split >> 8 * seat & 255:
                        left = split - (1 << 8 * seat)
                        pick -= known.ways[suit, rank + 1, place(left)]
                        if pick < 0:
                            worlds[i, seat] |= np.uint32(1 << (_N_RANKS * suit + rank))
                            split = left
                            break
