"""What comes of a contract at the table, given what double dummy makes of it.

Players who see only their own cards were made to play many contracts out (`self_play`). Counted are
the declarers' results at the table by their double dummy results and by who leads. From these
counts the chance of each result at the table is estimated for each double dummy result: by local
linear regression of "at least so many points" on the double dummy result (J. Fan and I. Gijbels,
Local Polynomial Modelling and Its Applications, 1996, chapter 2), which is linear in the counts, so
that its own error can be told.

What else matters most is how many trumps the declarers' side holds: with more of them it does
better at the table than with fewer and the same double dummy result. So results are shifted, by
whole points for each number of trumps, before they are counted, and back when they are told.

Whether a double dummy sweep comes off hangs on more: on the winners in the declarers' better hand,
and again on their trumps (`SweepChance`, a logistic regression).

A result is a *place* on a scale from 0 to 164: the declarers are swept, take 0 to 162 points, or
sweep.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import CARD_POINTS_TOTAL
from pilotta_solver.deal import SEATS
from pilotta_solver.ruleset import Law

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.integer[Any]]

LEADERS = ("declarer", "partner", "defender")
"""Who leads to the first trick, as seen from the declarer."""

FEWEST_TRUMPS, MOST_TRUMPS = 4, 7
"""Numbers of the declarers' trumps told apart: 4 or fewer, 5, 6, 7 or 8."""

SWEPT, SWEEP = 0, CARD_POINTS_TOTAL + 2
N_PLACES = CARD_POINTS_TOTAL + 3

# Standard deviation of the normal kernel, in points of the double dummy result, and the least
# number of contracts that it must reach before it may be so narrow. The width is the one of least
# cross-validated Brier score: docs/make_calibration.py.
WIDTH = 4.0
_ENOUGH = 150.0

_TINY = 1e-12


def leader_kind(declarer: int, leader: int) -> int:
    """Return the index in `LEADERS` of the seat that leads."""
    return (0, 2, 1, 2)[(leader - declarer) % len(SEATS)]


