"""Pictures of figures: the only module that imports matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pilotta_solver.errors import PilottaError
from pilotta_solver.figures import ContractFigures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BIN = 10
"""Card points a bar."""

_NAMES = ("spades", "hearts", "diamonds", "clubs", "no trump", "all trump")
_COLOURS = ("#1b3a6b", "#c0392b", "#e08e2b", "#2e7d4f", "#7f7f7f", "#8e44ad")
_INCHES = (6.4, 4.4)


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
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise PilottaError(
            "a picture needs matplotlib; install it with: pip install 'pilotta-solver[plot]'"
        ) from error
    panels = []
    if any(one.counts for one in figures):
        panels.append(_draw_points)
    if any(one.levels for one in figures):
        panels.append(_draw_levels)
    if not panels:
        raise PilottaError("nothing to draw: this table is not about the values of contracts")
    # Without a seed the ids in an SVG differ from run to run.
    with mpl.rc_context({"svg.hashsalt": "pilotta", "svg.fonttype": "none", "font.size": 10}):
        sheet = Figure(figsize=(_INCHES[0] * len(panels), _INCHES[1]), layout="constrained")
        axes = sheet.subplots(1, len(panels), squeeze=False)[0]
        for draw, ax in zip(panels, axes, strict=True):
            draw(ax, figures)
        sheet.suptitle(title)
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
    """The chance of each level: full for N and S, or the own side, dashed for W and E."""
    for one in figures:
        bids = [level.bid for level in one.levels]
        for side in range(len(one.levels[0].p_made) if one.levels else 0):
            chances = [100 * level.p_made[side] for level in one.levels]
            label = _NAMES[one.trump] if side == 0 else None
            ax.plot(bids, chances, "--" if side else "-", color=_COLOURS[one.trump], label=label)
    two_sides = any(len(level.p_made) > 1 for one in figures for level in one.levels)
    ax.set_xlabel("bid" + (" (dashed: by W and E)" if two_sides else ""))
    ax.set_ylabel("made, %")
    ax.set_ylim(0, 100)
    ax.legend(frameon=False)
