"""``pilotta bid``: the chance to make each contract with one hand."""

from __future__ import annotations

import math
import sys
import time
from typing import TYPE_CHECKING

import click

from pilotta_cli.options import (
    HAND,
    current_tongue,
    examples,
    jobs_option,
    json_option,
    output_options,
    rules_options,
    seed_option,
    talk_options,
    tongue_option,
)
from pilotta_cli.output import (
    OutputFile,
    Talk,
    has_symbols,
    json_line,
    level_rows,
    make_console,
    make_table,
    percent,
    write_csv,
    write_file,
)
from pilotta_solver.parquet import BID as TABLE

if TYPE_CHECKING:
    from rich.table import Table

    from pilotta_solver.advice import Advice, Level, Question
    from pilotta_solver.notation import Bid
    from pilotta_solver.ruleset import Ruleset

# What the metadata of a Parquet file says of all its rows.
_METADATA = ("version", "seed", "hand", "seat", "n_worlds")


@click.command(
    short_help="The chance to make each contract with a hand; should I bid?",
    epilog=examples(
        'pilotta bid "♠J9AK ♥108 ♦A7" 100S',
        "pilotta bid J9AK.T8.A7. 100S --seat 2 --rules classic",
        'pilotta bid "pique V9AR cœur 108 carreau A7" "100 pique" --cards fr',
        "pilotta bid J9AK.T8.A7. -n 10000 --seed 1 -o hand.parquet",
        "pilotta bid J9AK.T8.A7. 90N --set no_trump_bids=true --json",
    ),
)
@click.argument("hand", type=HAND)
@click.argument("bid", required=False, metavar="[BID]")
@click.option(
    "--seat",
    type=click.IntRange(1, 4),
    default=1,
    metavar="1-4",
    help="My place in the order of speaking; 1 speaks first and leads to the first trick.",
)
@click.option(
    "-n",
    "--worlds",
    "n_worlds",
    type=click.IntRange(min=1),
    default=1000,
    metavar="N",
    envvar="PILOTTA_WORLDS",
    show_envvar=True,
    help="Random completions of the three hidden hands to solve.",
)
@tongue_option("--cards", "--tongue")
@seed_option
@rules_options
@jobs_option
@json_option
@output_options
@talk_options
def bid(
    *,
    hand: int,
    bid: str | None,
    seat: int,
    n_worlds: int,
    seed: int | None,
    rules: Ruleset,
    jobs: int | None,
    as_json: bool,
    output: OutputFile | None,
    talk: Talk,
) -> None:
    """Tell the chance to make each contract with HAND, and whether to bid BID.

    The hidden hands are dealt at random, every such world is solved exactly with all cards seen
    (double dummy), and the declarations and the belote of all four hands count as the ruleset
    says. HAND is written as spades.hearts.diamonds.clubs, or with suit symbols. BID is a level
    and a trump, such as 100S.
    """
    question = None if bid is None else _parse_bid(bid, rules)
    talk.compile_engine()
    from pilotta_solver.advice import advise
    from pilotta_solver.workers import n_jobs

    started = time.perf_counter()
    with talk.progress("Solving worlds") as progress:
        advice = advise(
            hand,
            question,
            seat=seat,
            n_worlds=n_worlds,
            seed=seed,
            rules=rules,
            jobs=jobs,
            progress=progress,
        )
    n_deals = advice.n_worlds * len(advice.contracts)
    seconds, threads = time.perf_counter() - started, n_jobs(jobs)
    talk.detail(f"Solved {n_deals:,} deals in {seconds:.2f} s; threads: {threads}.")
    if output is not None and not output.is_stdout:
        _save(advice, output, talk)
    if as_json:
        click.echo(json_line(advice.as_dict()))
    elif output is not None and output.is_stdout:
        write_csv(sys.stdout, TABLE, advice.records())
    else:
        _show(advice)


def _parse_bid(text: str, rules: Ruleset) -> Bid:
    from pilotta_solver.errors import PilottaError
    from pilotta_solver.notation import parse_bid

    try:
        return parse_bid(text, rules, current_tongue())
    except PilottaError as error:
        raise click.BadParameter(str(error), param_hint="'BID'") from error


