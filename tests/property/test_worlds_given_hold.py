"""Whatever is truly said of a deal, worlds that agree with it are found, and nothing conflicts."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies as st
from saying import expressions

from pilotta_solver import ConstraintError, Knowledge, holds, load_ruleset, worlds, worlds_given
from pilotta_solver.knowledge.completions import Completions
from pilotta_solver.knowledge.conflicts import refuse_conflict
from pilotta_solver.knowledge.expression import Not

RULES = load_ruleset()


@st.composite
def truths(draw):
    """A deal, the seat that sees his hand, and true statements about the others."""
    seed, seat = draw(st.integers(0, 1000)), draw(st.integers(0, 3))
    hands = [int(hand) for hand in worlds(0, 0, 1, seed)[0]]
    said = {}
    for other in range(4):
        for expression in draw(st.lists(expressions, max_size=2)):
            is_true = holds(expression, hands[other], RULES)
            said.setdefault(other, []).append(expression if is_true else Not(expression))
    knowledge = Knowledge((), RULES)
    for other, true in said.items():
        for expression in true:
            knowledge = knowledge.and_also(Knowledge.of({other: expression}).statements)
    return hands, seat, knowledge


@settings(max_examples=60, deadline=None)
@given(truths())
def test_worlds_agree_with_what_is_true_of_a_deal(truth):
    hands, seat, knowledge = truth
    exact = Completions(hands[seat], seat, knowledge)
    assert exact.n >= 1
    assert exact.agree(np.array([hands], np.uint32)).all()
    try:
        sampled = worlds_given(hands[seat], seat, knowledge, 5, seed=1)
    except ConstraintError as error:
        rarity = str(error)
        sampled = None
    if sampled is None:
        assert rarity.startswith("too rare")
        return
    for row in sampled.hands.tolist():
        assert row[seat] == hands[seat]
        for one in knowledge.statements:
            assert holds(one.expression, row[one.seat], RULES)


@settings(max_examples=25, deadline=None)
@given(truths())
def test_what_is_true_of_a_deal_never_conflicts(truth):
    hands, seat, knowledge = truth
    refuse_conflict(hands[seat], seat, knowledge, deeply=True)
