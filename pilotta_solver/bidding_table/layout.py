"""How a bidding table is laid out for people: ranks of values, and rows by columns of classes.

The page and the heat map show the same grid: the first quantity of a class runs down, what the
others come to runs across.
"""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pilotta_solver.bidding_table.hand_class import QUANTITIES

if TYPE_CHECKING:
    from pilotta_solver.bidding_table.grouping import BiddingTable

Value: TypeAlias = str | int

_DARKEST = 160

TOO_FEW = 30
"""A class of fewer hands than this has its interval shown, but no call: it would be a guess."""


@dataclass(frozen=True)
class Grid:
    """Classes by their first quantity and by all others.

    A holding that is rare with some of the other values has the class there that rare holdings
    make together. Such classes have a row of their own only if not every holding in them has one,
    and there is no row, and no cell, of classes with fewer hands than `TOO_FEW`.

    Attributes
    ----------
    rows : tuple
        The values of the first quantity, in order.
    columns : tuple of tuple
        The values of the other quantities that occur together, in order; one empty tuple where a
        class has one quantity only.
    cells : tuple of tuple of int or None
        For each row and column the place of the class in the table; None where there is none.
    lent : frozenset
        Row and column of the cells that have the class of several rare holdings.
    """

    rows: tuple[Value, ...]
    columns: tuple[tuple[Value, ...], ...]
    cells: tuple[tuple[int | None, ...], ...]
    lent: frozenset[tuple[int, int]]


def values_in_order(table: BiddingTable) -> tuple[tuple[Value, ...], ...]:
    """The values of each quantity: numbers ascending, then words as the table has them."""
    ordered = []
    for place in range(len(table.by)):
        seen = dict.fromkeys(one.values[place] for one in table.classes)
        numbers: list[Value] = sorted(value for value in seen if isinstance(value, int))
        ordered.append((*numbers, *(value for value in seen if isinstance(value, str))))
    return tuple(ordered)


def value_ranks(table: BiddingTable) -> tuple[tuple[int, ...], ...]:
    """For each class the ranks of its values among `values_in_order`, to sort by."""
    ranks = [
        {value: rank for rank, value in enumerate(values)} for values in values_in_order(table)
    ]
    return tuple(
        tuple(rank[value] for rank, value in zip(ranks, one.values, strict=True))
        for one in table.classes
    )


def grid_of(table: BiddingTable) -> Grid:
    """Lay the classes of a table out in rows and columns."""
    enough = {one.values: place for place, one in enumerate(table.classes) if one.n >= TOO_FEW}
    across = {
        one.values[1:]: ranks[1:]
        for one, ranks in zip(table.classes, value_ranks(table), strict=True)
        if one.values in enough
    }
    columns = tuple(sorted(across, key=across.__getitem__))
    rougher = _rougher(table.by[0])
    has_row = {values[0] for values in enough}
    rows = tuple(
        value
        for value in values_in_order(table)[0]
        if value in has_row and not _is_spread(value, rougher, has_row)
    )
    cells, lent = [], set()
    for row, value in enumerate(rows):
        own = [enough.get((value, *others)) for others in columns]
        for column, others in enumerate(columns):
            if own[column] is None and value in rougher:
                own[column] = enough.get((rougher[value], *others))
                if own[column] is not None:
                    lent.add((row, column))
        cells.append(tuple(own))
    return Grid(rows, columns, tuple(cells), frozenset(lent))


def _rougher(quantity: str) -> dict[Value, str]:
    """What rare holdings are put together as, by value; nothing where they never are."""
    known = QUANTITIES.get(quantity)
    if known is None or known.coarser is None:
        return {}
    return {known.value(code): known.coarser(code) for code in range(known.n_codes)}


def _is_spread(value: Value, rougher: Mapping[Value, str], has_row: Container[Value]) -> bool:
    """Whether a value stands for others only, all of which have a row to lend its classes to."""
    finer = [fine for fine, rough in rougher.items() if rough == value]
    return value not in rougher and bool(finer) and all(fine in has_row for fine in finer)


def shown_level(table: BiddingTable, place: int) -> int:
    """The level, by its place in ``table.levels``, whose chance is shown for a class.

    It is the best call, or the lowest bid where passing is best.
    """
    best = int(table.best[place])
    return table.levels.index(best) if best else 0


def shade(table: BiddingTable, level: int) -> float:
    """How dark a level is shown, 0 to 1: the lowest is lightest, 160 and all above are darkest.

    Levels above 160 are made by a sweep or by great declarations, and few hands bid them.
    """
    lowest = table.levels[0]
    return min(max(level - lowest, 0) / max(_DARKEST - lowest, 1), 1.0)


def percent(p: float) -> str:
    """A chance in whole percent, 0 and 100 only where they are exact; a dash if it is not known."""
    if math.isnan(p):
        return "–"
    if 0 < p < 0.005:
        return "<1"
    return ">99" if 0.995 <= p < 1 else f"{100 * p:.0f}"


def words_of(quantity: str) -> str:
    """The name of a quantity as people write it: ``side_aces`` is ``side aces``."""
    return quantity.replace("_", " ")
