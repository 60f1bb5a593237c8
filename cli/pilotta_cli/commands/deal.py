"""``pilotta deal``: random deals, or worlds around a hand, for other programs."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from typing import Any

import click

from pilotta_cli.options import (
    HAND,
    examples,
    json_option,
    output_options,
    seed_option,
    talk_options,
    tongue_option,
)
from pilotta_cli.output import OutputFile, Talk, json_line, write_csv, write_file
from pilotta_solver.schemas import DEAL as TABLE

# Deals held at a time, so that memory stays flat.
_BATCH = 4096


@click.command(
    short_help="Random deals, or worlds around a hand, for other programs.",
    epilog=examples(
        "pilotta deal -n 10",
        'pilotta deal -n 10 --hand "♠J9AK ♥108 ♦A7" --seat 2 --json',
        "pilotta deal -n 1000 --seed 1 -o deals.csv",
        "pilotta deal --seed 1 --first 7",
    ),
)
@click.option(
    "-n",
    "--deals",
    "n_deals",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="How many deals.",
)
@click.option("--hand", type=HAND, metavar="HAND", help="Deal the other hands around this one.")
@click.option(
    "--seat",
    type=click.IntRange(1, 4),
    default=1,
    metavar="1-4",
    help="With --hand: its place in the order of speaking; 1 is N, who leads, then W, S, E.",
)
@click.option(
    "--first",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="The number of the first deal: with the seed it decides every card.",
)
@tongue_option("--cards", "--tongue")
@seed_option
@json_option
@output_options
@talk_options
def deal(
    *,
    n_deals: int,
    hand: int | None,
    seat: int,
    first: int,
    seed: int | None,
    as_json: bool,
    output: OutputFile | None,
    talk: Talk,
) -> None:
    """Deal N deals at random, or N worlds around a hand.

    Every deal is a line that other commands read: N:hand hand hand hand. With --json or -o each
    has its number, its hands and their card sets too; the columns are in docs/schema.md. The same
    deals are those of 'pilotta simulate', and around a hand the worlds of 'pilotta bid'.
    """
    if hand is None and seat != 1:
        raise click.UsageError("--seat is the place of a hand; give --hand too, or leave it out.")
    drawn = secrets.randbits(32) if seed is None else seed
    records = _records(hand or 0, seat - 1, n_deals, drawn, first)
    if seed is None and not as_json and output is None:
        talk.say(f"Seed {drawn}.")
    if output is not None and not output.is_stdout:
        from pilotta_solver import __version__
        from pilotta_solver.notation import format_hand

        metadata: dict[str, Any] = {"version": __version__, "seed": drawn}
        if hand is not None:
            metadata |= {"hand": format_hand(hand), "seat": seat}
        write_file(output, TABLE, records, lambda one: one, lambda one: [one], metadata)
        talk.say(f"Wrote {output.path}.")
    elif output is not None:
        write_csv(sys.stdout, TABLE, records)
    else:
        for record in records:
            click.echo(json_line(record) if as_json else record["deal"])


def _records(hand: int, seat: int, n: int, seed: int, first: int) -> Iterator[dict[str, Any]]:
    """The rows of the table, one for each deal."""
    from pilotta_solver import __version__
    from pilotta_solver.deal import SEATS
    from pilotta_solver.sampling import worlds
    from pilotta_solver.simulation import format_hands

    letters = SEATS.lower()
    for start in range(first, first + n, _BATCH):
        dealt = worlds(hand, seat, min(_BATCH, first + n - start), seed, start)
        texts = format_hands(dealt).tolist()
        for row, hands in enumerate(dealt.tolist()):
            yield {
                "version": __version__,
                "seed": seed,
                "deal_number": start + row,
                "deal": f"{SEATS[0]}:{' '.join(texts[row])}",
                **{f"cards_{seat}": cards for seat, cards in zip(letters, hands, strict=True)},
                **{f"hand_{seat}": text for seat, text in zip(letters, texts[row], strict=True)},
            }
