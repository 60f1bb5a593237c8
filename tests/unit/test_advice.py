from __future__ import annotations

import math

import numpy as np
import pytest

from pilotta_solver.advice import survey, valuation, worth
from pilotta_solver.advice.advise import LEADER, advise
from pilotta_solver.deal import Deal
from pilotta_solver.declarations import belote_points, contest
from pilotta_solver.double_dummy import solve
from pilotta_solver.errors import ConstraintError, DealError, NotationError
from pilotta_solver.knowledge.auction_knowledge import player_view
from pilotta_solver.knowledge.sampling import worlds
from pilotta_solver.notation import Bid, format_deal, parse_bid, parse_hand
from pilotta_solver.ruleset import load_ruleset
from pilotta_solver.scoring import Outcome, score_deal
from pilotta_solver.stopping import wilson_interval

HAND = parse_hand("AKJ9.T8.A7.")


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
    monkeypatch.setattr(survey, "_BATCH", 41)
    monkeypatch.setattr(valuation, "_MOST_AT_A_TIME", 700)
    monkeypatch.setattr(worth, "_BATCH", 500)
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


def test_the_verdict_follows_the_interval_of_the_worth():
    seen = set()
    for bid in ("80S", "400S", "110H", "100D", "80C", "80H"):
        question = advise(HAND, parse_bid(bid), n_worlds=40, seed=2).question
        seen.add(question.verdict)
        assert (question.level.worth_low > 0) == (question.verdict == "yes")
        assert (question.level.worth_high < 0) == (question.verdict == "no")
    assert seen == {"yes", "no", "close"}


@pytest.mark.parametrize("name", ["tsaka", "classic", "contree"])
@pytest.mark.parametrize("calls", [None, "90H", "P 80D P"])
def test_worth_is_that_of_worlds_scored_one_by_one(name, calls):
    """Every score again with the one-deal function, against what else could be done."""
    rules, n, bid = load_ruleset(name), 25, parse_bid("110S")
    view = player_view(rules, auction=calls, system="none")
    advice = advise(HAND, bid, view=view, n_worlds=n, seed=4, rules=rules, model="dd")
    own = view.seat % 2

    def differences(contract: Bid, side: int, multiplier: int) -> tuple[list[int], list[int]]:
        raw, sheet = [], []
        for row in worlds(HAND, view.seat, n, 4):
            deal = Deal(tuple(int(cards) for cards in row))
            solution = solve(deal, contract.trump, LEADER, rules)
            declared = contest(deal, contract.trump, rules, leader=LEADER).points
            belote = belote_points(deal, contract.trump, rules)
            capot = None
            if solution.capot is not None:
                capot = ("declarers", "defence")[("ns", "ew").index(solution.capot) != side]
            order = (side, 1 - side)
            outcome = Outcome(
                points=tuple(solution.card_points[one] for one in order),
                declarations=tuple(declared[one] for one in order),
                belote=tuple(belote[one] for one in order),
                capot=capot,
            )
            score = score_deal(contract, outcome, rules, multiplier)
            sign = 1 if side == own else -1
            raw.append(sign * (score.raw[0] - score.raw[1]))
            sheet.append(sign * (score.sheet[0] - score.sheet[1]))
        return raw, sheet

    level = advice.question.level
    for multiplier, suffix in ((1, ""), (2, "_doubled"), (4, "_redoubled")):
        raw, sheet = differences(bid, own, multiplier)
        assert getattr(level, f"raw{suffix}") == pytest.approx(np.mean(raw))
        assert getattr(level, f"sheet{suffix}") == pytest.approx(np.mean(sheet))
    _, sheet = differences(bid, own, 1)
    instead = {"P": [0] * n}
    if calls == "90H":
        instead = {"P": differences(Bid(90, 1), 0, 1)[1], "X": differences(Bid(90, 1), 0, 2)[1]}
    elif calls == "P 80D P":
        instead = {"P": differences(Bid(80, 2), 1, 1)[1]}
    assert {one.call for one in advice.alternatives} == set(instead)
    for one in advice.alternatives:
        assert one.sheet == pytest.approx(np.mean(instead[one.call]))
    best = max(instead, key=lambda call: np.mean(instead[call]))
    assert advice.question.alternative == advice.alternatives[0].call == best
    worth = np.subtract(sheet, instead[best])
    assert level.worth == pytest.approx(worth.mean())
    reach = 1.959964 * worth.std(ddof=1) / np.sqrt(n)
    assert level.worth_high - level.worth == pytest.approx(reach, rel=1e-5)
    made = np.array(sheet) > 0 if name == "tsaka" else None
    if made is not None and 0 < made.sum() < n and level.break_even is not None:
        gain, loss = worth[made].mean(), -worth[~made].mean()
        assert level.break_even == pytest.approx(loss / (gain + loss))


