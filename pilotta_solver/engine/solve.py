"""The kernel that answers questions about positions: a value, a threshold, every card, a capot."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import int64, types

from pilotta_solver.engine.annotations import Int, Question, Workspace
from pilotta_solver.engine.bits import lowest_index, popcount
from pilotta_solver.engine.contract import TRICKS, set_payoff, turn
from pilotta_solver.engine.guess import LEAD_WORTH, guess_value
from pilotta_solver.engine.jit import inner, kernel
from pilotta_solver.engine.plays import like
from pilotta_solver.engine.root import (
    EW_MAY_SWEEP,
    NS_MAY_SWEEP,
    ask,
    legal_at_root,
    play,
    set_root,
)
from pilotta_solver.engine.workspace import WORKSPACE_TYPE

VALUE, AT_LEAST, CARDS, NS_SWEEP, EW_SWEEP = range(5)
"""What is asked: the value, whether it reaches a threshold, each card's value, a capot."""

NO_VALUE = -1000
"""Stands for a card that may not be played."""

QUESTION = np.dtype(
    [
        ("hands", "u4", 4),
        ("trump", "i1"),
        ("leader", "i1"),
        ("trick", "i1", 3),
        ("may_sweep", "i1"),
        ("asked", "i1"),
        ("threshold", "i2"),
        ("value", "i2"),
        ("sweep", "i1"),
        ("cards_searched", "i8"),
        ("card_values", "i2", 32),
        ("card_sweeps", "i1", 32),
    ],
    align=True,
)
"""A position and, after the kernel, its answer.

``hands`` are what each seat (N W S E) still holds; ``trick`` the cards on the table from the
leader on, -1 for none; ``may_sweep`` the sides that could still take every trick of the deal.
``value`` and ``card_values`` are NS points still to come, ``sweep`` and ``card_sweeps`` the side
that then has all the tricks (1 NS, 2 EW, 0 none).
"""
QUESTION_TYPE = numba.from_dtype(QUESTION)

STEP = 12
"""Points between two questions, as long as all answers so far point one way."""
FINE_STEP = 1
"""The first such step where the guess is another value of the same deal."""


@inner
def same_deal(question: Question, previous: Question) -> bool:
    """Whether two questions are about the same hands and trump, and so may share the table."""
    same = question.trump == previous.trump
    for seat in range(4):
        same = same and question.hands[seat] == previous.hands[seat]
    return same


@inner
def renew_table(ws: Workspace) -> None:
    """Empty the table by number: an even one for points, the next for tricks, both one byte."""
    ws.generation += 2
    if ws.generation == 256:
        ws.generation = 2
        ws.table[:] = np.uint64(0)


@inner
def close_in(ws: Workspace, need: Int, step: Int) -> Int:
    """Points that the trick leader's side takes from the root: null windows that close in.

    Asks about ``need`` first, goes on by ``step`` and twice that, up to STEP, while the answers
    point one way, then bisects.
    """
    low = int64(0)
    high = ws.left
    while low < high:
        need = min(max(need, low + 1), high)
        bound = ask(ws, need)
        if bound >= need:
            low = bound
        else:
            high = bound
        if low == 0:
            need = high - step + 1
        elif high == ws.left:
            need = low + step
        else:
            need = (low + high + 1) // 2
        step = min(2 * step, STEP)
    return low


@inner
def ns_value(ws: Workspace, ns_guess: Int, step: Int) -> Int:
    """Points that NS takes from the question's position on, the root being that or later."""
    guess = ns_guess - ws.ns_points
    if ws.leader & 1 == 0:
        return ws.ns_points + close_in(ws, guess, step)
    return ws.ns_points + ws.left - close_in(ws, ws.left - guess, step)


@inner
def guess_ns(ws: Workspace) -> Int:
    """Guess what NS takes from the root."""
    guess = guess_value(ws)
    return guess if ws.leader & 1 == 0 else ws.left - guess


