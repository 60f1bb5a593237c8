"""Write the section "A million deals" of docs/findings.md anew, from a dataset.

python docs/findings.py DATASET [--speed DEALS --jobs N --memory MB --machine TEXT]

What a dataset does not know of its own making (speed, memory, machine) is given beside it, and
left out of the text where it is not.
"""

from __future__ import annotations

import argparse
import math
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from pilotta_solver.cards import N_SUITS
from pilotta_solver.datasets.verification import open_dataset
from pilotta_solver.figures import ContractFigures, figures_of
from pilotta_solver.schemas import TRUMP_WORDS
from pilotta_solver.tables import Table, open_table

PAGE = Path(__file__).parent / "findings.md"
BEGIN, END = "<!-- deals: begin -->", "<!-- deals: end -->"

# What another solver found on its own uniform deals, leader's side, and how many those were.
THEIRS = {
    82: 0.549, 92: 0.4665, 102: 0.3846, 112: 0.3024, 122: 0.2287, 132: 0.1598, 142: 0.1046,
    152: 0.0602,
}  # fmt: skip
A_MILLION = 1_000_000
WIDTH = 100
THEIR_MEAN, THEIR_ERROR, THEIR_SD = 86.59, 0.3, 41.8
N_THEIRS = round((THEIR_SD / THEIR_ERROR) ** 2)


def section(table: Table, figures: Sequence[ContractFigures], made: argparse.Namespace) -> str:
    """Return the text between the marks."""
    return "\n".join([*_head(table, made), "", *_spread(figures), "", *_chances(figures)])


def _head(table: Table, made: argparse.Namespace) -> Iterator[str]:
    dataset, simulation = open_dataset(table.where)
    settings = table.metadata
    n = table.n_rows
    yield "```sh"
    yield (
        f"pilotta simulate -n {n} -o deals --seed {settings['seed']} "
        f"--contracts {settings['contracts']}"
    )
    yield "```"
    yield ""
    told = [
        f"n = {n:,} deals, each solved in {len(simulation.trumps)} contracts: "
        f"{dataset.n_bytes / 1e6:,.1f} MB in {dataset.n_parts} parts, "
        f"{dataset.n_bytes / n:.1f} bytes a deal. Rules {settings['rules']['name']}, "
        f"{settings['leader']} leads, version {settings['version']}."
    ]
    if n < A_MILLION:
        told.insert(0, "**From a small run, not from a million deals.**")
    if made.speed:
        n_solves = made.speed * len(simulation.trumps)
        machine = f" on {made.machine}" if made.machine else ""
        memory = f", with {made.memory} MB of memory at most" if made.memory else ""
        told.append(
            f"{made.speed:,} deals ({n_solves:,} exact values) a second with --jobs {made.jobs}"
            f"{machine}{memory}."
        )
    yield from textwrap.wrap(" ".join(told), WIDTH, break_on_hyphens=False)


def _spread(figures: Sequence[ContractFigures]) -> Iterator[str]:
    """How card points are spread in the suits, beside the other solver's."""
    figures = [one for one in figures if one.trump < N_SUITS]
    n = figures[0].n
    told = (
        "Card points of the side that leads, double dummy. The last column is another solver's, on "
        f"some {N_THEIRS:,} deals of its own; in brackets stands the difference from it, in "
        "standard errors of that difference."
    )
    yield from textwrap.wrap(told, WIDTH)
    yield ""
    yield _row("", *map(_name, figures), "theirs")
    yield _row(*["---"] * (len(figures) + 2))
    error = math.hypot(THEIR_SD / math.sqrt(n), THEIR_ERROR)
    means = [one.mean_card_points for one in figures]
    told = (f"{mean:.2f} ({_z(mean, THEIR_MEAN, error)})" for mean in means)
    yield _row("mean", *told, f"{THEIR_MEAN:.2f}")
    yield _row("spread", *(f"{one.sd_card_points:.1f}" for one in figures), f"{THEIR_SD:.1f}")
    for name, place in (("lower quartile", 0), ("median", 1), ("upper quartile", 2)):
        quartiles = (str(one.quartiles[place]) for one in figures if one.quartiles)
        yield _row(name, *quartiles, ("55", "88", "119")[place])
    for least, share in THEIRS.items():
        error = math.sqrt(share * (1 - share) * (1 / n + 1 / N_THEIRS))
        ours = [float(np.sum(one.counts[least:])) / n for one in figures if one.counts]
        yield _row(
            f"≥ {least}", *(f"{x:.4f} ({_z(x, share, error)})" for x in ours), f"{share:.4f}"
        )


def _chances(figures: Sequence[ContractFigures]) -> Iterator[str]:
    """What can be made, declarations and belote counted."""
    told = (
        "Chance to make a level, declarations and belote counted, as declarers: the side that "
        "leads / the other side. Then capots, belotes and mean declaration points of each."
    )
    yield from textwrap.wrap(told, WIDTH)
    yield ""
    yield _row("", *map(_name, figures))
    yield _row(*["---"] * (len(figures) + 1))
    for bid in (80, 90, 100, 110, 120, 130, 140, 150, 160, 200, 250):
        made = [{level.bid: level.p_made for level in one.levels} for one in figures]
        cells = (" / ".join(f"{p:.3f}" for p in one.get(bid, (0.0, 0.0))) for one in made)
        yield _row(str(bid), *cells)
    for name, pairs, digits in (
        ("capot", [one.p_capot for one in figures], 4),
        ("belote", [one.p_belote for one in figures], 4),
        ("declarations", [one.mean_declarations for one in figures], 2),
    ):
        yield _row(name, *(" / ".join(f"{p:.{digits}f}" for p in pair or ()) for pair in pairs))


def _name(figures: ContractFigures) -> str:
    return TRUMP_WORDS[figures.trump].replace("_", " ")


def _z(ours: float, theirs: float, error: float) -> str:
    return f"{(ours - theirs) / error:+.1f}"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Write the section into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset")
    parser.add_argument("--speed", type=int, help="deals a second of the run that made it")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--memory", type=int, help="its largest resident set, MB")
    parser.add_argument("--machine", default="")
    parser.add_argument("--page", type=Path, default=PAGE)
    made = parser.parse_args()
    table = open_table(made.dataset)
    if table.metadata["leader"] not in "NS" or "S" not in table.metadata["contracts"]:
        parser.error("give a dataset in which N leads, with spades among the contracts")
    text = section(table, figures_of(table), made)
    before, _, rest = made.page.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    made.page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
