"""A table says of each class what counting its hands one by one says."""

from __future__ import annotations

import math
import re
from collections import defaultdict

import numpy as np
import pytest
from tabling import made_up

from pilotta_solver import Bid, load_ruleset
from pilotta_solver.bidding_table.grouping import group, table_levels
from pilotta_solver.bidding_table.hand_class import QUANTITIES
from pilotta_solver.bidding_table.intervals import Means, wilson_intervals
from pilotta_solver.bidding_table.merging import make_grouping, packed_codes
from pilotta_solver.bidding_table.sources import solved_deals
from pilotta_solver.errors import PilottaError
from pilotta_solver.scoring import Outcome, score_deal
from pilotta_solver.stopping import wilson_interval

BY = ("pattern", "side_aces", "lead")


def one_by_one(deals, by, level):
    """Every observation, scored by the code for one deal: made and sheet difference, by class."""
    found = defaultdict(list)
    for seen in deals.observations():
        codes = [QUANTITIES[name].values(seen) for name in by]
        for row in range(len(seen)):
            value = int(seen.value[row])
            own = min(162, max(0, value))
            capot = "declarers" if value > 162 else "defence" if value < 0 else None
            outcome = Outcome(
                points=(own, 162 - own),
                declarations=tuple(int(one) for one in seen.declarations[row]),
                belote=tuple(int(one) for one in seen.belote[row]),
                capot=capot,
            )
            score = score_deal(Bid(level, int(seen.trump[row])), outcome, deals.rules)
            values = tuple(
                QUANTITIES[name].value(int(code[row])) for name, code in zip(by, codes, strict=True)
            )
            sheet = score.sheet[0] - score.sheet[1]
            found[values].append((int(seen.deal[row]), score.made, sheet, score.total[0]))
    return found


@pytest.mark.parametrize(
    ("rules", "by", "trumps"),
    [
        ("tsaka", BY, (0, 1, 2, 3)),
        ("classic", ("lead", "length"), (0, 1, 2, 3)),
        ("contree", ("declarations", "voids"), (1, 2)),
    ],
)
def test_a_table_is_what_counting_one_by_one_gives(rules, by, trumps):
    rules = load_ruleset(rules)
    deals = solved_deals(made_up(90, 4, trumps, rules=rules, leader=1), rules)
    table = group(deals, by, min_n=1, levels=(80, 110, 250))
    for column, level in enumerate(table.levels):
        expected = one_by_one(deals, by, level)
        assert {one.values for one in table.classes} == set(expected)
        for row, one in enumerate(table.classes):
            seen = expected[one.values]
            assert (one.n, one.n_deals) == (len(seen), len({deal for deal, *_ in seen}))
            assert one.mean_total == pytest.approx(np.mean([s[3] for s in seen]), abs=6e-4)
            assert table.p_made[row, column] == pytest.approx(
                np.mean([s[1] for s in seen]), abs=6e-6
            )
            assert table.sheet[row, column] == pytest.approx(
                np.mean([s[2] for s in seen]), abs=6e-5
            )
            reach = cluster_reach([(s[0], s[2]) for s in seen])
            if one.n_deals > 1:
                low = table.sheet[row, column] - table.sheet_low[row, column]
                high = table.sheet_high[row, column] - table.sheet[row, column]
                assert (low, high) == pytest.approx((reach, reach), abs=2e-4)
            else:
                assert math.isnan(table.sheet_low[row, column])


def cluster_reach(pairs):
    """1.96 standard errors of a mean over clusters, deal by deal."""
    n, mean = len(pairs), sum(value for _, value in pairs) / len(pairs)
    deals = defaultdict(list)
    for deal, value in pairs:
        deals[deal].append(value - mean)
    k = len(deals)
    squares = sum(sum(own) ** 2 for own in deals.values())
    return 1.959964 * math.sqrt(squares * k / max(1, k - 1)) / n


def test_parts_of_any_size_give_the_same_table():
    rules = load_ruleset()
    tables = [
        group(solved_deals(made_up(150, 2, part_size=size), rules), min_n=20) for size in (7, 150)
    ]
    assert tables[0].classes == tables[1].classes
    for name in ("p_made", "ci_low", "ci_high", "sheet", "sheet_low", "sheet_high"):
        np.testing.assert_array_equal(getattr(tables[0], name), getattr(tables[1], name))
    assert tables[0].metadata == tables[1].metadata


def test_the_best_call_is_worth_most_and_the_highest_still_something():
    table = group(solved_deals(made_up(400, 3), load_ruleset()), ("length", "jack"), min_n=100)
    assert {0} < set(table.best.tolist())
    for row in range(len(table.classes)):
        worth = dict(zip(table.levels, table.sheet[row].tolist(), strict=True))
        best, highest = int(table.best[row]), int(table.highest[row])
        if best == 0:
            assert max(worth.values()) <= 0
        else:
            assert worth[best] == max(worth.values()) > 0
        assert all(worth[level] > 0 for level in table.levels if level <= highest)
        above = [level for level in table.levels if level > highest]
        assert not above or worth[above[0]] <= 0


def test_levels_go_from_the_first_bid_to_a_sweep():
    assert table_levels(load_ruleset()) == tuple(range(80, 251, 10))
    assert table_levels(load_ruleset("classic"))[-1] == 250
    no_sweep = load_ruleset(overrides={"capot_points": 162, "first_bid": 90, "bid_step": 20})
    assert table_levels(no_sweep) == (90, 110, 130, 150)
    assert table_levels(load_ruleset(overrides={"highest_bid": 120}))[-1] == 120


