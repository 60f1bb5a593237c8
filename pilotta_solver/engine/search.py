"""The search: null windows by alpha-beta over the cards of a trick, a table between tricks.

One function calls itself for whichever seat is to move. Values are those of the side to move, so
that the next seat's are the rest of the points, and the next trick's leader's are either side's.
(A function for each place in the trick would read as well, but four that call each other in a
ring cannot be loaded from numba's disk cache: it leaves the last call unresolved.)
"""

from __future__ import annotations

from typing import Any

from numba import int64

from pilotta_solver.engine.annotations import Int, Workspace
from pilotta_solver.engine.bits import below, lowest, lowest_index, popcount
from pilotta_solver.engine.bounds import sure_cards, top_trumps
from pilotta_solver.engine.contract import set_points
from pilotta_solver.engine.endings import last_trick, two_tricks
from pilotta_solver.engine.jit import inner
from pilotta_solver.engine.order import list_moves
from pilotta_solver.engine.plays import from_winner, like, suit_of, wins_over
from pilotta_solver.engine.structure import pack_move, structure_of
from pilotta_solver.engine.table import NO_MOVE, probe, store
from pilotta_solver.engine.workspace import USE_BOUNDS, USE_GLANCE, USE_LIKENESS, USE_TABLE


@inner
def search(
    ws: Workspace,
    h0: Int,
    h1: Int,
    h2: Int,
    h3: Int,
    k: Int,
    led: Int,
    best: Int,
    winner: Int,
    points: Int,
    left: Int,
    need: Int,
) -> Int:
    """Bound on what the side to move takes of the ``left`` points, the trick in progress included.

    The hands stand in order of play from the seat to move, which is the ``k``-th of the trick
    (0 leads). Of the trick so far: ``led`` is the mask of the suit led, ``best`` the winning
    card, ``winner`` who played it, counted from the leader, ``points`` what lies on the table.
    The answer is a lower bound if it reaches ``need``, else an upper bound.
    """
    lower = int64(0)
    upper = left
    move = int64(NO_MOVE)
    if k == 0:
        lower, upper, move = glance(ws, h0, h1, h2, h3, left, need)
        if lower >= need:
            return lower
        if upper < need:
            return upper
    found = int64(-1)
    skip = int64(0)
    n, moves = list_moves(ws, h0, h1, h2, h3, k, led, best, winner, move)
    if k == 3 and n > 1 and ws.pruning & USE_GLANCE != 0:
        found, skip = glance_ahead(ws, n, h0, h1, h2, h3, led, best, winner, points, left, need)
        if found >= need:
            return found
    ply = popcount(h0 | h1 | h2 | h3)
    card = int64(0)
    for i in range(n):
        card = int64(1) << (ws.moves[ply, i] & 31)
        if card & skip != 0:
            continue
        ws.cards_searched += 1
        led_now, best_now, by, taken = lay_card(ws, card, k, led, best, winner, points)
        if k < 3:
            got = left - search(
                ws, h1, h2, h3, h0 ^ card, k + 1,
                led_now, best_now, by, taken, left, left - need + 1,
            )  # fmt: skip
        else:
            n0, n1, n2, n3 = from_winner(by, h1, h2, h3, h0 ^ card)
            rest = left - taken
            lead = k - 3  # 0, but no literal, which would compile the recursion anew
            if by & 1 == 1:
                got = taken + search(
                    ws, n0, n1, n2, n3, lead, lead, lead, lead, lead, rest, need - taken
                )
            else:
                got = rest - search(
                    ws, n0, n1, n2, n3, lead, lead, lead, lead, lead, rest, rest - need + 1
                )
        found = max(found, got)
        if got >= need:
            break
        skip, found = skip_alike(ws, card, moves, h1 | h2 | h3 | best, got, need, skip, found)
    if k == 0:
        found = remember(ws, h0, h1, h2, h3, found, need, lower, upper, card, move)
    return found


