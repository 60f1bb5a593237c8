"""The same measurements for pytest-benchmark: ``pytest benchmarks --benchmark-enable``.

In an ordinary test run they are plain tests on a handful of deals. Each checks its answers.
"""

from __future__ import annotations

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benchmarks import jobs, parts
from benchmarks.deals import CONTREE, PILOTTA, Deals, golden, hard
from pilotta_solver import at_least_many, solve_many

HANDFUL = 12
"""Deals in an ordinary test run."""


def part(benchmark: BenchmarkFixture, deals: Deals) -> Deals:
    """Return the deals to use: all where time is taken, else a handful."""
    return deals.spread(HANDFUL) if benchmark.disabled else deals


def timed(benchmark: BenchmarkFixture, job: jobs.EngineJob) -> None:
    """Take the time of all the job's items, and keep what one item costs."""
    benchmark.extra_info["items"] = len(job)
    benchmark(job.run_all)
    cards = [job.cards(item) for item in range(len(job))]
    benchmark.extra_info["cards_mean"] = float(np.mean(cards))
    benchmark.extra_info["cards_worst"] = max(cards)


@pytest.mark.benchmark(group="one thread")
class TestOneThread:
    def test_exact_value(self, benchmark: BenchmarkFixture) -> None:
        deals = part(benchmark, golden())
        job = jobs.one_value(deals, PILOTTA)
        timed(benchmark, job)
        parts.check_values(deals, job)

    def test_at_least_82(self, benchmark: BenchmarkFixture) -> None:
        deals = part(benchmark, golden())
        job = jobs.at_least(deals, parts.THRESHOLD, PILOTTA)
        timed(benchmark, job)
        parts.check_threshold(deals, job)

    def test_every_card_of_the_first_lead(self, benchmark: BenchmarkFixture) -> None:
        deals = part(benchmark, golden())
        job = jobs.every_card(deals, PILOTTA)
        timed(benchmark, job)
        parts.check_first_lead(deals, job)

    def test_all_four_leaders(self, benchmark: BenchmarkFixture) -> None:
        deals = part(benchmark, golden())
        job = jobs.four_leaders(deals, PILOTTA)
        timed(benchmark, job)
        parts.check_leaders(deals, job)

    def test_exact_value_contree_law(self, benchmark: BenchmarkFixture) -> None:
        deals = part(benchmark, golden("contree"))
        job = jobs.one_value(deals, CONTREE)
        timed(benchmark, job)
        parts.check_values(deals, job)

    def test_hard_deals(self, benchmark: BenchmarkFixture) -> None:
        deals = part(benchmark, hard())
        job = jobs.one_value(deals, PILOTTA)
        timed(benchmark, job)
        parts.check_values(deals, job)


@pytest.mark.benchmark(group="many deals")
class TestManyDeals:
    @pytest.mark.parametrize("threads", [1, 2])
    def test_solve_many(self, benchmark: BenchmarkFixture, threads: int) -> None:
        deals = part(benchmark, golden())
        values = benchmark(solve_many, deals.hands, deals.trump, deals.leader, PILOTTA, threads)
        assert values.tolist() == deals.value.tolist()

    @pytest.mark.parametrize("threads", [1, 2])
    def test_at_least_many(self, benchmark: BenchmarkFixture, threads: int) -> None:
        deals = part(benchmark, golden())
        answers = benchmark(
            at_least_many,
            deals.hands,
            deals.trump,
            deals.leader,
            parts.THRESHOLD,
            PILOTTA,
            threads,
        )
        assert answers.tolist() == (deals.value >= parts.THRESHOLD).tolist()
