"""Measuring cost: CPU time of this process, and cards played in the search."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

from benchmarks.deals import ROOT

BLOCK = 25
"""Items that one job does before the next has its turn: jobs that are compared then see the same
weather on a shared machine, and each still runs long enough to have the caches to itself."""

BUSY = 1.05
"""A machine is busy when a thread that could run all the time takes so many times its CPU time."""

_COMPILE = """
import time
from pilotta_solver.engine import jit
start = time.process_time()
jit.compile_all()
print(time.process_time() - start)
"""


class Job(Protocol):
    """Something to measure, item by item."""

    def __len__(self) -> int:
        """Return the number of items."""

    def run(self, item: int) -> None:
        """Do one item."""

    def cards(self, item: int) -> int | None:
        """Return the cards searched when the item was last done, where that is known."""


@dataclass(frozen=True)
class Cost:
    """What each item cost: seconds of CPU, and cards played in the search (None: not known)."""

    seconds: npt.NDArray[np.float64]
    cards: npt.NDArray[np.int64] | None = None


@dataclass(frozen=True)
class Spread:
    """Mean, median, 99th percentile and the greatest of some costs."""

    mean: float
    median: float
    p99: float
    worst: float


@dataclass(frozen=True)
class SpeedUp:
    """What several threads gain over one: each ratio is the median of the rounds.

    Attributes
    ----------
    times
        How many times less time elapses.
    cpu
        How many times the CPU time they take together.
    is_busy
        Whether even one thread had to wait for a core, so that ``times`` says nothing.
    """

    times: float
    cpu: float
    is_busy: bool


def spread(costs: npt.NDArray[np.float64] | npt.NDArray[np.int64]) -> Spread:
    """Sum up costs; the percentiles interpolate between neighbours."""
    median, p99 = np.percentile(costs, [50, 99])
    return Spread(float(np.mean(costs)), float(median), float(p99), float(np.max(costs)))


def measure(jobs: Sequence[Job], passes: int, block: int = BLOCK) -> list[Cost]:
    """Measure jobs of equal length side by side, in blocks that alternate.

    Every item is done ``passes`` times, and its time is the median of them. A pass turns the order
    of the jobs, so that none always comes after the same other.

    Returns
    -------
    list of Cost
        One a job.
    """
    n_items = len(jobs[0])
    if any(len(job) != n_items for job in jobs):
        raise ValueError("jobs of different lengths cannot be compared: give equally many items")
    seconds = np.zeros((len(jobs), passes, n_items))
    for job in jobs:
        job.run(0)
    for turn in range(passes):
        order = [(turn + place) % len(jobs) for place in range(len(jobs))]
        for start in range(0, n_items, block):
            for number in order:
                run = jobs[number].run
                for item in range(start, min(start + block, n_items)):
                    before = time.process_time()
                    run(item)
                    seconds[number, turn, item] = time.process_time() - before
    return [
        Cost(np.median(seconds[number], axis=0), _cards(job)) for number, job in enumerate(jobs)
    ]


def _cards(job: Job) -> npt.NDArray[np.int64] | None:
    counts = [job.cards(item) for item in range(len(job))]
    known = [count for count in counts if count is not None]
    return np.array(known, dtype=np.int64) if len(known) == len(counts) else None


def speed_up(run: Callable[[int], object], threads: int, rounds: int) -> SpeedUp:
    """Compare ``run(1)`` and ``run(threads)``, in turn."""
    run(1)
    times = np.array(
        [[_elapsed_and_cpu(run, jobs) for jobs in (1, threads)] for _ in range(rounds)]
    )
    one, many = times[:, 0], times[:, 1]
    return SpeedUp(
        float(np.median(one[:, 0] / many[:, 0])),
        float(np.median(many[:, 1] / one[:, 1])),
        bool(np.median(one[:, 0] / one[:, 1]) > BUSY),
    )


def _elapsed_and_cpu(run: Callable[[int], object], jobs: int) -> tuple[float, float]:
    elapsed, cpu = time.perf_counter(), time.process_time()
    run(jobs)
    return time.perf_counter() - elapsed, time.process_time() - cpu


def compile_seconds() -> float:
    """Return the CPU time of compiling the whole engine in a fresh process without any cache."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", _COMPILE],
            env={**os.environ, "NUMBA_CACHE_DIR": folder},
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode != 0:
        last = (done.stderr.strip() or "no message").splitlines()[-1]
        raise RuntimeError(f"the engine does not compile in a fresh process: {last}")
    return float(done.stdout)


def n_cores() -> int:
    """Return the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def machine() -> dict[str, str | int | float]:
    """Return what the numbers depend on: machine, versions, commit, date, load at this moment."""
    return {
        "cpu": _cpu_model(),
        "cores": n_cores(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else -1.0,
        "system": platform.system(),
        "python": platform.python_version(),
        "numba": version("numba"),
        "numpy": version("numpy"),
        "pilotta_solver": version("pilotta-solver"),
        "commit": _commit(),
        "date": date.today().isoformat(),
    }


def _cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _commit() -> str:
    """Return the commit of the engine measured, marked where its sources are changed."""
    try:
        head = _git("rev-parse", "--short", "HEAD")
        changed = _git("status", "--porcelain", "--", "pilotta_solver")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return f"{head} with changes" if changed else head


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()
