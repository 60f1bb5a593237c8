from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from pilotta_solver.ruleset import load_ruleset, preset_names
from pilotta_solver.table_play.calibration import (
    LEADERS,
    N_PLACES,
    SWEEP,
    SWEPT,
    TableResults,
    count_contracts,
    leader_kind,
    own_values,
    places,
    shifted,
    shipped_calibration,
    sparse,
    trump_group,
)

LAW = load_ruleset("tsaka").law


def made_up(n, seed, shrink=0.8, spread=18.0):
    """Contracts whose results at the table are known to be normal around a line, but for sweeps."""
    generator = np.random.default_rng(seed)
    double_dummy = np.clip(generator.normal(105, 35, n).round(), 0, 162)
    table = 90 + shrink * (double_dummy - 100) + generator.normal(0, spread, n)
    table = np.clip(table.round(), 0, 162)
    swept = (double_dummy >= 155) & (generator.random(n) < 0.5)
    double_dummy[swept] = 250
    table[swept & (generator.random(n) < 0.6)] = 250
    return places(double_dummy), places(table)


def counts_of(double_dummy, table):
    return count_contracts(np.zeros(len(table), int), double_dummy, table)[0]


def test_places_and_values_are_one_scale():
    for capot_points in (250, 252):
        values = np.array([162 - capot_points, 0, 1, 80, 162, capot_points])
        assert places(values).tolist() == [SWEPT, 1, 2, 81, 163, SWEEP]
        assert (own_values(places(values), capot_points) == values).all()
    assert own_values(np.array([SWEPT, SWEEP]), 162).tolist() == [0, 162]


@pytest.mark.parametrize(
    ("declarer", "leader", "kind"),
    [
        (0, 0, "declarer"),
        (2, 0, "partner"),
        (1, 0, "defender"),
        (3, 0, "defender"),
        (1, 3, "partner"),
    ],
)
def test_who_leads_is_seen_from_the_declarer(declarer, leader, kind):
    assert LEADERS[leader_kind(declarer, leader)] == kind


def test_shifts_move_points_and_no_sweeps():
    where = np.array([SWEPT, 1, 3, 100, 163, SWEEP, SWEEP + 1])
    assert shifted(where, np.array(5)).tolist() == [SWEPT, 6, 8, 105, 163, SWEEP, SWEEP + 1]
    assert shifted(where, np.array(-5)).tolist() == [SWEPT, 1, 1, 95, 158, SWEEP, SWEEP + 1]
    assert trump_group([0, 3, 4, 5, 6, 7, 8]).tolist() == [0, 0, 0, 1, 2, 3, 3]


def test_the_chances_are_those_of_the_distribution_that_the_contracts_came_from():
    double_dummy, table = made_up(40_000, seed=1)
    results = TableResults(counts_of(double_dummy, table))
    new, came = made_up(400_000, seed=2)
    for centre in (40, 80, 110, 140):
        like = new == centre + 1
        for level in (60, 80, 100, 120):
            seen = (came[like] >= level + 1).mean()
            assert results.at_least[centre + 1, level + 1] == pytest.approx(seen, abs=0.04)
    for level in (80, 110, 150):
        whole = results.chances(new, np.full(len(new), level + 1)).mean()
        assert whole == pytest.approx((came >= level + 1).mean(), abs=0.006)


def test_chances_fall_from_one_to_nothing():
    results = TableResults(counts_of(*made_up(3000, seed=3)))
    assert (results.at_least[:, 0] == 1).all()
    assert (results.at_least[:, -1] == 0).all()
    assert (np.diff(results.at_least, axis=1) <= 0).all()


def test_sweeps_tell_only_of_sweeps():
    double_dummy, table = made_up(20_000, seed=4)
    results = TableResults(counts_of(double_dummy, table))
    sweeps = double_dummy == SWEEP
    assert sweeps.sum() > 150
    assert results.at_least[SWEEP, SWEEP] == pytest.approx((table[sweeps] == SWEEP).mean())
    assert results.at_least[150, SWEEP] < 0.02


def test_the_spread_has_the_means_of_the_distribution():
    results = TableResults(counts_of(*made_up(20_000, seed=5)))
    where = np.repeat([60, 100, 140, SWEEP], 2000)
    found = results.spread(where, 4)
    assert found.shape == (8000, 4)
    assert (np.diff(found, axis=1) <= 0).all()
    for place in (60, 100, 140, SWEEP):
        drawn = found[where == place]
        for needed in (50, 80, 120, SWEEP):
            share = (drawn >= needed).mean()
            assert share == pytest.approx(results.at_least[place, needed], abs=0.003)


