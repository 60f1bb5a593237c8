"""Determinisation: worlds, that is complete deals that agree with what one player sees."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import FULL_DECK, N_RANKS
from pilotta_solver.deal import SEATS
from pilotta_solver.errors import DealError

MAX_SEED = (1 << 64) - 1


def worlds(hand: int, seat: int, n: int, seed: int, start: int = 0) -> npt.NDArray[np.uint32]:
    """Sample completions of the three unseen hands, uniformly and independently.

    World i is a function of (hand, seat, seed, i) alone, whatever ``n`` and ``start``.

    Parameters
    ----------
    hand
        The eight cards seen, a card set; 0 to deal all four hands at random.
    seat
        The column in which the hand stands, 0 to 3.
    n
        How many worlds.
    seed
        0 to 2**64 - 1.
    start
        The number of the first world.

    Returns
    -------
    numpy.ndarray
        Shape (n, 4), uint32: a row a world, a column a seat in order of play.

    Raises
    ------
    DealError
        If the hand has not eight cards, or a number is out of range.

    Examples
    --------
    >>> hands = worlds(0b11111111, seat=0, n=3, seed=1)
    >>> hands.shape, int(hands[0].sum()) == 0xFFFFFFFF
    ((3, 4), True)
    """
    if hand and (not 0 <= hand <= FULL_DECK or hand.bit_count() != N_RANKS):
        raise DealError(f"a hand of {hand.bit_count()} cards: worlds are dealt around {N_RANKS}")
    if not 0 <= seat < len(SEATS):
        raise DealError(f"seat {seat}: it is 0 to {len(SEATS) - 1}, for {', '.join(SEATS)}")
    if n < 1 or start < 0:
        raise DealError(f"{n} worlds from number {start}: give at least 1, from 0 on")
    if not 0 <= seed <= MAX_SEED:
        raise DealError(f"seed {seed}: it is 0 to {MAX_SEED}")
    from pilotta_solver.engine.sampling import deal_worlds

    dealt = np.empty((n, len(SEATS)), dtype=np.uint32)
    deal_worlds(hand, seat, np.uint64(seed), start, dealt)
    return dealt
