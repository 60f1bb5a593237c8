"""The rule for the head: what it counts, how it is fitted and rounded, how it is tried."""

from __future__ import annotations

import itertools
import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from pilotta_solver import load_ruleset
from pilotta_solver.bidding_table.head_rule import report
from pilotta_solver.bidding_table.head_rule.against_solver import against_solver
from pilotta_solver.bidding_table.head_rule.calls import (
    Calls,
    by_rule,
    by_system,
    naive_systems,
)
from pilotta_solver.bidding_table.head_rule.deciders import Deciders, add, deciders
from pilotta_solver.bidding_table.head_rule.fitting import (
    MAY_LOSE,
    UNITS,
    best_steps,
    fit_rule,
    worth_from,
)
from pilotta_solver.bidding_table.head_rule.items import ITEMS, count_items, unsolved
from pilotta_solver.bidding_table.head_rule.regression import fit_levels, fit_mean, fit_rising
from pilotta_solver.bidding_table.head_rule.rule import HeadRule, LevelOfSum
from pilotta_solver.bidding_table.head_rule.study import ONE_IN, study, unseen_hands
from pilotta_solver.bidding_table.head_rule.tally import Cells, taken, tally, together
from pilotta_solver.bidding_table.head_rule.trial import WaysOnDeals, accuracy
from pilotta_solver.bidding_table.sources import solved_deals
from pilotta_solver.cards import RANKS, cards_of, rank_of, suit_of
from pilotta_solver.datasets.simulation import Simulation, simulate
from pilotta_solver.declarations import hand_declarations
from pilotta_solver.errors import PilottaError
from pilotta_solver.knowledge.expression import holds
from pilotta_solver.notation import Bid, parse_hand
from pilotta_solver.scoring import Outcome, score_deal
from pilotta_solver.tables import open_table

TSAKA = load_ruleset("tsaka")
LEVELS = tuple(range(80, 170, 10))
N_DEALS = 400


def random_hands(n, seed):
    rng = np.random.default_rng(seed)
    dealt = [rng.permutation(32)[:8] for _ in range(n)]
    return np.array([sum(1 << int(card) for card in hand) for hand in dealt], np.uint32)


def by_hand(hand, trump, place, rules):
    """The items of one hand, card by card."""
    suits = [[RANKS[rank_of(c)] for c in cards_of(hand) if suit_of(c) == s] for s in range(4)]
    trumps, sides = suits[trump], [suits[s] for s in range(4) if s != trump]
    declared = sum(one.points for one in hand_declarations(hand, trump, rules))
    return [
        *(int(letter in trumps) for letter in "J9AT"),
        sum(letter in "KQ87" for letter in trumps),
        int("K" in trumps and "Q" in trumps),
        sum("A" in side for side in sides),
        sum("T" in side and len(side) > 1 for side in sides),
        sum(len(side) == 0 for side in sides),
        sum(len(side) == 1 for side in sides),
        declared // 10,
        int(place in (0, 2)),
    ]


def test_items_are_counted_as_a_player_counts_them():
    hands = random_hands(150, 1)
    # four jacks, a long suit with belote, and all tens guarded
    hands[:3] = [parse_hand(text) for text in ("J9.J9.J9.J9", "AKQJT987...", "T7.T7.T7.T7")]
    places = (np.arange(len(hands)) % 4).astype(np.int8)
    seen = unsolved(hands, places, TSAKA)
    slow = [
        by_hand(int(hand), trump, int(place), TSAKA)
        for hand, place in zip(hands, places, strict=True)
        for trump in range(4)
    ]
    assert count_items(seen).tolist() == slow
    assert len(ITEMS) == len(slow[0])


# --- the fit ---------------------------------------------------------------------------------


