"""``pilotta table --fit``: a rule that a person adds up, and how good it is."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from pilotta_cli.output import PICTURES, OutputFile, Talk, json_line

if TYPE_CHECKING:
    from pilotta_solver.bidding_table.head_rule.against_solver import BesideSolver
    from pilotta_solver.bidding_table.head_rule.calls import Way
    from pilotta_solver.bidding_table.head_rule.study import Study
    from pilotta_solver.bidding_table.sources import SolvedDeals

RULE_FORMATS = {".md": "md", ".json": "json", ".csv": "csv"}
"""What a rule can be written as, by suffix."""

N_WORLDS = 500
"""Worlds of each of the solver's two answers to a hand."""


def fit(
    deals: SolvedDeals,
    *,
    solver_hands: int,
    jobs: int | None,
    file: OutputFile | None,
    picture: OutputFile | None,
    as_json: bool,
    talk: Talk,
) -> None:
    """Fit a rule to solved deals, say what it is, and write and draw it where that is asked for.

    Parameters
    ----------
    deals : SolvedDeals
        The deals.
    solver_hands : int
        How many hands are given to the solver too; 0 for none.
    jobs : int or None
        Threads of the solver.
    file : OutputFile or None
        Where the rule is written.
    picture : OutputFile or None
        Where its calibration is drawn.
    as_json : bool
        Whether stdout gets JSON.
    talk : Talk
        How much is said.
    """
    from pilotta_solver.bidding_table.head_rule.study import study

    with talk.progress("Counting", unit="deals") as progress:
        found, ways = study(deals, progress)
    beside = _beside(deals, ways, solver_hands, jobs, talk) if solver_hands else None
    if picture is not None:
        from pilotta_solver.plotting import write_calibration

        with picture.replacing() as path:
            write_calibration(found, path, picture.format)
        talk.say(f"Drew {picture.path}.")
    if file is not None and not file.is_stdout:
        with file.replacing() as path, path.open("w", encoding="utf-8", newline="") as text:
            _write(text, file.format, found, beside)
        talk.say(f"Wrote {file.path}.")
    if as_json:
        _write(sys.stdout, "json", found, beside)
    elif file is None or file.is_stdout:
        _write(sys.stdout, "md" if file is None else "csv", found, beside)


def picture_file(path: str | None, *, force: bool) -> OutputFile | None:
    """The file of ``--plot``, which can be written to."""
    if path is None:
        return None
    picture = OutputFile(Path(path), force, PICTURES, option="'--plot'")
    picture.check()
    return picture


def _beside(
    deals: SolvedDeals, ways: dict[str, Way], n: int, jobs: int | None, talk: Talk
) -> BesideSolver:
    from pilotta_solver.bidding_table.head_rule.against_solver import against_solver
    from pilotta_solver.bidding_table.head_rule.study import unseen_hands

    hands, places = unseen_hands(deals, n)
    talk.compile_engine()
    with talk.progress("Solving", unit="hands") as progress:
        return against_solver(
            ways,
            hands,
            places,
            deals.rules,
            n_worlds=N_WORLDS,
            jobs=jobs,
            progress=progress,
        )


def _write(file: TextIO, form: str, found: Study, beside: BesideSolver | None) -> None:
    """Write a rule as text, JSON or CSV."""
    from pilotta_solver.bidding_table.head_rule import report

    if form == "csv":
        writer: csv.DictWriter[Any] = csv.DictWriter(file, report.COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(report.records(found))
        return
    if form == "json":
        click.echo(json_line(report.as_dict(found, beside)), file=file)
    else:
        click.echo(report.markdown(found, beside), file=file, nl=False)