def test_the_best_call_is_worth_most_of_all_that_may_be_made():
    for calls in ("", "80H", "80H P 90H X", "P 80S P"):
        view = player_view(load_ruleset(), auction=calls, system="none")
        advice = advise(HAND, view=view, n_worlds=40, seed=3)
        lowest = view.standing.bid.level + 10 if view.standing else 80
        may_bid = view.standing is None or view.standing.multiplier == 1
        gains = {
            f"{level.bid}{'SHDC'[contract.trump]}": level.worth
            for contract in advice.contracts
            for level in contract.levels
            if may_bid and level.bid >= lowest
        }
        for contract in advice.contracts:
            paying = [
                level
                for level in range(lowest, 401, 10)
                if gains.get(f"{level}{'SHDC'[contract.trump]}", 0) > 0
            ]
            assert contract.highest == max(paying, default=None)
        if gains and max(gains.values()) > 0:
            assert advice.best.call == max(gains, key=gains.__getitem__)
            assert advice.best.worth == max(gains.values())
        else:
            assert (advice.best.call, advice.best.worth) == (advice.alternatives[0].call, 0)


def test_sampling_stops_at_the_precision_and_reports_what_it_looked_at():
    advice = advise(HAND, parse_bid("120S"), precision=3, seed=6)
    question = advice.question
    assert advice.method.stopped_by == "precision"
    assert advice.method.intervals == "confidence sequence"
    assert question.ci_high - question.ci_low <= 0.06
    assert question.n_worlds >= advice.n_worlds == advice.contracts[0].n_worlds
    finer = advise(HAND, parse_bid("120S"), precision=1.5, seed=6)
    assert min(one.n_worlds for one in finer.contracts) < finer.n_worlds
    assert finer.question.n_worlds > question.n_worlds
    # The level in question, in the contract's table too, stands on all the worlds.
    level = next(one for one in advice.contracts[0].levels if one.bid == 120)
    assert (level.p_made, level.ci_low, level.ci_high, level.worth) == (
        question.p_made, question.ci_low, question.ci_high, question.level.worth,
    )  # fmt: skip
    chances = [one.p_made for one in advice.contracts[0].levels]
    assert chances == sorted(chances, reverse=True)
    assert all(one.ci_low <= one.p_made <= one.ci_high for one in advice.contracts[0].levels)


def test_worlds_that_are_only_decided_are_decided_as_they_would_be_solved():
    for calls in ("", "P"):
        view = player_view(load_ruleset(), auction=calls, system="none")
        question = advise(HAND, parse_bid("130S"), view=view, precision=4, seed=8).question
        n = question.n_worlds
        exact = advise(HAND, parse_bid("130S"), view=view, n_worlds=n, seed=8).question
        assert question.p_made == pytest.approx(exact.p_made)
        # The weights make up for the worlds that were not solved.
        assert question.level.worth == pytest.approx(exact.level.worth, abs=1.5)


def test_the_seed_alone_decides_an_answer_that_stops_by_itself():
    first = advise(HAND, parse_bid("110H"), precision=5, seed=9, jobs=1).as_dict()
    assert advise(HAND, parse_bid("110H"), precision=5, seed=9, jobs=3).as_dict() == first
    open_ = advise(HAND, precision=5, seed=9, jobs=1).as_dict()
    assert advise(HAND, precision=5, seed=9, jobs=2).as_dict() == open_


def test_a_time_limit_stops_it():
    advice = advise(HAND, parse_bid("110H"), seconds=0.05, seed=9)
    assert advice.method.stopped_by == "time"
    assert advice.question.n_worlds >= 64


