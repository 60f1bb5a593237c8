"""A bidding table for a person: one line a class, as many levels as the terminal has room for."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pilotta_cli.output import make_console, make_table

if TYPE_CHECKING:
    from pilotta_solver.bidding_table.grouping import BiddingTable

# Levels that are shown however narrow the terminal is, and the width of one.
_FEWEST_LEVELS = 3
_LEVEL_WIDTH = 5
_GAP = 2

_WIDE = 200  # where no terminal says how much room there is


def show_table(table: BiddingTable) -> None:
    """Print a table and where it comes from."""
    from pilotta_solver.bidding_table.table_text import provenance

    console = make_console()
    console.print(
        "What each kind of hand makes, its own side declaring", style="bold", markup=False
    )
    console.print(provenance(table), style="dim", markup=False, soft_wrap=True)
    console.print()
    show_classes(table)
    console.print()
    console.print("double dummy", style="dim")


def show_classes(table: BiddingTable) -> None:
    """Print the classes of a table, and what its signs mean."""
    from pilotta_solver.bidding_table.table_text import text_table

    console = make_console()
    text = text_table(table)
    n_others = len(text.heads) - text.n_levels
    columns = zip(text.heads[:n_others], *(row[:n_others] for row in text.rows), strict=True)
    taken = sum(max(map(len, column)) + _GAP for column in columns)
    asked = console.is_terminal or "COLUMNS" in os.environ
    width = console.width if asked else _WIDE
    n_levels = max(_FEWEST_LEVELS, min(text.n_levels, (width - taken) // _LEVEL_WIDTH))
    console.width = max(width, taken + _LEVEL_WIDTH * n_levels)
    shown = n_others + n_levels
    grid = make_table(*text.heads[:shown])
    grid.collapse_padding = True
    for number in range(len(table.by)):
        grid.columns[number].justify = "left"
    for row in text.rows:
        grid.add_row(*row[:shown])
    console.print(grid)
    for note in text.notes:
        console.print(note, style="dim", markup=False)