@inner
def first_guess(ws: Workspace, questions: Any, i: Int) -> Any:
    """Return (guess, step): what NS takes in question ``i``, and how far to step from there.

    Another leader's value in the same deal is a good guess, partner's the best: three times in
    four it is the value. Only within one deal, where the questions share a table anyway.
    """
    ns_guess, step = guess_ns(ws), int64(STEP)
    for back in range(1, 4):
        j = i - back
        if j < 0 or not same_deal(questions[i], questions[j]) or questions[j].asked != VALUE:
            break
        if questions[j].leader & 1 == ws.leader & 1:
            return int64(questions[j].value), int64(FINE_STEP)
        if back == 1:
            lead = 2 * LEAD_WORTH[ws.kind] * ((questions[j].leader & 1) - (ws.leader & 1))
            ns_guess, step = questions[j].value + lead, int64(STEP // 2)
    return ns_guess, step


@inner
def reaches(ws: Workspace, threshold: Int) -> bool:
    """Whether NS takes ``threshold`` or more points from the root."""
    if ws.leader & 1 == 0:
        return ask(ws, threshold) >= threshold
    need = ws.left - threshold + 1
    return ask(ws, need) < need


@inner
def sweeps(ws: Workspace, ns: bool) -> bool:
    """Whether a side can take every trick still to come: the search, paid by the card."""
    kind, left, trick_points = ws.kind, ws.left, ws.trick_points
    set_payoff(ws, int64(TRICKS))
    ws.generation += 1
    ws.left = popcount(ws.hands[0] | ws.hands[1] | ws.hands[2] | ws.hands[3]) + ws.n_played
    ws.trick_points = ws.n_played
    leader_side = (ws.leader & 1 == 0) == ns
    need = ws.left if leader_side else int64(1)
    answer = (ask(ws, need) >= need) == leader_side
    set_payoff(ws, kind)
    ws.left, ws.trick_points = left, trick_points
    ws.generation -= 1
    return answer


@inner
def sweep_side(ws: Workspace, value: Int, total: Int) -> Int:
    """Side that takes every trick of the deal (1 NS, 2 EW, 0 none) when NS takes ``value``.

    A side that can be held to less than all the points never sweeps against best play, and one
    that cannot gains by the sweep whenever it can force one: the search for points needs no
    knowledge of the bonus.
    """
    ns = value == total
    side = NS_MAY_SWEEP if ns else EW_MAY_SWEEP
    if (ns or value == 0) and ws.may_sweep & side != 0 and sweeps(ws, ns):
        return side
    return 0


@inner
def answer_cards(ws: Workspace, question: Question) -> None:
    """Value of every card that the seat to move may play; cards alike in all share one search."""
    trump = int64(question.trump)
    total = ws.left
    seat = ws.n_played
    legal = legal_at_root(ws)
    others = ws.best if seat > 0 else int64(0)
    for k in range(4):
        if k != seat:
            others |= ws.hands[k]
    value = guess_ns(ws)
    for number in range(32):
        question.card_values[number] = NO_VALUE
        question.card_sweeps[number] = 0
        card = turn(int64(1) << number, trump)
        if legal & card == 0:
            continue
        twin = earlier_twin(ws, question, number, card, legal, others)
        if twin >= 0:
            question.card_values[number] = question.card_values[twin]
            question.card_sweeps[number] = question.card_sweeps[twin]
            continue
        set_root(ws, question)
        play(ws, card)
        value = ns_value(ws, value, int64(FINE_STEP))
        question.card_values[number] = value
        question.card_sweeps[number] = sweep_side(ws, value, total)


@inner
def earlier_twin(
    ws: Workspace, question: Question, number: Int, card: Int, legal: Int, others: Int
) -> Int:
    """A card already valued that is worth the same and wins alike, or -1."""
    same = like(card, legal, others)
    points = ws.points[lowest_index(card)]
    for twin in range(number & 24, number):
        turned = turn(int64(1) << int64(twin), int64(question.trump))
        if same & turned != 0 and ws.points[lowest_index(turned)] == points:
            return twin
    return -1


@kernel(types.void(WORKSPACE_TYPE[::1], QUESTION_TYPE[::1]))
def answer(workspace: Any, questions: Any) -> None:
    """Answer every question in place; ``workspace`` is an array of one."""
    ws = workspace[0]
    for i in range(questions.size):
        question = questions[i]
        ws.cards_searched = 0
        if i == 0 or not same_deal(question, questions[i - 1]):
            renew_table(ws)
        set_root(ws, question)
        total = ws.left
        asked = question.asked
        if asked == VALUE:
            ns_guess, step = first_guess(ws, questions, i)
            value = ns_value(ws, ns_guess, step)
            question.value = value
            question.sweep = sweep_side(ws, value, total)
        elif asked == AT_LEAST:
            question.value = int64(reaches(ws, int64(question.threshold)))
        elif asked in (NS_SWEEP, EW_SWEEP):
            question.value = int64(sweeps(ws, asked == NS_SWEEP))
        else:
            answer_cards(ws, question)
        question.cards_searched = ws.cards_searched
