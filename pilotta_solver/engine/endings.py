"""The last two tricks, searched where they stand: no table, no order of moves, no recursion.

Most positions that the search meets have two tricks left. To look such a position up costs as
much as to play it out, in its at most sixteen lines and usually four.
"""

from __future__ import annotations

from numba import int64

from pilotta_solver.engine.annotations import Int, Workspace
from pilotta_solver.engine.bits import lowest, lowest_index
from pilotta_solver.engine.jit import inner
from pilotta_solver.engine.plays import from_winner, legal_plays, like, suit_of, wins_over
from pilotta_solver.engine.workspace import USE_LIKENESS


@inner
def two_tricks(ws: Workspace, h0: Int, h1: Int, h2: Int, h3: Int, left: Int, need: Int) -> Int:
    """Bound on what the leader's side takes of the two: ``need`` or more, or at most."""
    found = int64(-1)
    rest = h0
    while rest != 0 and found < need:
        card = lowest(rest)
        rest ^= card
        ws.cards_searched += 1
        found = max(found, second(ws, h0 ^ card, h1, h2, h3, card, left, need))
        gap = gap_to_like(ws, card, rest, h1 | h2 | h3)
        if found + gap < need:
            return found + gap
    return found


@inner
def gap_to_like(ws: Workspace, card: Int, rest: Int, others: Int) -> Int:
    """Points between a card and the one card that is left to try, if they win alike; else many."""
    if rest == 0 or ws.pruning & USE_LIKENESS == 0 or like(card, rest, others) == 0:
        return int64(1000)
    return abs(ws.points[lowest_index(rest)] - ws.points[lowest_index(card)])


@inner
def second(
    ws: Workspace, h0: Int, h1: Int, h2: Int, h3: Int, card: Int, left: Int, need: Int
) -> Int:
    """The same after the leader's card: the second seat looks for a way to less."""
    led = suit_of(card)
    points = ws.points[lowest_index(card)]
    found = left
    rest = legal_plays(ws, h1, led, card, False)
    while rest != 0 and found >= need:
        reply = lowest(rest)
        rest ^= reply
        ws.cards_searched += 1
        taken = points + ws.points[lowest_index(reply)]
        wins = wins_over(reply, card, led, ws.trumps)
        best = reply if wins else card
        got = third(ws, h0, h1 ^ reply, h2, h3, led, best, int64(wins), taken, left, need)
        found = min(found, got)
        gap = gap_to_like(ws, reply, rest, h0 | h2 | h3 | card)
        if found - gap >= need:
            return found - gap
    return found


@inner
def third(
    ws: Workspace,
    h0: Int,
    h1: Int,
    h2: Int,
    h3: Int,
    led: Int,
    best: Int,
    winner: Int,
    points: Int,
    left: Int,
    need: Int,
) -> Int:
    """The same after two cards: the leader's partner looks for a way to more."""
    found = int64(-1)
    rest = legal_plays(ws, h2, led, best, winner == 0)
    while rest != 0 and found < need:
        card = lowest(rest)
        rest ^= card
        ws.cards_searched += 1
        taken = points + ws.points[lowest_index(card)]
        wins = wins_over(card, best, led, ws.trumps)
        top = card if wins else best
        by = int64(2) if wins else winner
        got = fourth(ws, h0, h1, h2 ^ card, h3, led, top, by, taken, left, need)
        found = max(found, got)
        gap = gap_to_like(ws, card, rest, h0 | h1 | h3 | best)
        if found + gap < need:
            return found + gap
    return found


@inner
def fourth(
    ws: Workspace,
    h0: Int,
    h1: Int,
    h2: Int,
    h3: Int,
    led: Int,
    best: Int,
    winner: Int,
    points: Int,
    left: Int,
    need: Int,
) -> Int:
    """The same after three cards: the fourth seat looks for less, and the last trick follows."""
    found = left
    rest = legal_plays(ws, h3, led, best, winner == 1)
    while rest != 0 and found >= need:
        card = lowest(rest)
        rest ^= card
        ws.cards_searched += 1
        by = int64(3) if wins_over(card, best, led, ws.trumps) else winner
        taken = points + ws.points[lowest_index(card)]
        last = left - taken
        n0, n1, n2, n3 = from_winner(by, h0, h1, h2, h3 ^ card)
        got = last_trick(ws, n0, n1, n2, n3, last)
        found = min(found, taken + got if by & 1 == 0 else last - got)
    return found


@inner
def last_trick(ws: Workspace, h0: Int, h1: Int, h2: Int, h3: Int, left: Int) -> Int:
    """What the leader's side takes of the last trick, which plays itself."""
    led = suit_of(h0)
    best = h0
    ours = True
    if wins_over(h1, best, led, ws.trumps):
        best = h1
        ours = False
    if wins_over(h2, best, led, ws.trumps):
        best = h2
        ours = True
    if wins_over(h3, best, led, ws.trumps):
        ours = False
    return left if ours else int64(0)
