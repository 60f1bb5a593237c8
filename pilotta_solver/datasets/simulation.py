"""Bulk deals: random deals, solved exactly in every contract asked for, as a dataset on disk.

Deal i is a function of the seed and i alone, so that parts may be made in any order, by any number
of threads or machines, and again: the bytes are always the same.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from pilotta_solver.datasets.dataset import (
    Dataset,
    MadePart,
    Part,
    differences,
    refuse_others,
    write_part,
)
from pilotta_solver.datasets.results import Hands, Results
from pilotta_solver.datasets.simulated_deals import Simulation as Simulation
from pilotta_solver.datasets.storage import Notice, open_folder
from pilotta_solver.errors import ConstraintError, PilottaError

Progress = Callable[[int, int], None]
"""Called now and then with the deals made so far and their number in all."""

PART_SIZE = 20_000
"""Deals a part: a minute of work for one core, a megabyte on disk."""

TABLE_PART_SIZE = 1_000
"""Deals a part where they are played as well: some minutes of work for one core."""

MAX_PART_SIZE = 200_000
"""A part is held in memory until it is whole."""


def simulate(
    where: str | Path,
    simulation: Simulation,
    n_deals: int,
    *,
    part_size: int | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> Dataset:
    """Make a dataset of solved deals, or go on with one that is not whole yet.

    Parameters
    ----------
    where : str or Path
        The folder, a path or a URI (`storage.open_folder`).
    simulation : Simulation
        What to deal and to solve.
    n_deals : int
        How many deals the dataset has in the end, those made before among them.
    part_size : int, optional
        Deals a part, at most `MAX_PART_SIZE`; by default `PART_SIZE`, or `TABLE_PART_SIZE` where
        deals are played.
    jobs : int, optional
        Threads, by default one a core; with ``cluster="local"`` the worker processes.
    cluster : str, optional
        The address of a Dask scheduler whose workers make the parts, or ``"local"`` to start one
        here; they must reach the folder under the same name. Needs the extra ``cluster``.
    progress : callable, optional
        Called with the deals made so far and their number in all.
    notice : callable, optional
        Called with a sentence when there is something to wait for.

    Returns
    -------
    Dataset
        The whole dataset.

    Raises
    ------
    ConstraintError
        If a number is out of range.
    PilottaError
        If the folder is held by another run, holds something else, or cannot be written to. What
        is whole by then is kept.
    """
    if part_size is None:
        part_size = PART_SIZE if simulation.play is None else TABLE_PART_SIZE
    if n_deals < 1:
        raise ConstraintError(f"{n_deals} deals: give at least 1")
    if not 1 <= part_size <= MAX_PART_SIZE:
        raise ConstraintError(f"{part_size} deals a part: give 1 to {MAX_PART_SIZE}")
    folder = open_folder(where)
    # Not even a lock is left in a folder of something else, or where nothing can be dealt.
    refuse_others(folder)
    simulation.deals(0, 1)
    with folder.lock(notice):
        dataset = Dataset.begin(folder, simulation.settings(), n_deals, part_size)
        make_missing(dataset, where, simulation, jobs=jobs, cluster=cluster, progress=progress)
        folder.remove_leftovers()
    return dataset


def make_missing(
    dataset: Dataset,
    where: str | Path,
    simulation: Simulation,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> None:
    """Make the parts that a dataset lacks; parameters as for `simulate`. Hold its lock."""
    done = dataset.n_deals_made

    def count(n: int) -> None:
        nonlocal done
        done += n
        if progress is not None:
            progress(done, dataset.n_deals)

    count(0)
    if cluster is None:
        _make_here(dataset, simulation, jobs, count)
        return
    with closing(_made_by_cluster(where, simulation, dataset, jobs, cluster)) as results:
        for made in results:
            dataset.add(made)
            count(made.part.n_deals)


def make_part(where: str, simulation: Simulation, settings: dict[str, Any], part: Part) -> MadePart:
    """Make one part on one thread and write it: what a worker of a cluster does.

    Raises
    ------
    PilottaError
        If this program would write other bytes than the one that began the dataset.
    """
    told = differences(settings, simulation.settings())
    if told:
        raise PilottaError(
            f"a worker runs another program: {', '.join(told)}; give all workers the same"
        )
    folder = open_folder(where)
    hands = simulation.deals(part.first, part.n_deals)
    results = simulation.results(part.numbers, hands, 1)
    return write_part(folder, part, simulation.encode(part, hands, results))


def _make_here(
    dataset: Dataset, simulation: Simulation, jobs: int | None, count: Callable[[int], None]
) -> None:
    """Solve part after part on threads; while one is solved, the one before is written."""

    def write(part: Part, hands: Hands, results: Results) -> None:
        dataset.add(write_part(dataset.folder, part, simulation.encode(part, hands, results)))

    writing: Future[None] | None = None
    with ThreadPoolExecutor(1) as writer:
        for part in list(dataset.missing()):
            hands = simulation.deals(part.first, part.n_deals)
            results = simulation.results(part.numbers, hands, jobs, count)
            if writing is not None:
                writing.result()
            writing = writer.submit(write, part, hands, results)
        if writing is not None:
            writing.result()


def _made_by_cluster(
    where: str | Path,
    simulation: Simulation,
    dataset: Dataset,
    jobs: int | None,
    address: str,
) -> Generator[MadePart]:
    from pilotta_solver.datasets.cluster import completed

    # A worker may stand in another folder.
    text = str(where)
    target = text if "://" in text else str(Path(text).absolute())
    task = partial(make_part, target, simulation, dataset.settings)
    return completed(task, list(dataset.missing()), address, n_workers=jobs)