def test_rare_holdings_are_put_together_and_nothing_is_lost():
    deals = solved_deals(made_up(300, 6), load_ruleset())
    every = group(deals, BY, min_n=1)
    table = group(deals, BY, min_n=40)
    assert sum(one.n for one in table.classes) == sum(one.n for one in every.classes) == 4800
    assert not any(one.merged or one.is_rare for one in every.classes)
    merged = [one for one in table.classes if one.merged]
    assert merged
    assert any(one.is_rare for one in table.classes)
    assert all(one.is_rare == (one.n < 40) for one in table.classes)
    own = {one.values: one for one in every.classes}
    for one in table.classes:
        if one.merged:
            assert re.fullmatch(r"(J9|J|9|)\+any \d", one.values[0])
            assert one.label.startswith(one.values[0])
        else:
            assert own[one.values].n == one.n
    # A class that is frequent enough on its own is never put together with others.
    kept = {one.values for one in table.classes if not one.merged}
    assert {one.values for one in every.classes if one.n >= 40} <= kept


def test_merging_follows_jack_and_nine_length_and_the_other_quantities():
    by = ("pattern", "lead")
    pattern = QUANTITIES["pattern"]
    codes = {pattern.value(code): code for code in range(pattern.n_codes)}

    def key(word, lead):
        return codes[word] * QUANTITIES["lead"].n_codes + lead

    counts = {key("J9A", 0): 5, key("J9+1", 0): 4, key("J9A", 1): 3, key("JA+1", 0): 900}
    grouping = make_grouping(counts, by, 400)
    said = dict(zip(grouping.values, grouping.merged, strict=True))
    assert said == {("J9+any 1", "own"): True, ("J9A", "other"): False, ("JA+1", "own"): False}
    assert grouping.place(np.array([key("J9A", 0)])) == grouping.place(np.array([key("J9+1", 0)]))


def test_wilson_is_that_of_the_advice_where_observations_are_independent():
    n = np.array([50, 50, 50, 7])
    p = np.array([[0.4], [0.0], [1.0], [1 / 7]])
    variance = p * (1 - p) / n[:, None]
    low, high, effect = wilson_intervals(Means(p, variance), n, n)
    for row in range(4):
        expected = wilson_interval(round(float(p[row, 0] * n[row])), int(n[row]))
        assert (low[row, 0], high[row, 0]) == pytest.approx(expected)
    assert effect == pytest.approx(1)


def test_a_design_effect_widens_the_interval():
    n = np.array([100])
    shares = Means(np.array([[0.5]]), np.array([[0.25 / 25]]))
    low, high, effect = wilson_intervals(shares, n, n)
    assert effect == pytest.approx(4)
    assert (low[0, 0], high[0, 0]) == pytest.approx(wilson_interval(12.5, 25))
    # Nothing is seen of it where all are made: then a deal counts once.
    sure = Means(np.array([[1.0]]), np.array([[0.0]]))
    assert wilson_intervals(sure, n, np.array([400]))[2] == pytest.approx(4)


@pytest.mark.parametrize("by", [("lead",), ("length", "jack", "lead")])
def test_two_datasets_agree_within_their_intervals_as_often_as_they_say(by):
    rules = load_ruleset()
    within = n = 0
    for pair in range(40):
        a, b = (
            group(
                solved_deals(made_up(250, 1000 + 2 * pair + k), rules), by, min_n=150, levels=(90,)
            )
            for k in range(2)
        )
        rows = {one.values: row for row, one in enumerate(b.classes) if not one.is_rare}
        for row, one in enumerate(a.classes):
            other = rows.get(one.values)
            if one.is_rare or other is None or not 0.05 < a.p_made[row, 0] < 0.95:
                continue
            reach = (
                math.hypot(*(t.ci_high[r, 0] - t.ci_low[r, 0] for t, r in ((a, row), (b, other))))
                / 2
            )
            within += abs(a.p_made[row, 0] - b.p_made[other, 0]) <= reach
            worth = (
                math.hypot(
                    *(t.sheet_high[r, 0] - t.sheet_low[r, 0] for t, r in ((a, row), (b, other)))
                )
                / 2
            )
            within += abs(a.sheet[row, 0] - b.sheet[other, 0]) <= worth
            n += 2
    assert n >= 160
    # 95 % are meant; independent intervals would hold in some 74 % of the classes by lead alone.
    assert 0.90 <= within / n <= 0.99


def test_what_makes_no_table_is_refused():
    deals = solved_deals(made_up(20, 1), load_ruleset())
    with pytest.raises(PilottaError, match="no quantity 'aces_high'"):
        group(deals, ("aces_high",))
    with pytest.raises(PilottaError, match="classes of 0 observations"):
        group(deals, min_n=0)


def test_a_place_is_found_for_every_code():
    deals = solved_deals(made_up(60, 8), load_ruleset())
    (seen, *_) = deals.observations()
    packed = packed_codes(seen, BY)
    keys, counts = np.unique(packed, return_counts=True)
    grouping = make_grouping(dict(zip(keys.tolist(), counts.tolist(), strict=True)), BY, 1)
    places = grouping.place(packed)
    for row in range(0, len(seen), 37):
        values = tuple(
            QUANTITIES[name].value(int(QUANTITIES[name].values(seen)[row])) for name in BY
        )
        assert grouping.values[places[row]] == values
