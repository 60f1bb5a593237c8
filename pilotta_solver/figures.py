"""What a person wants to know of a table: how values are spread, and what can be made.

Counts are kept, never values, so that a dataset of any length takes the same memory.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.auction import LISTED_TO
from pilotta_solver.cards import ALL_TRUMP, CARD_POINTS_TOTAL, N_SUITS, TRUMPS
from pilotta_solver.contract_figures import (
    Chance as Chance,
    ContractFigures as ContractFigures,
    Counts,
    Differences,
    mean_and_sd,
)
from pilotta_solver.deal import SEATS, SIDES, side_of
from pilotta_solver.declarations import BELOTE_POINTS
from pilotta_solver.errors import PilottaError
from pilotta_solver.parquet import Coded
from pilotta_solver.reached_figures import reached_figures
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.schemas import BID, BID_OUT, SIMULATE, SOLVE, TRUMP_WORDS
from pilotta_solver.tables import Columns, Table


def figures_of(table: Table) -> tuple[ContractFigures, ...]:
    """The figures of a table, by trump.

    None if its rows are not about contracts, or answer several questions of bidding, whose chances
    are those of different hands.

    Raises
    ------
    PilottaError
        If the table cannot be read to its end, or has no row.
    """
    if table.n_rows == 0:
        raise PilottaError(f"{table.where}: nothing is in it yet; give its command again")
    if table.schema.name == SIMULATE.name:
        return _of_simulation(table)
    if table.schema.name == BID_OUT.name:
        return reached_figures(table)
    if table.schema.name == SOLVE.name:
        return _of_solutions(table)
    if table.schema.name == BID.name:
        return _of_advice(table)
    return ()


class _Tally:
    """Deals of one trump, counted by value and by each side's total."""

    def __init__(self, trump: int, capot_points: int) -> None:
        self.trump = trump
        self._capot_points = capot_points
        self._points = np.zeros(CARD_POINTS_TOTAL + 1, np.int64)
        self._capots = np.zeros(2, np.int64)
        self._belotes = np.zeros(2, np.int64)
        self._declarations = np.zeros(2, np.int64)
        self._table = Differences()
        self._totals = [np.zeros(1, np.int64), np.zeros(1, np.int64)]

    def add_values(self, values: npt.NDArray[np.int16]) -> None:
        """Count NS values."""
        points = np.clip(values, 0, CARD_POINTS_TOTAL)
        self._points += np.bincount(points, minlength=CARD_POINTS_TOTAL + 1)
        self._capots += (values > CARD_POINTS_TOTAL).sum(), (values < 0).sum()

    def add_table(self, values: npt.NDArray[np.int16], table: npt.NDArray[np.int16]) -> None:
        """Count NS results at the table beside the values of the same deals."""
        self._table.add(values, table)

    def add_totals(
        self,
        values: npt.NDArray[np.int16],
        declarations: tuple[npt.NDArray[np.int16], ...],
        belotes: tuple[npt.NDArray[np.int64], ...],
    ) -> None:
        """Count totals: of each side its declaration points, and its number of belotes."""
        for side in range(2):
            own = values if side == 0 else CARD_POINTS_TOTAL - values
            # Below 0 the other side sweeps; above 162 it is the sweep's worth already.
            total = np.maximum(own, 0) + declarations[side] + BELOTE_POINTS * belotes[side]
            self._totals[side] = _sum(self._totals[side], np.bincount(total))
            self._declarations[side] += declarations[side].sum(dtype=np.int64)
            self._belotes[side] += (belotes[side] > 0).sum()

    def figures(self, rules: Ruleset | None) -> ContractFigures:
        """The figures of what was counted; with the rules, also what can be made."""
        n = int(self._points.sum())
        mean, sd = mean_and_sd(self._points)
        mean_table, sd_difference = self._table.figures()
        return ContractFigures(
            trump=self.trump,
            n=n,
            mean_card_points=mean,
            sd_card_points=sd,
            quartiles=_quartiles(self._points),
            counts=tuple(self._points.tolist()),
            p_capot=_pair(self._capots / n) if self._capot_points > CARD_POINTS_TOTAL else None,
            p_belote=_pair(self._belotes / n) if rules else None,
            mean_declarations=_pair(self._declarations / n) if rules else None,
            levels=self._levels(rules, n) if rules else (),
            mean_table=mean_table,
            sd_table_difference=sd_difference,
        )

    def _levels(self, rules: Ruleset, n: int) -> tuple[Chance, ...]:
        top = rules.highest_bid or LISTED_TO
        chances = (
            Chance(bid, _pair([int(totals[bid:].sum()) / n for totals in self._totals]))
            for bid in range(rules.first_bid, top + 1, rules.bid_step)
        )
        return tuple(chance for chance in chances if max(chance.p_made) > 0)


