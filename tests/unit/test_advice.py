from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from pilotta_solver import advice as module
from pilotta_solver.advice import LEADER, advise, wilson_interval
from pilotta_solver.deal import Deal
from pilotta_solver.declarations import belote_points, contest
from pilotta_solver.double_dummy import solve
from pilotta_solver.errors import ConstraintError, DealError, NotationError
from pilotta_solver.notation import Bid, parse_bid, parse_hand
from pilotta_solver.ruleset import load_ruleset
from pilotta_solver.sampling import worlds

HAND = parse_hand("AKJ9.T8.A7.")


@pytest.mark.parametrize("n", [1, 2, 7, 100, 1000, 123_457])
def test_wilson_interval_agrees_with_scipy(n):
    for successes in {0, 1, n // 3, n // 2, n - 1, n}:
        expected = binomtest(successes, n).proportion_ci(confidence_level=0.95, method="wilson")
        low, high = wilson_interval(successes, n)
        assert low == pytest.approx(expected.low, abs=1e-12)
        assert high == pytest.approx(expected.high, abs=1e-12)
        assert 0 <= low <= successes / n <= high <= 1


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["tsaka", "classic"])
def test_statistics_are_those_of_worlds_solved_one_by_one(seat, name):
    """Everything again with the one-deal functions, for a hand that declares and sweeps."""
    hand, rules, n = parse_hand("AKQJ9.A.A.7"), load_ruleset(name), 30
    advice = advise(hand, parse_bid("270S"), seat=seat, n_worlds=n, seed=5, rules=rules)
    side = (seat - 1) % 2
    for contract in advice.contracts:
        points, totals, sweeps = [], [], 0
        for row in worlds(hand, seat - 1, n, 5):
            deal = Deal(tuple(int(cards) for cards in row))
            assert deal.hands[seat - 1] == hand
            solution = solve(deal, contract.trump, LEADER, rules)
            points.append(solution.card_points[side])
            swept = solution.capot == ("ns", "ew")[side]
            sweeps += swept
            declared = contest(deal, contract.trump, rules, leader=LEADER).points[side]
            belote = belote_points(deal, contract.trump, rules)[side]
            worth = rules.capot_points if swept else solution.card_points[side]
            totals.append(worth + declared + belote)
        assert contract.n_worlds == n
        assert contract.mean_card_points == pytest.approx(np.mean(points))
        assert contract.sd_card_points == pytest.approx(np.std(points, ddof=1))
        assert contract.mean_total == pytest.approx(np.mean(totals))
        assert contract.p_capot == sweeps / n
        for level in contract.levels:
            made = sum(total >= level.bid for total in totals)
            assert level.p_made == made / n
            assert (level.ci_low, level.ci_high) == wilson_interval(made, n)
        if contract.trump == 0:
            assert sweeps > 0
            assert advice.question.p_made == sum(total >= 270 for total in totals) / n


def test_the_batch_and_the_threads_change_nothing(monkeypatch):
    whole = advise(HAND, n_worlds=150, seed=9, jobs=1).as_dict()
    assert advise(HAND, n_worlds=150, seed=9, jobs=3).as_dict() == whole
    monkeypatch.setattr(module, "_BATCH", 41)
    assert advise(HAND, n_worlds=150, seed=9).as_dict() == whole


def test_one_world_has_no_spread():
    contract = advise(HAND, n_worlds=1, seed=1).contracts[0]
    assert contract.sd_card_points is None
    assert contract.n_worlds == 1


def test_levels_are_those_of_the_auction():
    rules = load_ruleset("tsaka", {"first_bid": 90, "highest_bid": 160})
    levels = advise(HAND, n_worlds=2, seed=1, rules=rules).contracts[0].levels
    assert [level.bid for level in levels] == list(range(90, 161, 10))
    open_ended = advise(HAND, n_worlds=2, seed=1, rules=load_ruleset("classic"))
    assert open_ended.contracts[0].levels[-1].bid == 400


def test_a_question_above_the_shown_levels():
    advice = advise(HAND, Bid(1000, 0), n_worlds=20, seed=1, rules=load_ruleset("classic"))
    assert advice.question.p_made == 0
    assert advice.question.verdict == "no"


def test_the_verdict_follows_the_interval():
    for bid in ("80S", "400S", "110H", "100D", "90C"):
        question = advise(HAND, parse_bid(bid), n_worlds=40, seed=2).question
        if question.verdict == "close":
            assert question.ci_low <= 0.5 <= question.ci_high
        else:
            assert (question.ci_low > 0.5) == (question.verdict == "yes")
            assert (question.ci_high < 0.5) == (question.verdict == "no")


def test_a_seed_is_drawn_if_none_is_given():
    first, second = (advise(HAND, n_worlds=2) for _ in range(2))
    assert first.seed != second.seed
    assert advise(HAND, n_worlds=2, seed=first.seed) == first


def test_progress_counts_every_deal_once():
    seen: list[tuple[int, int]] = []
    advise(HAND, n_worlds=130, seed=1, progress=lambda *counts: seen.append(counts))
    assert seen[-1] == (520, 520)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})


def test_records_flatten_the_same_numbers():
    advice = advise(HAND, n_worlds=5, seed=1)
    records = list(advice.records())
    assert len(records) == 4 * 33
    assert records[0]["trump"] == "S"
    assert records[0]["bid"] == 80
    assert records[-1]["p_made"] == advice.contracts[-1].levels[-1].p_made


def test_statistics_are_finite():
    for contract in advise(parse_hand("987.987.98."), n_worlds=3, seed=1).contracts:
        assert math.isfinite(contract.mean_total)


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (DealError, {"hand": HAND & (HAND - 1)}),
        (ConstraintError, {"seat": 0}),
        (ConstraintError, {"seat": 5}),
        (ConstraintError, {"n_worlds": 0}),
        (DealError, {"seed": -1}),
        (NotationError, {"question": Bid(85, 0)}),
        (NotationError, {"question": Bid(410, 0)}),
        (NotationError, {"question": Bid(100, 4)}),
        (NotationError, {"question": Bid(100, 5)}),
    ],
)
def test_what_cannot_be_answered_is_refused(error, arguments):
    with pytest.raises(error):
        advise(**{"hand": HAND, "n_worlds": 2, **arguments})
