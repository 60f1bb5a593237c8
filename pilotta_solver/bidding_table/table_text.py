"""A bidding table for reading: one line a class, on the terminal and in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pilotta_solver.bidding_table.grouping import BiddingTable
from pilotta_solver.bidding_table.hand_class import QUANTITIES

_LEVELS_TO = 160


@dataclass(frozen=True)
class TextTable:
    """A table as text.

    Attributes
    ----------
    heads : tuple of str
        The names of the columns; those of the levels come last.
    rows : tuple of tuple of str
        The cells.
    n_levels : int
        How many columns are levels.
    notes : tuple of str
        What a reader must know.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    n_levels: int
    notes: tuple[str, ...]


def text_table(table: BiddingTable) -> TextTable:
    """Lay a table out: what makes the class, the calls, and the chance of each level in percent.

    Rare classes are left out, and counted in a note: their figures would say more than is known.

    Parameters
    ----------
    table : BiddingTable
        The table; levels above 160 are left out.
    """
    levels = [level for level in table.levels if level <= _LEVELS_TO]
    names = (name.replace("_", " ") for name in table.by)
    heads = (*names, "hands", "total", "best", "up to", "±", *map(str, levels))
    rows = []
    for place, one in enumerate(table.classes):
        if one.is_rare:
            continue
        values = [str(value) for value in one.values]
        if one.merged:
            values[_rough_place(table.by)] += "*"
        chances = table.p_made[place, : len(levels)]
        reach = (table.ci_high - table.ci_low)[place, : len(levels)].max() / 2
        cells = [
            f"{one.mean_total:.0f}",
            _level(int(table.best[place])),
            _level(int(table.highest[place])),
            f"{max(0.1, 100 * reach):.1f}" if reach < 0.01 else f"{100 * reach:.0f}",
            *(_percent(float(p)) for p in chances),
        ]
        rows.append((*values, _count(one.n), *cells))
    return TextTable(heads, tuple(rows), len(levels), _notes(table))


def markdown(table: BiddingTable) -> str:
    """The table as a page of Markdown, with where it comes from."""
    text = text_table(table)
    n_words = len(table.by)
    rule = ["---"] * n_words + ["--:"] * (len(text.heads) - n_words)
    lines = [
        f"# Bidding table, rules {table.metadata['rules']['name']}",
        "",
        provenance(table),
        "",
        _line(text.heads),
        _line(rule),
        *(_line(_escaped(row)) for row in text.rows),
        "",
        *text.notes,
    ]
    return "\n".join(lines) + "\n"


def provenance(table: BiddingTable) -> str:
    """Where a table comes from, in one sentence."""
    known = table.metadata
    rules = known["rules"]
    name = rules["name"] if isinstance(rules, dict) else rules
    return (
        f"{known['n_deals']:,} random deals, solved double dummy, {known['contracts']}; "
        f"rules {name}; seed {known['seed']}; v{known['version']}."
    )


def _notes(table: BiddingTable) -> tuple[str, ...]:
    if all(one.is_rare for one in table.classes):
        return ("Every class is too rare to tell: take more deals, or a smaller --min-n.",)
    notes = [
        "hands: hands with their trump; total: mean total of the own side, which declares; best: "
        "the level of greatest expected difference on the sheet, - to pass; up to: the highest "
        "level that beats passing; then how often each level is made, in percent, ± at most.",
    ]
    if any(one.merged for one in table.classes):
        notes.append("* Rare holdings put together.")
    rare = [one for one in table.classes if one.is_rare]
    if rare:
        n = sum(one.n for one in rare)
        classes = "1 class" if len(rare) == 1 else f"{len(rare)} classes"
        notes.append(f"Left out, being too rare to tell: {classes}, {n:,} hands in all.")
    return tuple(notes)


def _rough_place(by: Sequence[str]) -> int:
    """The quantity whose rare values are put together."""
    return next(k for k, name in enumerate(by) if QUANTITIES[name].coarser is not None)


def _count(n: int) -> str:
    """How many, to three digits."""
    if n < 10_000:
        return f"{n:,}"
    scale, letter = (1e6, "M") if n >= 999_500 else (1e3, "k")
    return f"{n / scale:.3g}{letter}"


def _level(level: int) -> str:
    return str(level) if level else "-"


def _percent(p: float) -> str:
    """Whole percent; 0 and 100 only where they are exact."""
    if 0 < p < 0.005:
        return "<1"
    return ">99" if 0.995 <= p < 1 else f"{100 * p:.0f}"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(cells: Sequence[str]) -> list[str]:
    """Keep Markdown from taking a star for emphasis."""
    return [cell.replace("*", r"\*") for cell in cells]
