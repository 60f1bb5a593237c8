from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import beta, binom, binomtest

from pilotta_solver.stopping import (
    ALPHA,
    Z95,
    Fixed,
    Looking,
    UpTo,
    _log_martingale,
    mean_interval,
    wilson_interval,
)


@pytest.mark.parametrize("n", [1, 2, 7, 100, 1000, 123_457])
def test_wilson_interval_agrees_with_scipy(n):
    for successes in {0, 1, n // 3, n // 2, n - 1, n}:
        expected = binomtest(successes, n).proportion_ci(confidence_level=0.95, method="wilson")
        low, high = wilson_interval(successes, n)
        assert low == pytest.approx(expected.low, abs=1e-12)
        assert high == pytest.approx(expected.high, abs=1e-12)
        assert 0 <= low <= successes / n <= high <= 1


@pytest.mark.parametrize("p", [0.2, 0.3, 0.5, 0.85])
def test_the_mixture_is_an_average_of_likelihood_ratios(p):
    """By numerical integration over the beta distribution."""
    n, weight = 12, 6.0
    grid = (np.arange(200_000) + 0.5) / 200_000
    density = beta(weight * p, weight * (1 - p)).pdf(grid)
    density /= density.sum()
    for successes in (0, 3, 12):
        likelihood = grid**successes * (1 - grid) ** (n - successes)
        ratio = (density * likelihood).sum() / (p**successes * (1 - p) ** (n - successes))
        assert math.exp(_log_martingale(successes, n, weight, p)) == pytest.approx(ratio, rel=2e-2)


@pytest.mark.parametrize("p", [0.02, 0.3, 0.5])
def test_the_mixture_is_a_martingale_of_mean_one(p):
    for n in (1, 5, 40):
        counts = np.arange(n + 1)
        values = [math.exp(_log_martingale(int(k), n, 7.5, p)) for k in counts]
        assert binom(n, p).pmf(counts) @ values == pytest.approx(1.0)


@pytest.mark.parametrize("n", [1, 10, 300, 5000])
def test_the_interval_holds_exactly_the_candidates_below_the_limit(n):
    looking = Looking(1000)
    grid = np.linspace(0.0005, 0.9995, 2000)
    for successes in sorted({0, 1, n // 3, n - 1, n}):
        low, high = looking.chance(successes, n)
        assert 0 <= low <= successes / n <= high <= 1
        within = [_log_martingale(successes, n, 125.0, p) < math.log(1 / ALPHA) for p in grid]
        expected = (grid > low) & (grid < high)
        assert (np.array(within) == expected).all()


@pytest.mark.parametrize("p", [0.5, 0.71, 0.95])
def test_of_a_thousand_runs_that_stop_by_the_rule_most_cover(p):
    """Looked at after every 100 worlds until the half-width is 4 points: 93 % must cover."""
    generator = np.random.default_rng(20)
    precision = 0.04
    looking = Looking(6_700)
    n_covered = 0
    for _ in range(1000):
        n = successes = 0
        low, high = 0.0, 1.0
        while high - low > 2 * precision:
            n += 100
            successes += int(generator.binomial(100, p))
            low, high = looking.chance(successes, n)
        n_covered += low <= p <= high
    assert n_covered >= 930


def test_the_sequence_covers_at_all_looks_together_where_a_fixed_interval_does_not():
    """The worst rule there is: stop as soon as the truth is missed."""
    generator = np.random.default_rng(21)
    p, n_runs, looks = 0.6, 1000, np.arange(20, 2001, 20)
    counts = np.add.accumulate(generator.binomial(20, p, (n_runs, len(looks))), axis=1)
    missed = {}
    for name, certainty in (("sequence", Looking(1000)), ("fixed", Fixed())):
        ends = {
            (int(k), int(n)): certainty.chance(int(k), int(n))
            for row in counts
            for k, n in zip(row, looks, strict=True)
        }
        missed[name] = sum(
            any(
                not ends[int(k), int(n)][0] <= p <= ends[int(k), int(n)][1]
                for k, n in zip(row, looks, strict=True)
            )
            for row in counts
        )
    assert missed["sequence"] <= 0.05 * n_runs
    assert missed["fixed"] > 0.2 * n_runs


def test_means_are_covered_at_all_looks_together():
    """Sheet differences are two heaps, one for made and one for failed: so are these."""
    generator = np.random.default_rng(22)
    looks = np.array([128, 256, 512, 1024, 2048])
    looking = Looking(1024)
    missed = 0
    for _ in range(1000):
        values = np.where(generator.random(2048) < 0.7, generator.normal(12, 3, 2048), -26.0)
        truth = 0.7 * 12 - 0.3 * 26
        missed += any(
            abs(values[:n].mean() - truth)
            > looking.z(int(n)) * values[:n].std(ddof=1) / math.sqrt(n)
            for n in looks
        )
    assert missed <= 50


def chance_to_miss(certainty: UpTo, p: float) -> float:
    """The exact chance that p is outside at any of all looks, by following every count."""
    alive = np.ones(1)
    missed = 0.0
    for n in range(1, certainty.n_most + 1):
        alive = np.append(alive, 0.0) * (1 - p) + np.append(0.0, alive) * p
        counts = np.arange(n + 1)
        out = np.abs(counts - n * p) > certainty.reach(p)
        missed += float(alive[out].sum())
        alive[out] = 0.0
    return missed


@pytest.mark.parametrize("n_most", [9, 128, 1000])
def test_intervals_up_to_a_greatest_number_miss_at_any_look_in_5_of_100_runs_at_most(n_most):
    for p in (0.0001, 0.001, 0.005, 0.02, 0.1, 0.2, 0.35, 0.5, 0.77, 0.97, 0.999):
        assert chance_to_miss(UpTo(n_most), p) <= ALPHA


def test_they_are_not_wider_than_they_must_be():
    assert chance_to_miss(UpTo(2000), 0.5) > 0.8 * ALPHA


@pytest.mark.parametrize("n_most", [9, 200])
def test_they_are_the_candidates_within_reach(n_most):
    certainty = UpTo(n_most)
    grid = np.linspace(0.0005, 0.9995, 2000)
    reach = np.array([certainty.reach(p) for p in grid])
    for n in (1, n_most // 2, n_most):
        for successes in range(n + 1):
            low, high = certainty.chance(successes, n)
            assert 0 <= low <= successes / n <= high <= 1
            within = np.abs(successes - n * grid) <= reach
            assert (within == ((grid >= low) & (grid <= high))).all()


@pytest.mark.parametrize("p", [0.5, 0.71, 0.95, 0.999])
def test_of_a_thousand_runs_that_stop_when_precise_most_cover(p):
    """Looked at after every 100 worlds until the half-width is 3 points: 93 % must cover."""
    generator = np.random.default_rng(23)
    precision = 0.03
    certainty = UpTo.precise_to(precision)
    n_covered = 0
    for _ in range(1000):
        n = successes = 0
        low, high = 0.0, 1.0
        while high - low > 2 * precision:
            step = min(100, certainty.n_most - n)
            n += step
            successes += int(generator.binomial(step, p))
            low, high = certainty.chance(successes, n)
        n_covered += low <= p <= high
    assert n_covered >= 930


@pytest.mark.parametrize("precision", [0.5, 0.05, 0.015, 0.0005])
def test_the_greatest_number_is_needed_for_one_half_and_suffices(precision):
    certainty = UpTo.precise_to(precision)
    n = certainty.n_most
    low, high = certainty.chance(n // 2, n)
    assert high - low <= 2 * precision
    assert certainty.worlds_for(0.5, precision) == pytest.approx(n, rel=0.01, abs=1)
    assert certainty.worlds_for(0.05, precision) < n or precision == 0.5
    assert UpTo.precise_to(precision, at_least=2 * n).n_most == 2 * n


def test_the_page_on_method_tells_these_numbers():
    page = (Path(__file__).parents[2] / "docs" / "method.md").read_text(encoding="utf-8")
    certainty = UpTo.precise_to(0.015)
    assert f"{certainty.n_most:,} for 1.5 points" in page
    assert f"one of 90 % takes {certainty.worlds_for(0.9, 0.015):,}" in page


def test_a_fixed_number_of_worlds_has_the_usual_interval():
    assert Fixed().chance(30, 100) == wilson_interval(30, 100)
    assert Fixed().z(5) == pytest.approx(1.96, abs=1e-3)
    assert Looking(100).z(100) > Fixed().z(100)


def test_means_of_chances_are_covered_though_rare_worlds_differ():
    rng = np.random.default_rng(3)
    rare, there, usual = 0.01, 0.2, 0.999
    truth = rare * there + (1 - rare) * usual
    chances = np.where(rng.random((1000, 50)) < rare, there, usual)
    p, error = chances.mean(axis=1), chances.std(axis=1, ddof=1) / math.sqrt(50)
    # Most runs see no such world, and standard errors alone are then 0.
    assert (np.abs(p - truth) <= Z95 * error).mean() < 0.5
    low, high = mean_interval(p, error, 50, Z95)
    assert ((low <= truth) & (truth <= high)).mean() >= 0.93


@pytest.mark.parametrize("successes", [0, 3, 20, 40])
def test_the_interval_of_a_mean_holds_wilsons_and_that_of_standard_errors(successes):
    n = 40
    p = np.array([successes / n])
    error = np.sqrt(p * (1 - p) / n)
    low, high = mean_interval(p, error, n, Z95)
    wilson = wilson_interval(successes, n)
    assert low[0] == pytest.approx(min(wilson[0], p[0] - Z95 * error[0]))
    assert high[0] == pytest.approx(max(wilson[1], p[0] + Z95 * error[0]))