def cells_of(weights, base, n, spread, seed):
    """Observations whose mean total is a known sum of their counts."""
    rng = np.random.default_rng(seed)
    counts = np.column_stack([rng.integers(0, 2 + (k % 3), n) for k in range(len(weights))])
    total = np.rint(base + counts @ np.array(weights) + rng.normal(0, spread, n))
    made = total[:, None] >= np.array(LEVELS)
    sheet = np.where(made, np.array(LEVELS) / 10, -16 - np.array(LEVELS) / 10)
    cells = Cells(counts.astype(np.int64), np.ones(n), total, total**2, made.astype(float), sheet)
    return cells.merged(cells.counts)


def test_known_points_are_found_again():
    points = (10, 6, 4, 3, 2, 4, 4, 1, 3, 0, 2, 3)
    cells = cells_of([5 * point for point in points], 20, 5_000, 20, seed=2)
    fit = fit_rule(cells, LEVELS)
    (by_fives,) = (scale for scale in fit.scales if scale.unit == 5)
    assert by_fives.points == points
    assert by_fives.loses < MAY_LOSE / 2
    assert np.allclose(fit.mean.weights, [5 * point for point in points], atol=1.5)
    assert fit.mean.intercept == pytest.approx(20, abs=2)


def test_the_coarsest_scale_that_loses_little_is_taken():
    cells = cells_of([50, 30, 20, 10], 20, 40_000, 20, seed=3)
    fit = fit_rule(cells, LEVELS)
    assert fit.rule.total_at_zero == pytest.approx(20, abs=1)
    assert fit.rule.total_per_point == pytest.approx(10, abs=0.1)
    assert (fit.rule.unit, fit.rule.points) == (10.0, (5, 3, 2, 1))
    assert [scale.unit for scale in fit.scales] == list(UNITS)
    assert all(scale.loses > MAY_LOSE for scale in fit.scales if scale.unit > 10)
    assert max(fit.scales, key=lambda scale: scale.loses).unit == 20.0


def test_both_fits_agree_on_what_items_are_worth():
    cells = cells_of([50, 30, 20, 10], 20, 40_000, 30, seed=4)
    fit = fit_rule(cells, LEVELS)
    from_chances = fit.points_per_log_odd * fit.chances.weights
    assert np.allclose(from_chances, fit.mean.weights, atol=2)


def test_chances_by_level_are_those_of_a_known_model():
    rng = np.random.default_rng(5)
    x = np.arange(-3, 4, dtype=float)
    n = np.full(len(x), 40_000.0)
    p = 1 / (1 + np.exp(-(np.array([1.0, -0.5]) + 0.7 * x[:, None])))
    fit = fit_levels(x[:, None], rng.binomial(40_000, p).astype(float), n)
    assert np.allclose(fit.intercepts, [1.0, -0.5], atol=0.03)
    assert fit.weights == pytest.approx([0.7], abs=0.02)


def test_means_are_those_of_a_known_model():
    x = np.array([[0.0, 1], [1, 0], [1, 1], [3, 2]])
    fit = fit_mean(x, 7 + x @ [2.0, -3.0], np.array([1.0, 5, 2, 1]))
    assert (fit.intercept, *fit.weights) == pytest.approx((7, 2, -3))


def test_shares_are_made_to_rise_by_pooling_neighbours():
    shares = fit_rising(np.array([0.1, 0.4, 0.2, 0.9]), np.array([1.0, 1, 3, 1]))
    assert shares.tolist() == pytest.approx([0.1, 0.25, 0.25, 0.9])


def test_without_scikit_learn_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(PilottaError, match=r"pip install 'pilotta-solver\[fit\]'"):
        fit_mean(np.ones((2, 1)), np.ones(2), np.ones(2))


@pytest.mark.parametrize("seed", range(6))
def test_the_best_steps_are_those_of_all_that_never_fall(seed):
    sheet = np.random.default_rng(seed).integers(-5, 6, (5, 3)).astype(float)
    brings = np.hstack([np.zeros((5, 1)), sheet])

    def worth(steps):
        return sum(brings[place, step] for place, step in enumerate(steps))

    every = itertools.combinations_with_replacement(range(4), 5)
    found = best_steps(sheet).tolist()
    assert found == sorted(found)
    assert worth(found) == max(map(worth, every))


