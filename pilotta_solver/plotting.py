"""Pictures of figures and of bidding tables: the only module that imports matplotlib."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from pilotta_solver.bidding_table.choosing import find_classes
from pilotta_solver.bidding_table.layout import Grid, grid_of, percent, shade, shown_level, words_of
from pilotta_solver.errors import PilottaError
from pilotta_solver.figures import ContractFigures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pilotta_solver.bidding_table.grouping import BiddingTable
    from pilotta_solver.bidding_table.head_rule.study import Study

BIN = 10
"""Card points a bar."""

_NAMES = ("spades", "hearts", "diamonds", "clubs", "no trump", "all trump")
_COLOURS = ("#1b3a6b", "#c0392b", "#e08e2b", "#2e7d4f", "#7f7f7f", "#8e44ad")
_INCHES = (6.4, 4.4)

_SHADES = "YlGnBu"  # from light to dark, so that eyes which see few colours, and printers, tell it
_CELL_INCHES = (0.62, 0.36)
_CELLS_ACROSS = 60
_CURVE_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
_CURVE_MARKS = "osD^vPX"


def plot_figures(figures: Sequence[ContractFigures], path: Path, picture: str, title: str) -> None:
    """Draw how card points are spread, and the chance to make each level, trump by trump.

    Parameters
    ----------
    figures : sequence of ContractFigures
        What to draw; at least one.
    path : Path
        The file; an existing one is replaced. The same figures give the same bytes.
    picture : str
        ``"png"`` or ``"svg"``.
    title : str
        Stands above the picture.

    Raises
    ------
    PilottaError
        If matplotlib is not installed, or there is nothing to draw.
    """
    panels = []
    if any(one.counts for one in figures):
        panels.append(_draw_points)
    if any(one.levels for one in figures):
        panels.append(_draw_levels)
    if not panels:
        raise PilottaError("nothing to draw: this table is not about the values of contracts")
    with _sheet(path, picture, (_INCHES[0] * len(panels), _INCHES[1])) as sheet:
        axes = sheet.subplots(1, len(panels), squeeze=False)[0]
        for draw, ax in zip(panels, axes, strict=True):
            draw(ax, figures)
        sheet.suptitle(title)


@contextmanager
def _sheet(path: Path, picture: str, inches: tuple[float, float]) -> Iterator[Figure]:
    """A sheet to draw on, written when the block ends well; the same drawing, the same bytes."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise PilottaError(
            "a picture needs matplotlib; install it with: pip install 'pilotta-solver[plot]'"
        ) from error
    # Without a seed the ids in an SVG differ from run to run.
    with mpl.rc_context({"svg.hashsalt": "pilotta", "svg.fonttype": "none", "font.size": 10}):
        sheet = Figure(figsize=inches, layout="constrained")
        yield sheet
        undated: dict[str, Any] = {"Date": None} if picture == "svg" else {"Software": None}
        sheet.savefig(path, format=picture, dpi=150, metadata=undated)


def _draw_points(ax: Axes, figures: Sequence[ContractFigures]) -> None:
    """Shares of the deals by NS card points, a step line a trump."""
    for one in figures:
        if one.counts is None:
            continue
        counts = np.array(one.counts)
        edges = np.arange(0, len(counts) + BIN, BIN)
        shares = np.add.reduceat(counts, edges[:-1]) / one.n
        ax.stairs(100 * shares, edges, color=_COLOURS[one.trump], label=_NAMES[one.trump])
    ax.set_xlabel("card points of N and S, double dummy")
    ax.set_ylabel(f"deals, % (by {BIN} points)")
    ax.set_xlim(0, 170)
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False)


def _draw_levels(ax: Axes, figures: Sequence[ContractFigures]) -> None:
    """The chance of each level: full for N and S, or the own side, dashed for W and E.

    At the table where that is known, as a person is told.
    """
    for one in figures:
        bids = [level.bid for level in one.levels]
        for side in range(len(one.levels[0].p_made) if one.levels else 0):
            chances = [100 * level.shown[side] for level in one.levels]
            label = _NAMES[one.trump] if side == 0 else None
            ax.plot(bids, chances, "--" if side else "-", color=_COLOURS[one.trump], label=label)
    two_sides = any(len(level.p_made) > 1 for one in figures for level in one.levels)
    ax.set_xlabel("bid" + (" (dashed: by W and E)" if two_sides else ""))
    at_table = any(level.p_table is not None for one in figures for level in one.levels)
    ax.set_ylabel("made at the table, %" if at_table else "made, double dummy, %")
    ax.set_ylim(0, 100)
    ax.legend(frameon=False)


