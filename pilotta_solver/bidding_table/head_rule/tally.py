"""Observations counted by what is alike in them: all that a fit needs of millions of deals."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.bidding_table.observations import Observations
from pilotta_solver.bidding_table.tallies import outcomes
from pilotta_solver.ruleset import Ruleset

Floats = npt.NDArray[np.float64]

SPADES = 0
"""Stands for every suit: a score does not depend on it."""


@dataclass(frozen=True)
class Cells:
    """Observations put together, those that are alike in one cell.

    Attributes
    ----------
    counts : numpy.ndarray
        int64 of shape (cells, columns): what the observations of a cell have in common.
    n : numpy.ndarray
        Observations of each cell, (cells,), as floats like all that follows.
    total, squared : numpy.ndarray
        Sums of their totals and of the squares of these, (cells,).
    made : numpy.ndarray
        How many make each level, (cells, levels).
    sheet : numpy.ndarray
        Sums of their sheet differences at each level, (cells, levels).
    """

    counts: npt.NDArray[np.int64]
    n: Floats
    total: Floats
    squared: Floats
    made: Floats
    sheet: Floats

    def merged(self, counts: npt.NDArray[np.int64]) -> Cells:
        """Put together the cells that are alike in other columns, (cells, columns)."""
        codes = _codes(counts)
        order = np.argsort(codes, kind="stable")
        starts = np.flatnonzero(np.diff(codes[order], prepend=-1))

        def add(values: Floats) -> Floats:
            summed: Floats = np.add.reduceat(values[order], starts, axis=0)
            return summed

        return Cells(
            counts[order[starts]],
            add(self.n),
            add(self.total),
            add(self.squared),
            add(self.made),
            add(self.sheet),
        )


def tally(
    seen: Observations,
    counts: npt.NDArray[np.integer[Any]],
    levels: tuple[int, ...],
    rules: Ruleset,
) -> Cells:
    """Put observations of suits together by what was counted of them, (m, columns)."""
    total = seen.total.astype(np.float64)
    found = outcomes(seen, levels, SPADES, rules)
    alone = Cells(
        counts=counts.astype(np.int64),
        n=np.ones(len(seen)),
        total=total,
        squared=total**2,
        made=found.made.T[found.of].astype(np.float64),
        sheet=found.sheet.T[found.of].astype(np.float64),
    )
    return alone.merged(alone.counts)


def together(cells: list[Cells]) -> Cells:
    """Put the cells of several parts together."""
    whole = Cells(
        *(
            np.concatenate([getattr(one, name) for one in cells])
            for name in ("counts", "n", "total", "squared", "made", "sheet")
        )
    )
    return whole.merged(whole.counts)


def taken(seen: Observations, where: npt.NDArray[np.bool_]) -> Observations:
    """Return the observations at which something holds."""
    return Observations(**{part.name: getattr(seen, part.name)[where] for part in fields(seen)})


def _codes(columns: npt.NDArray[np.integer[Any]]) -> npt.NDArray[np.int64]:
    """Number the rows of small whole numbers, (m, columns): alike rows have the same number."""
    codes = np.zeros(len(columns), np.int64)
    for column in columns.T.astype(np.int64):
        codes *= np.ptp(column) + 1
        codes += column - column.min()
    return codes
