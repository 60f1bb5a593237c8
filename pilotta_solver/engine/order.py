"""Order of moves: the card most likely to do comes first, so that most need no second.

Every move falls into a kind, a kind has a weight and a weight a card point, and a few facts add
to it (`weights`). What pays is not only the chance that a card does: a habit, such as cashing
sure cards in one order, leads to positions that the table knows.
"""

from __future__ import annotations

from typing import Any

from numba import int64

from pilotta_solver.engine.annotations import Int, Workspace
from pilotta_solver.engine.bits import above, below, highest_index, lowest, lowest_index, popcount
from pilotta_solver.engine.jit import inner
from pilotta_solver.engine.plays import legal_plays, suit_of, wins_over
from pilotta_solver.engine.structure import unpack_move
from pilotta_solver.engine.table import NO_MOVE
from pilotta_solver.engine.weights import (
    BEATEN_BY_LAST,
    BEATEN_BY_LAST_OVER_PARTNER,
    BEATEN_BY_NEXT,
    BEATEN_BY_NEXT_OVER_PARTNER,
    BEATEN_PARTNER_RUFFS,
    BEATEN_PARTNER_TOP,
    BEATEN_PARTNER_VOID,
    DISCARD_LENGTH,
    DISCARD_TOP,
    DRAWN_TOP,
    DRAWN_UNDER_PARTNER,
    FOLLOWS,
    LEAD_PLAIN_DRAWN,
    LEAD_PLAIN_LENGTH,
    LEAD_SINGLETON,
    LEAD_TRUMP_AGAINST,
    LEAD_TRUMP_LENGTH,
    LEAD_TRUMP_PARTNER,
    LEAD_TRUMP_TRICKS_LEFT,
    LEAD_TRUMPLESS,
    LOSES,
    N_OUTCOMES,
    OVERTAKEN,
    PARTNER_SAVES,
    PARTNER_TOP_UNOPPOSED,
    PARTNER_WINS,
    RUFF_BOTH_VOID,
    RUFF_BY_LAST,
    RUFF_BY_NEXT,
    RUFF_PARTNER_HIGHER,
    RUFF_PARTNER_LOWER,
    TOP_PARTNER_DISCARDS,
    TOP_PARTNER_FOLLOWS,
    TOP_PARTNER_RUFFS,
    TRUMP_PARTNER_TOP,
    TRUMP_TOP,
    TRUMP_UNDER_OPPONENT,
    TRUMP_UNDER_PARTNER,
    WINS,
)

_FIRST = 1_000_000


@inner
def list_moves(
    ws: Workspace,
    h0: Int,
    h1: Int,
    h2: Int,
    h3: Int,
    k: Int,
    led: Int,
    best: Int,
    winner: Int,
    move: Int,
) -> Any:
    """List the legal cards in ``ws.moves``, best first; return their number and their set.

    ``move`` is the table's, or NO_MOVE.
    """
    ply = popcount(h0 | h1 | h2 | h3)
    if k == 0:
        return list_leads(ws, ply, h0, h1, h2, h3, move), h0
    moves = legal_plays(ws, h0, led, best, winner == k - 2)
    if below(moves) & moves == 0:
        ws.moves[ply, 0] = lowest_index(moves)
        return int64(1), moves
    return list_follows(ws, ply, moves, k, h0, h1, h2, led, best, winner), moves


@inner
def list_leads(ws: Workspace, ply: Int, h0: Int, h1: Int, h2: Int, h3: Int, move: Int) -> Int:
    """List the leader's cards, the table's move first; return their number."""
    first = int64(0)
    if move != NO_MOVE:
        first = unpack_move(move, h0 | h1 | h2 | h3, ws.lanes[popcount(h0)])
    n = int64(0)
    rest = h0
    while rest != 0:
        card = lowest(rest)
        rest ^= card
        score = int64(_FIRST) if card == first else lead_score(ws, card, h0, h1, h2, h3)
        insert(ws, ply, n, score, lowest_index(card))
        n += 1
    return n


@inner
def list_follows(
    ws: Workspace,
    ply: Int,
    moves: Int,
    k: Int,
    h0: Int,
    h1: Int,
    h2: Int,
    led: Int,
    best: Int,
    winner: Int,
) -> Int:
    """List a follower's cards: by what they come to, their points, and what a discard costs."""
    trumps = ws.trumps
    if winner == k - 2:
        passing = outcome_of(k, best, h1, h2, led, trumps, int64(PARTNER_WINS), int64(LOSES))
    else:
        passing = outcome_of(k, best, h1, h2, led, trumps, int64(LOSES), int64(LOSES))
    n = int64(0)
    rest = moves
    while rest != 0:
        card = lowest(rest)
        rest ^= card
        outcome = passing
        if wins_over(card, best, led, trumps):
            outcome = outcome_of(k, card, h1, h2, led, trumps, int64(WINS), int64(OVERTAKEN))
        at = FOLLOWS + 2 * (((k - 1) * N_OUTCOMES + outcome) * 2 + int64(card & trumps != 0))
        index = lowest_index(card)
        score = ws.weights[at] + ws.weights[at + 1] * ws.points[index]
        if card & (led | trumps) == 0:
            suit = suit_of(card)
            score += ws.weights[DISCARD_LENGTH + k - 1] * popcount(h0 & suit)
            if (h1 | h2) & suit & above(card) == 0:
                score += ws.weights[DISCARD_TOP + k - 1]
        insert(ws, ply, n, score, index)
        n += 1
    return n


