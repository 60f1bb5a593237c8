"""Look for the deals that cost the solver most, and write data/hard.

The dearest of many uniformly random deals, the dearest of several families of freaks, and deals
that a climb made dearer, one exchange of two cards after another. Of each family as many are kept
of one contract as of another, as no trump alone would else be left.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

if not __package__:
    # Run as a file: measure the checkout that it stands in.
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import numpy.typing as npt

from benchmarks.ablation import flags
from benchmarks.deals import HARD_VALUES, N_SEATS, PILOTTA, Deals, random_deals
from benchmarks.freaks import FAMILIES, drawn, swapped
from benchmarks.jobs import DisagreementError, one_value
from benchmarks.measure import machine, n_cores
from benchmarks.report import table
from pilotta_solver import solve_many
from pilotta_solver.cards import TRUMPS
from pilotta_solver.engine.workspace import EVERY_PRUNING, USE_TABLE
from pilotta_solver.notation import format_hand, format_trump
from pilotta_solver.workers import new_workspace

RANDOM, CLIMBED = "random", "climbed"
KEPT = {
    RANDOM: 40,
    "eight trumps": 4,
    "seven trumps": 8,
    "trumps on one side": 8,
    "long suits": 8,
    "two suits": 6,
    "flat hands": 8,
    CLIMBED: 18,
}
"""Deals kept of each family."""
NEIGHBOURS = 8
"""Exchanges tried in one step of a climb."""
ENOUGH_CARDS = 10_000_000
"""A climb ends here: a dearer deal would make the tests slow and prove no more."""

_README = """\
# Hard deals

Deals that cost the solver much, with their values under the Pilotta law: for tests of speed, and
for tests of a pruning rule, which these give the most chances to go wrong. They were found with

```sh
{command}
```

on {date} by pilotta-solver {version}, commit {commit}, with NumPy {numpy} (the generator of the
deals). The search goes by cards searched, so another version of the solver finds other deals.

`random` is the dearest of uniformly random deals, led by N; each other family is described in
`benchmarks/freaks.py`; `climbed` began as dear random deals and was made dearer by exchanges of
two cards. Of each family as many deals were kept of one contract as of another, where it has them.
Each value was found again with every pruning but the table turned off in turn.

Columns are those of the golden values: hands in order of play, `hand0` (N) first; `leader` the
index of the hand that leads; `trump` S H D C, N (no trump) or A (all trump); `points_ns` the card
points of `hand0` and `hand2`, last trick included, without a bonus for a capot; and
`cards_searched`, the cost when the deal was found.

{table}
"""


@dataclass(frozen=True)
class Searched:
    """Deals with their values, and the cards searched for each."""

    deals: Deals
    cards: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.deals)

    def take(self, rows: npt.NDArray[np.int64]) -> Searched:
        """Return some of them."""
        return Searched(self.deals.take(rows), self.cards[rows])


def main(argv: Sequence[str] | None = None) -> int:
    """Search, check every value kept, and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("--random", type=int, default=100_000, help="random deals to look through [100000]")
    add("--freaks", type=int, default=5_000, help="deals of each family of freaks [5000]")
    add("--steps", type=int, default=100, help="steps of a climb [100]")
    add("--seed", type=int, default=1, help="seed of everything [1]")
    add("--jobs", type=int, default=n_cores(), help="threads [one a core]")
    add("--output", type=Path, default=HARD_VALUES.parent, help="folder to write [data/hard]")
    options = parser.parse_args(argv)
    if min(options.random, options.freaks, options.steps, options.jobs) < 1:
        parser.error("--random, --freaks, --steps and --jobs: give 1 or more")
    if not options.output.parent.is_dir():
        parser.error(f"--output: there is no folder {options.output.parent}; make it first")
    families = look(options.random, options.freaks, options.steps, options.seed, options.jobs)
    try:
        for family, found in families.items():
            check(family, found)
    except DisagreementError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    options.output.mkdir(exist_ok=True)
    write_values(options.output / HARD_VALUES.name, families)
    command = " ".join(
        ["python benchmarks/hard.py"]
        + [f"--{name} {getattr(options, name)}" for name in ("random", "freaks", "steps", "seed")]
    )
    (options.output / "README.md").write_text(provenance(families, command), encoding="utf-8")
    return 0


