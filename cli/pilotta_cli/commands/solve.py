"""``pilotta solve``: the exact value of a deal or a position, or of a file of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import product
from typing import TYPE_CHECKING

import click

from pilotta_cli.options import (
    CARDS,
    DEAL,
    SEAT,
    TRUMP,
    current_tongue,
    examples,
    jobs_option,
    json_option,
    output_options,
    rules_options,
    talk_options,
    tongue_option,
)
from pilotta_cli.output import (
    OutputFile,
    Progress,
    Talk,
    has_symbols,
    json_line,
    make_console,
    make_table,
    write_csv,
    write_file,
)
from pilotta_cli.positions import Solved, Task, solve_row, solve_task
from pilotta_cli.stream import count_rows, ordered_map, read_rows
from pilotta_solver.cards import ALL_TRUMP, NO_TRUMP

if TYPE_CHECKING:
    from rich.console import Console

    from pilotta_solver.deal import Deal
    from pilotta_solver.ruleset import Ruleset


_WORDS = {NO_TRUMP: "no trump", ALL_TRUMP: "all trump"}


@click.command(
    short_help="The exact value of a deal, a position, or a file of them.",
    epilog=examples(
        'pilotta solve "N:7.QJ8.AQ8.A J.A.KJ.KQ98 AQT8.7.T7.J K9.KT9.9.T7" -t S -l N --cards',
        'pilotta solve "N:J9... A7... T8... KQ..." --table',
        "pilotta solve --file positions.csv --json > values.jsonl",
        "pilotta solve --file - -o values.parquet < positions.csv",
    ),
)
@click.argument("deal", type=DEAL, required=False)
@click.option("-t", "--trump", type=TRUMP, metavar="T", help="S, H, D, C, N (no trump), A (all).")
@click.option("-l", "--leader", type=SEAT, metavar="SEAT", help="Who leads: N, W, S or E.")
@click.option(
    "--played",
    type=CARDS,
    default="",
    show_default=False,
    metavar="CARDS",
    help="Cards played so far, in order, such as 'S9 SJ H7'.",
)
@click.option("--cards", "with_cards", is_flag=True, help="The value after each legal card too.")
@click.option("--table", is_flag=True, help="Every trump by every leader.")
@click.option(
    "--file",
    "path",
    metavar="PATH|-",
    help="Solve a CSV with the columns deal, trump, leader and optionally played, as it streams.",
)
@tongue_option("--tongue")
@rules_options
@jobs_option
@json_option
@output_options
@talk_options
def solve(
    *,
    deal: Deal | None,
    trump: int | None,
    leader: int | None,
    played: tuple[int, ...],
    with_cards: bool,
    table: bool,
    path: str | None,
    rules: Ruleset,
    jobs: int | None,
    as_json: bool,
    output: OutputFile | None,
    talk: Talk,
) -> None:
    """Solve DEAL exactly, all cards seen: the points of both sides under best play.

    DEAL is a seat and four hands in order of play, N:hand hand hand hand, each of them
    spades.hearts.diamonds.clubs. A sweep of all tricks counts as capot_points in the value, and
    the other side then has 162 less it; card points are the value held to 0 to 162.
    """
    _check_usage(deal, trump, leader, played, with_cards, table, path)
    talk.compile_engine()
    from pilotta_solver.workers import n_jobs

    jobs = n_jobs(jobs)
    if path is not None:
        tongue = current_tongue()
        stream = ordered_map(
            lambda row: solve_row(row, rules, with_cards, tongue), read_rows(path), jobs
        )
        to_file = output is not None and not output.is_stdout
        # On a terminal the results themselves show how far it is.
        with talk.progress("Solving", hidden=not to_file and sys.stdout.isatty()) as progress:
            counted = _counted(stream, count_rows(path), progress)
            if output is not None and to_file:
                _save(counted, rules, output, talk)
            else:
                _print(counted, rules, as_json)
        return
    assert deal is not None
    if table:
        tasks = [Task(deal, *contract) for contract in product(range(6), range(4))]
    else:
        assert trump is not None
        assert leader is not None
        tasks = [Task(deal, trump, leader, played, with_cards)]
    solved = list(ordered_map(lambda task: solve_task(task, rules), tasks, jobs))
    if output is not None and not output.is_stdout:
        _save(solved, rules, output, talk)
    if as_json or (output is not None and output.is_stdout):
        _print(solved, rules, as_json)
    else:
        _show(solved, rules)


def _check_usage(
    deal: Deal | None,
    trump: int | None,
    leader: int | None,
    played: tuple[int, ...],
    with_cards: bool,
    table: bool,
    path: str | None,
) -> None:
    """Refuse arguments that contradict one another or leave the position open."""
    if (deal is None) == (path is None):
        raise click.UsageError("Give either a DEAL or --file.")
    given = {
        "--trump": trump is not None,
        "--leader": leader is not None,
        "--played": bool(played),
        "--cards": with_cards,
        "--table": table,
    }
    if path is not None or table:
        of_its_own = {"--cards"} if path is not None else {"--table"}
        chosen = "--file" if path is not None else "--table"
        for option in given:
            if given[option] and option not in of_its_own:
                raise click.UsageError(f"{option} does not go with {chosen}; leave it out.")
        return
    for option in ("--trump", "--leader"):
        if not given[option]:
            raise click.UsageError(f"Missing option '{option}'; or give --table for all of them.")


def _counted(stream: Iterator[Solved], n_rows: int | None, progress: Progress) -> Iterator[Solved]:
    """Pass results on, and tell how many have come."""
    for n_done, solved in enumerate(stream, start=1):
        progress(n_done, n_rows)
        yield solved


def _save(solved: Iterable[Solved], rules: Ruleset, output: OutputFile, talk: Talk) -> None:
    """Write results to a file."""
    from pilotta_solver import __version__
    from pilotta_solver.parquet import SOLVE

    metadata = {"version": __version__, "rules": rules.as_dict()}
    write_file(output, SOLVE, solved, Solved.as_dict, lambda one: [one.row(rules)], metadata)
    talk.say(f"Wrote {output.path}.")


def _print(solved: Iterable[Solved], rules: Ruleset, as_json: bool) -> None:
    """Write results to stdout as JSON or CSV, each as soon as it is there."""
    from pilotta_solver.parquet import SOLVE

    if not as_json:
        write_csv(sys.stdout, SOLVE, (one.row(rules) for one in solved))
        return
    for one in solved:
        click.echo(json_line(one.as_dict()))


def _show(solved: list[Solved], rules: Ruleset) -> None:
    """Print the answer for a person: the deal, the result, one line of method."""
    from pilotta_solver import __version__
    from pilotta_solver.deal import SEATS
    from pilotta_solver.notation import format_hand

    console = make_console()
    symbols = has_symbols(console)
    for seat, hand in zip(SEATS, solved[0].task.deal.hands, strict=True):
        console.print(f"{seat}  {format_hand(hand, symbols=symbols)}")
    console.print()
    if len(solved) > 1:
        _show_table(console, solved, symbols)
    else:
        _show_one(console, solved[0], symbols)
    method = f"double dummy; rules {rules.name}; pilotta {__version__}"
    console.print(method, style="dim", markup=False)


def _show_one(console: Console, solved: Solved, symbols: bool) -> None:
    """Print one result in a sentence, and the value after each card if it was asked for."""
    from pilotta_solver.deal import SEATS, side_of
    from pilotta_solver.notation import format_card, format_cards, format_trump

    task, position, solution = solved.task, solved.position, solved.solution
    trump = format_trump(task.trump, symbols=symbols)
    told = [f"{trump} trumps" if task.trump < NO_TRUMP else _WORDS[task.trump]]
    told.append(f"{SEATS[task.leader]} leads")
    if task.played:
        told.append(f"played {format_cards(task.played, symbols=symbols)}")
        told.append("all is played" if position.is_over else f"{SEATS[position.to_move]} to play")
    console.print(", ".join(told), soft_wrap=True)
    ns, ew = solution.card_points
    console.print(f"[bold]NS {ns}, EW {ew} card points[/]", end="")
    if solution.capot is not None:
        side, worth = solution.capot.upper(), max(solution.value)
        console.print(f": {side} takes all eight tricks, which counts {worth}", end="")
    console.print("\n")
    if solved.cards:
        sign = -1 if side_of(position.to_move) == 0 else 1
        table = make_table("card", "NS", "EW")
        for card, value in sorted(solved.cards.items(), key=lambda item: sign * item[1]):
            values = str(value), str(sum(solution.value) - value)
            table.add_row(format_card(card, symbols=symbols), *values)
        console.print(table)
        console.print()


def _show_table(console: Console, solved: list[Solved], symbols: bool) -> None:
    """Print the NS value of every trump (down) by every leader (across)."""
    from pilotta_solver.deal import SEATS
    from pilotta_solver.notation import format_trump

    table = make_table("NS value", *(f"{seat} leads" for seat in SEATS))
    for first in range(0, len(solved), len(SEATS)):
        row = solved[first : first + len(SEATS)]
        trump = format_trump(row[0].task.trump, symbols=symbols)
        table.add_row(trump, *(str(one.solution.value[0]) for one in row))
    console.print(table)
    console.print()