@inner
def insert(ws: Workspace, ply: Int, n: Int, score: Int, index: Int) -> None:
    """Insert a move into the ply's list of ``n``, which stays sorted from best to worst."""
    move = score * 32 + index
    i = n
    while i > 0 and ws.moves[ply, i - 1] < move:
        ws.moves[ply, i] = ws.moves[ply, i - 1]
        i -= 1
    ws.moves[ply, i] = move


@inner
def lead_score(ws: Workspace, card: Int, h0: Int, h1: Int, h2: Int, h3: Int) -> Int:
    """Score of a lead: its kind, its points, and what the hand adds."""
    kind = 2 * lead_kind(ws, card, h0, h1, h2, h3)
    score = ws.weights[kind] + ws.weights[kind + 1] * ws.points[lowest_index(card)]
    suit = suit_of(card)
    n = popcount(h0 & suit)
    against = popcount((h1 | h3) & ws.trumps)
    if suit & ws.trumps != 0:
        score += ws.weights[LEAD_TRUMP_LENGTH] * n
        score += ws.weights[LEAD_TRUMP_AGAINST] * against
        score += ws.weights[LEAD_TRUMP_PARTNER] * popcount(h2 & ws.trumps)
        return score + ws.weights[LEAD_TRUMP_TRICKS_LEFT] * popcount(h0)
    if h0 & ws.trumps == 0:
        score += ws.weights[LEAD_TRUMPLESS]
    if against == 0:
        score += ws.weights[LEAD_PLAIN_DRAWN]
    if n == 1:
        return score + ws.weights[LEAD_SINGLETON]
    return score + ws.weights[LEAD_PLAIN_LENGTH] * n


@inner
def lead_kind(ws: Workspace, card: Int, h0: Int, h1: Int, h2: Int, h3: Int) -> Int:
    """Kind of a lead, by who can beat it."""
    suit = suit_of(card)
    trumps = ws.trumps
    against = h1 | h3
    better = above(card) & suit
    if suit & trumps != 0:
        return trump_lead_kind(against & trumps, against & better, h2 & better)
    next_ruffs = ruffs(h1, suit, trumps)
    partner_ruffs = ruffs(h2, suit, trumps)
    if next_ruffs or ruffs(h3, suit, trumps):
        if partner_ruffs:
            if h2 & trumps > against & trumps:
                return int64(RUFF_PARTNER_HIGHER)
            return int64(RUFF_PARTNER_LOWER)
        if against & suit == 0:
            return int64(RUFF_BOTH_VOID)
        return int64(RUFF_BY_NEXT) if next_ruffs else int64(RUFF_BY_LAST)
    if against & better != 0:
        return beaten_lead_kind(h1 & better, h2 & better, h3 & better, h2 & suit, partner_ruffs)
    if partner_ruffs:
        return int64(TOP_PARTNER_RUFFS)
    if h2 & better != 0:
        return int64(PARTNER_TOP_UNOPPOSED)
    return int64(TOP_PARTNER_FOLLOWS) if h2 & suit != 0 else int64(TOP_PARTNER_DISCARDS)


@inner
def ruffs(hand: Int, suit: Int, trumps: Int) -> bool:
    """Whether a hand is void in a suit and has trumps."""
    return hand & suit == 0 and hand & trumps != 0


@inner
def trump_lead_kind(against: Int, better_against: Int, better_partner: Int) -> Int:
    """Kind of a trump lead, by the opponents' trumps and the better ones."""
    if against == 0:
        return int64(DRAWN_TOP) if better_partner == 0 else int64(DRAWN_UNDER_PARTNER)
    if better_against == 0:
        return int64(TRUMP_TOP) if better_partner == 0 else int64(TRUMP_UNDER_PARTNER)
    if better_partner > better_against:
        return int64(TRUMP_PARTNER_TOP)
    return int64(TRUMP_UNDER_OPPONENT)


@inner
def beaten_lead_kind(
    better_next: Int, better_partner: Int, better_last: Int, partner_suit: Int, partner_ruffs: bool
) -> Int:
    """Kind of a plain lead that an opponent can beat, by the better cards of the suit."""
    if partner_ruffs:
        return int64(BEATEN_PARTNER_RUFFS)
    if better_partner > better_next | better_last:
        return int64(BEATEN_PARTNER_TOP)
    by_last = better_last > better_next
    if better_partner != 0:
        return int64(BEATEN_BY_LAST_OVER_PARTNER) if by_last else int64(BEATEN_BY_NEXT_OVER_PARTNER)
    if partner_suit == 0:
        return int64(BEATEN_PARTNER_VOID)
    return int64(BEATEN_BY_LAST) if by_last else int64(BEATEN_BY_NEXT)


@inner
def outcome_of(
    k: Int, top: Int, h1: Int, h2: Int, led: Int, trumps: Int, stands: Int, falls: Int
) -> Int:
    """What the trick comes to with ``top`` as its best card, when those to come do what they can.

    ``stands`` if no opponent overtakes it, ``falls`` if one does and partner cannot help.
    """
    if k == 3:
        return stands
    overtaken = can_beat(h1, top, led, trumps)
    if not overtaken and stands != LOSES:
        return stands
    if k == 1:
        if overtaken:
            top = highest_reply(h1, led, trumps)
        if can_beat(h2, top, led, trumps):
            return int64(PARTNER_SAVES)
    return falls


@inner
def can_beat(hand: Int, top: Int, led: Int, trumps: Int) -> bool:
    """Whether a hand can put a winning card on the best one."""
    follow = hand & led
    if follow != 0:
        return top & led != 0 and follow & above(top) != 0
    return hand & trumps & above(top) != 0


@inner
def highest_reply(hand: Int, led: Int, trumps: Int) -> Int:
    """Best card of a hand that can beat the trick."""
    follow = hand & led
    if follow == 0:
        follow = hand & trumps
    return int64(1) << highest_index(follow)
