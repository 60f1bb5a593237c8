"""From double dummy to the table: what worlds come to when nobody sees the others' cards.

Each world's double dummy result is replaced by some results at the table, as likely as one another,
that the calibration gives for it; everything else is then counted as before, and the mean over the
results of a world is what the world comes to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.advice.worth import Played, Sample, of_values
from pilotta_solver.cards import CARD_POINTS_TOTAL, N_SUITS
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.stopping import Z95, mean_interval
from pilotta_solver.table_play.calibration import (
    SWEEP,
    Calibration,
    TableResults,
    leader_kind,
    own_values,
    places,
    shifted,
    trump_group,
)

N_RESULTS = 4
"""Results at the table for each world."""

_NEVER = SWEEP + 1


@dataclass(frozen=True)
class TableChances:
    """Chances to make some levels at the table.

    Attributes
    ----------
    p : numpy.ndarray
        The chances, (levels,).
    low, high : numpy.ndarray
        Their 95 % intervals: from the worlds, and from the contracts of the calibration.
    model_error : numpy.ndarray
        The standard errors that come from the calibration alone.
    """

    p: npt.NDArray[np.float64]
    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]
    model_error: npt.NDArray[np.float64]


class AtTable:
    """Says what the worlds of one hand come to at the table.

    Parameters
    ----------
    calibration
        The contracts that were played out.
    rules
        The ruleset.
    leader
        The seat that leads.
    """

    def __init__(self, calibration: Calibration, rules: Ruleset, leader: int) -> None:
        self._calibration = calibration
        self._rules = rules
        self._leader = leader

    def _results(self, declarer: int) -> TableResults:
        return self._calibration.results[leader_kind(declarer, self._leader)]

    def _shifts(self, deals: Played, declarer: int) -> npt.NDArray[np.int64]:
        """Return by how many points each world differs from others of its double dummy result."""
        shifts = self._calibration.shifts[leader_kind(declarer, self._leader)]
        return np.asarray(shifts[trump_group(deals.n_trumps)])

    def _sweep_chance(self, deals: Played, declarer: int) -> npt.NDArray[np.float64]:
        """Return the chance of each world that a sweep comes off."""
        kind = leader_kind(declarer, self._leader)
        return self._calibration.sweeps.of(kind, deals.n_winners, deals.n_trumps)

    def spread(self, deals: Played, declarer: int) -> Played:
        """Return N_RESULTS rows for each world, one after another, played at the table."""
        sweep_chance = self._sweep_chance(deals, declarer)
        double_dummy = self._double_dummy(deals)
        found = self._results(declarer).spread(double_dummy, N_RESULTS, sweep_chance)
        found = shifted(found, self._shifts(deals, declarer)[:, None]).ravel()
        own = own_values(found, self._rules.capot_points)
        bonuses = (deals.declarations, deals.belote, deals.n_trumps, deals.n_winners)
        return of_values(
            deals.trump, own, *(np.repeat(bonus, N_RESULTS, axis=0) for bonus in bonuses)
        )

    def chances(
        self,
        deals: Played,
        declarer: int,
        levels: npt.NDArray[np.int64],
        sample: Sample,
        z: float,
    ) -> TableChances:
        """Return the chances to make some levels.

        Parameters
        ----------
        deals
            The worlds, double dummy.
        declarer
            The seat that declares.
        levels
            Shape (levels,), in points.
        sample
            How to average over the worlds.
        z
            How many standard errors a 95 % interval over worlds reaches to each side.
        """
        results = self._results(declarer)
        double_dummy = self._double_dummy(deals)
        needed = shifted(self._needed(deals, levels), -self._shifts(deals, declarer))
        of_world = results.chances(double_dummy, needed, self._sweep_chance(deals, declarer))
        p = np.clip(sample.mean(of_world), 0.0, 1.0)
        model = results.error(double_dummy, needed, sample.weights)
        n = max(sample.n, sample.n_decided)
        below, above = mean_interval(p, sample.error(of_world), n, z)
        low = p - np.hypot(p - below, Z95 * model)
        high = p + np.hypot(above - p, Z95 * model)
        return TableChances(p, np.maximum(low, 0.0), np.minimum(high, 1.0), model)

    def _double_dummy(self, deals: Played) -> npt.NDArray[np.int64]:
        """Return the places of the double dummy results."""
        own = np.where(deals.capot == 0, CARD_POINTS_TOTAL + 1, deals.points[:, 0])
        own = np.where(deals.capot == 1, -1, own)
        if self._rules.capot_points == CARD_POINTS_TOTAL:
            # Nobody asked for sweeps; who has all points has all tricks, but for the rarest deals.
            own = np.where(own == CARD_POINTS_TOTAL, CARD_POINTS_TOTAL + 1, own)
            own = np.where(own == 0, -1, own)
        return places(own)

    def _needed(self, deals: Played, levels: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return the place that each world needs for each level, (levels, n)."""
        bonus = (deals.declarations[:, 0] + deals.belote[:, 0]).astype(np.int64)
        points = levels[:, None] - bonus[None, :]
        needed = np.where(points <= 0, 0, places(points))
        return np.where(points > max(self._rules.capot_points, CARD_POINTS_TOTAL), _NEVER, needed)


def per_world(values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Average over the results of each world: (..., n * N_RESULTS) to (..., n)."""
    return np.asarray(values.reshape(*values.shape[:-1], -1, N_RESULTS).mean(axis=-1))


def has_calibration(trump: int) -> bool:
    """Tell whether contracts of a trump were played out: those with a trump suit were."""
    return trump < N_SUITS


def swings(made: npt.NDArray[np.bool_], worth: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return how much more contracts are worth made than failed, (levels,).

    Both are (levels, rows). A contract that is always made, or never, hangs on nothing: 0.
    """
    found = np.zeros(len(made))
    for i, (is_made, of_row) in enumerate(zip(made, worth, strict=True)):
        if is_made.any() and not is_made.all():
            found[i] = abs(of_row[is_made].mean() - of_row[~is_made].mean())
    return found
