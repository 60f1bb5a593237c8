"""The law of play on turned hands: which cards may be played.

``rules.py`` says the same law in plain Python; the tests hold the two against each other.
"""

from __future__ import annotations

from typing import Any

from numba import int64

from pilotta_solver.engine.annotations import Int, Workspace
from pilotta_solver.engine.bits import above, below, highest_index, lowest, lowest_index
from pilotta_solver.engine.jit import inner

UNDERTRUMP_MUST = 0
UNDERTRUMP_MAY = 1
UNDERTRUMP_FORBIDDEN = 2


@inner
def suit_of(card: Int) -> Int:
    """Mask of the suit of a card."""
    return int64(255) << (lowest_index(card) & 24)


@inner
def wins_over(card: Int, best: Int, led: Int, trumps: Int) -> bool:
    """Whether a card takes the lead in the trick."""
    return card > best and card & (led | trumps) != 0


@inner
def legal_plays(ws: Workspace, hand: Int, led: Int, best: Int, partner_wins: bool) -> Int:
    """Cards of ``hand`` that may be played to a trick already begun.

    ``ws`` holds the law of play, ``led`` is the mask of the suit led, ``best`` the card now
    winning, and ``partner_wins`` tells whether partner played it.
    """
    follow = hand & led
    if follow != 0:
        if led & ws.beat_lead != 0:
            higher = follow & above(best)
            if higher != 0:
                return higher
        return follow
    trumps = hand & ws.trumps
    if trumps == 0:
        return hand
    return _void_plays(ws, hand, trumps, best, partner_wins)


@inner
def _void_plays(ws: Workspace, hand: Int, trumps: Int, best: Int, partner_wins: bool) -> Int:
    """Void in the suit led, with trumps in hand: ruff, overtrump, undertrump or discard."""
    exempt = ws.partner_exempt != 0 and partner_wins
    if best & ws.trumps == 0:
        return hand if exempt else trumps
    higher = trumps & above(best)
    if higher != 0 and not exempt:
        return higher
    if ws.undertrump == UNDERTRUMP_FORBIDDEN:
        free = hand & ~(trumps & ~higher)
        return free if free != 0 else hand
    if exempt or ws.undertrump == UNDERTRUMP_MAY:
        return hand
    return trumps


@inner
def like(card: Int, own: Int, others: Int) -> Int:
    """Cards of ``own`` with no card of ``others`` between them and ``card``."""
    suit = suit_of(card)
    mine = own & suit
    rest = others & suit
    up = rest & above(card)
    if up != 0:
        mine &= below(lowest(up))
    down = rest & below(card)
    if down != 0:
        mine &= above(int64(1) << highest_index(down))
    return mine


@inner
def from_winner(winner: Int, h0: Int, h1: Int, h2: Int, h3: Int) -> Any:
    """Hands, given from the leader on, in order of play from the seat that took the trick."""
    if winner == 0:
        return h0, h1, h2, h3
    if winner == 1:
        return h1, h2, h3, h0
    if winner == 2:
        return h2, h3, h0, h1
    return h3, h0, h1, h2