@inner
def glance(ws: Workspace, h0: Int, h1: Int, h2: Int, h3: Int, left: Int, need: Int) -> Any:
    """Return (lower, upper, move) for the leader's side from what is known without search."""
    lower = int64(0)
    upper = left
    move = int64(NO_MOVE)
    if need <= 0 or need > left:
        return lower, upper, move
    if below(h0) & h0 == 0:
        lower = last_trick(ws, h0, h1, h2, h3, left)
        return lower, lower, move
    if ws.pruning & USE_BOUNDS != 0:
        sure = sure_cards(ws, h0, h1, h2, h3)
        lower = left if sure & h0 == h0 else set_points(ws, sure)
        upper = left - set_points(ws, top_trumps(ws, h1 | h3, h0 | h2))
        if lower >= need or upper < need:
            return lower, upper, move
    if popcount(h0) == 2:
        found = two_tricks(ws, h0, h1, h2, h3, left, need)
        return (found, left, move) if found >= need else (int64(0), found, move)
    if ws.pruning & USE_TABLE != 0:
        n = popcount(h0)
        owners, masks, lanes = structure_of(ws, h1, h2, h3, h0 | h1 | h2 | h3)
        ws.owners[n], ws.masks[n], ws.lanes[n] = owners, masks, lanes
        kept_lower, kept_upper, move = probe(ws, owners, masks, left)
        lower = max(lower, kept_lower)
        upper = min(upper, kept_upper)
    return lower, upper, move


@inner
def remember(
    ws: Workspace,
    h0: Int,
    h1: Int,
    h2: Int,
    h3: Int,
    found: Int,
    need: Int,
    lower: Int,
    upper: Int,
    card: Int,
    move: Int,
) -> Int:
    """Store what the search found, with the card that did it; return it, no worse than known."""
    n = popcount(h0)
    done = found >= need
    if done:
        lower = max(lower, found)
    else:
        upper = min(upper, found)
    if ws.pruning & USE_TABLE != 0:
        if done:
            move = pack_move(card, h0 | h1 | h2 | h3, ws.lanes[n])
        store(ws, ws.owners[n], ws.masks[n], lower, upper, move)
    return lower if done else upper


@inner
def glance_ahead(
    ws: Workspace,
    n: Int,
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
) -> Any:
    """Look at each card of the last seat before any is searched: one may be known to do.

    Returns the best bound known, and the set of cards known to fail.
    """
    ply = popcount(h0 | h1 | h2 | h3)
    found = int64(-1)
    skip = int64(0)
    for i in range(n):
        card = int64(1) << (ws.moves[ply, i] & 31)
        _, _, by, taken = lay_card(ws, card, int64(3), led, best, winner, points)
        rest = left - taken
        n0, n1, n2, n3 = from_winner(by, h1, h2, h3, h0 ^ card)
        if by & 1 == 1:
            lower, upper, _ = glance(ws, n0, n1, n2, n3, rest, need - taken)
            lower, upper = taken + lower, taken + upper
        else:
            lower, upper, _ = glance(ws, n0, n1, n2, n3, rest, rest - need + 1)
            lower, upper = rest - upper, rest - lower
        if lower >= need:
            return lower, skip
        if upper < need:
            skip |= card
            found = max(found, upper)
    return found, skip


@inner
def skip_alike(
    ws: Workspace,
    card: Int,
    moves: Int,
    others: Int,
    got: Int,
    need: Int,
    skip: Int,
    found: Int,
) -> Any:
    """Skip what wins like a card tried in vain and is not worth enough more to change that.

    Quasi-symmetry (Kupferschmid and Helmert, 2006): two cards of one hand with no other player's
    between them win and lose alike, so their values differ by their points at most.
    """
    if ws.pruning & USE_LIKENESS == 0:
        return skip, found
    points = ws.points[lowest_index(card)]
    alike = like(card, moves, others) & ~skip
    while alike != 0:
        twin = lowest(alike)
        alike ^= twin
        bound = got + abs(ws.points[lowest_index(twin)] - points)
        if bound < need:
            skip |= twin
            found = max(found, bound)
    return skip, found


@inner
def lay_card(
    ws: Workspace, card: Int, k: Int, led: Int, best: Int, winner: Int, points: Int
) -> Any:
    """Return (led, best, winner, points) of the trick with one card more."""
    points += ws.points[lowest_index(card)]
    if k == 0:
        return suit_of(card), card, k, points
    if wins_over(card, best, led, ws.trumps):
        return led, card, k, points
    return led, best, winner, points
