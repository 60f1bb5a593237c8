"""Sharing work out between threads, each with an engine workspace of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from threading import local
from typing import Any

from pilotta_solver.errors import PilottaError
from pilotta_solver.ruleset import Law

Progress = Callable[[int], None]
"""Called with the number of deals done since the last call."""

DEALS_A_CHUNK = 96
"""A tenth of a second of work: short enough to stop soon, long enough to cost nothing."""

_FEWEST_CHUNKS = 16
"""Chunks for a short run, so that all threads have work to the end."""

_UNDERTRUMP = {"must": 0, "may": 1, "forbidden": 2}


def n_jobs(jobs: int | None) -> int:
    """Return the number of threads to use: ``jobs``, or one a core that this process may use."""
    if jobs is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else _n_cores()
    if jobs < 1:
        raise PilottaError(f"jobs {jobs}: give 1 or more threads")
    return jobs


def _n_cores() -> int:
    return os.cpu_count() or 1


def new_workspace(law: Law) -> Any:
    """Return an engine workspace for one thread and one law of play."""
    from pilotta_solver.engine import workspace

    return workspace.new_workspace(
        law.partner_exempt, _UNDERTRUMP[law.undertrump], law.beat_trump_lead
    )


def run_chunks(
    work: Callable[[Any, slice], None],
    n: int,
    law: Law,
    jobs: int | None = None,
    progress: Progress | None = None,
    weight: int = 1,
) -> None:
    """Call ``work(workspace, rows)`` for slices that cover ``range(n)``, on ``jobs`` threads.

    The slices do not depend on ``jobs``. Each item costs about ``weight`` solves. The first
    exception ends the run and is raised; so does Ctrl-C, within one slice's time.
    """
    size = max(1, min(DEALS_A_CHUNK // weight, -(-n // _FEWEST_CHUNKS)))
    chunks = (slice(start, min(start + size, n)) for start in range(0, n, size))
    threads = min(n_jobs(jobs), -(-n // size))
    if threads <= 1:
        workspace = new_workspace(law) if n else None
        for rows in chunks:
            work(workspace, rows)
            _report(progress, rows)
        return
    mine = local()

    def run(rows: slice) -> slice:
        if not hasattr(mine, "workspace"):
            mine.workspace = new_workspace(law)
        work(mine.workspace, rows)
        return rows

    with ThreadPoolExecutor(threads) as pool:
        try:
            _drain(pool, run, chunks, 2 * threads, progress)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _drain(
    pool: ThreadPoolExecutor,
    run: Callable[[slice], slice],
    chunks: Iterator[slice],
    n_ahead: int,
    progress: Progress | None,
) -> None:
    """Keep ``n_ahead`` chunks in the pool until all are done."""
    pending: set[Future[slice]] = {pool.submit(run, rows) for rows in islice(chunks, n_ahead)}
    while pending:
        done, pending = wait(pending, return_when=FIRST_COMPLETED)
        for future in done:
            _report(progress, future.result())
            pending |= {pool.submit(run, rows) for rows in islice(chunks, 1)}


def _report(progress: Progress | None, rows: slice) -> None:
    if progress is not None:
        progress(rows.stop - rows.start)
