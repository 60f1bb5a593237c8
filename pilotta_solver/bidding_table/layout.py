"""How a bidding table is laid out for people: ranks of values, and rows by columns of classes.

The page and the heat map show the same grid: the first quantity of a class runs down, what the
others come to runs across.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from pilotta_solver.bidding_table.grouping import BiddingTable

Value: TypeAlias = str | int


@dataclass(frozen=True)
class Grid:
    """Classes by their first quantity and by all others.

    Attributes
    ----------
    rows : tuple
        The values of the first quantity, in order.
    columns : tuple of tuple
        The values of the other quantities that occur together, in order; one empty tuple where a
        class has one quantity only.
    cells : tuple of tuple of int or None
        For each row and column the place of the class in the table; None where there is none.
    """

    rows: tuple[Value, ...]
    columns: tuple[tuple[Value, ...], ...]
    cells: tuple[tuple[int | None, ...], ...]


def values_in_order(table: BiddingTable) -> tuple[tuple[Value, ...], ...]:
    """The values of each quantity: numbers ascending, then words as the table has them."""
    ordered = []
    for place in range(len(table.by)):
        seen = dict.fromkeys(one.values[place] for one in table.classes)
        numbers = sorted(value for value in seen if isinstance(value, int))
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
    ranked = dict(zip(value_ranks(table), range(len(table.classes)), strict=True))
    values = values_in_order(table)
    across = sorted({ranks[1:] for ranks in ranked})
    return Grid(
        rows=values[0],
        columns=tuple(
            tuple(values[place][rank] for place, rank in enumerate(ranks, 1)) for ranks in across
        ),
        cells=tuple(
            tuple(ranked.get((row, *ranks)) for ranks in across) for row in range(len(values[0]))
        ),
    )


def shown_level(table: BiddingTable, place: int) -> int:
    """The level, by its place in ``table.levels``, whose chance is shown for a class.

    It is the best call, or the lowest bid where passing is best.
    """
    best = int(table.best[place])
    return table.levels.index(best) if best else 0


def words_of(quantity: str) -> str:
    """The name of a quantity as people write it: ``side_aces`` is ``side aces``."""
    return quantity.replace("_", " ")
