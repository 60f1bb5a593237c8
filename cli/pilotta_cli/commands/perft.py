"""``pilotta perft``: the number of ways to play on, a check of the law of play."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING

import click

from pilotta_cli.options import (
    DEAL,
    SEAT,
    TRUMP,
    examples,
    json_option,
    rules_options,
    talk_options,
    tongue_option,
)
from pilotta_cli.output import Talk, json_line

if TYPE_CHECKING:
    from pilotta_solver.deal import Deal
    from pilotta_solver.ruleset import Ruleset


@click.command(
    short_help="The number of legal sequences of cards: checks the law of play.",
    epilog=examples(
        'pilotta perft "N:7.QJ8.AQ8.A J.A.KJ.KQ98 AQT8.7.T7.J K9.KT9.9.T7" -t S -l N -d 4',
        'pilotta perft "N:J9... A7... T8... KQ..." -t S -l W -d 8 --json',
    ),
)
@click.argument("deal", type=DEAL)
@click.option("-t", "--trump", type=TRUMP, required=True, metavar="T", help="S, H, D, C, N or A.")
@click.option(
    "-l", "--leader", type=SEAT, required=True, metavar="SEAT", help="Who leads: N, W, S or E."
)
@click.option(
    "-d",
    "--depth",
    type=click.IntRange(min=1, max=32),
    required=True,
    metavar="D",
    help="Number of cards to play, 1 to 32.",
)
@tongue_option("--cards", "--tongue")
@rules_options
@json_option
@talk_options
def perft(
    *,
    deal: Deal,
    trump: int,
    leader: int,
    depth: int,
    rules: Ruleset,
    as_json: bool,
    talk: Talk,
) -> None:
    """Count the legal sequences of D cards from the start of DEAL.

    The number depends on the deal and the law of play alone, so that two programs which agree on
    it play by the same law. Every sequence is walked: each card more takes about twice as long.
    """
    talk.compile_engine()
    from pilotta_solver import double_dummy
    from pilotta_solver.deal import SEATS
    from pilotta_solver.notation import format_deal, format_trump

    started = time.perf_counter()
    sequences = _interruptibly(
        lambda: double_dummy.perft(deal, trump, leader, depth=depth, rules=rules)
    )
    talk.detail(f"Counted in {time.perf_counter() - started:.2f} s; rules {rules.name}.")
    if as_json:
        answer = {
            "deal": format_deal(deal),
            "trump": format_trump(trump),
            "leader": SEATS[leader],
            "depth": depth,
            "sequences": sequences,
            "rules": rules.name,
        }
        click.echo(json_line(answer))
    else:
        click.echo(sequences)


def _interruptibly(count: Callable[[], int]) -> int:
    """Count in a thread of its own: Ctrl-C does not reach a kernel, which may run for days."""
    future: Future[int] = Future()

    def run() -> None:
        try:
            future.set_result(count())
        except BaseException as error:  # raised again below
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    # With a timeout Ctrl-C gets through on every system.
    while not wait([future], timeout=1.0).done:
        pass
    return future.result()
