"""The rule: points for each item, and the bids that their sum is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pilotta_solver.bidding_table.head_rule.items import ITEMS, Counts

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class LevelOfSum:
    """What sum a level needs.

    Attributes
    ----------
    level : int
        The level.
    best_from : int or None
        The least sum from which the level is the best bid, until the next level is; None if it
        never is.
    worth_from : int or None
        The least sum from which it is worth more than to pass the deal out, if it is to be bid at
        all; None if it never is.
    p_made : float or None
        The chance to make it at the sum ``worth_from``.
    """

    level: int
    best_from: int | None
    worth_from: int | None
    p_made: float | None


@dataclass(frozen=True)
class HeadRule:
    """Points that a person adds up, and what their sum means.

    Attributes
    ----------
    points : tuple of int
        For each of `items.ITEMS`, what one of it counts.
    unit : float
        How many points of the total one point of the rule was taken to be when it was rounded.
    total_at_zero, total_per_point : float
        The mean total of the own side is the former and, for each point of the sum, the latter.
    first_sum : int
        The least sum that the chances know.
    chances : tuple of tuple of float
        For each sum from `first_sum` on, one by one, the chance to make each level. Lower sums
        have the chances of the first, higher ones those of the last.
    levels : tuple of LevelOfSum
        What sum each level needs, ascending.
    """

    points: tuple[int, ...]
    unit: float
    total_at_zero: float
    total_per_point: float
    first_sum: int
    chances: tuple[tuple[float, ...], ...]
    levels: tuple[LevelOfSum, ...]

    def sums(self, counts: Counts) -> Ints:
        """Add up the points of counted items, (m, items) to (m,)."""
        return counts.astype(np.int64) @ np.array(self.points, np.int64)

    def best_level(self, sums: Ints) -> npt.NDArray[np.int16]:
        """Return the best bid at each sum, 0 to pass."""
        best = np.zeros(len(sums), np.int16)
        for one in self.levels:
            if one.best_from is not None:
                best[sums >= one.best_from] = one.level
        return best

    def highest_level(self, sums: Ints) -> npt.NDArray[np.int16]:
        """Return the highest level that is worth more than a pass at each sum, 0 if none is."""
        highest = np.zeros(len(sums), np.int16)
        for one in self.levels:
            if one.worth_from is not None:
                highest[sums >= one.worth_from] = one.level
        return highest

    def p_made(self, sums: Ints) -> npt.NDArray[np.float64]:
        """Return the chance to make each level at each sum, (m, levels)."""
        known = np.array(self.chances)
        return known[np.clip(np.asarray(sums) - self.first_sum, 0, len(known) - 1)]

    def mean_total(self, sums: Ints) -> npt.NDArray[np.float64]:
        """Return the mean total of the own side at each sum."""
        return self.total_at_zero + self.total_per_point * np.asarray(sums, np.float64)

    def by_item(self) -> dict[str, int]:
        """Return the points by the name of the item."""
        return {item.name: points for item, points in zip(ITEMS, self.points, strict=True)}
