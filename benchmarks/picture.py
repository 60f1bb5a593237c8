"""The cost of an exact value against the number of tricks left, measured and drawn."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks.deals import PILOTTA, Deals, endings
from benchmarks.jobs import one_value
from benchmarks.measure import Spread, measure, spread

TRICKS_LEFT = range(2, 9)

_STYLES = {"worst": ":", "p99": "--", "mean": "-", "median": "-."}


@dataclass(frozen=True)
class TricksLeft:
    """What the exact values of endings with so many tricks left cost."""

    tricks: int
    seconds: Spread
    cards: Spread


def can_draw() -> bool:
    """Tell whether matplotlib can be imported."""
    return find_spec("matplotlib") is not None


def cost_by_tricks(deals: Deals, passes: int) -> list[TricksLeft]:
    """Measure endings of the deals, reached by random legal play, for 2 to 8 tricks left."""
    found = []
    for tricks in TRICKS_LEFT:
        job = one_value(endings(deals, tricks), PILOTTA)
        cost = measure([job], passes)[0]
        if cost.cards is None:
            raise TypeError("the engine tells the cards it searched")
        found.append(TricksLeft(tricks, spread(cost.seconds), spread(cost.cards)))
    return found


def draw(costs: list[TricksLeft], n_deals: int, path: Path) -> None:
    """Draw cards searched and CPU time, each on a logarithmic scale, side by side."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    tricks = [cost.tricks for cost in costs]
    for name, style in _STYLES.items():
        left.plot(tricks, [getattr(cost.cards, name) for cost in costs], style, label=name)
        right.plot(
            tricks, [1000 * getattr(cost.seconds, name) for cost in costs], style, label=name
        )
    left.set_title("cards searched")
    right.set_title("CPU time, ms")
    for axes in (left, right):
        axes.set_yscale("log")
        axes.set_xlabel("tricks left")
        axes.grid(visible=True, alpha=0.3)
        axes.legend()
    figure.suptitle(f"Exact value of {n_deals} positions, trump suit, Pilotta law")
    figure.savefig(path, dpi=110)
    plt.close(figure)