def _of_simulation(table: Table) -> tuple[ContractFigures, ...]:
    rules = Ruleset(**table.metadata["rules"])
    trumps = [TRUMPS.index(letter) for letter in table.metadata["contracts"]]
    tallies = [_Tally(trump, rules.capot_points) for trump in trumps]
    names = [
        name
        for name in table.schema.names
        if name.startswith(("value_", "declarations_", "belote_", "table_"))
    ]
    for columns in table.batches(names):
        for tally in tallies:
            word = TRUMP_WORDS[tally.trump]
            values = columns[f"value_ns_{word}"]
            tally.add_values(values)
            declarations = tuple(columns[f"declarations_{side}_{word}"] for side in SIDES)
            tally.add_totals(values, declarations, _belotes(columns, tally.trump, rules))
            if f"table_ns_{word}" in columns:
                tally.add_table(values, columns[f"table_ns_{word}"])
    return tuple(tally.figures(rules) for tally in tallies)


def _belotes(columns: Columns, trump: int, rules: Ruleset) -> tuple[npt.NDArray[np.int64], ...]:
    """The number of belotes of both sides, deal by deal."""
    suits = [trump] if trump < N_SUITS else []
    if trump == ALL_TRUMP and rules.all_trump_belote:
        suits = list(range(N_SUITS))
    n = len(columns["value_ns_" + TRUMP_WORDS[trump]])
    found = [np.zeros(n, np.int64), np.zeros(n, np.int64)]
    for suit in suits:
        column: Coded = columns[f"belote_{TRUMP_WORDS[suit]}"]
        sides = np.array([side_of(SEATS.index(seat)) for seat in column.words] + [-1])
        for side in range(2):
            found[side] += sides[column.codes] == side
    return tuple(found)


def _of_solutions(table: Table) -> tuple[ContractFigures, ...]:
    rules = table.metadata.get("rules")
    # A file that names its rules only tells a sweep by its value all the same.
    capot_points = rules["capot_points"] if isinstance(rules, dict) else CARD_POINTS_TOTAL + 1
    tallies: dict[int, _Tally] = {}
    for columns in table.batches(["trump", "value_ns"]):
        for trump, letter in enumerate(TRUMPS):
            values = columns["value_ns"][columns["trump"] == letter]
            if len(values):
                tally = tallies.setdefault(trump, _Tally(trump, capot_points))
                tally.add_values(values)
    return tuple(tallies[trump].figures(None) for trump in sorted(tallies))


def _of_advice(table: Table) -> tuple[ContractFigures, ...]:
    (columns,) = table.batches(table.schema.names)
    contracts = list(zip(columns["trump"], columns["bid"], strict=True))
    if len(set(contracts)) < len(contracts):
        return ()
    figures = []
    for trump, letter in enumerate(TRUMPS):
        rows = np.flatnonzero(columns["trump"] == letter)
        if not len(rows):
            continue
        one = {name: columns[name][rows[0]] for name in columns}
        levels = [_chance(columns, int(k)) for k in rows]
        figures.append(
            ContractFigures(
                trump=trump,
                n=int(one["n_worlds"]),
                mean_card_points=float(one["mean_card_points"]),
                sd_card_points=_known(one["sd_card_points"]),
                p_capot=None if _known(one["p_capot"]) is None else (float(one["p_capot"]),),
                levels=tuple(level for level in levels if level.p_made[0] > 0),
            )
        )
    return tuple(figures)


def _chance(columns: Columns, row: int) -> Chance:
    """The chance of one level; files of older versions have none at the table."""
    at_table = _known(columns["p_table"][row]) if "p_table" in columns else None
    return Chance(int(columns["bid"][row]), (float(columns["p_made"][row]),), at_table)


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _quartiles(counts: Counts) -> tuple[int, int, int]:
    """The least values that a quarter, a half, three quarters do not exceed."""
    reached = 4 * np.cumsum(counts)
    n = int(counts.sum())
    first, second, third = (int(np.argmax(reached >= quarter * n)) for quarter in (1, 2, 3))
    return first, second, third


def _sum(one: Counts, other: Counts) -> Counts:
    """Add counts of different length."""
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    added = longer.astype(np.int64)
    added[: len(shorter)] += shorter
    return added


def _pair(values: Any) -> tuple[float, float]:
    return float(values[0]), float(values[1])
