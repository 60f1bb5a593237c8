"""What is counted of the observations of each class, part by part of a dataset.

Observations of one deal hang together: partners have the same result, opponents opposite ones. So
the sums are those of a cluster sample, in which a deal is the cluster: they give the error of a
mean without any assumption on how the observations of one deal depend on each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.bidding_table.intervals import Sums
from pilotta_solver.bidding_table.observations import Observations
from pilotta_solver.cards import CARD_POINTS_TOTAL
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.scoring_many import score_many

Ints = npt.NDArray[np.int64]

# Bits of a packed outcome: the value, then each side's declarations in tens, then each belote.
_FIELDS = ((12, 1), (10, 10), (10, 10), (6, 20), (6, 20))
_OFFSET = 1 << 11


@dataclass(frozen=True)
class Outcomes:
    """The different results among some observations, scored in every level.

    Attributes
    ----------
    of : numpy.ndarray
        int64 of shape (m,): which result each observation has.
    made : numpy.ndarray
        int64 of shape (levels, results): 1 if the level is made, else 0.
    sheet : numpy.ndarray
        int64 of shape (levels, results): own less other side's sheet score, own side declaring.
    """

    of: Ints
    made: Ints
    sheet: Ints


def outcomes(seen: Observations, levels: Sequence[int], trump: int, rules: Ruleset) -> Outcomes:
    """Score each result once, however often it comes.

    Parameters
    ----------
    seen : Observations
        Of suits, or of one other contract.
    levels : sequence of int
        The levels.
    trump : int
        A contract of that kind: the score does not depend on the suit.
    rules : Ruleset
        The ruleset.
    """
    packed = np.zeros(len(seen), np.int64)
    parts = (seen.value + _OFFSET, *seen.declarations.T, *seen.belote.T)
    for (bits, unit), part in zip(_FIELDS, parts, strict=True):
        packed = packed << bits | part.astype(np.int64) // unit
    different, of = np.unique(packed, return_inverse=True)
    unpacked: list[Any] = []
    for bits, unit in reversed(_FIELDS):
        unpacked.append((different & (1 << bits) - 1) * unit)
        different = different >> bits
    belote = np.stack(unpacked[1::-1], axis=1)
    declarations = np.stack(unpacked[3:1:-1], axis=1)
    value = unpacked[4] - _OFFSET
    n, k = len(value), len(levels)
    own = np.clip(value, 0, CARD_POINTS_TOTAL)
    capot = np.where(value > CARD_POINTS_TOTAL, 0, np.where(value < 0, 1, -1))
    scores = score_many(
        np.repeat(np.asarray(levels), n),
        trump,
        np.tile(np.stack([own, CARD_POINTS_TOTAL - own], axis=1), (k, 1)),
        np.tile(declarations, (k, 1)),
        np.tile(belote, (k, 1)),
        rules,
        capot=np.tile(capot, k),
    )
    sheet = (scores.sheet[:, 0] - scores.sheet[:, 1]).astype(np.int64)
    return Outcomes(of, scores.made.astype(np.int64).reshape(k, n), sheet.reshape(k, n))


class Tally:
    """Sums over the observations of each class.

    For a quantity y of the observations (a level is made, the sheet difference) and a deal d with
    n_d observations in the class, which add up to y_d, it keeps the sums over deals of y_d, y_d²
    and y_d n_d, and of n_d and n_d².

    Parameters
    ----------
    n_classes : int
        How many classes there are.
    levels : sequence of int
        The levels.
    trump : int
        A contract of the kind that is looked at.
    rules : Ruleset
        The ruleset.
    """

    def __init__(self, n_classes: int, levels: Sequence[int], trump: int, rules: Ruleset) -> None:
        self._levels, self._trump, self._rules = levels, trump, rules
        self._n_classes = n_classes
        shape = (n_classes, len(levels))
        self.n = np.zeros(n_classes, np.int64)
        self.n_deals = np.zeros(n_classes, np.int64)
        self.squares_of_n = np.zeros(n_classes, np.int64)
        self.total = np.zeros(n_classes, np.int64)
        self.made = Sums.zero(shape)
        self.sheet = Sums.zero(shape)

    def add(self, seen: Observations, places: Ints) -> None:
        """Count observations of whole deals, each in the class at its place."""
        found = outcomes(seen, self._levels, self._trump, self._rules)
        # Observations of one deal and class side by side.
        order = np.argsort(seen.deal * self._n_classes + places, kind="stable")
        of_deal, of_class = seen.deal[order], places[order]
        changes = (np.diff(of_deal) != 0) | (np.diff(of_class) != 0)
        starts = np.concatenate([[0], np.flatnonzero(changes) + 1])
        n = np.diff(starts, append=len(order))
        clusters = _Clusters(of_class[starts], n, starts, found.of[order], self._n_classes)
        self.n += clusters.sum(n)
        self.n_deals += clusters.sum(np.ones_like(n))
        self.squares_of_n += clusters.sum(n * n)
        self.total += _sum(places, seen.total.astype(np.int64), self._n_classes)
        for level in range(len(self._levels)):
            _add(self.made, level, clusters, found.made[level])
            _add(self.sheet, level, clusters, found.sheet[level])


@dataclass(frozen=True)
class _Clusters:
    """The observations of one deal in one class, as a run of all of them."""

    of_class: Ints
    n: Ints
    starts: Ints
    outcome: Ints
    n_classes: int

    def sum(self, values: Ints) -> Ints:
        """Add up a value of each cluster, class by class."""
        return _sum(self.of_class, values, self.n_classes)


def _add(sums: Sums, level: int, clusters: _Clusters, of_outcome: Ints) -> None:
    """Add a quantity that each outcome has in a level."""
    y = np.add.reduceat(of_outcome[clusters.outcome], clusters.starts)
    sums.y[:, level] += clusters.sum(y)
    sums.yy[:, level] += clusters.sum(y * y)
    sums.yn[:, level] += clusters.sum(y * clusters.n)


def _sum(places: Ints, values: Ints, n: int) -> Ints:
    """Add up whole numbers by place; exact, as all sums stay below 2**53."""
    return np.bincount(places, weights=values, minlength=n).astype(np.int64)