def places(own_values: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Place results of the declarers: 163 and more are a sweep, less than 0 being swept."""
    return np.clip(np.asarray(own_values, np.int64), -1, CARD_POINTS_TOTAL + 1) + 1


def own_values(of_places: npt.ArrayLike, capot_points: int) -> npt.NDArray[np.int64]:
    """Return the declarers' results at some places; a sweep counts ``capot_points``."""
    values = np.asarray(of_places, np.int64) - 1
    values = np.where(values > CARD_POINTS_TOTAL, capot_points, values)
    return np.where(values < 0, CARD_POINTS_TOTAL - capot_points, values)


def trump_group(n_trumps: npt.ArrayLike) -> npt.NDArray[np.int64]:
    """Return the group of numbers of trumps that the declarers' side holds, 0 to 3."""
    return np.clip(np.asarray(n_trumps, np.int64), FEWEST_TRUMPS, MOST_TRUMPS) - FEWEST_TRUMPS


def shifted(of_places: Ints, by: Ints) -> npt.NDArray[np.int64]:
    """Shift places by points, between 0 and 162 points; sweeps stay what they are.

    A place that is needed is shifted likewise: no sweep comes to be needed, or not to be.
    """
    among = (of_places > SWEPT) & (of_places < SWEEP)
    moved = np.clip(of_places + by, SWEPT + 1, SWEEP - 1)
    return np.where(among, moved, of_places)


class TableResults:
    """What comes of contracts at the table where one kind of player leads.

    Parameters
    ----------
    counts
        Shape (165, 165): contracts by the place double dummy and the place at the table.

    Attributes
    ----------
    at_least : numpy.ndarray
        Shape (165, 166): the chance of a place of at least r at the table, r from 0 to 165, for
        each place double dummy.
    """

    def __init__(self, counts: Ints) -> None:
        self._counts = counts.astype(np.float64)
        self._weights = _weights(self._counts.sum(axis=1))
        self.at_least = _chances(self._weights, self._counts)

    def spread(
        self, double_dummy: Ints, k: int, sweep_chance: Floats | None = None
    ) -> npt.NDArray[np.int64]:
        """Return k places at the table for each place double dummy, as likely as one another.

        They are quantiles of the distribution: one in each of k parts of equal chance, at a depth
        that differs from row to row in a regular sequence, so that nothing is left to chance.

        Parameters
        ----------
        double_dummy
            Shape (n,).
        k
            How many for each.
        sweep_chance
            As for `chances`.

        Returns
        -------
        numpy.ndarray
            Shape (n, k).
        """
        golden = (math.sqrt(5) - 1) / 2
        depth = (np.arange(1, len(double_dummy) + 1) * golden) % 1
        chance = (np.arange(k) + depth[:, None]) / k
        found = np.empty((len(double_dummy), k), np.int64)
        for place in np.unique(double_dummy):
            rows = double_dummy == place
            # The place r comes where the chance of more than r is at most what is asked.
            falling = self.at_least[place, 1:]
            if place == SWEEP and sweep_chance is not None:
                chance[rows] = self._depth_of_sweeps(chance[rows], sweep_chance[rows, None])
            found[rows] = np.searchsorted(-falling, -chance[rows], side="left")
        return found

    def chances(
        self, double_dummy: Ints, needed: Ints, sweep_chance: Floats | None = None
    ) -> Floats:
        """Return for each world the chance of at least the needed place at the table.

        Parameters
        ----------
        double_dummy, needed
            Shape (n,) and (..., n): places; needed may be up to 165, which nothing reaches.
        sweep_chance
            Shape (n,): the chance that a sweep comes off in the worlds that are one double dummy;
            by default its share in the counts.
        """
        found = self.at_least[double_dummy, needed]
        if sweep_chance is None:
            return np.asarray(found)
        swept = self.at_least[SWEEP, SWEEP]
        short = sweep_chance + (1 - sweep_chance) * (found - swept) / max(1 - swept, _TINY)
        of_sweeps = np.select([needed > SWEEP, needed == SWEEP], [0.0, sweep_chance], short)
        return np.asarray(np.where(double_dummy == SWEEP, of_sweeps, found))

    def _depth_of_sweeps(self, depth: Floats, sweep_chance: Floats) -> Floats:
        """Stretch depths so that a share ``sweep_chance`` of them falls on the counted sweeps."""
        swept = self.at_least[SWEEP, SWEEP]
        within = depth / np.maximum(sweep_chance, _TINY) * swept
        beyond = swept + (depth - sweep_chance) / np.maximum(1 - sweep_chance, _TINY) * (1 - swept)
        return np.asarray(np.where(depth < sweep_chance, within, beyond))

    def error(self, double_dummy: Ints, needed: Ints, weights: Floats) -> Floats:
        """Return the standard error of weighted means of `chances` that comes from the counts.

        An estimate is a sum over contracts of coefficients; what a contract adds differs by the
        place it reached at the table, given its place double dummy.

        Parameters
        ----------
        double_dummy, needed, weights
            Shape (n,), (levels, n), (n,): the weights have the sum 1.

        Returns
        -------
        numpy.ndarray
            Shape (levels,).
        """
        distinct, which = np.unique(needed, axis=0, return_inverse=True)
        seen = np.unique(double_dummy)
        asked = np.zeros((len(seen), len(distinct), N_PLACES + 1))
        level = np.arange(len(distinct))[:, None]
        np.add.at(asked, (np.searchsorted(seen, double_dummy), level, distinct), weights)
        # A contract at place s counts wherever at most s is needed.
        reached = np.add.accumulate(asked, axis=2)[:, :, :-1].reshape(len(seen), -1)
        rows = np.flatnonzero(self._counts.sum(axis=1))
        coefficients = self._weights[np.ix_(seen, rows)].T @ reached
        counts = self._counts[rows, None, :]
        coefficients = coefficients.reshape(len(rows), len(distinct), N_PLACES)
        n = counts.sum(axis=2, keepdims=True)
        mean = (coefficients * counts).sum(axis=2, keepdims=True) / n
        variance = ((coefficients - mean) ** 2 * counts).sum(axis=(0, 2))[which]
        # Where no contract that tells has failed, the next one could: that is never nothing.
        shares = np.bincount(double_dummy, weights, N_PLACES) @ self._weights
        one_contract = float(shares**2 @ self._counts.sum(axis=1))
        # How a product of matrices is summed depends on the machine: leave that out of the answer.
        return np.asarray(np.sqrt(variance + one_contract**2).round(9))


def _weights(n: Floats) -> Floats:
    """Weights (165, 165): what a contract of each place adds to the estimate at each place.

    Sweeps are a kind of their own: where there are enough of them, they neither tell of other
    results nor are told by them.
    """
    where = np.arange(N_PLACES, dtype=np.float64)
    others = n.copy()
    others[[SWEPT, SWEEP]] = 0
    weights = np.empty((N_PLACES, N_PLACES))
    for place in range(N_PLACES):
        if place in (SWEPT, SWEEP) and n[place] >= _ENOUGH:
            weights[place] = (where == place) / n[place]
        else:
            weights[place] = _local_line(where - place, others)
    return weights


def _local_line(distance: Floats, n: Floats) -> Floats:
    """Weights of a weighted least squares line at distance 0, its normal kernel wide enough."""
    width = WIDTH
    enough = min(_ENOUGH, n.sum() / 4)
    while (kernel := np.exp(-0.5 * (distance / width) ** 2)) @ n < enough:
        width *= 1.25
    s0, s1, s2 = ((kernel * n * distance**power).sum() for power in range(3))
    told = np.where(n > 0, kernel, 0.0)
    # Beyond all contracts a line would lead anywhere: there the nearest of them tell.
    if abs(s1) > 2 * width * s0 or s0 * s2 - s1 * s1 < 1e-9 * s0 * s0:
        return np.asarray(told / s0)
    return np.asarray(told * (s2 - s1 * distance) / (s0 * s2 - s1 * s1))


def _chances(weights: Floats, counts: Floats) -> Floats:
    """Chances of at least each place, made to fall from 1 to 0."""
    reached = np.add.accumulate(counts[:, ::-1], axis=1)[:, ::-1]
    found = np.clip(weights @ reached, 0.0, 1.0)
    found[:, 0] = 1.0
    falling = np.minimum.accumulate(found, axis=1)
    return np.concatenate([falling, np.zeros((N_PLACES, 1))], axis=1)


@dataclass(frozen=True)
class SweepChance:
    """The chance that a double dummy sweep comes off at the table, by logistic regression.

    Attributes
    ----------
    leader : tuple of float
        The log odds by who leads (`LEADERS`).
    winner, trump : float
        What each winner in the declarers' better hand adds (`winners.winners_many`), and each of
        their trumps.
    """

    leader: tuple[float, ...]
    winner: float
    trump: float

    def of(self, kinds: int | Ints, n_winners: Ints, n_trumps: Ints) -> Floats:
        """Return the chances of sweeps by who leads, winners and trumps, (n,)."""
        odds = np.asarray(self.leader)[kinds] + self.winner * n_winners + self.trump * n_trumps
        return np.asarray(1 / (1 + np.exp(-odds)))


@dataclass(frozen=True)
class Calibration:
    """Contracts played out by players who see only their own cards, counted.

    Attributes
    ----------
    law : Law
        The law of play.
    counts : numpy.ndarray
        Shape (3, 165, 165): by who leads (`LEADERS`), place double dummy, place at the table.
    shifts : numpy.ndarray
        Shape (3, 4): the points that were taken from results at the table before they were
        counted, by who leads and by the group of the declarers' trumps.
    sweeps : SweepChance
        Whether a double dummy sweep comes off.
    made : dict
        How they were made: seed, worlds a decision, numbers of contracts, version.
    """

    law: Law
    counts: npt.NDArray[np.int64]
    shifts: npt.NDArray[np.int64]
    sweeps: SweepChance
    made: dict[str, Any]

    @cached_property
    def results(self) -> tuple[TableResults, ...]:
        """The results at the table for each of `LEADERS`."""
        return tuple(TableResults(counts) for counts in self.counts)


def count_contracts(kinds: Ints, double_dummy: Ints, table: Ints) -> npt.NDArray[np.int64]:
    """Count contracts by who leads, place double dummy and place at the table."""
    counts = np.zeros((len(LEADERS), N_PLACES, N_PLACES), np.int64)
    np.add.at(counts, (kinds, double_dummy, table), 1)
    return counts


@cache
def shipped_calibration(law: Law) -> Calibration | None:
    """Return the calibration that comes with the program; None if it has another law of play."""
    folder = files("pilotta_solver") / "table_play" / "calibration"
    made = json.loads((folder / "calibration.json").read_text(encoding="utf-8"))
    if made["law"] != law_as_dict(law):
        return None
    with (folder / "calibration.npz").open("rb") as file, np.load(file) as arrays:
        counts = np.zeros((len(LEADERS), N_PLACES, N_PLACES), np.int64)
        counts[arrays["leader"], arrays["double_dummy"], arrays["table"]] = arrays["n"]
    told = made["sweeps"]
    sweeps = SweepChance(tuple(told["leader"]), told["winner"], told["trump"])
    return Calibration(law, counts, np.array(made["shifts"], np.int64), sweeps, made)


def sparse(counts: Ints) -> dict[str, Ints]:
    """Return the arrays that `shipped_calibration` reads."""
    leader, double_dummy, table = np.nonzero(counts)
    n = counts[leader, double_dummy, table]
    names = ("leader", "double_dummy", "table", "n")
    parts: Iterable[Ints] = (leader, double_dummy, table, n)
    return {name: part.astype(np.uint16) for name, part in zip(names, parts, strict=True)}


def law_as_dict(law: Law) -> dict[str, Any]:
    """Return a law of play by its keys."""
    return {
        name: getattr(law, name) for name in ("partner_exempt", "undertrump", "beat_trump_lead")
    }