def write_heat_map(table: BiddingTable, path: Path, picture: str | None = None) -> None:
    """Draw what each kind of hand bids: the level in each cell, and under it how often it makes.

    The first quantity of the table runs down, the others run across. Where passing is best, the
    chance of the lowest bid stands in brackets. Rare classes have a dashed frame, and ``≈`` stands
    before the chance of a class that several rare holdings make.

    Parameters
    ----------
    table : BiddingTable
        What to draw.
    path : Path
        The file; an existing one is replaced. The same table gives the same bytes.
    picture : str, optional
        ``"png"`` or ``"svg"``; by the suffix of `path` if not given.

    Raises
    ------
    PilottaError
        If matplotlib is not installed, the suffix is another, or the table has too many columns.
    """
    grid = grid_of(table)
    if len(grid.columns) > _CELLS_ACROSS:
        raise PilottaError(
            f"a heat map of {len(grid.columns)} columns cannot be read: make the table by fewer "
            "quantities, the one with most values first"
        )
    width = 1.9 + _CELL_INCHES[0] * max(len(grid.columns), 6)
    height = 1.4 + _CELL_INCHES[1] * len(grid.rows)
    with _sheet(path, picture or _picture_of(path), (width, height)) as sheet:
        _draw_grid(sheet.subplots(), table, grid)
        sheet.suptitle(_title("what to bid, and below how often it makes, %", table), fontsize=10)


def write_level_curves(
    table: BiddingTable, classes: Sequence[str], path: Path, picture: str | None = None
) -> None:
    """Draw the chance of every level for some classes, each with the band of its 95 % interval.

    Parameters
    ----------
    table : BiddingTable
        Where the classes are from.
    classes : sequence of str
        Their names, as `find_classes` reads them; at least one.
    path : Path
        The file; an existing one is replaced. The same table and classes give the same bytes.
    picture : str, optional
        ``"png"`` or ``"svg"``; by the suffix of `path` if not given.

    Raises
    ------
    PilottaError
        If matplotlib is not installed, the suffix is another, no class is named, or one is not in
        the table.
    """
    if not classes:
        raise PilottaError("no class of hands is named: name at least one to draw its curve")
    places = list(dict.fromkeys(k for name in classes for k in find_classes(table, name)))
    with _sheet(path, picture or _picture_of(path), (7.5, 5.0)) as sheet:
        _draw_curves(sheet.subplots(), table, places)
        sheet.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8)
        sheet.suptitle(_title("how often each bid makes", table), fontsize=10)


def write_calibration(study: Study, path: Path, picture: str | None = None) -> None:
    """Draw what a rule for the head says of unseen deals against what came: chances and totals.

    Parameters
    ----------
    study : Study
        The rule and its trial.
    path : Path
        The file; an existing one is replaced. The same study gives the same bytes.
    picture : str, optional
        ``"png"`` or ``"svg"``; by the suffix of `path` if not given.

    Raises
    ------
    PilottaError
        If matplotlib is not installed, or the suffix is another.
    """
    with _sheet(path, picture or _picture_of(path), (10.0, 5.0)) as sheet:
        chances, totals = sheet.subplots(1, 2)
        bins = study.accuracy.bins
        looks = zip(study.levels[::2], _CURVE_COLOURS, _CURVE_MARKS, strict=False)
        for place, (level, colour, mark) in enumerate(looks):
            said, came = zip(*(one.p_made[2 * place] for one in bins), strict=True)
            style = {"color": colour, "marker": mark, "markersize": 4, "linestyle": "none"}
            chances.plot(100 * np.array(said), 100 * np.array(came), label=str(level), **style)
        _against(chances, (0, 100), "the bid makes, %")
        chances.legend(frameon=False)
        said, came = zip(*(one.mean_total for one in bins), strict=True)
        totals.plot(said, came, "o", color=_CURVE_COLOURS[0], markersize=4)
        _against(totals, (min(said), max(said)), "mean total")
        n, name = study.metadata["n_deals_unseen"], study.metadata["rules"]["name"]
        sheet.suptitle(
            f"Pilotta, {name}: what the rule says, and what came\n{n:,} unseen deals, double dummy",
            fontsize=10,
        )