def test_a_sweep_comes_off_as_often_as_it_is_said_to():
    results = TableResults(counts_of(*made_up(20_000, seed=8)))
    where, chance = np.repeat([100, SWEEP], 4000), np.repeat([0.1, 0.9], 4000)
    found = results.spread(where, 4, chance)
    for place, rows in ((100, where == 100), (SWEEP, where == SWEEP)):
        for needed in (80, 120, 150, SWEEP, SWEEP + 1):
            told = results.chances(where[rows], np.full(4000, needed), chance[rows])
            assert (found[rows] >= needed).mean() == pytest.approx(told.mean(), abs=0.003)
            if place == 100:
                assert told == pytest.approx(results.at_least[100, needed])
    swept = results.at_least[SWEEP, SWEEP]
    same = results.chances(np.full(3, SWEEP), np.array([90, 150, SWEEP]), np.full(3, swept))
    assert same == pytest.approx(results.at_least[SWEEP, [90, 150, SWEEP]])
    sure = results.chances(np.full(2, SWEEP), np.array([90, SWEEP]), np.ones(2))
    assert sure == pytest.approx(1.0)


def test_winners_and_trumps_bring_sweeps_off():
    sweeps = shipped_calibration(LAW).sweeps
    chance = sweeps.of(0, np.arange(8), np.full(8, 5))
    assert (np.diff(chance) > 0).all()
    assert sweeps.of(0, np.array([3]), np.array([7])) > sweeps.of(0, np.array([3]), np.array([4]))
    odds = sweeps.leader[2] + 4 * sweeps.winner + 6 * sweeps.trump
    told = sweeps.of(np.array([2]), np.array([4]), np.array([6]))
    assert told == pytest.approx(1 / (1 + np.exp(-odds)))


def test_the_error_is_that_of_counting_other_contracts():
    """Against counting contracts drawn anew, a thousand times fewer assumptions."""
    counts = counts_of(*made_up(4000, seed=6))
    results = TableResults(counts)
    generator = np.random.default_rng(7)
    worlds = generator.integers(60, 150, 300)
    weights = generator.random(300)
    weights /= weights.sum()
    needed = np.array([81, 101, 131])[:, None] + generator.choice([0, -20], 300)
    told = results.error(worlds, needed, weights)
    estimates = []
    for _ in range(150):
        again = np.zeros_like(counts)
        for place in np.flatnonzero(counts.sum(axis=1)):
            n = counts[place].sum()
            again[place] = generator.multinomial(n, counts[place] / n)
        estimates.append(TableResults(again).chances(worlds, needed) @ weights)
    assert told == pytest.approx(np.std(estimates, axis=0), rel=0.25)


def test_a_certain_result_is_not_told_without_error():
    double_dummy = np.repeat(np.arange(60, 160), 20)
    results = TableResults(counts_of(double_dummy, np.full(2000, 150)))
    needed = np.full((1, 50), 100)
    assert results.chances(np.full(50, 110), needed) == pytest.approx(1.0, abs=1e-9)
    assert 0.001 < results.error(np.full(50, 110), needed, np.full(50, 0.02))[0] < 0.05


def test_far_from_all_contracts_the_nearest_tell():
    double_dummy = np.repeat(np.arange(100, 140), 30)
    results = TableResults(counts_of(double_dummy, double_dummy))
    assert np.isfinite(results.at_least).all()
    assert results.at_least[10, 120] < 0.2


def test_the_shipped_calibration_is_whole_and_of_its_law():
    calibration = shipped_calibration(LAW)
    assert calibration is not None
    per_kind = calibration.counts.sum(axis=(1, 2))
    assert per_kind.tolist() == list(calibration.made["contracts"].values())
    assert (per_kind >= 10_000).all()
    assert calibration.counts.shape == (len(LEADERS), N_PLACES, N_PLACES)
    assert calibration.made["command"].startswith("python docs/make_calibration.py")
    for name in preset_names():
        rules = load_ruleset(name)
        assert (shipped_calibration(rules.law) is not None) == (rules.law == LAW)


def test_the_shipped_calibration_says_what_is_known_of_play_at_the_table():
    """Declarers lose by the lead, where the defence leads they do not (shifts for trumps aside)."""
    calibration = shipped_calibration(LAW)
    points = np.clip(np.arange(N_PLACES) - 1, 0, 162)
    off = [
        float((counts * (points - points[:, None])).sum() / counts.sum())
        for counts in calibration.counts
    ]
    assert -12 < off[0] < -6
    assert -12 < off[1] < -6
    assert -2 < off[2] < 4


def test_it_is_small_and_read_back_as_it_was_written():
    calibration = shipped_calibration(LAW)
    folder = Path(__file__).parents[2] / "pilotta_solver" / "table_play" / "calibration"
    assert sum(path.stat().st_size for path in folder.iterdir()) < 300_000
    arrays = sparse(calibration.counts)
    again = np.zeros_like(calibration.counts)
    again[arrays["leader"], arrays["double_dummy"], arrays["table"]] = arrays["n"]
    assert (again == calibration.counts).all()
    assert json.loads((folder / "calibration.json").read_text("utf-8")) == calibration.made