@pytest.mark.parametrize("seed", range(6))
def test_a_level_is_worth_it_from_where_all_higher_sums_together_bring_most(seed):
    sheet = np.sort(np.random.default_rng(seed).normal(0, 5, (8, 1)), axis=0) + 1
    (found,) = worth_from(sheet)
    ends = [sheet[start:].sum() for start in range(8)]
    assert ends[found] == pytest.approx(max(ends))
    assert worth_from(-np.abs(sheet)) == [None]


# --- counting --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def deals(tmp_path_factory):
    folder = tmp_path_factory.mktemp("deals") / "d"
    simulate(folder, Simulation(5, TSAKA, (0, 1, 2, 3)), N_DEALS, jobs=1)
    return solved_deals(open_table(str(folder)), TSAKA)


@pytest.fixture(scope="module")
def studied(deals):
    return study(deals)


def test_cells_put_alike_observations_together(deals):
    seen = next(deals.observations())
    counts = count_items(seen)[:, :4]
    cells = together(
        [
            tally(taken(seen, seen.deal % 2 == part), counts[seen.deal % 2 == part], LEVELS, TSAKA)
            for part in range(2)
        ]
    )
    slow = {}
    for place, key in enumerate(map(tuple, counts.tolist())):
        slow.setdefault(key, []).append(place)
    assert sorted(slow) == sorted(map(tuple, cells.counts.tolist()))
    for row, key in enumerate(map(tuple, cells.counts.tolist())):
        totals = seen.total[slow[key]]
        assert cells.n[row] == len(totals)
        assert cells.total[row] == totals.sum()
        assert cells.squared[row] == (totals.astype(float) ** 2).sum()
        assert cells.made[row].tolist() == [(totals >= level).sum() for level in LEVELS]


# --- ways to bid -----------------------------------------------------------------------------


def longest(hand, suits):
    """The longest of some suits, of equal ones the first."""
    return max(suits, key=lambda suit: (int(hand >> 8 * suit & 255).bit_count(), -suit))


@pytest.mark.parametrize("name", ["classic text, 90", "classic text, 100", "cyprus-basic"])
def test_a_system_opens_the_highest_bid_that_fits(name):
    system = naive_systems()[name]
    hands = random_hands(300, 7)
    calls = by_system(system, TSAKA)(hands, np.zeros(300, np.int8))
    bid = 0
    for place, hand in enumerate(map(int, hands)):
        fits = {}
        for trump in range(4):
            for one in system.conventions:
                if "opening" in one.when and holds(one.expression(trump), hand, TSAKA):
                    fits.setdefault(int(one.call), set()).add(trump)
        assert calls.level[place] == max(fits, default=0)
        if fits:
            bid += 1
            assert calls.trump[place] == longest(hand, fits[max(fits)])
    assert bid > 5


@pytest.mark.parametrize(
    ("hand", "cautious", "bold"),
    [
        ("J987.T8.K7.", 90, 100),
        ("J97.T87.K7.", 0, 0),
        ("AKT87.A.T.K", 100, 100),
        ("AKT87.A.T.Q", 0, 0),
        ("J9T87.A.T.K", 100, 100),
    ],
)
def test_the_advice_of_the_classic_text(hand, cautious, bold):
    hands = np.array([parse_hand(hand)], np.uint32)
    levels = [
        int(by_system(naive_systems()[name], TSAKA)(hands, np.zeros(1, np.int8)).level[0])
        for name in ("classic text, 90", "classic text, 100")
    ]
    assert levels == [cautious, bold]


def simple_rule():
    points = (10, 6, 4, 4, 3, 4, 4, 1, 2, 0, 2, 3)
    levels = (
        LevelOfSum(80, 18, 18, 0.7),
        LevelOfSum(90, None, 20, 0.7),
        LevelOfSum(100, 30, 21, 0.6),
    )
    return HeadRule(points, 5.0, 15.0, 5.0, 10, ((0.1, 0.05, 0.0), (0.2, 0.1, 0.0)), levels)


