"""The memory of one search: law of play, payoff of the cards, root, move lists, table.

One record a thread. A kernel gets it as a single pointer, which is cheaper to hand down a
recursion than a handful of arrays, and nothing is shared between two threads.
"""

from __future__ import annotations

import numba
import numpy as np
import numpy.typing as npt

from pilotta_solver.engine.weights import N_WEIGHTS, WEIGHTS

TABLE_BITS = 13
"""The table has 2 ** TABLE_BITS buckets of four entries of 16 bytes: 512 KiB."""

TRUMP_LANE = 3
"""Turned cards: the byte of the trump suit, above the three plain suits."""

USE_TABLE, USE_LIKENESS, USE_BOUNDS, USE_GLANCE = 1, 2, 4, 8
EVERY_PRUNING = USE_TABLE | USE_LIKENESS | USE_BOUNDS | USE_GLANCE

WORKSPACE = np.dtype(
    [
        # law of play
        ("partner_exempt", "i8"),
        ("undertrump", "i8"),
        ("beat_trump_lead", "i8"),
        # which of the search's short cuts are on
        ("pruning", "i8"),
        # contract, set by contract.set_contract: masks of trumps and of suits to beat when led
        ("kind", "i8"),
        ("trumps", "i8"),
        ("beat_lead", "i8"),
        # payoff: per card; per lane and byte in sum; per lane and byte in order, a byte each
        ("last_trick", "i8"),
        ("points", "i8", 32),
        ("byte_points", "i8", (4, 256)),
        ("ranked_points", "u8", (4, 256)),
        # root, turned, seats counted from the leader of the trick
        ("hands", "i8", 4),
        ("leader", "i8"),
        ("n_played", "i8"),
        ("led", "i8"),
        ("best", "i8"),
        ("winner", "i8"),
        ("trick_points", "i8"),
        ("left", "i8"),
        ("ns_points", "i8"),
        ("may_sweep", "i8"),
        # search
        ("cards_searched", "i8"),
        ("generation", "i8"),
        ("weights", "i8", N_WEIGHTS),
        # by cards a hand: structure of the position last looked at; by cards left: ordered moves
        ("owners", "u8", 9),
        ("masks", "u8", 9),
        ("lanes", "i8", 9),
        ("moves", "i8", (33, 8)),
        ("table", "u8", (8 << TABLE_BITS)),
    ],
    align=True,
)
WORKSPACE_TYPE = numba.from_dtype(WORKSPACE)


def new_workspace(
    partner_exempt: bool, undertrump: int, beat_trump_lead: bool, pruning: int = EVERY_PRUNING
) -> npt.NDArray[np.void]:
    """Return an empty workspace, an array of one record, for one law of play.

    ``pruning`` is a sum of USE_TABLE, USE_LIKENESS, USE_BOUNDS and USE_GLANCE: the tests and the
    ablation in ``benchmarks`` leave some of them out, which changes the cost and no value.
    """
    workspace = np.zeros(1, WORKSPACE)
    workspace["partner_exempt"] = partner_exempt
    workspace["undertrump"] = undertrump
    workspace["beat_trump_lead"] = beat_trump_lead
    workspace["pruning"] = pruning
    workspace["kind"] = -1
    workspace["weights"] = WEIGHTS[int(partner_exempt)]
    return workspace
