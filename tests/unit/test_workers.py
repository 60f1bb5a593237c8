"""Sharing work out between threads."""

from __future__ import annotations

import os
import threading
import time
from typing import Any

import pytest

from pilotta_solver import Law, PilottaError
from pilotta_solver.engine import plays
from pilotta_solver.ruleset import Undertrump
from pilotta_solver.workers import DEALS_A_CHUNK, n_jobs, new_workspace, run_chunks

LAW = Law()


def rows_of(n: int, jobs: int | None, weight: int = 1) -> list[slice]:
    """Slices that the work was called with, in order."""
    done: list[slice] = []
    run_chunks(lambda _, rows: done.append(rows), n, LAW, jobs, weight=weight)
    return sorted(done, key=lambda rows: rows.start)


@pytest.mark.parametrize("jobs", [1, 2, 3, None])
@pytest.mark.parametrize("weight", [1, 24, 10_000])
@pytest.mark.parametrize("n", [0, 1, 2, DEALS_A_CHUNK - 1, DEALS_A_CHUNK, DEALS_A_CHUNK + 1, 1000])
def test_every_row_is_worked_on_once(n: int, weight: int, jobs: int | None) -> None:
    slices = rows_of(n, jobs, weight)
    assert [i for rows in slices for i in range(rows.start, rows.stop)] == list(range(n))


@pytest.mark.parametrize("weight", [1, 24])
def test_the_slices_do_not_depend_on_the_number_of_threads(weight: int) -> None:
    assert rows_of(1000, 1, weight) == rows_of(1000, 2, weight) == rows_of(1000, 5, weight)


def test_dearer_items_come_in_smaller_slices() -> None:
    assert rows_of(1000, 2, 24)[0].stop < rows_of(1000, 2, 1)[0].stop


@pytest.mark.parametrize("jobs", [1, 2, 4])
def test_each_thread_has_a_workspace_of_its_own(jobs: int) -> None:
    seen: dict[int, set[int]] = {}
    kept: list[Any] = []

    def work(workspace: Any, rows: slice) -> None:
        kept.append(workspace)
        seen.setdefault(threading.get_ident(), set()).add(id(workspace))
        time.sleep(0.001)

    run_chunks(work, 20 * DEALS_A_CHUNK, LAW, jobs)
    assert len(seen) <= jobs
    assert all(len(workspaces) == 1 for workspaces in seen.values())
    assert len({id(workspace) for workspace in kept}) == len(seen)


def test_two_threads_work_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=20)
    run_chunks(lambda _, rows: void(both.wait()), 2 * DEALS_A_CHUNK, LAW, 2)


def void(_: object) -> None:
    """Drop a value."""


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_first_error_ends_the_run(jobs: int) -> None:
    calls: list[slice] = []

    def work(_: Any, rows: slice) -> None:
        calls.append(rows)
        if rows.start >= DEALS_A_CHUNK:
            raise LookupError(f"row {rows.start}")
        time.sleep(0.001)

    with pytest.raises(LookupError, match="row "):
        run_chunks(work, 500 * DEALS_A_CHUNK, LAW, jobs)
    assert len(calls) < 100


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_the_run(jobs: int) -> None:
    """It reaches the calling thread, which is the one that reports progress."""
    n_calls: list[int] = []

    def interrupted(n: int) -> None:
        raise KeyboardInterrupt

    def work(_: Any, rows: slice) -> None:
        n_calls.append(1)
        time.sleep(0.001)

    with pytest.raises(KeyboardInterrupt):
        run_chunks(work, 500 * DEALS_A_CHUNK, LAW, jobs, interrupted)
    assert len(n_calls) < 100


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("n", [0, 1, DEALS_A_CHUNK, 1000])
def test_progress_is_reported_by_the_calling_thread(n: int, jobs: int) -> None:
    reports: list[tuple[int, int]] = []
    run_chunks(
        lambda *_: None,
        n,
        LAW,
        jobs,
        lambda done: reports.append((done, threading.get_ident())),
    )
    assert sum(done for done, _ in reports) == n
    assert {ident for _, ident in reports} <= {threading.get_ident()}


def test_number_of_threads() -> None:
    assert n_jobs(1) == 1
    assert n_jobs(7) == 7
    assert 1 <= n_jobs(None) <= (os.cpu_count() or 1)


@pytest.mark.parametrize("jobs", [0, -1])
def test_no_threads_are_an_error(jobs: int) -> None:
    with pytest.raises(PilottaError, match=f"jobs {jobs}"):
        n_jobs(jobs)
    with pytest.raises(PilottaError, match=f"jobs {jobs}"):
        run_chunks(lambda *_: None, 5, LAW, jobs)


@pytest.mark.parametrize(
    ("undertrump", "code"),
    [
        ("must", plays.UNDERTRUMP_MUST),
        ("may", plays.UNDERTRUMP_MAY),
        ("forbidden", plays.UNDERTRUMP_FORBIDDEN),
    ],
)
def test_the_law_is_handed_to_the_engine(undertrump: Undertrump, code: int) -> None:
    for exempt, beat in ((False, True), (True, False)):
        workspace = new_workspace(Law(exempt, undertrump, beat))[0]
        assert bool(workspace["partner_exempt"]) == exempt
        assert workspace["undertrump"] == code
        assert bool(workspace["beat_trump_lead"]) == beat