def _against(ax: Axes, ends: tuple[float, float], what: str) -> None:
    """Draw the line on which what was said is what came."""
    ax.plot(ends, ends, "-", color="#999999", linewidth=0.8, zorder=0)
    ax.set_xlabel(f"{what}: said")
    ax.set_ylabel("came")


def _picture_of(path: Path) -> str:
    picture = path.suffix.lower().removeprefix(".")
    if picture not in ("png", "svg"):
        raise PilottaError(f"picture '{path}' ends in none of .png, .svg: give it one of them")
    return picture


def _title(what: str, table: BiddingTable) -> str:
    told = table.metadata
    rules = told.get("rules", {})
    name = rules["name"] if isinstance(rules, dict) else rules
    return f"Pilotta, {name}: {what}\n{told.get('n_deals', 0):,} deals, double dummy"


def _draw_grid(ax: Axes, table: BiddingTable, grid: Grid) -> None:
    """The grid of a table as coloured cells with their numbers."""
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    shades = colormaps[_SHADES]
    for row, cells in enumerate(grid.cells):
        for column, place in enumerate(cells):
            if place is None:
                continue
            best, shown = int(table.best[place]), shown_level(table, place)
            share = shade(table, best)
            colour = shades(share) if best else (1.0, 1.0, 1.0, 1.0)
            rare = table.classes[place].is_rare
            ax.add_patch(
                Rectangle(
                    (column - 0.47, row - 0.46),
                    0.94,
                    0.92,
                    facecolor=colour,
                    edgecolor="black" if rare else "#bbbbbb",
                    linestyle="--" if rare else "-",
                )
            )
            ink = "white" if best and share > 0.65 else "black"
            chance = "≈" if (row, column) in grid.lent else ""
            chance += percent(float(table.p_made[place, shown]))
            call = str(best) if best else "pass"
            at: dict[str, Any] = {"ha": "center", "va": "center", "color": ink}
            ax.text(column, row - 0.17, call, weight="bold" if best else "normal", size=9, **at)
            ax.text(column, row + 0.23, chance if best else f"({chance})", size=7, **at)
    ax.set_xlim(-0.55, len(grid.columns) - 0.45)
    ax.set_ylim(len(grid.rows) - 0.45, -0.55)
    heads = ["\n".join(fill(str(value), 9) for value in column) for column in grid.columns]
    ax.set_xticks(range(len(grid.columns)), heads, size=8)
    ax.set_yticks(range(len(grid.rows)), [str(value) for value in grid.rows], size=9)
    ax.set_xlabel(" / ".join(words_of(name) for name in table.by[1:]))
    ax.set_ylabel(words_of(table.by[0]))
    ax.xaxis.set_label_position("top")
    ax.tick_params(length=0, top=False, labeltop=True, bottom=False, labelbottom=False)
    ax.spines[:].set_visible(False)


def _draw_curves(ax: Axes, table: BiddingTable, places: Sequence[int]) -> None:
    """The chances of the levels, which stand side by side also where a sweep's lie far above."""
    x = np.arange(len(table.levels))
    looks = zip(places, cycle(_CURVE_COLOURS), cycle(_CURVE_MARKS), strict=False)
    for place, colour, mark in looks:
        one = table.classes[place]
        low, high = 100 * table.ci_low[place], 100 * table.ci_high[place]
        ax.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0)
        label = f"{one.label} (n = {one.n:,}{', rare' if one.is_rare else ''})"
        line = "--" if one.is_rare else "-"
        ax.plot(x, 100 * table.p_made[place], line + mark, color=colour, label=label, markersize=5)
    ax.set_xticks(x, [str(level) for level in table.levels], size=8)
    ax.set_xlabel("bid")
    ax.set_ylabel("made, % (band: 95 % interval)")
    ax.set_ylim(0, 100)
    ax.grid(axis="y", color="#dddddd")
