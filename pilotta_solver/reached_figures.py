"""Figures of contracts that a bidding system reaches, from the declarers' side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import CARD_POINTS_TOTAL, TRUMPS
from pilotta_solver.contract_figures import ContractFigures, Differences, mean_and_sd
from pilotta_solver.deal import SEATS, SIDES, side_of
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.tables import Columns, Table


class _Declared:
    """Contracts of one trump that somebody bid, counted from the declarers' side."""

    def __init__(self, trump: int) -> None:
        self.trump = trump
        self.points = np.zeros(CARD_POINTS_TOTAL + 1, np.int64)
        self.n_capots = self.n_made = self.n_made_table = 0
        self.table = Differences()

    def add(self, one: dict[str, npt.NDArray[Any]]) -> None:
        """Count contracts: own values, at the table too if played, other points, and levels."""
        values = one["value"]
        points = np.clip(values, 0, CARD_POINTS_TOTAL).astype(np.int64)
        self.points += np.bincount(points, minlength=len(self.points))
        self.n_capots += int((values > CARD_POINTS_TOTAL).sum())
        needed = one["level"] - one["others"]
        self.n_made += int((np.maximum(values, 0) >= needed).sum())
        if "table" in one:
            self.table.add(values, one["table"])
            self.n_made_table += int((np.maximum(one["table"], 0) >= needed).sum())

    def figures(self, capot_points: int) -> ContractFigures:
        """The figures of what was counted."""
        n = int(self.points.sum())
        mean, sd = mean_and_sd(self.points)
        mean_table, sd_difference = self.table.figures()
        return ContractFigures(
            trump=self.trump,
            n=n,
            mean_card_points=mean,
            sd_card_points=sd,
            p_capot=(self.n_capots / n,) if capot_points > CARD_POINTS_TOTAL else None,
            p_made=self.n_made / n,
            mean_table=mean_table,
            sd_table_difference=sd_difference,
            p_made_table=None if mean_table is None else self.n_made_table / n,
        )


def reached_figures(table: Table) -> tuple[ContractFigures, ...]:
    """The figures of a table `bid_out`, by trump; deals that were passed out have none.

    Raises
    ------
    PilottaError
        If the table cannot be read to its end.
    """
    rules = Ruleset(**table.metadata["rules"])
    tallies: dict[int, _Declared] = {}
    for columns in table.batches(table.schema.names):
        for trump, one in _declared(columns):
            tallies.setdefault(trump, _Declared(trump)).add(one)
    return tuple(tallies[trump].figures(rules.capot_points) for trump in sorted(tallies))


def _declared(columns: Columns) -> Iterator[tuple[int, dict[str, npt.NDArray[Any]]]]:
    """The contracts of each trump: own values, what else the declarers score, the level."""
    trumps, declarers = columns["contract_trump"], columns["declarer"]
    seats = np.array([side_of(SEATS.index(seat)) for seat in declarers.words] + [-1])
    sides = seats[declarers.codes]
    values = {name: columns[f"{name}_ns"] for name in ("value", "table") if f"{name}_ns" in columns}
    for code, letter in enumerate(trumps.words):
        for side, name in enumerate(SIDES):
            rows = np.flatnonzero((trumps.codes == code) & (sides == side))
            if not rows.size:
                continue
            one = {
                key: column[rows] if side == 0 else CARD_POINTS_TOTAL - column[rows]
                for key, column in values.items()
            }
            one["level"] = columns["contract_level"][rows]
            one["others"] = columns[f"declarations_{name}"][rows] + columns[f"belote_{name}"][rows]
            yield TRUMPS.index(letter), one
