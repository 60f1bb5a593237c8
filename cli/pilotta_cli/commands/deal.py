"""``pilotta deal``: random deals, or worlds around a hand, for other programs."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from pilotta_cli.around import Around, around_options
from pilotta_cli.options import (
    examples,
    json_option,
    output_options,
    rules_options,
    seed_option,
    talk_options,
    tongue_option,
)
from pilotta_cli.output import OutputFile, Talk, json_line, write_csv, write_file
from pilotta_solver.schemas import DEAL as TABLE

if TYPE_CHECKING:
    from pilotta_solver.datasets.simulated_deals import Simulation
    from pilotta_solver.ruleset import Ruleset

# Deals held at a time, so that memory stays flat.
_BATCH = 4096

# What the metadata of a Parquet file says of all its rows.
_METADATA = ("version", "generator", "seed", "rules", "hand", "seat", "known")


@click.command(
    short_help="Random deals, or worlds around a hand, for other programs.",
    epilog=examples(
        "pilotta deal -n 10",
        'pilotta deal -n 10 --hand "♠J9AK ♥108 ♦A7" --partner "H>=2 and aces>=1" --json',
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
@around_options
@click.option(
    "--first",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="The number of the first deal: with the seed it decides every card.",
)
@tongue_option("--cards", "--tongue")
@seed_option
@rules_options
@json_option
@output_options
@talk_options
def deal(
    *,
    n_deals: int,
    around: Around,
    first: int,
    seed: int | None,
    rules: Ruleset,
    as_json: bool,
    output: OutputFile | None,
    talk: Talk,
) -> None:
    """Deal N deals at random, or N worlds around a hand.

    Every deal is a line that other commands read: N:hand hand hand hand. With --json or -o each
    has its number, its hands and their card sets too; the columns are in docs/schema.md. The same
    deals are those of 'pilotta simulate', and around a hand the worlds of 'pilotta bid'.
    """
    simulation = around.simulation(secrets.randbits(32) if seed is None else seed, rules)
    simulation.deals(first, 1)  # refuses what no deal agrees with, before anything is said
    records = _records(simulation, n_deals, first)
    if seed is None and not as_json and output is None:
        talk.say(f"Seed {simulation.seed}.")
    if output is not None and not output.is_stdout:
        settings = simulation.settings()
        metadata = {key: settings[key] for key in _METADATA}
        write_file(output, TABLE, records, lambda one: one, lambda one: [one], metadata)
        talk.say(f"Wrote {output.path}.")
    elif output is not None:
        write_csv(sys.stdout, TABLE, records)
    else:
        for record in records:
            click.echo(json_line(record) if as_json else record["deal"])


def _records(simulation: Simulation, n: int, first: int) -> Iterator[dict[str, Any]]:
    """The rows of the table, one for each deal."""
    from pilotta_solver import __version__
    from pilotta_solver.datasets.deal_columns import format_hands
    from pilotta_solver.deal import SEATS

    letters = SEATS.lower()
    for start in range(first, first + n, _BATCH):
        dealt = simulation.deals(start, min(_BATCH, first + n - start))
        texts = format_hands(dealt).tolist()
        for row, hands in enumerate(dealt.tolist()):
            yield {
                "version": __version__,
                "seed": simulation.seed,
                "deal_number": start + row,
                "deal": f"{SEATS[0]}:{' '.join(texts[row])}",
                **{f"cards_{seat}": cards for seat, cards in zip(letters, hands, strict=True)},
                **{f"hand_{seat}": text for seat, text in zip(letters, texts[row], strict=True)},
            }
