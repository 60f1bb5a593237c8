from __future__ import annotations

import numpy as np
from numba import int64

from pilotta_solver.engine.bits import above, below, highest_index, lowest, lowest_index, popcount
from pilotta_solver.engine.jit import inner
from pilotta_solver.engine.plays import legal_plays, like, suit_of, wins_over
from pilotta_solver.engine.table import bucket_of, probe, store, structure_of
from pilotta_solver.engine.workspace import USE_LIKENESS, USE_TABLE


@inner
def insert(ws, ply, n, score, index):
    """Insert a move into the ply's list, which stays sorted from best to worst."""
    move = score * 32 + index
    i = n
    while i > 0 and ws.moves[ply, i - 1] < move:
        ws.moves[ply, i] = ws.moves[ply, i - 1]
        i -= 1
    ws.moves[ply, i] = move


@inner
def order_leads(ws, ply, h0, h1, h2, h3):
    n = int64(0)
    opp = h1 | h3
    opp_trumps = opp & ws.trumps
    rest = opp | h2
    moves = h0
    while moves != 0:
        card = lowest(moves)
        moves ^= card
        index = lowest_index(card)
        suit = suit_of(card)
        pts = ws.points[index]
        up = above(card) & suit
        master = rest & up == 0
        score = int64(0)
        if suit & ws.trumps != 0:
            if opp_trumps != 0:
                if master:
                    score = 300 + pts
                elif opp & up == 0:
                    score = 150 - pts
                else:
                    score = 60 - pts
            else:
                score = 40 + pts if master else 50 - pts
        else:
            ruff = (h1 & suit == 0 and h1 & ws.trumps != 0) or (
                h3 & suit == 0 and h3 & ws.trumps != 0
            )
            if ruff:
                score = 30 - pts
            elif master:
                score = 200 + pts
            elif opp & up == 0 and h2 & up != 0:
                score = 150 + pts
            elif h2 & suit == 0 and h2 & ws.trumps != 0:
                score = 120 + pts
            else:
                score = 80 - 2 * pts
        insert(ws, ply, n, score, index)
        n += 1
    return n


@inner
def order_follow(ws, ply, legal, best, led, opp_after, partner_after, partner_wins):
    """Order for a follower; opp_after and partner_after are the hands still to play, 0 if none."""
    n = int64(0)
    trumps = ws.trumps
    moves = legal
    # what the next opponent and partner can put on it
    while moves != 0:
        card = lowest(moves)
        moves ^= card
        index = lowest_index(card)
        pts = ws.points[index]
        takes = wins_over(card, best, led, trumps)
        top = card if takes else best
        beaten = int64(0)
        if opp_after != 0:
            follow = opp_after & led
            if follow != 0:
                if top & led != 0:
                    beaten = follow & above(top)
            elif opp_after & trumps != 0:
                beaten = opp_after & trumps & above(top)
        ours = takes or partner_wins
        if ours and beaten == 0:
            score = 300 + pts if takes else 320 + pts
        else:
            theirs = beaten if beaten != 0 else best
            saved = int64(0)
            if partner_after != 0:
                t = int64(1) << highest_index(theirs)
                follow = partner_after & led
                if follow != 0:
                    if t & led != 0:
                        saved = follow & above(t)
                else:
                    saved = partner_after & trumps & above(t)
            if saved != 0:
                score = 200 + pts
            else:
                score = 100 - pts
        insert(ws, ply, n, score, index)
        n += 1
    return n


@inner
def from_winner(winner, h0, h1, h2, h3):
    """Hands in order of play from the seat that took the trick."""
    if winner == 0:
        return h0, h1, h2, h3
    if winner == 1:
        return h1, h2, h3, h0
    if winner == 2:
        return h2, h3, h0, h1
    return h3, h0, h1, h2


@inner
def search(ws, h0, h1, h2, h3, k, led, best, winner, points, left, need):
    """Bound on what the side to move takes of the ``left`` points, the trick in progress included.

    The hands stand in order of play from the seat to move, which is the ``k``-th of the trick;
    ``winner`` counts from the leader. The answer is a lower bound when it reaches ``need``, else
    an upper bound.
    """
    owners = masks = np.uint64(0)
    bucket = lower = int64(0)
    upper = left
    if k == 0:
        if need <= 0:
            return int64(0)
        if need > left:
            return left
        if below(h0) & h0 == 0:
            return last_trick(ws, h0, h1, h2, h3, left)
        if ws.pruning & USE_TABLE != 0:
            owners, masks = structure_of(ws, h1, h2, h3, h0 | h1 | h2 | h3)
            bucket = bucket_of(owners)
            lower, upper = probe(ws, owners, masks, bucket, left)
        if lower >= need:
            return lower
        if upper < need:
            return upper
        moves = h0
    else:
        moves = legal_plays(ws, h0, led, best, winner == k - 2)
    ply = popcount(h0 | h1 | h2 | h3)
    if k == 0:
        n = order_leads(ws, ply, h0, h1, h2, h3)
    else:
        n = order_follow(
            ws,
            ply,
            moves,
            best,
            led,
            h1 if k < 3 else int64(0),
            h2 if k == 1 else int64(0),
            winner == k - 2,
        )
    others = h1 | h2 | h3 | best
    found = int64(-1)
    skip = int64(0)
    for i in range(n):
        index = ws.moves[ply, i] & 31
        card = int64(1) << index
        if card & skip != 0:
            continue
        ws.cards_searched += 1
        pts = ws.points[index]
        if k == 0:
            got = left - search(
                ws, h1, h2, h3, h0 ^ card, k + 1, suit_of(card), card, k, pts, left, left - need + 1
            )
        else:
            top, by = best, winner
            if wins_over(card, best, led, ws.trumps):
                top, by = card, k
            if k < 3:
                got = left - search(
                    ws,
                    h1,
                    h2,
                    h3,
                    h0 ^ card,
                    k + 1,
                    led,
                    top,
                    by,
                    points + pts,
                    left,
                    left - need + 1,
                )
            else:
                taken = points + pts
                rest = left - taken
                n0, n1, n2, n3 = from_winner(by, h1, h2, h3, h0 ^ card)
                zero = k - 3
                if by & 1 == 1:
                    got = taken + search(
                        ws, n0, n1, n2, n3, zero, zero, zero, zero, zero, rest, need - taken
                    )
                else:
                    got = rest - search(
                        ws, n0, n1, n2, n3, zero, zero, zero, zero, zero, rest, rest - need + 1
                    )
        if got > found:
            found = got
            if got >= need:
                break
        same = int64(0)
        if ws.pruning & USE_LIKENESS != 0:
            same = like(card, moves, others) & ~skip
        while same != 0:
            twin = lowest(same)
            same ^= twin
            bound = got + abs(ws.points[lowest_index(twin)] - pts)
            if bound < need:
                skip |= twin
                found = max(found, bound)
    if k == 0 and ws.pruning & USE_TABLE != 0:
        if found >= need:
            store(ws, owners, masks, bucket, max(found, lower), upper)
        else:
            found = min(found, upper)
            store(ws, owners, masks, bucket, lower, found)
    return found


@inner
def last_trick(ws, h0, h1, h2, h3, left):
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
