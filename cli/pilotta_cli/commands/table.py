"""``pilotta table``: what each kind of hand can bid, from deals that are solved."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from pilotta_cli.head_rule import RULE_FORMATS, fit, picture_file
from pilotta_cli.options import (
    CONTRACTS,
    examples,
    jobs_option,
    json_option,
    rules_options,
    seed_option,
    talk_options,
)
from pilotta_cli.output import FORMATS, OutputFile, Talk, json_line, write_csv, write_file
from pilotta_cli.table_pictures import TablePictures, curve_options
from pilotta_solver.errors import PilottaError

if TYPE_CHECKING:
    from pilotta_solver.bidding_table.grouping import BiddingTable
    from pilotta_solver.bidding_table.sources import SolvedDeals
    from pilotta_solver.ruleset import Ruleset

TABLE_FORMATS = FORMATS | {".md": "md", ".html": "html"}

_DEALS_A_PART = 2000


@click.command(
    short_help="What each kind of hand can bid: a table to learn by heart.",
    epilog=examples(
        "pilotta table -o table.html",
        "pilotta table --from deals -o table.md",
        "pilotta table --from deals --rules classic --by pattern,belote,side_aces",
        "pilotta table --from deals --by length,jack,nine,voids --min-n 1000 -o table.parquet",
        "pilotta table -n 20000 --seed 1 -o table.csv",
        "pilotta table --plot calls.png --curves curves.svg --classes J9A+1,1 --classes J9+2,0,own",
        "pilotta table --from deals --fit --rules classic",
        "pilotta table --from deals --fit --solver-hands 300 --plot fit.png -o rule.md",
    ),
)
@click.option(
    "--from",
    "dataset",
    metavar="DATASET",
    help="Deals that 'pilotta simulate' has solved; without it and -n, the table that comes with "
    "the program.",
)
@click.option(
    "-n",
    "--deals",
    "n_deals",
    type=click.IntRange(min=1),
    metavar="N",
    help="Solve N random deals for the table instead.",
)
@click.option(
    "--by",
    metavar="NAMES",
    show_default="pattern,side_aces,lead",
    help="What makes a class of hands: names with commas, listed in docs/tables.md.",
)
@click.option(
    "--contracts",
    type=CONTRACTS,
    metavar="TRUMPS",
    show_default="the suits that are solved",
    help="What to look at: suits, such as SHDC, or N (no trump) alone, or A (all trump) alone.",
)
@click.option(
    "--min-n",
    type=click.IntRange(min=1),
    metavar="N",
    show_default="400",
    help="Hands below which a class is rare: put together with its like, or flagged.",
)
@click.option(
    "--fit",
    "is_fit",
    is_flag=True,
    help="Instead of a table, fit a rule to the deals that a person adds up, points for J, 9, side "
    "aces and so on, and say how good it is on deals that it has not seen.",
)
@click.option(
    "--solver-hands",
    type=click.IntRange(min=2),
    metavar="N",
    help="With --fit: give N of the unseen hands to the solver too, and say what the rule's calls "
    "cost against its. Takes a second or two a hand.",
)
@click.option(
    "--plot",
    metavar="FILE",
    help="Draw the calls as a heat map too; with --fit, the chances that the rule says against "
    "what came; .png or .svg.",
)
@curve_options
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the table to FILE; its suffix picks the form: .html, .md, .parquet, .csv or "
    ".json; a rule has .md, .csv and .json. '-' writes CSV to stdout.",
)
@click.option("--force", is_flag=True, help="Overwrite files that exist.")
@seed_option
@rules_options
@jobs_option
@json_option
@talk_options
def table(
    *,
    dataset: str | None,
    n_deals: int | None,
    by: str | None,
    contracts: tuple[int, ...] | None,
    min_n: int | None,
    is_fit: bool,
    solver_hands: int | None,
    plot: str | None,
    curves: str | None,
    classes: tuple[str, ...],
    output: str | None,
    force: bool,
    seed: int | None,
    rules: Ruleset,
    jobs: int | None,
    as_json: bool,
    talk: Talk,
) -> None:
    """Tell what each kind of hand can bid, and how often it makes.

    Every solved deal is four hands by its trumps. Hands of a kind are put together; for each level
    the table has the share that makes it, the expected difference on the sheet and the best call,
    with 95 % intervals. The ruleset counts declarations, belote and the score after solving: one
    dataset serves all rulesets of the same law of play. docs/tables.md says how to read a table.
    """
    if dataset is not None and n_deals is not None:
        raise click.UsageError("--from has its deals already: leave out -n, or leave out --from.")
    if not is_fit and solver_hands is not None:
        raise click.UsageError("--solver-hands can only go with --fit: give it too.")
    if is_fit and (curves is not None or classes):
        raise click.UsageError("--fit makes no classes: leave out --curves and --classes.")
    has_deals = dataset is not None or n_deals is not None
    if is_fit and not (has_deals and by is None and min_n is None):
        raise click.UsageError(
            "--fit needs deals, and no classes: give --from DATASET or -n N, and leave out --by "
            "and --min-n."
        )
    formats = RULE_FORMATS if is_fit else TABLE_FORMATS
    file = None if output is None else OutputFile(Path(output), force, formats)
    if file is not None:
        file.check()
    picture = picture_file(plot, force=force)
    pictures = TablePictures.asked(picture, curves, classes, force=force)
    names = None if by is None else _parse_by(by)
    with _solved(dataset, n_deals, contracts, seed, rules, jobs, talk) as deals:
        if is_fit and deals is not None:
            fit(
                deals,
                solver_hands=solver_hands or 0,
                jobs=jobs,
                file=file,
                picture=picture,
                as_json=as_json,
                talk=talk,
            )
            return
        if deals is None:
            made = _shipped(rules, given=[by, contracts, min_n, seed])
        else:
            made = _group(deals, names, min_n, talk)
    pictures.draw(made, talk)
    if file is not None and not file.is_stdout:
        _save(file, made)
        talk.say(f"Wrote {file.path}.")
    _tell(file, made, as_json)


def _parse_by(text: str) -> tuple[str, ...]:
    from pilotta_solver.bidding_table.hand_class import parse_by

    try:
        return parse_by(text)
    except PilottaError as error:
        raise click.BadParameter(str(error), param_hint="'--by'") from error


def _shipped(rules: Ruleset, given: list[Any]) -> BiddingTable:
    """The table that comes with the program, which nothing can be changed in."""
    from pilotta_solver.bidding_table.shipped import SHIPPED, shipped_table

    if any(one is not None for one in given):
        raise click.UsageError(
            "--by, --contracts, --min-n and --seed need deals: give --from DATASET or -n N too."
        )
    table = shipped_table(rules)
    if table is None:
        raise click.ClickException(
            f"no table for ruleset {rules.name} comes with the program, only for "
            f"{' and '.join(SHIPPED)}; make one with --from DATASET or -n N"
        )
    return table


@contextmanager
def _solved(
    dataset: str | None,
    n_deals: int | None,
    contracts: tuple[int, ...] | None,
    seed: int | None,
    rules: Ruleset,
    jobs: int | None,
    talk: Talk,
) -> Iterator[SolvedDeals | None]:
    """Give the deals of a dataset, or new ones while they are needed; None for neither."""
    from pilotta_solver.bidding_table.sources import solved_deals
    from pilotta_solver.tables import open_table

    if dataset is not None:
        if seed is not None:
            raise click.UsageError("--from has its seed already: leave out --seed.")
        table = open_table(dataset)
        if table.n_rows < table.n_rows_in_all:
            talk.say(
                f"{table.where}: not whole yet; using the {table.n_rows:,} of "
                f"{table.n_rows_in_all:,} deals that are there."
            )
        yield solved_deals(table, rules, contracts)
    elif n_deals is not None:
        with TemporaryDirectory(prefix="pilotta-table-") as folder:
            _simulate(folder, n_deals, contracts, seed, rules, jobs, talk)
            yield solved_deals(open_table(folder), rules, contracts)
    else:
        yield None


def _simulate(
    folder: str,
    n_deals: int,
    contracts: tuple[int, ...] | None,
    seed: int | None,
    rules: Ruleset,
    jobs: int | None,
    talk: Talk,
) -> None:
    """Solve new deals."""
    from pilotta_solver.cards import N_SUITS
    from pilotta_solver.datasets.simulation import Simulation, simulate

    simulation = Simulation(
        secrets.randbits(32) if seed is None else seed,
        rules,
        tuple(range(N_SUITS)) if contracts is None else contracts,
    )
    talk.compile_engine()
    with talk.progress("Solving", unit="deals") as progress:
        simulate(folder, simulation, n_deals, part_size=_DEALS_A_PART, jobs=jobs, progress=progress)


def _group(
    deals: SolvedDeals, by: tuple[str, ...] | None, min_n: int | None, talk: Talk
) -> BiddingTable:
    from pilotta_solver.bidding_table.grouping import group
    from pilotta_solver.bidding_table.merging import MIN_N

    with talk.progress("Grouping") as progress:
        return group(deals, by, min_n=MIN_N if min_n is None else min_n, progress=progress)


def _save(file: OutputFile, made: BiddingTable) -> None:
    """Write a table in the form that the suffix picks."""
    from pilotta_solver.bidding_table.page import page
    from pilotta_solver.bidding_table.table_files import as_dict, records, schema_of
    from pilotta_solver.bidding_table.table_text import markdown

    if file.format in ("md", "html"):
        with file.replacing() as path:
            path.write_text(markdown(made) if file.format == "md" else page(made), "utf-8")
        return
    write_file(file, schema_of(made), [made], as_dict, records, made.metadata)


def _tell(file: OutputFile | None, made: BiddingTable, as_json: bool) -> None:
    """Write a table to stdout: JSON, CSV for ``-o -``, or for a person where no file has it."""
    from pilotta_solver.bidding_table.table_files import as_dict, records, schema_of

    if as_json:
        click.echo(json_line(as_dict(made)))
    elif file is None:
        from pilotta_cli.table_answer import show_table

        show_table(made)
    elif file.is_stdout:
        write_csv(sys.stdout, schema_of(made), records(made))