def test_the_rule_bids_the_suit_of_the_greatest_sum():
    rule, hands = simple_rule(), random_hands(200, 8)
    places = (np.arange(200) % 4).astype(np.int8)
    calls = by_rule(rule, TSAKA)(hands, places)
    highest = by_rule(rule, TSAKA, to_the_limit=True)(hands, places)
    for row, (hand, place) in enumerate(zip(map(int, hands), map(int, places), strict=True)):
        sums = {}
        for trump in range(4):
            length = int(hand >> 8 * trump & 255).bit_count()
            if length >= 2:
                counts = by_hand(hand, trump, place, TSAKA)
                sums[trump] = int(np.dot(counts, rule.points)), length
        best = max(sums, key=lambda trump: (*sums[trump], -trump))
        total = sums[best][0]
        assert calls.level[row] == (100 if total >= 30 else 80 if total >= 18 else 0)
        assert calls.trump[row] == highest.trump[row] == best
        worth = [one.level for one in rule.levels if total >= one.worth_from]
        assert highest.level[row] == max(worth, default=0)


def test_chances_beyond_the_known_sums_are_those_at_their_ends():
    chances = simple_rule().p_made(np.array([0, 10, 11, 40]))
    assert chances[:, 0].tolist() == [0.1, 0.1, 0.2, 0.2]


def scored(seen, row, level):
    """What a bid brings on the sheet in one observation, and whether it is made."""
    value = int(seen.value[row])
    own = min(max(value, 0), 162)
    outcome = Outcome(
        (own, 162 - own),
        tuple(map(int, seen.declarations[row])),
        tuple(map(int, seen.belote[row])),
        "declarers" if value > 162 else "defence" if value < 0 else None,
    )
    score = score_deal(Bid(level, int(seen.trump[row])), outcome, TSAKA)
    return score.sheet[0] - score.sheet[1], score.made


def test_ways_are_scored_as_single_deals_are(deals):
    seen = next(deals.observations())
    seen = taken(seen, seen.deal < 12)

    def always(hands, places):
        return Calls(np.full(len(hands), 1, np.int8), np.full(len(hands), 90, np.int16))

    def with_the_ace(hands, places):
        bids = np.where(hands >> 15 & 1, 100, 0)
        return Calls(np.full(len(hands), 1, np.int8), bids.astype(np.int16))

    def never(hands, places):
        return Calls(np.zeros(len(hands), np.int8), np.zeros(len(hands), np.int16))

    ways = {"always": always, "with the ace": with_the_ace, "never": never}
    trial = WaysOnDeals(ways, LEVELS, TSAKA)
    for part in (seen.deal < 5, seen.deal >= 5):
        trial.add(taken(seen, part))
    first, ace, second = trial.results()
    rows = np.flatnonzero(seen.trump == 1)
    sheets, made = map(np.array, zip(*(scored(seen, row, 90) for row in rows), strict=True))
    assert first.n_hands == len(rows) == 48
    assert first.sheet == pytest.approx(sheets.mean())
    assert (first.p_bid, first.p_made) == (1.0, pytest.approx(made.mean()))
    by_deal = np.reshape(sheets, (12, 4)).mean(axis=1)
    assert first.sheet_error == pytest.approx(by_deal.std(ddof=1) / np.sqrt(12))
    assert (first.rule_gains, first.rule_gains_a_bid, first.p_differs) == (0.0, 0.0, 0.0)
    holds_it = seen.hand[rows] >> 15 & 1 == 1
    hundreds = np.array([scored(seen, row, 100)[0] for row in rows])
    assert (ace.p_bid, ace.mean_level) == (0.25, 100.0)
    assert ace.sheet == pytest.approx(np.where(holds_it, hundreds, 0).mean())
    assert ace.rule_gains_a_bid == pytest.approx((sheets - hundreds)[holds_it].mean())
    assert ace.rule_gains == pytest.approx((sheets - np.where(holds_it, hundreds, 0)).mean())
    assert (second.p_bid, second.sheet, second.p_differs) == (0.0, 0.0, 1.0)
    assert second.rule_gains == pytest.approx(first.sheet)


