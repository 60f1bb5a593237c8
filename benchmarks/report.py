"""The results of a run, as the README's table and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.measure import Cost, Spread, spread
from benchmarks.picture import TricksLeft

START, END = "<!-- benchmark:start -->", "<!-- benchmark:end -->"

_COLUMNS = ("", "mean", "median", "p99", "worst", "cards, mean", "cards, worst")


@dataclass(frozen=True)
class Row:
    """The cost of one question: seconds, and cards searched where they are known."""

    name: str
    seconds: Spread
    cards: Spread | None

    @classmethod
    def of(cls, name: str, cost: Cost) -> Row:
        """Sum up what was measured."""
        return cls(name, spread(cost.seconds), None if cost.cards is None else spread(cost.cards))


@dataclass(frozen=True)
class Fact:
    """One number beside the table, such as a ratio, with the words that say what it is."""

    key: str
    name: str
    text: str
    number: float | None


@dataclass
class Report:
    """Everything that one run found."""

    machine: dict[str, str | int | float]
    n_deals: int
    passes: int
    rows: list[Row] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    by_tricks: list[TricksLeft] = field(default_factory=list)
    rival_errors: list[str] = field(default_factory=list)

    def markdown(self) -> str:
        """Return the README's text: a line on the machine, the rows, the facts."""
        rows = [(row.name, *_times(row.seconds), *(_counts(row.cards))) for row in self.rows]
        facts = [(fact.name, fact.text) for fact in self.facts]
        parts = [self._where()]
        parts += [table(_COLUMNS, rows)] if rows else []
        parts += [table(("", ""), facts)] if facts else []
        return "\n\n".join(parts)

    def as_dict(self) -> dict[str, Any]:
        """Return what ``--json`` writes; times in seconds."""
        return asdict(self)

    def _where(self) -> str:
        m = self.machine
        return (
            f"{m['cpu']}, {m['cores']} cores, {m['system']}; Python {m['python']}, Numba "
            f"{m['numba']}; pilotta-solver {m['pilotta_solver']}, commit {m['commit']}, "
            f"{m['date']}. {self.n_deals} deals, CPU time of one thread after warm-up."
        )


def ratio(over: Cost, under: Cost) -> float:
    """Return how many times the time of ``under`` that of ``over`` is, all items together."""
    return float(over.seconds.sum() / under.seconds.sum())


def card_ratio(over: Cost, under: Cost) -> float:
    """Return the same of the cards searched."""
    if over.cards is None or under.cards is None:
        raise ValueError("a solver that does not tell its cards has no ratio of cards")
    return float(over.cards.sum() / under.cards.sum())


def put_between_markers(text: str, new: str) -> str:
    """Return ``text`` with what stands between the two markers replaced.

    Raises
    ------
    ValueError
        If there is not exactly one of each marker, the start before the end.
    """
    if text.count(START) != 1 or text.count(END) != 1 or text.index(START) > text.index(END):
        raise ValueError(f"the text needs one line '{START}' and, after it, one line '{END}'")
    head, rest = text.split(START)
    tail = rest.split(END)[1]
    return f"{head}{START}\n{new.strip()}\n{END}{tail}"


def write_between_markers(path: Path, new: str) -> None:
    """Replace what stands between the markers of a file."""
    try:
        text = put_between_markers(path.read_text(encoding="utf-8"), new)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    path.write_text(text, encoding="utf-8")


def format_seconds(seconds: float) -> str:
    """Write a time with three figures: ``0.243 ms``, ``36.1 ms``, ``12.3 s``."""
    amount, unit = (seconds, "s") if seconds >= 1 else (1000 * seconds, "ms")
    digits = 3 if amount < 1 else 2 if amount < 10 else 1 if amount < 100 else 0
    return f"{amount:.{digits}f} {unit}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a Markdown table; every column but the first is set to the right."""
    lines = [list(head), *map(list, rows)]
    widths = [max(3, *(len(line[column]) for line in lines)) for column in range(len(head))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    aligned = [
        [
            line[0].ljust(widths[0]),
            *(cell.rjust(w) for cell, w in zip(line[1:], widths[1:], strict=True)),
        ]
        for line in lines
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in [aligned[0], rule, *aligned[1:]])


def _times(costs: Spread) -> list[str]:
    return [format_seconds(value) for value in (costs.mean, costs.median, costs.p99, costs.worst)]


def _counts(costs: Spread | None) -> list[str]:
    return ["", ""] if costs is None else [f"{costs.mean:,.0f}", f"{costs.worst:,.0f}"]