def _save(advice: Advice, output: OutputFile, talk: Talk) -> None:
    """Write the advice to a file, in the form that its suffix picks."""
    metadata = {key: value for key, value in advice.as_dict().items() if key in _METADATA}
    metadata["rules"] = advice.rules.as_dict()
    write_file(
        output, TABLE, [advice], lambda one: one.as_dict(), lambda one: one.records(), metadata
    )
    talk.say(f"Wrote {output.path}.")


def _show(advice: Advice) -> None:
    """Print the answer for a person: the hand, the sentence, one table, one line of method."""
    from pilotta_solver.notation import format_hand

    console = make_console()
    symbols = has_symbols(console)
    leads = ("you lead", "an opponent leads", "your partner leads", "an opponent leads")
    hand = format_hand(advice.hand, symbols=symbols)
    console.print(hand, style="bold", end="")
    place = f"seat {advice.seat}, {leads[advice.seat - 1]}"
    console.print(f"   {place}   rules {advice.rules.name}", markup=False)
    console.print()
    console.print(_sentence(advice, symbols))
    console.print()
    console.print(_table(advice, symbols))
    console.print()
    order = "no declarations"
    if advice.rules.declarations:
        order = f"{advice.rules.sequence_order} order of sequences"
    console.print(
        f"{advice.n_worlds:,} worlds, double dummy; {order}; seed {advice.seed}; v{advice.version}",
        style="dim",
    )


def _sentence(advice: Advice, symbols: bool) -> str:
    """The answer to the question, or else the best contract, in one sentence."""
    from pilotta_solver.notation import format_bid, format_trump

    question = advice.question
    if question is None:
        best = max(advice.contracts, key=lambda contract: contract.mean_total)
        lowest = best.levels[0]
        return (
            f"[bold]Best trump: {format_trump(best.trump, symbols=symbols)}[/], with "
            f"{best.mean_total:.0f} points on average; {lowest.bid} is made in "
            f"{percent(lowest.p_made)} % of worlds."
        )
    name = format_bid(question.bid, symbols=symbols)
    answer = {
        "yes": f"[bold green]Yes, bid {name}[/]",
        "no": f"[bold red]No, do not bid {name}[/]",
        "close": f"[bold yellow]{name} is a close call[/]",
    }[question.verdict]
    chance = percent(question.p_made).replace("<", "less than ").replace(">", "more than ")
    return f"{answer}: it is made in {chance} % of worlds (95 % interval {_interval(question)})."


def _table(advice: Advice, symbols: bool) -> Table:
    """Levels down, trumps across, then the points of each trump."""
    from pilotta_solver.notation import format_trump

    contracts = advice.contracts
    bid = None if advice.question is None else advice.question.bid
    names = (f"{format_trump(contract.trump, symbols=symbols):>3}" for contract in contracts)
    table = make_table("made, %", *names, justify="left")
    by_level = list(zip(*(contract.levels for contract in contracts), strict=True))
    chances = [[level.p_made for level in row] for row in by_level]
    for first, last in level_rows([row[0].bid for row in by_level], chances):
        low, top = (contracts[0].levels[end].bid for end in (first, last))
        label = f"{low}-{top}" if top > low else f"{low}"
        cells = [_chance(contract.levels[last]) for contract in contracts]
        if bid is not None and low <= bid.level <= top:
            asked = [contract.trump for contract in contracts].index(bid.trump)
            cells[asked] = f"[reverse]{cells[asked]}[/]"
        table.add_row(label, *cells)
    table.add_section()
    table.add_row("card points", *(f"{one.mean_card_points:3.0f}" for one in contracts))
    table.add_row("spread", *(_number(one.sd_card_points, 1) for one in contracts))
    table.add_row("total", *(f"{one.mean_total:3.0f}" for one in contracts))
    table.add_row("capot, %", *(_number(one.p_capot, 100) for one in contracts))
    return table


def _chance(level: Level) -> str:
    """The chance in percent, and its interval."""
    return f"{percent(level.p_made):>3} [dim]{_interval(level):<7}[/]"


def _interval(chance: Level | Question) -> str:
    """The ends of an interval in whole percent, rounded outwards."""
    return f"{math.floor(100 * chance.ci_low)}-{math.ceil(100 * chance.ci_high)}"


def _number(value: float | None, scale: float) -> str:
    return "  -" if value is None else f"{scale * value:3.0f}"
