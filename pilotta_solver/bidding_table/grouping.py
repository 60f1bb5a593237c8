"""Observations grouped by hand class: how often each level is made, and what it is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

import pilotta_solver
from pilotta_solver.auction import LISTED_TO
from pilotta_solver.bidding_table.hand_class import check_by, default_by
from pilotta_solver.bidding_table.intervals import cluster_means, wilson_intervals
from pilotta_solver.bidding_table.merging import (
    MIN_N,
    Grouping,
    make_grouping,
    packed_codes,
)
from pilotta_solver.bidding_table.sources import Progress, SolvedDeals
from pilotta_solver.bidding_table.tallies import Tally
from pilotta_solver.errors import PilottaError
from pilotta_solver.ruleset import Ruleset

Floats = npt.NDArray[np.float64]

_ONE_BY_ONE_TO = 160  # levels shown whatever a sweep counts

# Decimals kept: a hundredth of the smallest error that any number of deals will leave.
_P_DECIMALS, _SHEET_DECIMALS, _TOTAL_DECIMALS = 5, 4, 3


@dataclass(frozen=True)
class HandClass:
    """One kind of hand.

    Attributes
    ----------
    label : str
        What a player calls it, as in ``J9A+1 · 1 side ace · own side leads``.
    values : tuple of str or int
        The value of each quantity of the table's `BiddingTable.by`.
    n : int
        Observations.
    n_deals : int
        Deals that they come from.
    mean_total : float
        Mean total of the own side.
    merged : bool
        Whether rare classes were put together to make it.
    is_rare : bool
        Whether it has fewer observations than the table asks for all the same.
    """

    label: str
    values: tuple[str | int, ...]
    n: int
    n_deals: int
    mean_total: float
    merged: bool = False
    is_rare: bool = False


@dataclass(frozen=True)
class BiddingTable:
    """What each kind of hand makes of each level, its own side declaring, undoubled.

    A sheet difference is the own side's sheet score less the other side's.

    Attributes
    ----------
    by : tuple of str
        The quantities that make a class (`hand_class.QUANTITIES`).
    levels : tuple of int
        The levels, ascending.
    classes : tuple of HandClass
        In the order of the values' codes.
    p_made : numpy.ndarray
        Share of the observations that make the level, (classes, levels).
    ci_low, ci_high : numpy.ndarray
        Its 95 % interval, which heeds that observations of one deal hang together.
    sheet, sheet_low, sheet_high : numpy.ndarray
        Mean sheet difference and its 95 % interval, (classes, levels).
    best : numpy.ndarray
        int16 of shape (classes,): the level of greatest mean sheet difference; 0, to pass, if that
        is not above 0.
    metadata : dict
        Where it comes from: ``rules`` (the whole ruleset), ``seed``, ``n_deals``, ``version``,
        ``model``, ``contracts`` and more.
    """

    by: tuple[str, ...]
    levels: tuple[int, ...]
    classes: tuple[HandClass, ...]
    p_made: Floats
    ci_low: Floats
    ci_high: Floats
    sheet: Floats
    sheet_low: Floats
    sheet_high: Floats
    best: npt.NDArray[np.int16]
    metadata: dict[str, Any] = field(default_factory=dict)

    @property
    def highest(self) -> npt.NDArray[np.int16]:
        """How high each class can go: the highest level that, with all lower ones, beats passing.

        int16 of shape (classes,): its mean sheet difference is above 0; 0 if there is none.
        """
        n_good = np.cumprod(self.sheet > 0, axis=1).sum(axis=1)
        highest: npt.NDArray[np.int16] = np.array([0, *self.levels], np.int16)[n_good]
        return highest


def table_levels(rules: Ruleset) -> tuple[int, ...]:
    """The levels of a table: from the first bid to 160, and on to what a sweep counts."""
    top = max(_ONE_BY_ONE_TO, rules.capot_points)
    top = min(top, rules.highest_bid or LISTED_TO)
    return tuple(range(rules.first_bid, top + 1, rules.bid_step))


def group(
    deals: SolvedDeals,
    by: Sequence[str] | None = None,
    *,
    min_n: int = MIN_N,
    levels: Sequence[int] | None = None,
    progress: Progress | None = None,
) -> BiddingTable:
    """Group solved deals by hand class.

    The deals are read twice, part by part: once to see which classes are rare, once to count.

    Parameters
    ----------
    deals : SolvedDeals
        The deals and the ruleset (`sources.solved_deals`).
    by : sequence of str, optional
        What makes a class (`hand_class.QUANTITIES`); by default pattern of trumps, side aces, and
        which side leads.
    min_n : int
        Classes with fewer observations are rare: put together as `merging.make_grouping` says, and
        flagged if they are too few even so.
    levels : sequence of int, optional
        The levels, ascending; by default `table_levels`.
    progress : callable, optional
        Called with the deals read so far and their number in all; each deal counts twice.

    Raises
    ------
    PilottaError
        If `by` makes no classes, `min_n` is below 1, or the deals cannot be read.
    """
    by = tuple(default_by(deals.trumps) if by is None else by)
    check_by(by, deals.trumps)
    if min_n < 1:
        raise PilottaError(f"classes of {min_n} observations: give 1 or more")
    levels = tuple(table_levels(deals.rules) if levels is None else levels)
    n_read = 2 * deals.n_deals

    counts: Counter[int] = Counter()
    for seen in deals.observations(_part_of(progress, 0, n_read)):
        keys, ns = np.unique(packed_codes(seen, by), return_counts=True)
        counts.update(dict(zip(keys.tolist(), ns.tolist(), strict=True)))
    grouping = make_grouping(counts, by, min_n)
    tally = Tally(len(grouping.labels), levels, deals.trumps[0], deals.rules)
    for seen in deals.observations(_part_of(progress, deals.n_deals, n_read)):
        tally.add(seen, grouping.place(packed_codes(seen, by)))
    return _table(by, levels, grouping, tally, min_n, deals.provenance())


def _part_of(progress: Progress | None, before: int, in_all: int) -> Progress | None:
    """Count one of several readings."""
    if progress is None:
        return None
    return lambda done, _total: progress(before + done, in_all)


def _table(
    by: tuple[str, ...],
    levels: tuple[int, ...],
    grouping: Grouping,
    tally: Tally,
    min_n: int,
    provenance: dict[str, Any],
) -> BiddingTable:
    """Turn sums into shares, means and their intervals."""
    made = cluster_means(tally.n, tally.n_deals, tally.squares_of_n, tally.made)
    sheet = cluster_means(tally.n, tally.n_deals, tally.squares_of_n, tally.sheet)
    low, high, effect = wilson_intervals(made, tally.n, tally.squares_of_n)
    means = np.round(sheet.mean, _SHEET_DECIMALS)
    classes = tuple(
        HandClass(
            label=grouping.labels[place],
            values=grouping.values[place],
            n=int(tally.n[place]),
            n_deals=int(tally.n_deals[place]),
            mean_total=round(float(tally.total[place] / tally.n[place]), _TOTAL_DECIMALS),
            merged=grouping.merged[place],
            is_rare=bool(tally.n[place] < min_n),
        )
        for place in range(len(grouping.labels))
    )
    return BiddingTable(
        by=by,
        levels=levels,
        classes=classes,
        p_made=np.round(made.mean, _P_DECIMALS),
        ci_low=np.round(low, _P_DECIMALS),
        ci_high=np.round(high, _P_DECIMALS),
        sheet=means,
        sheet_low=np.round(sheet.mean - sheet.reach, _SHEET_DECIMALS),
        sheet_high=np.round(sheet.mean + sheet.reach, _SHEET_DECIMALS),
        best=_best(means, levels),
        metadata={
            **provenance,
            "version": pilotta_solver.__version__,
            "by": list(by),
            "min_n": min_n,
            "design_effect": _summary(effect[tally.n >= min_n]),
        },
    )


def _best(sheet: Floats, levels: tuple[int, ...]) -> npt.NDArray[np.int16]:
    """The level of greatest mean sheet difference, the lowest of several; 0 for passing."""
    place = sheet.argmax(axis=1)
    best = np.where(sheet.max(axis=1) > 0, np.asarray(levels)[place], 0)
    return best.astype(np.int16)


def _summary(effect: Floats) -> dict[str, float] | None:
    """The spread of the design effects."""
    if not effect.size:
        return None
    return {
        "median": round(float(np.median(effect)), 3),
        "greatest": round(float(effect.max()), 3),
    }
