"""Checking a dataset: its files against the manifest, its rows against the solver."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pilotta_solver.datasets.dataset import Dataset, MadePart
from pilotta_solver.datasets.simulation import Progress, Simulation, make_missing
from pilotta_solver.datasets.storage import Notice, open_folder
from pilotta_solver.errors import PilottaError
from pilotta_solver.parquet import Coded, read_columns

N_SOLVED_AGAIN = 200
"""Deals solved again in all, but at least one a part."""


@dataclass(frozen=True)
class Verification:
    """What a check of a dataset found.

    Attributes
    ----------
    dataset : Dataset
        The dataset, after any repair.
    n_parts : int
        The parts that were checked.
    n_solved_again : int
        The deals of which every column was made again and compared.
    damages : tuple of (str, str)
        File by file, what is wrong with it.
    n_parts_missing : int
        The parts that the dataset still lacks: those never made, and those damaged.
    """

    dataset: Dataset
    n_parts: int
    n_solved_again: int
    damages: tuple[tuple[str, str], ...]
    n_parts_missing: int

    @property
    def is_sound(self) -> bool:
        """Whether every part is there and nothing was found wrong."""
        return not self.damages and not self.n_parts_missing


def verify(
    where: str | Path,
    *,
    n_samples: int = N_SOLVED_AGAIN,
    seed: int | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Check a dataset, without changing it.

    Every part is read: its checksum and its size are compared with the manifest, its deal numbers
    with its range, and a random sample of its rows is dealt and solved again, column by column.

    Parameters
    ----------
    where : str or Path
        The folder, a path or a URI.
    n_samples : int
        Deals to solve again in all; at least one a part is.
    seed : int, optional
        Of the sample; by default another one every time.
    progress : callable, optional
        Called with the deals checked so far and their number in all.

    Raises
    ------
    PilottaError
        If the folder holds no dataset that this version reads.
    """
    dataset, simulation = open_dataset(where)
    draw = random.Random(seed)
    damages: list[tuple[str, str]] = []
    n_checked = n_again = n_bad = 0
    n_each = max(1, n_samples // max(1, len(dataset.made)))
    for made in sorted(dataset.made.values(), key=lambda made: made.part.number):
        rows = sorted(draw.sample(range(made.part.n_deals), min(n_each, made.part.n_deals)))
        told = _damage(dataset, simulation, made, rows)
        if told is None:
            n_again += len(rows)
        else:
            n_bad += 1
            damages.append((made.part.name, told))
        n_checked += made.part.n_deals
        if progress is not None:
            progress(n_checked, dataset.n_deals_made)
    damages += [(name, "none of this dataset: move it away") for name in dataset.strangers()]
    n_lacking = dataset.n_parts - len(dataset.made) + n_bad
    return Verification(dataset, len(dataset.made), n_again, tuple(damages), n_lacking)


def repair(
    where: str | Path,
    *,
    n_samples: int = N_SOLVED_AGAIN,
    jobs: int | None = None,
    cluster: str | None = None,
    notice: Notice | None = None,
    told: Callable[[Verification], None] | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Check a dataset, and make again the parts that are damaged or missing.

    Parameters are those of `verify` and `simulation.simulate`; ``told`` is called with what was
    found before anything is made.

    Returns
    -------
    Verification
        What was found; ``n_parts_missing`` is 0 and ``dataset`` whole.

    Raises
    ------
    PilottaError
        As `verify` and `simulation.simulate`; and if this program would write other bytes than
        the one that made the dataset.
    """
    folder = open_folder(where)
    open_dataset(where)
    with folder.lock(notice):
        found = verify(where, n_samples=n_samples)
        dataset, simulation = open_dataset(where)
        if found.n_parts_missing:
            dataset.check_settings(simulation.settings())
        if told is not None:
            told(found)
        names = {name for name, _ in found.damages}
        dataset.made = {
            number: made for number, made in dataset.made.items() if made.part.name not in names
        }
        dataset.write_manifest()
        make_missing(dataset, where, simulation, jobs=jobs, cluster=cluster, progress=progress)
        folder.remove_leftovers()
    return Verification(dataset, found.n_parts, found.n_solved_again, found.damages, 0)


def open_dataset(where: str | Path) -> tuple[Dataset, Simulation]:
    """Open a dataset and the simulation that wrote it.

    Raises
    ------
    PilottaError
        If the folder holds none, or none that this version reads.
    """
    folder = open_folder(where)
    dataset = Dataset.existing(folder)
    return dataset, Simulation.from_settings(dataset.settings, folder.name)


def _damage(
    dataset: Dataset, simulation: Simulation, made: MadePart, rows: list[int]
) -> str | None:
    """What is wrong with a part, or None; ``rows`` are solved again."""
    part = made.part
    content = dataset.folder.read(part.name)
    told = dataset.damage(made, content)
    if told is not None or content is None:
        return told
    try:
        columns, metadata = read_columns(content, where=part.name)
    except PilottaError as error:
        return f"damaged: {error}"
    metadata.pop("first_deal", None)
    if metadata != dataset.settings or tuple(columns) != simulation.schema.names:
        return "damaged: its metadata or its columns are not the manifest's"
    numbers = part.numbers
    if not np.array_equal(columns["deal_number"], numbers):
        return f"damaged: its deals are not {part.first} to {part.first + part.n_deals - 1}"
    hands = np.concatenate([simulation.deals(part.first + row, 1) for row in rows])
    results = simulation.results(numbers[rows], hands, 1)
    again = simulation.columns(numbers[rows], hands, results)
    for name, values in again.items():
        for place, row in enumerate(rows):
            old, new = _value(columns[name], row), _value(values, place)
            if old != new:
                return f"wrong: {name} of deal {numbers[row]} is {old}, made again it is {new}"
    return None


def _value(column: Any, row: int) -> Any:
    """One value of a column, None where it is missing."""
    if isinstance(column, Coded):
        code = column.codes[row]
        return column.words[code] if code >= 0 else None
    value = column[row]
    if value is np.ma.masked:
        return None
    # Whole numbers with gaps are read as floats, a gap as the one that differs from itself.
    if isinstance(value, np.floating):
        return int(value) if value == value else None
    return value