def test_what_decides_is_counted_bid_by_bid(deals):
    seen = next(deals.observations())

    def hundreds(hands, places):
        return Calls(np.full(len(hands), 2, np.int8), np.full(len(hands), 100, np.int16))

    counts = dict.fromkeys(Deciders.__annotations__, 0)
    for row in np.flatnonzero(seen.trump == 2):
        cards = max(int(seen.value[row]), 0)
        declarations, belote = int(seen.declarations[row, 0]), int(seen.belote[row, 0])
        made = cards + declarations + belote >= 100
        without = cards + belote >= 100, cards + declarations >= 100
        counts["n_bids"] += 1
        counts["n_made"] += made
        counts["n_by_cards"] += cards >= 100
        counts["n_by_declarations"] += made and not without[0]
        counts["n_by_belote"] += made and not without[1]
        counts["n_by_either"] += all(without) and cards < 100
    parts = [taken(seen, seen.deal % 2 == part) for part in range(2)]
    assert add([deciders(part, hundreds) for part in parts]) == Deciders(**counts)
    assert counts["n_by_cards"] < counts["n_made"] < counts["n_bids"]
    assert counts["n_by_declarations"] > 0 < counts["n_by_belote"]


# --- the study -------------------------------------------------------------------------------


def with_values_shifted(deals, where):
    """The same deals with other results in those of some numbers."""
    table = deals.table

    def batches(names):
        for columns in table.batches(names):
            changed = dict(columns)
            rows = where(columns["deal_number"])
            for name in columns:
                if name.startswith("value_"):
                    changed[name] = np.where(rows, 162 - columns[name], columns[name])
            yield changed

    return replace(deals, table=replace(table, batches=batches))


def test_the_fit_sees_only_its_own_deals(deals, studied):
    one, _ = studied
    other, _ = study(with_values_shifted(deals, lambda number: number % ONE_IN == 0))
    assert other.fit.rule == one.fit.rule
    assert other.fit.scales == one.fit.scales
    assert other.fit.mean.weights.tolist() == one.fit.mean.weights.tolist()
    assert other.accuracy != one.accuracy
    assert one.metadata["n_deals_unseen"] == N_DEALS / ONE_IN


def test_the_trial_sees_only_the_other_deals(deals, studied):
    """All hands of a deal are on one side: what is tried are the deals of every fifth number."""
    _, ways = studied
    trial = WaysOnDeals(ways, LEVELS, TSAKA)
    shifted = with_values_shifted(deals, lambda number: number % ONE_IN > 0)
    for part in shifted.observations():
        trial.add(taken(part, part.deal % ONE_IN == 0))
    assert trial.results() == studied[0].ways


def test_the_rule_knows_more_than_chance_and_beats_passing(studied):
    one, _ = studied
    assert 0.2 < one.accuracy.r2 < 0.5
    assert one.fit.rule.points[0] == max(one.fit.rule.points[:9])
    assert all(np.array(one.accuracy.brier[:3]) < np.array(one.accuracy.brier_blind[:3]))
    assert one.ways[0].name == "this rule"
    assert one.ways[0].sheet > 5 * one.ways[0].sheet_error


