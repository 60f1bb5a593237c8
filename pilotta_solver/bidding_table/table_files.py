"""Bidding tables as rows, as JSON, and back again from any file that has them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pilotta_solver.bidding_table.grouping import BiddingTable, Floats, HandClass
from pilotta_solver.errors import PilottaError
from pilotta_solver.schemas import TABLE, Schema, table_schema

if TYPE_CHECKING:
    from pilotta_solver.tables import Table

FIGURES = ("p_made", "ci_low", "ci_high", "sheet", "sheet_low", "sheet_high")
"""The figures of a class that differ from level to level."""


def schema_of(table: BiddingTable) -> Schema:
    """The columns of a table: those of its own quantities among them."""
    return table_schema(table.by)


def as_dict(table: BiddingTable) -> dict[str, Any]:
    """The table as JSON has it: figures are lists, one for each of ``levels``."""
    classes = []
    for place, one in enumerate(table.classes):
        figures = {name: _list(getattr(table, name)[place]) for name in FIGURES}
        classes.append({**_of_class(table, place, one), **figures})
    known = dict(table.metadata)
    rules = known.pop("rules")
    common = _common(table)
    for name in ("version", "seed", "n_deals", "contracts"):
        known.pop(name, None)
    return {
        **common,
        **known,
        "by": list(table.by),
        "ruleset": rules,
        "levels": list(table.levels),
        "classes": classes,
    }


def records(table: BiddingTable) -> Iterator[dict[str, Any]]:
    """The rows of the table: one for each class and level."""
    common = _common(table)
    for place, one in enumerate(table.classes):
        of_class = _of_class(table, place, one)
        figures = {name: _list(getattr(table, name)[place]) for name in FIGURES}
        for column, bid in enumerate(table.levels):
            of_level = {name: values[column] for name, values in figures.items()}
            yield {**common, **of_class, "bid": bid, **of_level}


def from_dict(told: Mapping[str, Any]) -> BiddingTable:
    """Read what `as_dict` returns."""
    by, classes = tuple(told["by"]), told["classes"]
    names = {"by", "levels", "classes", "ruleset", "trumps", "n_deals_in_all", "rules"}
    metadata = {
        **{name: value for name, value in told.items() if name not in names},
        "rules": told["ruleset"],
        "n_deals": told["n_deals_in_all"],
        "contracts": told["trumps"],
        "by": list(by),
    }
    figures = {
        name: _array([[_number(one) for one in row[name]] for row in classes]) for name in FIGURES
    }
    return BiddingTable(
        by=by,
        levels=tuple(told["levels"]),
        classes=tuple(_hand_class(row, by) for row in classes),
        best=np.array([row["best"] for row in classes], np.int16),
        metadata=metadata,
        **figures,
    )


def read_table(table: Table) -> BiddingTable:
    """Read a bidding table from a file of any form (`tables.open_table`).

    Raises
    ------
    PilottaError
        If the file holds something else, or not all levels of each class.
    """
    if table.schema.name != TABLE.name:
        raise PilottaError(f"{table.where}: no bidding table; make one with 'pilotta table'")
    (columns,) = table.batches(TABLE.names)
    by = tuple(str(columns["by"][0]).split(","))
    levels = tuple(dict.fromkeys(columns["bid"].tolist()))
    n, k = len(columns["bid"]) // len(levels), len(levels)
    if len(columns["bid"]) != n * k or columns["bid"].tolist() != list(levels) * n:
        raise PilottaError(f"{table.where}: not every class has every level; write it again")
    firsts = range(0, n * k, k)
    rows = [{name: columns[name][first] for name in columns} for first in firsts]
    figures = {name: _array(columns[name]).reshape(n, k) for name in FIGURES}
    metadata = {
        "n_deals": int(columns["n_deals_in_all"][0]),
        "contracts": str(columns["trumps"][0]),
        **table.metadata,
        "by": list(by),
    }
    return BiddingTable(
        by=by,
        levels=levels,
        classes=tuple(_hand_class(row, by) for row in rows),
        best=np.array([row["best"] for row in rows], np.int16),
        metadata=metadata,
        **figures,
    )


def _common(table: BiddingTable) -> dict[str, Any]:
    """What all rows have in common."""
    known = table.metadata
    return {
        "rules": known["rules"]["name"],
        "version": known["version"],
        "seed": known["seed"],
        "trumps": known["contracts"],
        "n_deals_in_all": known["n_deals"],
        "by": ",".join(table.by),
    }


def _of_class(table: BiddingTable, place: int, one: HandClass) -> dict[str, Any]:
    return {
        "hand_class": one.label,
        **dict(zip(table.by, one.values, strict=True)),
        "merged": int(one.merged),
        "rare": int(one.is_rare),
        "n": one.n,
        "n_deals": one.n_deals,
        "mean_total": one.mean_total,
        "best": int(table.best[place]),
        "highest": int(table.highest[place]),
    }


def _hand_class(row: Mapping[str, Any], by: Sequence[str]) -> HandClass:
    return HandClass(
        label=str(row["hand_class"]),
        values=tuple(_plain(row[name]) for name in by),
        n=int(row["n"]),
        n_deals=int(row["n_deals"]),
        mean_total=float(row["mean_total"]),
        merged=bool(row["merged"]),
        is_rare=bool(row["rare"]),
    )


def _plain(value: Any) -> str | int:
    """A value as `HandClass` has it, not one of numpy's own kinds."""
    return value if isinstance(value, str) else int(value)


def _list(values: Floats) -> list[float | None]:
    return [None if math.isnan(value) else value for value in values.tolist()]


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _array(values: Any) -> Floats:
    return np.asarray(values, np.float64)
