"""What each pruning of the search is worth: the cost of exact values without it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

if not __package__:
    # Run as a file: measure the checkout that it stands in.
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.deals import PILOTTA, golden
from benchmarks.jobs import DisagreementError, one_value
from benchmarks.measure import Cost, measure
from benchmarks.parts import check_values
from benchmarks.report import Row, card_ratio, format_seconds, ratio, table
from pilotta_solver.engine import workspace
from pilotta_solver.workers import new_workspace

EVERYTHING = "every pruning"
NOTHING = "none"


def flags() -> dict[str, int]:
    """Return the prunings that can be turned off, by name."""
    prefix = "USE_"
    return {
        name.removeprefix(prefix).lower().replace("_", " "): bit
        for name, bit in vars(workspace).items()
        if name.startswith(prefix)
    }


def searches(names: Sequence[str]) -> dict[str, int]:
    """Return what to measure: with every pruning, without each of those named, without any."""
    known = flags()
    every = workspace.EVERY_PRUNING
    without = {f"without {name}": every & ~known[name] for name in names if name != NOTHING}
    nothing = {f"without any of {len(known)}": 0} if NOTHING in names else {}
    return {EVERYTHING: every, **without, **nothing}


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print a Markdown table; return 1 where a value changes."""
    names = [*flags(), NOTHING]
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--n", type=int, default=400, help="deals, of the 400 golden ones [400]")
    add("--passes", type=int, default=1, help="times each is done; the median counts [1]")
    add("--off", action="append", choices=names, help="only this one; repeatable [all of them]")
    options = parser.parse_args(argv)
    if options.n < 1 or options.passes < 1:
        parser.error("--n and --passes: give 1 or more")
    deals = golden().spread(options.n)
    compared = searches(options.off or names)
    jobs = [one_value(deals, PILOTTA, _workspace(pruning)) for pruning in compared.values()]
    costs = measure(jobs, options.passes)
    try:
        for job in jobs:
            check_values(deals, job)
    except DisagreementError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(as_table(list(compared), costs))
    return 0


def _workspace(pruning: int) -> Any:
    fresh = new_workspace(PILOTTA.law)
    fresh["pruning"] = pruning
    return fresh


def as_table(names: Sequence[str], costs: Sequence[Cost]) -> str:
    """Write the costs, each beside that of the first, as Markdown."""
    head = ("search", "cards, mean", "", "cards, worst", "CPU time, mean", "")
    lines = []
    for name, cost in zip(names, costs, strict=True):
        row = Row.of(name, cost)
        if row.cards is None:
            raise TypeError("the engine tells the cards it searched")
        lines.append(
            (
                name,
                f"{row.cards.mean:,.0f}",
                f"{card_ratio(cost, costs[0]):.2f} ×",
                f"{row.cards.worst:,.0f}",
                format_seconds(row.seconds.mean),
                f"{ratio(cost, costs[0]):.2f} ×",
            )
        )
    return table(head, lines)


if __name__ == "__main__":
    sys.exit(main())
