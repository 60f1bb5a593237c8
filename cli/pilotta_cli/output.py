"""Where answers go: files written whole or not at all, tables, and talk on stderr.

stdout is data, stderr is talk. Colour, suit symbols and progress are for terminals only.
"""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TextIO, TypeVar

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import ProgressColumn
    from rich.table import Table

    from pilotta_solver.parquet import Schema

Justify = Literal["left", "right"]

T = TypeVar("T")

# Takes what is done, and what there is to do in all if that is known.
Progress = Callable[[int, int | None], None]

FORMATS = {".parquet": "parquet", ".csv": "csv", ".json": "json", ".jsonl": "json"}
PICTURES = {".png": "png", ".svg": "svg"}

# Levels that nobody makes in this share of the deals are left out of a table.
_SHOWN_FROM = 0.01

# Levels above this one share a row where no chance differs by more than this.
_ONE_BY_ONE_TO = 160
_SAME_WITHIN = 0.03


@dataclass(frozen=True)
class Talk:
    """How much is said on stderr.

    Attributes
    ----------
    quiet : bool
        Nothing but errors.
    verbose : bool
        Also what only the curious want to know.
    """

    quiet: bool
    verbose: bool

    def say(self, message: str) -> None:
        """Say something worth knowing, unless quiet."""
        if not self.quiet:
            click.echo(message, err=True)

    def detail(self, message: str) -> None:
        """Say something only when asked to be verbose."""
        if self.verbose:
            click.echo(message, err=True)

    def compile_engine(self) -> None:
        """Compile the engine and say so, if this machine has not done it yet."""
        from pilotta_solver.engine.jit import compile_all, is_compiled

        if not is_compiled():
            self.say("Compiling the engine for this machine, once; takes up to half a minute ...")
            compile_all()

    @contextmanager
    def progress(
        self, description: str, *, unit: str | None = None, hidden: bool = False
    ) -> Iterator[Progress]:
        """Show progress with the time left while the block runs, if stderr is a terminal.

        Parameters
        ----------
        description : str
            What is being done.
        unit : str, optional
            What is counted, to show how many a second.
        hidden : bool
            Show nothing all the same.

        Yields
        ------
        Progress
            To be called with what is done and what there is to do in all, in any unit.
        """
        if self.quiet or hidden or not sys.stderr.isatty():
            yield lambda _done, _total: None
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

        columns: list[str | ProgressColumn]
        columns = ["{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
        if unit is not None:
            columns.append(_speed_column(unit))
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(description, total=None)
            yield lambda done, total: bar.update(task, completed=done, total=total)


def speed_words(a_second: float, unit: str) -> str:
    """How many a second, in words; below a hundred with a decimal."""
    return f"{a_second:,.{0 if a_second >= 100 else 1}f} {unit}/s"


def _speed_column(unit: str) -> ProgressColumn:
    """How many a second; nothing until that is known."""
    from rich.progress import ProgressColumn, Task
    from rich.text import Text

    class Speed(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text("" if task.speed is None else speed_words(task.speed, unit))

    return Speed()


@dataclass(frozen=True)
class OutputFile:
    """The file given with ``-o``, or stdout for ``-``.

    Attributes
    ----------
    path : Path
        Where the answer goes in the end.
    force : bool
        Whether a file that exists may be replaced.
    formats : mapping
        What can be written, by suffix.
    option : str
        The option that named it, for messages.
    """

    path: Path
    force: bool
    formats: Mapping[str, str] = field(default_factory=lambda: FORMATS)
    option: str = "'-o' / '--output'"

    @property
    def is_stdout(self) -> bool:
        """Whether the answer goes to stdout, as CSV."""
        return str(self.path) == "-"

    @property
    def format(self) -> str:
        """One of `formats`, by the suffix; CSV on stdout."""
        return "csv" if self.is_stdout else self.formats[self.path.suffix.lower()]

    def check(self) -> None:
        """Refuse now what could not be written later.

        Raises
        ------
        click.ClickException
            If the suffix is unknown (usage), the folder is missing or closed, or the file exists
            and `force` is off.
        """
        if self.is_stdout:
            return
        if not self.path.name:
            raise click.BadParameter(
                "no file is named: give a path", param_hint="'-o' / '--output'"
            )
        if self.path.suffix.lower() not in self.formats:
            suffixes = ", ".join(f".{form}" for form in dict.fromkeys(self.formats.values()))
            raise click.BadParameter(
                f"'{self.path}' ends in none of {suffixes}: give it one of them",
                param_hint=self.option,
            )
        folder = self.path.parent
        if not folder.is_dir():
            raise click.ClickException(
                f"output file '{self.path}': the folder '{folder}' does not exist; make it first"
            )
        if self.path.is_dir():
            raise click.ClickException(f"output file '{self.path}' is a folder; name a file in it")
        if self.path.exists() and not self.force:
            raise click.ClickException(
                f"output file '{self.path}' exists; name another, or replace it with --force"
            )
        if not os.access(folder, os.W_OK):
            raise click.ClickException(
                f"output file '{self.path}': the folder '{folder}' may not be written to; "
                "choose another"
            )

    @contextmanager
    def replacing(self) -> Iterator[Path]:
        """Give a path beside the file, and move it into place when the block ends well.

        An error or an interrupt in the block leaves the old file, or none, and no trace.
        """
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}.part")
        try:
            yield beside
            self.check()
            beside.replace(self.path)
        except OSError as error:
            if error.filename == str(beside):
                error.filename = str(self.path)
            raise
        finally:
            beside.unlink(missing_ok=True)


def write_csv(file: TextIO, schema: Schema, records: Iterable[Mapping[str, Any]]) -> None:
    """Write records as CSV with the columns of a schema, each as soon as it is there.

    The head comes with the first record, so that a stream that fails at once writes nothing.
    """
    writer = csv.DictWriter(file, schema.names, lineterminator="\n")
    for number, record in enumerate(records):
        if number == 0:
            writer.writeheader()
        writer.writerow(record)
        file.flush()


def write_file(
    output: OutputFile,
    schema: Schema,
    answers: Iterable[T],
    as_dict: Callable[[T], Mapping[str, Any]],
    as_rows: Callable[[T], Iterable[Mapping[str, Any]]],
    metadata: Mapping[str, Any],
) -> None:
    """Write answers to a file, in the form that its suffix picks.

    Parameters
    ----------
    output : OutputFile
        The file; not stdout.
    schema : Schema
        The columns of a CSV or Parquet file.
    answers : iterable
        What to write; may be a stream.
    as_dict, as_rows : callable
        An answer as JSON has it, and as the rows of a table.
    metadata : mapping
        What a Parquet file says of itself.
    """
    records = (record for answer in answers for record in as_rows(answer))
    with output.replacing() as path:
        if output.format == "parquet":
            from pilotta_solver import parquet

            parquet.write(path, schema, records, metadata)
            return
        with path.open("w", encoding="utf-8", newline="") as file:
            if output.format == "csv":
                write_csv(file, schema, records)
            else:
                file.writelines(json_line(as_dict(answer)) + "\n" for answer in answers)


def json_line(record: Mapping[str, Any]) -> str:
    """One JSON object on one line, in the order of its keys."""
    return json.dumps(record, ensure_ascii=False, allow_nan=False)


def make_console() -> Console:
    """A console on stdout: colour only on a terminal, and none where ``NO_COLOR`` is set."""
    from rich.console import Console

    return Console(highlight=False)


def make_table(first: str, *others: str, justify: Justify = "right") -> Table:
    """A table with a line under its head and no frame: a column of names, then of values."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column(first, justify="right", no_wrap=True)
    for name in others:
        table.add_column(name, justify=justify, no_wrap=True)
    return table


def level_rows(
    bids: Sequence[int], chances: Sequence[Sequence[float]]
) -> Iterator[tuple[int, int]]:
    """The first and the last level of each row of a table of chances, by index.

    High levels are made by a sweep or not at all, and their chances are then all but the same.

    Parameters
    ----------
    bids : sequence of int
        The levels, ascending.
    chances : sequence of sequence of float
        For each level the chances, column by column.
    """
    shown = [place for place, row in enumerate(chances) if max(row) >= _SHOWN_FROM]
    first = 0
    while first < len(shown):
        last = first
        while (
            bids[first] > _ONE_BY_ONE_TO
            and last + 1 < len(shown)
            and all(
                high - low <= _SAME_WITHIN
                for high, low in zip(chances[first], chances[last + 1], strict=True)
            )
        ):
            last += 1
        yield first, last
        first = last + 1


def percent(p: float) -> str:
    """A probability in whole percent; 0 and 100 only where they are exact."""
    if 0 < p < 0.005:
        return "<1"
    if 0.995 <= p < 1:
        return ">99"
    return f"{100 * p:.0f}"


def has_symbols(console: Console) -> bool:
    """Whether suits are shown as symbols: on a terminal that can show them."""
    return console.is_terminal and console.encoding.lower().startswith("utf")
