"""``pilotta show``: what a file or a dataset holds, in figures and in a picture."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pilotta_cli.options import TRUMP, examples, json_option, talk_options
from pilotta_cli.output import (
    PICTURES,
    OutputFile,
    Talk,
    has_symbols,
    json_line,
    level_rows,
    make_console,
    make_table,
    percent,
)
from pilotta_solver.cards import TRUMPS
from pilotta_solver.schemas import BID, BID_OUT, TABLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.table import Table as RichTable

    from pilotta_solver.figures import ContractFigures
    from pilotta_solver.tables import Table

_WHAT = {
    "simulate": "Random deals with their exact values",
    "bid_out": "Random deals with the contract that a bidding system reaches",
    "bid": "The chance to make each contract with a hand",
    "solve": "Solved positions",
    "deal": "Random deals, not solved",
    "table": "Bidding table: what each kind of hand makes",
    "play": "The cards that may be played, by what one player knows",
}

# What a contract's figures are counted over.
_NOUNS = {
    "simulate": "deals",
    "bid_out": "deals",
    "deal": "deals",
    "bid": "worlds",
    "solve": "positions",
    "table": "rows",
    "play": "cards",
}

# Card points a bar of the histogram, and the width of the longest bar.
_BIN = 10
_WIDTH = 40

# What all rows have in common, in the order of the line that says so.
_COMMON = (
    "hand", "seat", "known", "leader", "contracts", "bid_by", "model", "decision_worlds", "aim",
    "seed", "version",
)  # fmt: skip


@click.command(
    short_help="What a file or a dataset holds, in figures and a picture.",
    epilog=examples(
        "pilotta show deals",
        "pilotta show deals --trump S --plot deals.png",
        "pilotta show hand.parquet",
        "pilotta show s3://bucket/deals --json",
    ),
)
@click.argument("path", metavar="PATH")
@click.option("-t", "--trump", type=TRUMP, metavar="T", help="Only this trump: S, H, D, C, N or A.")
@click.option(
    "--plot",
    metavar="FILE",
    help="Draw a picture too; the suffix picks the form: .png or .svg.",
)
@click.option("--force", is_flag=True, help="Overwrite the picture if it exists.")
@json_option
@talk_options
def show(
    *, path: str, trump: int | None, plot: str | None, force: bool, as_json: bool, talk: Talk
) -> None:
    """Show what PATH holds: any file or dataset that pilotta has written.

    The ruleset, the seed and the rows, then, trump by trump, how card points are spread, the
    chance to make each level, capots and belotes, and a histogram.
    """
    picture = None
    if plot is not None:
        picture = OutputFile(Path(plot), force, PICTURES, option="'--plot'")
        picture.check()
    from pilotta_solver.figures import figures_of
    from pilotta_solver.tables import open_table

    table = open_table(path)
    figures = figures_of(table)
    n_passed_out = None
    if table.schema.name == BID_OUT.name:
        n_passed_out = table.n_rows - sum(one.n for one in figures)
    if trump is not None:
        figures = tuple(one for one in figures if one.trump == trump)
        if not figures:
            raise click.ClickException(
                f"{table.where}: nothing about {TRUMPS[trump]} is in it; leave out --trump"
            )
    if picture is not None:
        if table.schema.name == TABLE.name:
            raise click.ClickException(
                f"{table.where}: a bidding table; draw one with 'pilotta table --plot'"
            )
        if n_passed_out is not None:
            raise click.ClickException(
                f"{table.where}: contracts that were bid, of which there is no picture; leave out "
                "--plot"
            )
        if not figures:
            raise click.ClickException(
                f"{table.where}: nothing in it can be drawn; leave out --plot"
            )
        from pilotta_solver.plotting import plot_figures

        with picture.replacing() as beside:
            plot_figures(figures, beside, picture.format, _title(table))
        talk.say(f"Wrote {picture.path}.")
    if as_json:
        passed_out = {} if n_passed_out is None else {"n_passed_out": n_passed_out}
        click.echo(json_line(_summary(table, figures) | passed_out))
        return
    _show(table, figures, n_passed_out)
    if table.schema.name == TABLE.name:
        from pilotta_cli.table_answer import show_classes
        from pilotta_solver.bidding_table.table_files import read_table

        show_classes(read_table(table))


def _title(table: Table) -> str:
    """What it is, in one line."""
    what = _WHAT.get(table.schema.name, table.schema.row)
    rows = f"{table.n_rows:,}"
    if table.n_rows < table.n_rows_in_all:
        rows += f" of {table.n_rows_in_all:,}"
    noun = "rows" if table.schema.name == "bid" else _NOUNS.get(table.schema.name, "rows")
    rules = _rules_name(table)
    return f"{what}: {rows} {noun}" + (f", rules {rules}" if rules else "")


def _rules_name(table: Table) -> str | None:
    """The ruleset, if the file names one."""
    rules = table.metadata.get("rules")
    return rules["name"] if isinstance(rules, dict) else rules


def _common(table: Table) -> dict[str, Any]:
    """What all rows have in common, as far as the file says."""
    known = table.metadata
    values = {key: known[key] for key in _COMMON if known.get(key) is not None}
    if "bid_by" in values:
        values["bid_by"] = values["bid_by"]["name"]
    # A column of a CSV file gives numpy's own kinds of number.
    plain = {key: one.item() if hasattr(one, "item") else one for key, one in values.items()}
    return {key: value for key, value in plain.items() if value != []}


def _summary(table: Table, figures: Sequence[ContractFigures]) -> dict[str, Any]:
    return {
        "path": table.where,
        "form": table.form,
        "schema": table.schema.name,
        "schema_version": table.schema.version,
        "rules": _rules_name(table),
        **_common(table),
        "n_rows": table.n_rows,
        "n_rows_in_all": table.n_rows_in_all,
        "contracts": [one.as_dict() for one in figures],
    }


def _show(table: Table, figures: Sequence[ContractFigures], n_passed_out: int | None) -> None:
    """Print it for a person."""
    console = make_console()
    symbols = has_symbols(console)
    _say(console, _title(table), style="bold")
    common = _common(table)
    if "known" in common:
        said = (f"{one['says']} of seat {one['seat']}" for one in common["known"])
        common["known"] = ", ".join(said)
    told = [f"{key.replace('_', ' ')} {value}" for key, value in common.items()]
    if n_passed_out is not None:
        told.append(f"passed out {n_passed_out:,}")
    schema = f"{table.form}, table {table.schema.name} {table.schema.version}"
    _say(console, "; ".join([schema, *told]))
    if table.n_rows < table.n_rows_in_all:
        console.print("Not whole yet: give its command again to go on.", style="yellow")
    if not figures:
        if table.schema.name == BID.name:
            _say(console, "Answers to several questions, which have no figures in common.")
        return
    noun = _NOUNS.get(table.schema.name, "rows") if n_passed_out is None else "contracts"
    console.print()
    console.print(_figures(figures, noun, symbols))
    if any(one.levels for one in figures):
        console.print()
        console.print(_chances(figures, symbols))
    if any(one.counts or one.levels for one in figures):
        console.print()
    if any(one.counts for one in figures):
        _points_histogram(console, figures, symbols)
    elif any(one.levels for one in figures):
        _levels_histogram(console, figures, symbols)
    console.print()
    is_played = any(one.mean_table is not None for one in figures)
    also = "; at the table: as four players play it who see only their own cards"
    if _has_table(figures):
        left_out = [
            head
            for head, one in zip(_heads(figures, symbols), figures, strict=True)
            if not _has_table([one])
        ]
        also = ", but for the chances at the table"
        also += f" (of {' and '.join(left_out)} they are not known)" if left_out else ""
        is_played = True
    _say(console, "double dummy" + also * is_played, style="dim")


def _has_table(figures: Sequence[ContractFigures]) -> bool:
    """Whether chances at the table are known."""
    return any(level.p_table is not None for one in figures for level in one.levels)


def _say(console: Console, sentence: str, *, style: str = "") -> None:
    """Print a sentence in as many lines as it takes."""
    lines = textwrap.wrap(sentence, console.width, break_long_words=False)
    console.print("\n".join(lines), style=style, markup=False, soft_wrap=True)


def _heads(figures: Sequence[ContractFigures], symbols: bool) -> list[str]:
    from pilotta_solver.notation import format_trump

    return [format_trump(one.trump, symbols=symbols) for one in figures]


def _figures(figures: Sequence[ContractFigures], noun: str, symbols: bool) -> RichTable:
    """A column a trump: the spread of card points, capots, belotes, declarations."""
    table = make_table("", *_heads(figures, symbols))
    table.add_row(noun, *(f"{one.n:,}" for one in figures))
    whose = "NS " if any(one.counts for one in figures) else ""
    if any(one.p_made is not None for one in figures):
        whose = "declarers' "
    table.add_row(f"{whose}card points", *(f"{one.mean_card_points:.1f}" for one in figures))
    if any(one.mean_table is not None for one in figures):
        table.add_row("at the table", *(_number(one.mean_table) for one in figures))
        table.add_row("they differ by", *(_number(one.sd_table_difference) for one in figures))
    spreads = (one.sd_card_points for one in figures)
    table.add_row("spread", *("-" if spread is None else f"{spread:.1f}" for spread in spreads))
    for place, name in enumerate(("lower quartile", "median", "upper quartile")):
        if any(one.quartiles for one in figures):
            table.add_row(name, *(str(one.quartiles[place]) for one in figures if one.quartiles))
    for name, shares in (
        ("made, %", [one.p_made for one in figures]),
        ("made at the table, %", [one.p_made_table for one in figures]),
    ):
        if any(share is not None for share in shares):
            table.add_row(name, *(_number(share and 100 * share) for share in shares))
    for name, scale, values in (
        ("capot{}, %", 100, [one.p_capot for one in figures]),
        ("belote{}, %", 100, [one.p_belote for one in figures]),
        ("declarations{}", 1, [one.mean_declarations for one in figures]),
    ):
        known = [pair for pair in values if pair is not None]
        for side in range(len(known[0]) if known else 0):
            whose = (" NS", " EW")[side] if len(known[0]) > 1 else ""
            table.add_row(name.format(whose), *(f"{scale * pair[side]:.1f}" for pair in known))
    return table


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _chances(figures: Sequence[ContractFigures], symbols: bool) -> RichTable:
    """Levels down, trumps across: the chance that the declarers make it, NS/EW."""
    bids, chances = _by_level(figures)
    n_sides = len(chances[0]) // len(figures)
    head = "made, % NS/EW" if n_sides > 1 else "made, %"
    if _has_table(figures):
        head = "made at the table, %"
    table = make_table(head, *_heads(figures, symbols))
    for first, last in level_rows(bids, chances):
        label = f"{bids[first]}-{bids[last]}" if last > first else f"{bids[first]}"
        told = [percent(p) for p in chances[last]]
        table.add_row(
            label, *("/".join(told[k : k + n_sides]) for k in range(0, len(told), n_sides))
        )
    return table


def _by_level(figures: Sequence[ContractFigures]) -> tuple[list[int], list[list[float]]]:
    """The levels that somebody makes; for each the chances of all trumps, side by side."""
    bids = sorted({level.bid for one in figures for level in one.levels})
    n_sides = max(len(level.p_made) for one in figures for level in one.levels)
    by_trump = [{level.bid: level.shown for level in one.levels} for one in figures]
    nothing = (0.0,) * n_sides
    return bids, [[p for made in by_trump for p in made.get(bid, nothing)] for bid in bids]


def _points_histogram(console: Console, figures: Sequence[ContractFigures], symbols: bool) -> None:
    """Bars of NS card points, all trumps shown together."""
    import numpy as np

    counts = np.sum([one.counts for one in figures if one.counts], axis=0)
    firsts = list(range(0, len(counts), _BIN))
    shares = np.add.reduceat(counts, firsts) / counts.sum()
    heads = " ".join(_heads(figures, symbols))
    _bars(
        console,
        f"NS card points, {heads}" + (" together" if len(figures) > 1 else ""),
        [f"{first}-{min(first + _BIN, len(counts)) - 1}" for first in firsts],
        shares.tolist(),
    )


def _levels_histogram(console: Console, figures: Sequence[ContractFigures], symbols: bool) -> None:
    """Bars of the chance to make each level of the best trump."""
    best = max(figures, key=lambda one: one.mean_card_points)
    bids, chances = _by_level([best])
    rows = list(level_rows(bids, chances))
    labels = [f"{bids[a]}-{bids[b]}" if b > a else f"{bids[a]}" for a, b in rows]
    head = f"{_heads([best], symbols)[0]} made" + " at the table" * _has_table([best])
    _bars(console, head, labels, [chances[last][0] for _, last in rows])


def _bars(console: Console, title: str, labels: list[str], shares: list[float]) -> None:
    """A line for each share, the longest bar being as wide as all bars may be."""
    block = "█" if console.encoding.lower().startswith("utf") else "#"
    console.print(title, markup=False)
    for label, share in zip(labels, shares, strict=True):
        bar = block * round(_WIDTH * share / max(shares))
        console.print(f"{label:>8} {100 * share:5.1f} % {bar}".rstrip(), markup=False)