def test_accuracy_is_that_of_single_observations(deals, studied):
    one, _ = studied
    rule = one.fit.rule
    parts = [taken(part, part.deal % ONE_IN == 0) for part in deals.observations()]
    seen = taken(parts[0], np.bitwise_count(parts[0].hand >> (8 * parts[0].trump) & 255) >= 2)
    counts = count_items(seen)
    found = accuracy(one.fit, tally(seen, counts, LEVELS, TSAKA))
    sums = rule.sums(counts)
    total = seen.total.astype(float)
    gap = total - (rule.total_at_zero + rule.total_per_point * sums)
    assert found.n == len(seen)
    assert found.r2 == pytest.approx(1 - (gap**2).mean() / total.var())
    assert found.off_by == pytest.approx(np.sqrt((gap**2).mean()))
    made = total[:, None] >= np.array(LEVELS)
    assert found.brier == pytest.approx(((rule.p_made(sums) - made) ** 2).mean(axis=0).tolist())
    assert sum(one.n for one in found.bins) == len(seen)
    assert found == one.accuracy


def test_too_few_deals_or_suits_are_refused(deals, tmp_path):
    simulate(tmp_path / "few", Simulation(5, TSAKA, (0, 1, 2, 3)), 4, jobs=1)
    with pytest.raises(PilottaError, match="too few to fit a rule"):
        study(solved_deals(open_table(str(tmp_path / "few")), TSAKA))
    with pytest.raises(PilottaError, match="--contracts SHDC"):
        study(replace(deals, trumps=(0, 1)))
    with pytest.raises(PilottaError, match="only 80 deals were kept"):
        unseen_hands(deals, 81)


def test_progress_goes_once_through_both_readings(deals):
    shown = []
    study(deals, lambda done, total: shown.append((done, total)))
    assert shown == [(N_DEALS, 2 * N_DEALS), (2 * N_DEALS, 2 * N_DEALS)]


def test_the_same_deals_give_the_same_text(deals, studied):
    one, _ = studied
    again, _ = study(deals)
    assert report.markdown(one) == report.markdown(again)
    assert json.dumps(report.as_dict(one)) == json.dumps(report.as_dict(again))


def test_the_report_says_all_points_and_bids(studied):
    one, _ = studied
    told = json.loads(json.dumps(report.as_dict(one), allow_nan=False))
    assert told["points"] == one.fit.rule.by_item()
    assert [bid["level"] for bid in told["bids"]] == list(LEVELS)
    assert told["against_solver"] is None
    rows = list(report.records(one))
    assert [row["name"] for row in rows] == [item.name for item in ITEMS] + list(LEVELS)
    text = report.markdown(one)
    for item, points in zip(ITEMS, one.fit.rule.points, strict=True):
        assert any(
            line.split("|")[1:3]
            and [cell.strip() for cell in line.split("|")[1:3]] == [item.label, str(points)]
            for line in text.splitlines()
            if line.startswith("| ") and line.count("|") == 3
        )
    assert "double dummy" in text


def test_a_way_that_calls_as_the_solver_does_costs_nothing(deals):
    from pilotta_solver.advice.advise import advise
    from pilotta_solver.cards import TRUMPS

    hands, places = unseen_hands(deals, 3)
    assert places.tolist() == [0, 1, 2]

    def solver(hands, places):
        best = [
            advise(
                int(hand),
                seat=int(place) + 1,
                n_worlds=20,
                seed=9 + 2 * number,
                rules=TSAKA,
                model="dd",
            ).best.call
            for number, (hand, place) in enumerate(zip(hands, places, strict=True))
        ]
        bids = [
            (0, 0) if call == "P" else (TRUMPS.index(call[-1]), int(call[:-1])) for call in best
        ]
        return Calls(*(np.array(column) for column in zip(*bids, strict=True)))

    def silent(hands, places):
        return Calls(np.zeros(len(hands), np.int8), np.zeros(len(hands), np.int16))

    found = against_solver(
        {"solver": solver, "silent": silent}, hands, places, TSAKA, n_worlds=20, seed=9
    )
    mine, nothing = found.ways
    assert (mine.p_differs, mine.costs, mine.costs_error) == (0.0, 0.0, 0.0)
    assert nothing.costs == pytest.approx(found.sheet)
    assert nothing.p_bids == 0.0
