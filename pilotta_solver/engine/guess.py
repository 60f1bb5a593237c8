"""The value to ask about first: what each card is worth to the side that holds it.

Least squares over 6,000 random deals a kind of contract, rounded to whole points (what is left
unexplained has a standard deviation of 16 to 18 points). ``benchmarks/fit_guess.py`` fits it
again. A bad guess costs time, never exactness.
"""

from __future__ import annotations

import numpy as np
from numba import int64

from pilotta_solver.engine.annotations import Int, Workspace
from pilotta_solver.engine.bits import lowest, lowest_index
from pilotta_solver.engine.jit import inner
from pilotta_solver.engine.workspace import TRUMP_LANE

WORTH = np.array(
    [
        [[-7, -7, -7, -7, -7, -6, -4, 5], [0, 0, 0, 1, 3, 5, 9, 23]],
        [[-3, -3, -3, -3, -3, -2, 2, 17]] * 2,
        [[-3, -3, -3, -3, -3, -2, 2, 16]] * 2,
        [[0] * 8] * 2,
    ],
    dtype=np.int64,
)
"""Points by kind of contract, lane (plain, trump) and strength."""

LEAD_WORTH = np.array([6, 8, 11, 0], dtype=np.int64)
"""Points for leading, by kind of contract."""


@inner
def guess_value(ws: Workspace) -> Int:
    """Guess what the side of the trick leader takes from the root, 0 to what is left."""
    guess = ws.left // 2 + LEAD_WORTH[ws.kind]
    for seat in range(4):
        worth = int64(0)
        cards = ws.hands[seat]
        while cards != 0:
            card = lowest(cards)
            cards ^= card
            index = lowest_index(card)
            worth += WORTH[ws.kind, int64(index >> 3 == TRUMP_LANE), index & 7]
        guess += worth if seat & 1 == 0 else -worth
    return min(max(guess, int64(0)), ws.left)
