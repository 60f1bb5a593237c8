"""The position that is asked about: set up, a card played on, put back."""

from __future__ import annotations

from numba import int64

from pilotta_solver.engine.annotations import Int, Question, Workspace
from pilotta_solver.engine.contract import set_contract, set_points, turn
from pilotta_solver.engine.jit import inner
from pilotta_solver.engine.plays import from_winner, legal_plays, wins_over
from pilotta_solver.engine.search import lay_card, search

NS_MAY_SWEEP, EW_MAY_SWEEP = 1, 2
"""Bits of ``may_sweep``: the sides that have lost no trick so far."""


@inner
def set_root(ws: Workspace, question: Question) -> None:
    """Turn a question's cards and lay the trick in progress."""
    trump = int64(question.trump)
    set_contract(ws, trump)
    ws.leader = question.leader
    ws.n_played = 0
    ws.trick_points = 0
    ws.ns_points = 0
    ws.may_sweep = question.may_sweep
    on_table = int64(0)
    for k in range(3):
        if question.trick[k] >= 0:
            on_table |= int64(1) << int64(question.trick[k])
    for k in range(4):
        ws.hands[k] = turn(int64(question.hands[(question.leader + k) & 3]), trump)
    ws.left = set_points(ws, turn(on_table, trump)) + ws.last_trick
    for k in range(4):
        ws.left += set_points(ws, ws.hands[k])
    if ws.hands[3] == 0:
        ws.left = 0
    for k in range(3):
        if question.trick[k] >= 0:
            lay(ws, turn(int64(1) << int64(question.trick[k]), trump))


@inner
def lay(ws: Workspace, card: Int) -> None:
    """Lay a card, which its hand no longer holds, on the unfinished trick."""
    ws.led, ws.best, ws.winner, ws.trick_points = lay_card(
        ws, card, ws.n_played, ws.led, ws.best, ws.winner, ws.trick_points
    )
    ws.n_played += 1


@inner
def play(ws: Workspace, card: Int) -> None:
    """Play a card of the seat to move; a full trick goes to its winner, who leads."""
    ws.hands[ws.n_played] ^= card
    lay(ws, card)
    if ws.n_played == 4:
        take_trick(ws)


@inner
def take_trick(ws: Workspace) -> None:
    """Give the full trick to its winner and turn the hands to the new leader."""
    taken = ws.left if ws.hands[0] == 0 else ws.trick_points
    ws.left -= taken
    ws.leader = (ws.leader + ws.winner) & 3
    if ws.leader & 1 == 0:
        ws.ns_points += taken
        ws.may_sweep &= NS_MAY_SWEEP
    else:
        ws.may_sweep &= EW_MAY_SWEEP
    ws.hands[0], ws.hands[1], ws.hands[2], ws.hands[3] = from_winner(
        ws.winner, ws.hands[0], ws.hands[1], ws.hands[2], ws.hands[3]
    )
    ws.n_played = 0
    ws.trick_points = 0


@inner
def legal_at_root(ws: Workspace) -> Int:
    """Cards that the seat to move may play."""
    hand = ws.hands[ws.n_played]
    if ws.n_played == 0:
        return hand
    return legal_plays(ws, hand, ws.led, ws.best, ws.winner == ws.n_played - 2)


@inner
def forced_end(ws: Workspace) -> Int:
    """What the trick leader's side takes of the last trick, once its leader has played."""
    if ws.n_played == 0:
        return int64(0)
    best = ws.best
    winner = ws.winner
    for seat in range(ws.n_played, 4):
        if wins_over(ws.hands[seat], best, ws.led, ws.trumps):
            best = ws.hands[seat]
            winner = seat
    return ws.left if winner & 1 == 0 else int64(0)


@inner
def ask(ws: Workspace, need: Int) -> Int:
    """Bound on what the trick leader's side takes: ``need`` or more, or an upper bound."""
    h0, h1, h2, h3 = ws.hands[0], ws.hands[1], ws.hands[2], ws.hands[3]
    if h0 == 0:
        return forced_end(ws)
    k = ws.n_played
    zero = k - k
    if k == 0:
        return search(ws, h0, h1, h2, h3, k, zero, zero, zero, zero, ws.left, need)
    led, best, winner, points, left = ws.led, ws.best, ws.winner, ws.trick_points, ws.left
    if k == 1:
        return left - search(
            ws, h1, h2, h3, h0, k, led, best, winner, points, left, left - need + 1
        )
    if k == 2:
        return search(ws, h2, h3, h0, h1, k, led, best, winner, points, left, need)
    return left - search(ws, h3, h0, h1, h2, k, led, best, winner, points, left, left - need + 1)
