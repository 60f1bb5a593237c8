"""Measure what the solver costs, beside the fastest rival; print the table that README.md has."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

if not __package__:
    # Run as a file: measure the checkout that it stands in.
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import parts, picture
from benchmarks.deals import GOLDEN_VALUES, HARD_VALUES, ROOT, Deals, golden
from benchmarks.jobs import DisagreementError
from benchmarks.measure import machine
from benchmarks.report import Report, put_between_markers, write_between_markers

README = ROOT / "README.md"
PARTS = ("compile", "hard", "rival", "threads")


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print and write; return 1 where two values of one deal differ."""
    options = _parser().parse_args(argv)
    problem = _problem(options)
    if problem:
        return _fail(problem)
    deals = golden().spread(options.n)
    report = Report(machine(), len(deals), options.passes)
    try:
        _measure(report, deals, options)
    except (DisagreementError, RuntimeError) as error:
        return _fail(str(error))
    print(report.markdown())
    for proof in report.rival_errors:
        print(f"colver is wrong: {proof}", file=sys.stderr)
    if options.picture:
        picture.draw(report.by_tricks, len(deals), options.picture)
    if options.json:
        options.json.write_text(json.dumps(report.as_dict(), indent=2) + "\n", encoding="utf-8")
    if options.write:
        write_between_markers(README, report.markdown())
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--n", type=_positive, default=400, help="deals, of the 400 golden ones [400]")
    add("--passes", type=_positive, default=3, help="times each is done; the median counts [3]")
    add("--skip", action="append", choices=PARTS, default=[], help="leave a part out; repeatable")
    add("--write", action="store_true", help="write the table into README.md")
    add("--json", type=Path, metavar="FILE", help="write all numbers as JSON")
    add("--picture", type=Path, metavar="FILE.png", help="draw cost against tricks left, 2 to 8")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number}: give 1 or more")
    return number


def _problem(options: argparse.Namespace) -> str:
    """Return what would make the run fail at its end, so that it fails at its start."""
    if not GOLDEN_VALUES.exists():
        return f"{GOLDEN_VALUES} is missing: run this in a checkout of the repository"
    if options.picture and not picture.can_draw():
        return "--picture needs matplotlib: pip install matplotlib"
    for path in (options.json, options.picture):
        if path and not path.absolute().parent.is_dir():
            return f"{path}: there is no folder {path.parent}; make it first"
    if options.write:
        try:
            put_between_markers(README.read_text(encoding="utf-8"), "")
        except ValueError as error:
            return f"{README}: {error}"
    return ""


def _measure(report: Report, deals: Deals, options: argparse.Namespace) -> None:
    _say("exact values, thresholds, first leads, leaders")
    parts.own_questions(report, deals)
    if "hard" not in options.skip and HARD_VALUES.exists():
        _say("hard deals")
        parts.hard_deals(report)
    if "threads" not in options.skip:
        _say("two threads")
        parts.two_threads(report, deals)
    if "rival" not in options.skip:
        _say("colver on the same deals")
        parts.beside_rival(report, deals)
    if "compile" not in options.skip:
        _say("compiling from nothing")
        parts.compilation(report)
    if options.picture:
        _say("endings")
        parts.tricks_left(report, deals)


def _say(what: str) -> None:
    print(f"measuring: {what} ...", file=sys.stderr, flush=True)


def _fail(why: str) -> int:
    print(f"error: {why}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
