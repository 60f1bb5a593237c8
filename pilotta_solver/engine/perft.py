"""Counting legal sequences of cards: the classic check of a move generator."""

from __future__ import annotations

from typing import Any

from numba import int64, types

from pilotta_solver.engine.annotations import Int, Workspace
from pilotta_solver.engine.bits import lowest, popcount
from pilotta_solver.engine.jit import inner, kernel
from pilotta_solver.engine.plays import from_winner, legal_plays
from pilotta_solver.engine.root import set_root
from pilotta_solver.engine.search import lay_card
from pilotta_solver.engine.solve import QUESTION_TYPE
from pilotta_solver.engine.workspace import WORKSPACE_TYPE


@inner
def sequences(
    ws: Workspace,
    h0: Int,
    h1: Int,
    h2: Int,
    h3: Int,
    k: Int,
    led: Int,
    best: Int,
    winner: Int,
    depth: Int,
) -> Int:
    """Count sequences of ``depth`` cards; ``h0`` is to move, as the seat ``k`` of the trick.

    The hands stand in order of play from the seat to move; ``winner`` counts from the leader.
    """
    if k == 4:
        k = int64(0)
        h0, h1, h2, h3 = from_winner(winner, h0, h1, h2, h3)
    moves = h0 if k == 0 else legal_plays(ws, h0, led, best, winner == k - 2)
    if depth == 1:
        return popcount(moves)
    total = int64(0)
    while moves != 0:
        card = lowest(moves)
        moves ^= card
        led_now, best_now, by, _ = lay_card(ws, card, k, led, best, winner, int64(0))
        total += sequences(ws, h1, h2, h3, h0 ^ card, k + 1, led_now, best_now, by, depth - 1)
    return total


@kernel(types.int64(WORKSPACE_TYPE[::1], QUESTION_TYPE[::1], int64))
def count_sequences(workspace: Any, questions: Any, depth: int) -> int:
    """Count the sequences of ``depth`` cards (1 or more) from the first question's position."""
    ws = workspace[0]
    set_root(ws, questions[0])
    k = ws.n_played
    h0, h1, h2, h3 = from_winner(k, ws.hands[0], ws.hands[1], ws.hands[2], ws.hands[3])
    return sequences(ws, h0, h1, h2, h3, k, ws.led, ws.best, ws.winner, depth)
