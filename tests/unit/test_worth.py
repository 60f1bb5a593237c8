from __future__ import annotations

import math

import numpy as np
import pytest

from pilotta_solver.advice.worth import Sample, break_even, joined, played, scored
from pilotta_solver.double_dummy import solve_many
from pilotta_solver.knowledge.sampling import worlds
from pilotta_solver.notation import parse_hand
from pilotta_solver.ruleset import load_ruleset
from pilotta_solver.scoring import totals_many


def test_the_declarers_total_is_that_of_scoring():
    """Sweeps by either side among them: the hands are dealt around a strong one and a weak one."""
    rules = load_ruleset()
    for hand in (parse_hand("AKJ9.AKT.A."), parse_hand(".987.987.98")):
        hands = worlds(hand, 0, 60, 1)
        values = solve_many(hands, 0, 0, rules, jobs=1)
        assert {int(value) for value in values} & {rules.capot_points, 162 - rules.capot_points}
        totals = totals_many(hands, 0, 0, values, rules)
        for side in range(2):
            deals = played(hands, 0, side, 0, values, rules)
            assert (deals.total == totals[:, side]).all()
            swept = values == (rules.capot_points if side == 0 else 162 - rules.capot_points)
            assert ((deals.capot == 0) == swept).all()
            assert (deals.points.sum(axis=1) == 162).all()


def test_batches_joined_are_the_whole():
    rules = load_ruleset()
    hands = worlds(0, 0, 30, 2)
    values = solve_many(hands, 1, 0, rules, jobs=1)
    parts = [played(hands[i : i + 10], 1, 1, 0, values[i : i + 10], rules) for i in (0, 10, 20)]
    whole = scored(played(hands, 1, 1, 0, values, rules), [80, 110], rules, 2)
    again = scored(joined(parts), [80, 110], rules, 2)
    assert (whole.sheet == again.sheet).all()
    assert (whole.raw == again.raw).all()
    assert (whole.made == again.made).all()


def test_an_unweighted_mean_is_the_plain_one():
    values = np.array([[1.0, 2.0, 6.0], [0.0, 0.0, 3.0]])
    sample = Sample(3)
    assert list(sample.mean(values)) == [3, 1]
    assert list(sample.error(values)) == [
        pytest.approx(np.std(row, ddof=1) / math.sqrt(3)) for row in values
    ]
    assert Sample(1).error(values[:, :1])[0] == math.inf


def test_weights_give_the_share_that_was_decided():
    made = np.array([True, True, True, False])
    sample = Sample(4, made, n_made=60, n_decided=100)
    assert sample.mean(made) == pytest.approx(0.6)
    values = np.array([10.0, 13.0, 13.0, -20.0])
    assert sample.mean(values) == pytest.approx(0.6 * 12 - 0.4 * 20)
    # Where all make it, or no more were decided, there is nothing to weigh.
    assert Sample(4, np.ones(4, bool), 90, 100).mean(values) == 4
    assert Sample(4, made, 3, 4).mean(values) == 4


def test_weighted_means_miss_by_their_standard_error():
    """A thousand times: 200 worlds solved, 3,000 decided; the plain error is three times as big."""
    generator = np.random.default_rng(5)
    misses, errors, plain = [], [], []
    for _ in range(1000):
        n_made = int(generator.binomial(3000, 0.65))
        decided = generator.permutation(np.arange(3000) < n_made)[:200]
        values = np.where(decided, generator.normal(12, 4, 200), generator.normal(-26, 2, 200))
        sample = Sample(200, decided, n_made, 3000)
        errors.append(float(sample.error(values)))
        misses.append(float(sample.mean(values)) - (0.65 * 12 - 0.35 * 26))
        plain.append(float(Sample(200).error(values)))
    assert np.mean(misses) == pytest.approx(0, abs=0.1)
    assert np.std(misses) == pytest.approx(np.mean(errors), rel=0.08)
    assert np.mean(plain) > 2.5 * np.mean(errors)


@pytest.mark.parametrize(
    ("worth", "expected"),
    [([10, 10, -30], 0.75), ([5, 15, -10], 0.5), ([10, 10, 5], None), ([-1, -1, -5], None)],
)
def test_break_even(worth, expected):
    made = np.array([True, True, False])
    found = break_even(made, np.array(worth))
    assert found == (None if expected is None else pytest.approx(expected))


def test_no_break_even_where_all_or_none_make_it():
    assert break_even(np.array([True]), np.array([3])) is None
    assert break_even(np.array([False]), np.array([-3])) is None
