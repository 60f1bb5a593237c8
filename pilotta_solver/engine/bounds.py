"""Bounds without search: cards that one side is sure to take, however the other plays."""

from __future__ import annotations

from numba import int64

from pilotta_solver.engine.annotations import Int, Workspace
from pilotta_solver.engine.bits import above, highest_index, popcount
from pilotta_solver.engine.jit import inner


@inner
def tops(own: Int, rest: Int) -> Int:
    """Cards of ``own`` above every card of ``rest``, both of one suit."""
    if rest == 0:
        return own
    return own & above(int64(1) << highest_index(rest))


@inner
def top_trumps(ws: Workspace, ours: Int, theirs: Int) -> Int:
    """Trumps of a side above all of the other side's: whatever trick they fall in is its own."""
    return tops(ours & ws.trumps, theirs & ws.trumps)


@inner
def sure_cards(ws: Workspace, h0: Int, h1: Int, h2: Int, h3: Int) -> Int:
    """Cards that the leader's side takes in any case; all of the leader's: it takes every trick.

    Its top trumps; and if the leader's own top trumps suffice to draw all others, the leader goes
    on with the rest of its trumps and the top cards of plain suits. They must draw *partner's*
    too: a partner void in a plain suit has to ruff the leader's sure card, and then has the lead.
    """
    trumps = ws.trumps
    sure = top_trumps(ws, h0 | h2, h1 | h3)
    others = h1 | h2 | h3
    rounds = popcount(tops(h0 & trumps, others & trumps))
    if longest(h1, h2, h3, trumps) > rounds:
        return sure
    sure |= h0 & trumps
    for lane in range(4):
        suit = int64(255) << (8 * lane)
        if suit & trumps != 0 or suit & h0 == 0:
            continue
        top = tops(h0 & suit, others & suit)
        sure |= h0 & suit if longest(h1, h2, h3, suit) <= popcount(top) else top
    return sure


@inner
def longest(h1: Int, h2: Int, h3: Int, suit: Int) -> Int:
    """Most cards of a suit in one of three hands."""
    return max(popcount(h1 & suit), popcount(h2 & suit), popcount(h3 & suit))
