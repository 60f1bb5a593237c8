"""What must be true of the score of every deal; one deal and many are scored alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pilotta_solver.declarations import (
    belote_points,
    belote_points_many,
    contest,
    declaration_points_many,
)
from pilotta_solver.game import Game
from pilotta_solver.notation import Bid
from pilotta_solver.ruleset import load_ruleset, preset_names
from pilotta_solver.ruleset_keys import KEYS
from pilotta_solver.scoring import PARTIES, Outcome, score_deal, totals, totals_many
from pilotta_solver.scoring_many import score_many

TEXTS = ("tsaka", "classic")
splits = pytest.mark.parametrize("points", range(163))


@splits
@pytest.mark.parametrize("name", TEXTS)
def test_the_sheet_of_a_made_contract_sums_to_16_and_what_was_added(name, points):
    rules = load_ruleset(name)
    score = score_deal(Bid(80, 0), Outcome((points, 162 - points), (150, 0), (20, 0)), rules)
    added = 17 + (8 if rules.bid_scores else 0)
    assert score.made
    assert sum(score.sheet) == 16 + added


@splits
@pytest.mark.parametrize("name", TEXTS)
def test_the_sheet_of_a_failed_contract_sums_to_16_and_what_was_added(name, points):
    rules = load_ruleset(name)
    score = score_deal(Bid(400, 0), Outcome((points, 162 - points), (20, 0), (0, 20)), rules)
    added = 2 + (40 + 2 if rules.bid_scores else 0)
    assert not score.made
    assert score.sheet == (0, 16 + added)


@splits
@pytest.mark.parametrize("multiplier", [2, 4])
def test_the_sheet_of_a_doubled_contract(multiplier, points):
    outcome = Outcome((points, 162 - points))
    both = score_deal(Bid(80, 0), outcome, load_ruleset("classic"), multiplier)
    assert sum(both.sheet) == 16 * multiplier
    winner = score_deal(Bid(80, 0), outcome, load_ruleset("tsaka"), multiplier)
    assert sorted(winner.sheet) == [0, 16 + 8 * multiplier]


@st.composite
def rulesets(draw):
    """A preset, but with declarations, and with some of its scoring keys changed."""
    scoring = {
        key: st.sampled_from(list(spec.says))
        if not isinstance(spec.says, str)
        else st.integers(spec.low // spec.step, 300 // spec.step).map(spec.step.__mul__)
        for key, spec in KEYS.items()
        if spec.group == "scoring"
    }
    changes = {key: draw(values) for key, values in scoring.items() if draw(st.booleans())}
    changes["declarations"] = True
    if changes.get("bid_scores", True) is False:
        changes["doubled"] = "both"
    elif changes.get("doubled") == "winner_takes_all":
        changes["bid_scores"] = True
    return load_ruleset(draw(st.sampled_from(preset_names())), changes)


@st.composite
def outcomes(draw):
    points = draw(st.integers(0, 162))
    capot = {0: "defence", 162: "declarers"}.get(points) if draw(st.booleans()) else None
    declared = 10 * draw(st.integers(0, 55).filter(lambda tens: tens not in (1, 3)))
    belote = draw(st.sampled_from([(0, 0), (20, 0), (0, 20)]))
    return Outcome(
        (points, 162 - points),
        draw(st.sampled_from([(declared, 0), (0, declared)])),
        belote,
        capot,
        draw(st.sampled_from([None, *PARTIES])),
    )


bids = st.builds(Bid, st.integers(8, 60).map(lambda tens: 10 * tens), st.integers(0, 3))
multipliers = st.sampled_from([1, 2, 4])


@given(rulesets(), outcomes(), bids, multipliers)
def test_nothing_is_lost_and_nothing_made_up(rules, outcome, bid, multiplier):
    score = score_deal(bid, outcome, rules, multiplier)
    assert score.total == totals(outcome, rules)
    assert score.made == (score.total[0] >= bid.level)
    terms = [sum(term.value for term in side) for side in score.terms]
    extras = [sum(term.value for term in side) for side in score.extras]
    assert score.raw == tuple(score.factor * terms[i] + extras[i] for i in range(2))
    # Declarations and belote are all there, but for those that vanish with a failed contract.
    vanish = (
        not score.made
        and rules.failed_declarations == "vanish"
        and not (multiplier > 1 and rules.doubled == "winner_takes_all")
    )
    kept = sum(outcome.declarations) - (outcome.declarations[0] if vanish else 0)
    written = [term for side in score.terms for term in side]
    assert sum(t.value for t in written if "declarations" in t.label) == kept
    assert sum(t.value for t in written if "belote" in t.label) == sum(outcome.belote)


@given(rulesets(), outcomes(), bids, multipliers, st.integers(0, 3))
def test_turning_the_seats_turns_the_game(rules, outcome, bid, multiplier, declarer):
    score = score_deal(bid, outcome, rules, multiplier)
    here = Game(rules).add(score, declarer).standing
    assert Game(rules).add(score, (declarer + 2) % 4).standing == here
    assert Game(rules).add(score, (declarer + 1) % 4).standing == here[::-1]


@given(rulesets(), outcomes(), st.builds(Bid, st.just(100), st.integers(0, 5)), multipliers)
def test_many_as_one(rules, outcome, bid, multiplier):
    if bid.trump > 3:
        outcome = Outcome(
            outcome.points, outcome.declarations, (0, 0), outcome.capot, outcome.missed_belote
        )
    score = score_deal(bid, outcome, rules, multiplier)
    many = score_many(
        bid.level,
        bid.trump,
        np.array([outcome.points]),
        np.array([outcome.declarations]),
        np.array([outcome.belote]),
        rules,
        capot=PARTIES.index(outcome.capot) if outcome.capot else -1,
        multiplier=multiplier,
        missed_belote=PARTIES.index(outcome.missed_belote) if outcome.missed_belote else -1,
    )
    assert bool(many.made[0]) == score.made
    assert (tuple(many.total[0]), tuple(many.raw[0]), tuple(many.sheet[0])) == (
        score.total,
        score.raw,
        score.sheet,
    )


N_DEALS = 100_000


@pytest.mark.parametrize("name", preset_names())
def test_many_as_one_on_random_deals_and_contracts(name):
    rules = load_ruleset(name, {"declaration_tie": "first"})
    n = N_DEALS // len(preset_names()) + 1
    draw = np.random.default_rng(sum(map(ord, name)))
    decks = draw.permuted(np.tile(np.arange(32), (n, 1)), axis=1)
    bits = np.uint32(1) << decks.astype(np.uint32)
    hands = np.bitwise_or.reduce(bits.reshape(-1, 4, 8), axis=2)
    trumps, leaders, declarers = (draw.integers(0, top, n) for top in (6, 4, 4))
    levels, multipliers = 10 * draw.integers(8, 26, n), 2 ** draw.integers(0, 3, n)
    # Values as the solver gives them, with a sweep in every tenth deal.
    values = draw.integers(0, 163, n)
    sweeps = draw.choice([0, 1, 2], n, p=[0.9, 0.05, 0.05])
    values[sweeps == 1], values[sweeps == 2] = rules.capot_points, 162 - rules.capot_points

    ns = np.clip(values, 0, 162)
    sides = declarers % 2
    turned = np.arange(2) ^ sides[:, None]
    points = np.take_along_axis(np.column_stack([ns, 162 - ns]), turned, axis=1)
    declared = declaration_points_many(hands, trumps, leaders, rules)
    belote = belote_points_many(hands, trumps, rules)
    many = score_many(
        levels,
        trumps,
        points,
        np.take_along_axis(declared, turned, axis=1),
        np.take_along_axis(belote, turned, axis=1),
        rules,
        capot=np.where(sweeps == 0, -1, (sweeps - 1) ^ sides),
        multiplier=multipliers,
    )
    every_total = totals_many(hands, trumps, leaders, values, rules)
    np.testing.assert_array_equal(many.total, np.take_along_axis(every_total, turned, axis=1))

    for i, row in enumerate(hands.tolist()):
        trump, side = int(trumps[i]), int(sides[i])
        own = contest(row, trump, rules, int(leaders[i])).points
        bonus = belote_points(row, trump, rules)
        outcome = Outcome(
            (int(points[i, 0]), int(points[i, 1])),
            own if side == 0 else own[::-1],
            bonus if side == 0 else bonus[::-1],
            PARTIES[(int(sweeps[i]) - 1) ^ side] if sweeps[i] else None,
        )
        score = score_deal(Bid(int(levels[i]), trump), outcome, rules, int(multipliers[i]))
        assert bool(many.made[i]) == score.made
        assert tuple(many.total[i]) == score.total
        assert tuple(many.raw[i]) == score.raw
        assert tuple(many.sheet[i]) == score.sheet
