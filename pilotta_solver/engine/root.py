"""The position that is asked about: set up, a card played on, put back."""

from __future__ import annotations

from numba import int64

from pilotta_solver.engine.bits import lowest_index, popcount
from pilotta_solver.engine.contract import TRICKS, set_contract, set_payoff, set_points, turn
from pilotta_solver.engine.jit import inner
from pilotta_solver.engine.plays import legal_plays, suit_of, wins_over
from pilotta_solver.engine.search import search

NS_MAY_SWEEP, EW_MAY_SWEEP = 1, 2
"""Bits of ``may_sweep``: the sides that have lost no trick so far."""


@inner
def set_root(ws, question):
    """Turn a question's cards and lay the trick in progress."""
    trump = int64(question.trump)
    set_contract(ws, trump)
    ws.leader = question.leader
    ws.n_played = 0
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
def lay(ws, card):
    """Lay a card on an unfinished trick; its hand no longer holds it."""
    if ws.n_played == 0:
        ws.led = suit_of(card)
        ws.best = card
        ws.winner = 0
        ws.trick_points = 0
    elif wins_over(card, ws.best, ws.led, ws.trumps):
        ws.best = card
        ws.winner = ws.n_played
    ws.trick_points += ws.points[lowest_index(card)]
    ws.n_played += 1


@inner
def play(ws, card):
    """Play a card of the seat to move; a full trick goes to its winner, who leads."""
    ws.hands[ws.n_played] ^= card
    lay(ws, card)
    if ws.n_played < 4:
        return
    winner = ws.winner
    h0, h1, h2, h3 = ws.hands[0], ws.hands[1], ws.hands[2], ws.hands[3]
    ws.left -= ws.trick_points
    ws.leader = (ws.leader + winner) & 3
    if h0 == 0:
        ws.trick_points += ws.last_trick
        ws.left = 0
    if ws.leader & 1 == 0:
        ws.ns_points += ws.trick_points
        ws.may_sweep &= NS_MAY_SWEEP
    else:
        ws.may_sweep &= EW_MAY_SWEEP
    ws.n_played = 0
    if winner == 1:
        ws.hands[0], ws.hands[1], ws.hands[2], ws.hands[3] = h1, h2, h3, h0
    elif winner == 2:
        ws.hands[0], ws.hands[1], ws.hands[2], ws.hands[3] = h2, h3, h0, h1
    elif winner == 3:
        ws.hands[0], ws.hands[1], ws.hands[2], ws.hands[3] = h3, h0, h1, h2


@inner
def legal_at_root(ws):
    """Cards that the seat to move may play."""
    hand = ws.hands[ws.n_played]
    if ws.n_played == 0:
        return hand
    return legal_plays(ws, hand, ws.led, ws.best, ws.winner == ws.n_played - 2)


@inner
def forced_end(ws):
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
def ask(ws, need):
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