def test_the_chance_of_winning_decides_near_the_end_of_a_game():
    """One point short, 80 is enough, and what it scores beyond is worth nothing."""
    advice = advise(HAND, parse_bid("150S"), n_worlds=60, seed=1, score=(299, 0))
    assert advice.score == (299, 0)
    assert advice.target == 301
    level = advice.contracts[0].levels[0]
    assert level.p_win > 0.99
    assert advice.best.p_win >= advice.question.level.p_win
    assert advice.question.level.p_win_gain == pytest.approx(
        advice.question.level.p_win - advice.alternatives[0].p_win
    )
    assert advice.question.verdict in ("no", "close")
    other = advise(HAND, parse_bid("150S"), n_worlds=60, seed=1, score=(50, 0), target=51)
    assert other.target == 51


def test_reasons_are_counted_from_the_same_worlds():
    n = 300
    question = advise(parse_hand("J97.AT8.T7."), parse_bid("90H"), n_worlds=n, seed=2).question
    hands = worlds(parse_hand("J97.AT8.T7."), 0, n, 2)
    partner = hands[:, 2]
    by_fact = {(one.about, one.fact): one for one in question.reasons}
    for card, bit in (("HJ", 12), ("H9", 10), ("SA", 7)):
        holds = partner >> bit & 1 == 1
        assert by_fact[card, "partner"].n_worlds == holds.sum()
        assert by_fact[card, "opponent"].n_worlds == n - holds.sum()
        total = sum(
            by_fact[card, who].p_made * by_fact[card, who].n_worlds
            for who in ("partner", "opponent")
        )
        assert total / n == pytest.approx(question.p_made)
    assert question.reasons[0].about == "HJ"
    lengths = [one for one in question.reasons if one.about == "partner's trumps"]
    assert [one.fact for one in lengths] == ["0", "1", "2", "3+"]
    assert sum(one.share for one in lengths) == pytest.approx(1)


def test_examples_are_worlds_near_the_median_and_a_failure():
    advice = advise(HAND, parse_bid("130S"), n_worlds=101, seed=2, show_worlds=2)
    examples = advice.question.examples
    assert [one.kind for one in examples] == ["median", "median", "failure"]
    for one in examples:
        hands = worlds(HAND, 0, 1, 2, one.world)[0]
        deal = Deal(tuple(int(cards) for cards in hands))
        assert one.deal == format_deal(deal)
        assert solve(deal, 0, LEADER).card_points[0] == one.card_points
        assert one.made == (one.total >= 130) == (one.kind == "median")
    assert (
        advise(HAND, parse_bid("130S"), n_worlds=9, seed=2, show_worlds=0).question.examples == ()
    )


def test_what_is_known_is_told_and_kept_to():
    rules = load_ruleset()
    view = player_view(rules, auction="P 80H P", partner="DK")
    advice = advise(HAND, parse_bid("100S"), view=view, n_worlds=50, seed=1)
    assert advice.seat == 4
    assert advice.method.known[0] == "partner: DK"
    assert advice.method.known[2].startswith("Partner's 80H: ")
    assert advice.method.n_tried > 50
    assert advice.method.acceptance == 50 / advice.method.n_tried
    assert advice.method.leads == "right"


def test_a_seed_is_drawn_if_none_is_given():
    first, second = (advise(HAND, n_worlds=2) for _ in range(2))
    assert first.seed != second.seed
    assert advise(HAND, n_worlds=2, seed=first.seed) == first


@pytest.mark.parametrize(
    ("calls", "bid", "why"),
    [
        ("90H", "90S", "a bid must be higher than 90H"),
        ("90H P 100H X", "110S", "none follows a double"),
    ],
)
def test_a_bid_that_the_auction_does_not_allow_is_refused(calls, bid, why):
    view = player_view(load_ruleset(), auction=calls, system="none")
    with pytest.raises(NotationError, match=why):
        advise(HAND, parse_bid(bid), view=view, n_worlds=2)


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
        (ConstraintError, {"precision": 1.0}),
        (ConstraintError, {"n_worlds": None, "precision": 0.0}),
        (ConstraintError, {"n_worlds": None, "seconds": 0.0}),
        (ConstraintError, {"show_worlds": -1}),
        (ConstraintError, {"target": 301}),
        (ConstraintError, {"score": (301, 0)}),
        (ConstraintError, {"score": (30, 0), "target": 20}),
        (ConstraintError, {"score": (30, 0), "target": 0}),
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
