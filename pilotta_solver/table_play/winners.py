"""Cards that win whoever holds the others: what tells whether a sweep comes off at the table."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import N_RANKS, N_SUITS, RANKS, TRUMP_STRENGTH

_ACE = RANKS.index("A")


def _top_trumps() -> npt.NDArray[np.int8]:
    """For each byte of trumps, how many are held from the jack down without a gap."""
    downwards = sorted(range(N_RANKS), key=lambda rank: -TRUMP_STRENGTH[rank])
    found = np.zeros(1 << N_RANKS, np.int8)
    for held in range(1 << N_RANKS):
        for rank in downwards:
            if not held >> rank & 1:
                break
            found[held] += 1
    return found


_TOP_TRUMPS = _top_trumps()


def winners_many(
    hands: npt.NDArray[np.uint32], trumps: int | npt.ArrayLike
) -> npt.NDArray[np.int64]:
    """Count the winners of hands: trumps from the jack down without a gap, and side aces.

    Parameters
    ----------
    hands
        Shape (n,), uint32: card sets.
    trumps
        The suit that is trumps, 0 to 3, one or one a hand.

    Returns
    -------
    numpy.ndarray
        Shape (n,).

    Examples
    --------
    >>> from pilotta_solver import parse_hand
    >>> winners_many(np.array([parse_hand("J9AK.AT.A8.")], np.uint32), 0).tolist()
    [5]
    """
    suits = np.broadcast_to(np.asarray(trumps, np.uint32), hands.shape)
    held = hands >> (np.uint32(N_RANKS) * suits) & np.uint32(0xFF)
    found: npt.NDArray[np.int64] = _TOP_TRUMPS[held].astype(np.int64)
    for suit in range(N_SUITS):
        has_ace = hands >> np.uint32(N_RANKS * suit + _ACE) & np.uint32(1)
        found += (has_ace == 1) & (suits != suit)
    return found
