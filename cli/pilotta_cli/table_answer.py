"""A bidding table for a person: one line a class, as many levels as the terminal has room for."""

from __future__ import annotations

import os
import textwrap
from typing import TYPE_CHECKING

from pilotta_cli.output import make_console, make_table

if TYPE_CHECKING:
    from rich.console import Console

    from pilotta_solver.bidding_table.grouping import BiddingTable

# Levels that are shown however narrow the terminal is, and the width of one.
_FEWEST_LEVELS = 3
_LEVEL_WIDTH = 5
_GAP = 2

_WIDE = 200  # where no terminal says how much room there is

_TEXT_WIDTH = 100  # of sentences, which are hard to read in longer lines


def show_table(table: BiddingTable) -> None:
    """Print a table and where it comes from."""
    from pilotta_solver.bidding_table.table_text import provenance

    console = make_console()
    _say(console, "What each kind of hand makes, its own side declaring", style="bold")
    _say(console, provenance(table))
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
    if text.rows:
        console.print(grid)
    console.width = width
    for note in text.notes:
        _say(console, note)


def _say(console: Console, sentence: str, *, style: str = "dim") -> None:
    """Print a sentence in lines of a length that can be read."""
    lines = textwrap.wrap(sentence, min(console.width, _TEXT_WIDTH))
    console.print("\n".join(lines), style=style, markup=False, soft_wrap=True)