def look(n_random: int, n_freaks: int, steps: int, seed: int, jobs: int) -> dict[str, Searched]:
    """Return the dearest deals by family."""
    _say(f"{n_random} random deals")
    trump = np.arange(n_random, dtype=np.int8) % len(TRUMPS)
    chance = searched(random_deals(n_random, seed), trump, np.zeros_like(trump), jobs)
    found = {RANDOM: dearest(chance, KEPT[RANDOM])}
    for number, family in enumerate(FAMILIES):
        _say(family)
        rng = np.random.default_rng([seed, number])
        hands, trump = drawn(family, n_freaks, rng)
        leader = rng.integers(N_SEATS, size=n_freaks).astype(np.int8)
        found[family] = dearest(searched(hands, trump, leader, jobs), KEPT[family])
    starts = dearest(chance, KEPT[CLIMBED])
    rng = np.random.default_rng([seed, len(FAMILIES)])
    climbed = []
    for row in range(len(starts)):
        _say(f"climb {row + 1} of {len(starts)}")
        climbed.append(climb(starts.take(np.array([row])), steps, rng, jobs))
    found[CLIMBED] = dearest(joined(climbed), KEPT[CLIMBED])
    return found


def searched(
    hands: npt.NDArray[np.uint32],
    trump: npt.NDArray[np.int8],
    leader: npt.NDArray[np.int8],
    jobs: int,
) -> Searched:
    """Solve deals and keep what each cost."""
    cards = np.zeros(len(hands), dtype=np.int64)
    value = solve_many(hands, trump, leader, PILOTTA, jobs, cards_searched=cards)
    return Searched(Deals(hands, trump, leader, value), cards)


def dearest(found: Searched, n: int) -> Searched:
    """Return the ``n`` dearest, dearest first: the first of each contract, then the second, ..."""
    by_cost = np.argsort(-found.cards, kind="stable")
    place = np.empty(len(found), dtype=np.int64)
    for trump in range(len(TRUMPS)):
        rows = by_cost[found.deals.trump[by_cost] == trump]
        place[rows] = np.arange(len(rows))
    kept = np.lexsort((-found.cards, place))[:n]
    return found.take(kept[np.argsort(-found.cards[kept], kind="stable")])


def joined(parts: Sequence[Searched]) -> Searched:
    """Return several as one."""
    return Searched(
        Deals(
            np.concatenate([part.deals.hands for part in parts]),
            np.concatenate([part.deals.trump for part in parts]),
            np.concatenate([part.deals.leader for part in parts]),
            np.concatenate([part.deals.value for part in parts]),
        ),
        np.concatenate([part.cards for part in parts]),
    )


def climb(start: Searched, steps: int, rng: np.random.Generator, jobs: int) -> Searched:
    """Exchange cards of one deal, again and again, where that makes it dearer."""
    best = start
    for _ in range(steps):
        if best.cards[0] >= ENOUGH_CARDS:
            break
        hands = best.deals.hands[0].tolist()
        near = np.array([swapped(rng, hands) for _ in range(NEIGHBOURS)], dtype=np.uint32)
        trump, leader = (
            np.repeat(each, NEIGHBOURS) for each in (best.deals.trump, best.deals.leader)
        )
        tried = searched(near, trump, leader, jobs)
        if tried.cards.max() > best.cards[0]:
            best = tried.take(np.array([np.argmax(tried.cards)]))
    return best


def check(family: str, found: Searched) -> None:
    """Solve again without each pruning but the table, which no hard deal can do without.

    Raises
    ------
    DisagreementError
        If a value changes: then the engine is wrong, and nothing is written.
    """
    _say(f"checking {family}")
    for name, bit in flags().items():
        if bit == USE_TABLE:
            continue
        workspace = new_workspace(PILOTTA.law)
        workspace["pruning"] = EVERY_PRUNING & ~bit
        job = one_value(found.deals, PILOTTA, workspace)
        job.run_all()
        for row in np.flatnonzero(job.questions["value"] != found.deals.value).tolist():
            raise DisagreementError(
                f"{found.deals.describe(row)}: {found.deals.value[row]}, but without {name} "
                f"{job.questions['value'][row]}"
            )


def write_values(path: Path, families: dict[str, Searched]) -> None:
    """Write the deals, in the columns of the golden values and two more."""
    seats = [f"hand{seat}" for seat in range(N_SEATS)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["family", "trump", "leader", *seats, "points_ns", "cards_searched"])
        for family, found in families.items():
            for row in range(len(found)):
                writer.writerow(
                    [
                        family,
                        format_trump(int(found.deals.trump[row])),
                        found.deals.leader[row],
                        *(format_hand(int(hand)) for hand in found.deals.hands[row]),
                        found.deals.value[row],
                        found.cards[row],
                    ]
                )


def provenance(families: dict[str, Searched], command: str) -> str:
    """Return the README of data/hard."""
    about = machine()
    rows = [
        (
            family,
            str(len(found)),
            f"{found.cards.min():,}",
            f"{found.cards.mean():,.0f}",
            f"{found.cards.max():,}",
        )
        for family, found in families.items()
    ]
    head = ("family", "deals", "cards, least", "cards, mean", "cards, most")
    return _README.format(
        command=command,
        version=about["pilotta_solver"],
        commit=about["commit"],
        numpy=about["numpy"],
        date=about["date"],
        table=table(head, rows),
    )


def _say(what: str) -> None:
    print(f"{what} ...", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
