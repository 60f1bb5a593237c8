"""Counting legal sequences of cards: the classic check of a move generator."""

from __future__ import annotations

from typing import Any

from numba import int64, types

from pilotta_solver.engine.bits import lowest, popcount
from pilotta_solver.engine.jit import inner, kernel
from pilotta_solver.engine.plays import legal_plays, suit_of, wins_over
from pilotta_solver.engine.root import set_root
from pilotta_solver.engine.solve import QUESTION_TYPE
from pilotta_solver.engine.workspace import WORKSPACE_TYPE


@inner
def sequences(
    ws: Any,
    h0: int,
    h1: int,
    h2: int,
    h3: int,
    k: int,
    led: int,
    best: int,
    winner: int,
    depth: int,
) -> int:
    """Count sequences of ``depth`` cards; ``h0`` is to move, as the seat ``k`` of the trick.

    The hands stand in order of play from the seat to move; ``winner`` counts from the leader.
    """
    if k == 4:
        ahead = winner
        if ahead == 0:
            return sequences(ws, h0, h1, h2, h3, int64(0), led, best, winner, depth)
        if ahead == 1:
            return sequences(ws, h1, h2, h3, h0, int64(0), led, best, winner, depth)
        if ahead == 2:
            return sequences(ws, h2, h3, h0, h1, int64(0), led, best, winner, depth)
        return sequences(ws, h3, h0, h1, h2, int64(0), led, best, winner, depth)
    moves = h0 if k == 0 else legal_plays(ws, h0, led, best, winner == k - 2)
    if depth == 1:
        return popcount(moves)
    total = int64(0)
    while moves != 0:
        card = lowest(moves)
        moves ^= card
        if k == 0:
            total += sequences(
                ws, h1, h2, h3, h0 ^ card, k + 1, suit_of(card), card, int64(0), depth - 1
            )
        elif wins_over(card, best, led, ws.trumps):
            total += sequences(ws, h1, h2, h3, h0 ^ card, k + 1, led, card, k, depth - 1)
        else:
            total += sequences(ws, h1, h2, h3, h0 ^ card, k + 1, led, best, winner, depth - 1)
    return total


@kernel(types.int64(WORKSPACE_TYPE[::1], QUESTION_TYPE[::1], int64))
def count_sequences(workspace: Any, questions: Any, depth: int) -> int:
    """Count the legal sequences of ``depth`` cards (1 or more) from the first question's deal."""
    ws = workspace[0]
    set_root(ws, questions[0])
    return sequences(
        ws,
        ws.hands[0],
        ws.hands[1],
        ws.hands[2],
        ws.hands[3],
        int64(0),
        int64(0),
        int64(0),
        int64(0),
        depth,
    )
