"""From solved deals to points: two fits, rounded together on the scale that a head can use.

The mean total of the own side is fitted by least squares, and the chances to make the levels by a
logistic regression with the same weights at every level. Both say what an item is worth, the one
in points of the total, the other in log odds; brought to one scale they are averaged and rounded to
whole numbers. Coarser scales have smaller numbers and lose more: the coarsest is taken that loses
little of what either fit explains.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pilotta_solver.bidding_table.head_rule.regression import (
    LinearFit,
    OrdinalFit,
    fit_levels,
    fit_mean,
    fit_rising,
)
from pilotta_solver.bidding_table.head_rule.rule import HeadRule, LevelOfSum
from pilotta_solver.bidding_table.head_rule.tally import Cells
from pilotta_solver.errors import PilottaError

UNITS = (2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 12.0, 15.0, 20.0)
"""The scales that are tried: points of the total that one point of the rule stands for."""

MAY_LOSE = 0.01
"""Share of what the unrounded fits explain that rounding may lose."""

FEWEST = 100
"""Observations that must reach a sum, or more, for it to stand in the rule."""

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Scale:
    """What rounding on one scale does.

    Attributes
    ----------
    unit : float
        Points of the total that one point of the rule stands for.
    points : tuple of int
        The points of each item.
    lost_mean : float
        Share of the variance explained by the unrounded fit that is explained no more.
    lost_chance : float
        The same for the gain in log likelihood over chances that do not look at the hand.
    """

    unit: float
    points: tuple[int, ...]
    lost_mean: float
    lost_chance: float

    @property
    def loses(self) -> float:
        """The greater of the two losses."""
        return max(self.lost_mean, self.lost_chance)


@dataclass(frozen=True)
class Fit:
    """A rule and the fits behind it.

    Attributes
    ----------
    rule : HeadRule
        The rule.
    mean : LinearFit
        The unrounded fit of the mean total: weights in points of it.
    chances : OrdinalFit
        The unrounded fit of the chances: weights in log odds.
    points_per_log_odd : float
        What one log odd is in points of the total, by which the two weights are compared.
    scales : tuple of Scale
        What was tried.
    n : int
        Observations that were fitted.
    """

    rule: HeadRule
    mean: LinearFit
    chances: OrdinalFit
    points_per_log_odd: float
    scales: tuple[Scale, ...]
    n: int


def fit_rule(cells: Cells, levels: tuple[int, ...]) -> Fit:
    """Fit a rule to observations.

    Parameters
    ----------
    cells : Cells
        The observations by the counts of their items.
    levels : tuple of int
        The levels of the cells.

    Raises
    ------
    PilottaError
        If scikit-learn is not installed, or the observations are too few.
    """
    if cells.n.sum() < FEWEST or len(cells.n) <= cells.counts.shape[1]:
        raise PilottaError(
            f"{int(cells.n.sum())} hands with their trumps are too few to fit a rule; take more "
            "deals"
        )
    columns = cells.counts.astype(np.float64)
    mean = fit_mean(columns, cells.total / cells.n, cells.n)
    chances = fit_levels(columns, cells.made, cells.n)
    per_odd = float(mean.weights @ chances.weights / (chances.weights @ chances.weights))
    weights = (mean.weights + per_odd * chances.weights) / 2
    tried = [_try(unit, weights, cells, mean, chances) for unit in UNITS]
    good = [one for one in tried if one.loses <= MAY_LOSE]
    taken = good[-1] if good else min(tried, key=lambda one: one.loses)
    rule = _rule(taken, by_sum(cells, taken.points), levels)
    return Fit(rule, mean, chances, per_odd, tuple(tried), int(cells.n.sum()))


def by_sum(cells: Cells, points: tuple[int, ...]) -> Cells:
    """Put together the cells of the same sum, the only column left."""
    return cells.merged((cells.counts @ np.array(points, np.int64))[:, None])


def squared_error(cells: Cells, mean: Floats) -> float:
    """Add up the squared differences of totals from what each cell was said to have."""
    return float(np.sum(cells.squared - 2 * mean * cells.total + cells.n * mean**2))


def log_likelihood(cells: Cells, p_made: Floats) -> float:
    """Add up the logarithms of the chances, (cells, levels), that were given to what came."""
    p = np.clip(p_made, 1e-12, 1 - 1e-12)
    missed = cells.n[:, None] - cells.made
    return float(np.sum(cells.made * np.log(p) + missed * np.log1p(-p)))


def mean_of(fit: LinearFit, columns: Floats) -> Floats:
    """Return what a fit says of the mean."""
    return fit.intercept + columns @ fit.weights


def chances_of(fit: OrdinalFit, columns: Floats) -> Floats:
    """Return what a fit says of the chances, (cells, levels)."""
    log_odds = fit.intercepts + (columns @ fit.weights)[:, None]
    chances: Floats = 1 / (1 + np.exp(-log_odds))
    return chances


def _try(unit: float, weights: Floats, cells: Cells, mean: LinearFit, chances: OrdinalFit) -> Scale:
    """Round on a scale and measure what is lost, intercepts and slope fitted anew."""
    points = tuple(int(point) for point in np.rint(weights / unit))
    full = cells.counts.astype(np.float64)
    flat = np.zeros((len(cells.n), 1))
    told = cells.total.sum() / cells.n.sum(), cells.made.sum(axis=0) / cells.n.sum()
    blind_error = squared_error(cells, flat[:, 0] + told[0])
    blind_likelihood = log_likelihood(cells, flat + told[1])
    best_error = squared_error(cells, mean_of(mean, full))
    best_likelihood = log_likelihood(cells, chances_of(chances, full))
    summed = by_sum(cells, points)
    column = summed.counts.astype(np.float64)
    error = squared_error(
        summed, mean_of(fit_mean(column, summed.total / summed.n, summed.n), column)
    )
    likelihood = log_likelihood(
        summed, chances_of(fit_levels(column, summed.made, summed.n), column)
    )
    return Scale(
        unit,
        points,
        lost_mean=(error - best_error) / (blind_error - best_error),
        lost_chance=(best_likelihood - likelihood) / (best_likelihood - blind_likelihood),
    )


def _rule(scale: Scale, summed: Cells, levels: tuple[int, ...]) -> HeadRule:
    """What the sums of a scale mean."""
    sums = summed.counts[:, 0]
    mean = fit_mean(sums[:, None].astype(np.float64), summed.total / summed.n, summed.n)
    common = _common(summed)
    known = common.counts[:, 0]
    shares = common.made / common.n[:, None]
    smooth = np.stack([fit_rising(column, common.n) for column in shares.T], axis=1)
    # A sum that no hand had has the chances of the next lower one.
    every = np.arange(known[0], known[-1] + 1)
    chances = smooth[np.searchsorted(known, every, side="right") - 1]
    best, worth = best_steps(common.sheet), worth_from(common.sheet)
    told = []
    for place, level in enumerate(levels):
        begins = np.flatnonzero(best == place + 1)
        start = worth[place]
        told.append(
            LevelOfSum(
                level,
                best_from=int(known[begins[0]]) if len(begins) else None,
                worth_from=None if start is None else int(known[start]),
                p_made=None if start is None else float(smooth[start, place]),
            )
        )
    return HeadRule(
        points=scale.points,
        unit=scale.unit,
        total_at_zero=mean.intercept,
        total_per_point=float(mean.weights[0]),
        first_sum=int(known[0]),
        chances=tuple(tuple(row) for row in chances.tolist()),
        levels=tuple(told),
    )


def _common(summed: Cells) -> Cells:
    """Put rare sums at both ends together with the last ones that enough observations reach."""
    sums = summed.counts[:, 0]
    from_below, from_above = np.cumsum(summed.n), np.cumsum(summed.n[::-1])[::-1]
    enough = sums[np.minimum(from_below, from_above) >= FEWEST]
    if not len(enough):
        raise PilottaError("the hands are too few to fit a rule; take more deals")
    return summed.merged(np.clip(sums, enough[0], enough[-1])[:, None])


def best_steps(sheet: Floats) -> Ints:
    """Choose a level for each sum, never a lower one for a higher sum, that brings most in all.

    Parameters
    ----------
    sheet : numpy.ndarray
        What each level brings at each sum, (sums, levels); a pass brings nothing.

    Returns
    -------
    numpy.ndarray
        int64 of shape (sums,): 0 to pass, else 1 more than the place of the level. Of choices that
        bring the same, the lowest levels.
    """
    brings = np.hstack([np.zeros((len(sheet), 1)), sheet])
    reached = np.zeros(brings.shape[1])
    came_from = np.zeros(brings.shape, np.int64)
    for place, row in enumerate(brings):
        # the best of all choices that end at a level or below it
        top = np.maximum.accumulate(reached)
        came_from[place] = np.searchsorted(top, top)
        reached = row + top
    steps = np.zeros(len(sheet), np.int64)
    level = int(np.argmax(reached))
    for place in range(len(sheet) - 1, -1, -1):
        steps[place] = level
        level = int(came_from[place, level])
    return steps


def worth_from(sheet: Floats) -> list[int | None]:
    """Find for each level from which sum on it is worth more than to pass.

    Parameters
    ----------
    sheet : numpy.ndarray
        What each level brings at each sum, (sums, levels).

    Returns
    -------
    list
        For each level the place of the sum from which it brings most in all, never lower than for
        a lower level; None if it brings nothing from any.
    """
    from_here = np.cumsum(sheet[::-1], axis=0)[::-1]
    found: list[int | None] = []
    least = 0
    for column in from_here.T:
        if column.max() <= 0:
            found.append(None)
            continue
        least = max(least, int(np.argmax(column)))
        found.append(least)
    return found
