"""How good a rule is on deals that it was not fitted to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pilotta_solver.bidding_table.head_rule.calls import Calls, Way
from pilotta_solver.bidding_table.head_rule.fitting import (
    FEWEST,
    Fit,
    by_sum,
    chances_of,
    mean_of,
    squared_error,
)
from pilotta_solver.bidding_table.head_rule.tally import SPADES, Cells
from pilotta_solver.bidding_table.observations import N_SEATS, Observations
from pilotta_solver.bidding_table.tallies import outcomes
from pilotta_solver.cards import N_SUITS
from pilotta_solver.ruleset import Ruleset

Floats = npt.NDArray[np.float64]

BIN_POINTS = 15
"""Points of the total that sums of one bin of the calibration are apart, about."""

RAREST = 200
"""The first and the last bin hold at least one observation in so many."""


@dataclass(frozen=True)
class Bin:
    """Observations of nearly the same sum.

    Attributes
    ----------
    sum_from, sum_to : int
        The least and the greatest sum in it.
    n : int
        Observations.
    mean_total : tuple of float
        As the rule has it, and as it was.
    p_made : tuple of tuple of float
        For each level the chance that the rule gives, and the share that made it.
    """

    sum_from: int
    sum_to: int
    n: int
    mean_total: tuple[float, float]
    p_made: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Accuracy:
    """How near a rule comes to unseen deals.

    Attributes
    ----------
    n : int
        Observations.
    r2 : float
        Share of the variance of the total that the rule explains.
    r2_unrounded : float
        The same of the fit before rounding.
    off_by : float
        Root mean square of the differences between total and rule, in points.
    brier : tuple of float
        Mean squared error of the chances, level by level.
    brier_unrounded, brier_blind : tuple of float
        The same of the fit before rounding, and of chances that do not look at the hand.
    bins : tuple of Bin
        The calibration, by ascending sums.
    miscalibration : tuple of float
        For each level the mean distance between chance and share, over the bins.
    """

    n: int
    r2: float
    r2_unrounded: float
    off_by: float
    brier: tuple[float, ...]
    brier_unrounded: tuple[float, ...]
    brier_blind: tuple[float, ...]
    bins: tuple[Bin, ...]
    miscalibration: tuple[float, ...]


@dataclass(frozen=True)
class WayOnDeals:
    """What a way to bid brings on unseen deals, each of the four hands asked as if it spoke alone.

    Attributes
    ----------
    name : str
        The way.
    n_hands : int
        Hands.
    p_bid, p_made : float
        Share of the hands that bid, and of the bids that are made.
    mean_level : float
        Mean level of the bids.
    sheet : float
        Mean sheet difference of a hand; a pass brings 0.
    sheet_error : float
        Its standard error, which heeds that the hands of one deal hang together.
    p_differs : float
        Share of the hands in which the rule calls otherwise.
    rule_gains : float
        What a hand brings more by the rule.
    rule_gains_error : float
        Its standard error.
    rule_gains_a_bid : float
        What a hand with which this way bids brings more by the rule; 0 if it never bids.
    """

    name: str
    n_hands: int
    p_bid: float
    p_made: float
    mean_level: float
    sheet: float
    sheet_error: float
    p_differs: float
    rule_gains: float
    rule_gains_error: float
    rule_gains_a_bid: float


def accuracy(fit: Fit, unseen: Cells) -> Accuracy:
    """Hold a rule against observations, put together by the counts of their items."""
    rule = fit.rule
    summed = by_sum(unseen, rule.points)
    columns = unseen.counts.astype(np.float64)
    sums = summed.counts[:, 0]
    n = float(unseen.n.sum())
    mean = unseen.total.sum() / n
    error = squared_error(summed, rule.mean_total(sums))
    spread = squared_error(unseen, np.full(len(unseen.n), mean))
    unrounded = squared_error(unseen, mean_of(fit.mean, columns))
    flat = np.broadcast_to(unseen.made.sum(axis=0) / n, unseen.made.shape)
    bins = tuple(_bins(fit, summed))
    gaps = np.array([[abs(said - was) for said, was in one.p_made] for one in bins])
    return Accuracy(
        n=int(n),
        r2=1 - error / spread,
        r2_unrounded=1 - unrounded / spread,
        off_by=float(np.sqrt(error / n)),
        brier=_brier(summed, rule.p_made(sums)),
        brier_unrounded=_brier(unseen, chances_of(fit.chances, columns)),
        brier_blind=_brier(unseen, flat),
        bins=bins,
        miscalibration=tuple(np.average(gaps, axis=0, weights=[one.n for one in bins]).tolist()),
    )


def _brier(cells: Cells, p_made: Floats) -> tuple[float, ...]:
    """Mean squared error of chances, level by level."""
    missed = cells.n[:, None] - cells.made
    squares = cells.made * (1 - p_made) ** 2 + missed * p_made**2
    return tuple((squares.sum(axis=0) / cells.n.sum()).tolist())


def _bins(fit: Fit, summed: Cells) -> Iterable[Bin]:
    """Sums put together a few at a time; rare ones at both ends with their neighbours."""
    rule, sums = fit.rule, summed.counts[:, 0]
    width = max(1, round(BIN_POINTS / rule.total_per_point))
    least = max(FEWEST, summed.n.sum() / RAREST)
    enough = sums[np.minimum(np.cumsum(summed.n), np.cumsum(summed.n[::-1])[::-1]) >= least]
    low, high = (enough[0], enough[-1]) if len(enough) else (sums[0], sums[-1])
    place = np.clip(sums, low, high) // width
    chances, totals = rule.p_made(sums), rule.mean_total(sums)
    for one in np.unique(place):
        rows = place == one
        n = summed.n[rows]
        said = np.average(chances[rows], axis=0, weights=n)
        was = summed.made[rows].sum(axis=0) / n.sum()
        yield Bin(
            int(sums[rows].min()),
            int(sums[rows].max()),
            int(n.sum()),
            (
                float(np.average(totals[rows], weights=n)),
                float(summed.total[rows].sum() / n.sum()),
            ),
            tuple(zip(said.tolist(), was.tolist(), strict=True)),
        )


class WaysOnDeals:
    """Ways to bid, tried on deals part by part.

    Parameters
    ----------
    ways : mapping
        The ways by name; the first is the rule that the others are compared with.
    levels : tuple of int
        The levels; a call at another level counts as a pass.
    rules : Ruleset
        The ruleset.
    """

    def __init__(self, ways: Mapping[str, Way], levels: tuple[int, ...], rules: Ruleset) -> None:
        self._ways, self._levels, self._rules = ways, levels, rules
        self._parts: dict[str, list[Floats]] = {name: [] for name in ways}

    def add(self, seen: Observations) -> None:
        """Bid with all hands of whole deals that are solved in four suits."""
        n = len(seen) // (N_SUITS * N_SEATS)
        found = outcomes(seen, self._levels, SPADES, self._rules)
        of = found.of.reshape(n, N_SUITS, N_SEATS).transpose(0, 2, 1).reshape(-1, N_SUITS)
        hands = seen.hand.reshape(n, N_SUITS, N_SEATS)[:, 0].reshape(-1)
        places = seen.place.reshape(n, N_SUITS, N_SEATS)[:, 0].reshape(-1)
        first: Calls | None = None
        first_sheet: npt.NDArray[np.int64] | None = None
        for name, way in self._ways.items():
            calls = way(hands, places)
            bids = np.isin(calls.level, self._levels)
            place = np.searchsorted(self._levels, np.where(bids, calls.level, self._levels[0]))
            result = of[np.arange(len(of)), calls.trump]
            first = first or calls
            differs = (calls.level != first.level) | (bids & (calls.trump != first.trump))
            sheet = np.where(bids, found.sheet[place, result], 0)
            first_sheet = sheet if first_sheet is None else first_sheet
            columns = (
                bids,
                bids & (found.made[place, result] == 1),
                np.where(bids, calls.level, 0),
                sheet,
                differs,
                np.where(bids, first_sheet - sheet, 0),
            )
            table = np.stack(columns, axis=1).astype(np.float64)
            self._parts[name].append(table.reshape(n, N_SEATS, -1).mean(axis=1))

    def results(self) -> tuple[WayOnDeals, ...]:
        """What each way has brought."""
        deals = {name: np.concatenate(parts) for name, parts in self._parts.items()}
        rule = next(iter(deals.values()))
        return tuple(_result(name, table, rule) for name, table in deals.items())


def _result(name: str, deals: Floats, rule: Floats) -> WayOnDeals:
    """Average over deals; columns as in `WaysOnDeals.add`."""
    p_bid, made, level, sheet, differs, gains_of_bids = deals.mean(axis=0)
    gains = rule[:, 3] - deals[:, 3]
    root = np.sqrt(len(deals))
    return WayOnDeals(
        name=name,
        n_hands=N_SEATS * len(deals),
        p_bid=float(p_bid),
        p_made=float(made / p_bid) if p_bid else 0.0,
        mean_level=float(level / p_bid) if p_bid else 0.0,
        sheet=float(sheet),
        sheet_error=float(deals[:, 3].std(ddof=1) / root),
        p_differs=float(differs),
        rule_gains=float(gains.mean()),
        rule_gains_error=float(gains.std(ddof=1) / root),
        rule_gains_a_bid=float(gains_of_bids / p_bid) if p_bid else 0.0,
    )
