"""Bulk deals: random deals, solved exactly in every contract asked for, as a dataset on disk.

Deal i is a function of the seed and i alone, so that parts may be made in any order, by any number
of threads or machines, and again: the bytes are always the same.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, fields
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import pilotta_solver
from pilotta_solver.cards import CARD_POINTS_TOTAL, N_RANKS, N_SUITS, RANKS, TRUMPS
from pilotta_solver.dataset import Dataset, MadePart, Part, differences, refuse_others, write_part
from pilotta_solver.deal import SEATS, SIDES
from pilotta_solver.declarations import belote_seats_many, declaration_points_many
from pilotta_solver.double_dummy import solve_many
from pilotta_solver.errors import ConstraintError, DealError, PilottaError
from pilotta_solver.notation import format_hand, parse_hand
from pilotta_solver.parquet import Coded, encode, writer_version
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.sampling import MAX_SEED, worlds
from pilotta_solver.schemas import SIMULATE, TRUMP_WORDS, Schema, simulate_schema
from pilotta_solver.storage import Notice, open_folder

Hands = npt.NDArray[np.uint32]
Values = npt.NDArray[np.int16]

Progress = Callable[[int, int], None]
"""Called now and then with the deals made so far and their number in all."""

PART_SIZE = 20_000
"""Deals a part: a minute of work for one core, a megabyte on disk."""

MAX_PART_SIZE = 200_000
"""A part is held in memory until it is whole."""

GENERATOR = "splitmix64"
"""How (seed, deal number) becomes a deal: `sampling.worlds`."""


@dataclass(frozen=True)
class Simulation:
    """What is simulated: with the number of a deal it decides everything in its row.

    Attributes
    ----------
    seed : int
        0 to 2**64 - 1.
    rules : Ruleset
        The rules that the deals are solved and counted by.
    trumps : tuple of int
        The contracts to solve, ascending: 0 to 3 a suit, 4 no trump, 5 all trump.
    leader : int
        The seat that leads, 0 to 3.
    hand : int
        A hand that every deal is dealt around, a card set; 0 for none.
    place : int
        The place of that hand in the order of speaking, 1 to 4; 1 leads.

    Raises
    ------
    ConstraintError
        If a number is out of range, or no contract is given.
    DealError
        If the hand has not eight cards.
    """

    seed: int
    rules: Ruleset
    trumps: tuple[int, ...] = tuple(range(N_SUITS))
    leader: int = 0
    hand: int = 0
    place: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.seed <= MAX_SEED:
            raise ConstraintError(f"seed {self.seed}: it is 0 to {MAX_SEED}")
        if not self.trumps or not set(self.trumps) <= set(range(len(TRUMPS))):
            raise ConstraintError(f"contracts {self.trumps}: give one or more of 0 to 5")
        if list(self.trumps) != sorted(set(self.trumps)):
            raise ConstraintError(f"contracts {self.trumps}: give each once, ascending")
        if not 0 <= self.leader < len(SEATS):
            raise ConstraintError(f"leader {self.leader}: it is 0 to 3, for {', '.join(SEATS)}")
        if self.hand and self.hand.bit_count() != N_RANKS:
            raise DealError(f"a hand of {self.hand.bit_count()} cards: give {N_RANKS}")
        if not 1 <= self.place <= len(SEATS):
            raise ConstraintError(f"place {self.place}: it is 1 to 4, in the order of speaking")

    @property
    def seat(self) -> int:
        """The seat of the hand, 0 to 3."""
        return (self.leader + self.place - 1) % len(SEATS) if self.hand else 0

    @property
    def schema(self) -> Schema:
        """The table that a part holds."""
        return simulate_schema(self.trumps, all_trump_belote=self.rules.all_trump_belote)

    def settings(self) -> dict[str, Any]:
        """What the manifest and the metadata of every part say of all deals."""
        return {
            "schema": SIMULATE.name,
            "schema_version": SIMULATE.version,
            "version": pilotta_solver.__version__,
            "writer": writer_version(),
            "generator": GENERATOR,
            "seed": self.seed,
            "rules": self.rules.as_dict(),
            "contracts": "".join(TRUMPS[trump] for trump in self.trumps),
            "leader": SEATS[self.leader],
            "hand": format_hand(self.hand) if self.hand else None,
            "seat": self.place if self.hand else None,
        }

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any], where: str) -> Simulation:
        """Return the simulation that wrote a dataset; `where` is what messages call that.

        Raises
        ------
        PilottaError
            If it is a dataset of something else, or of a later version of the program.
        """
        rules, hand = settings.get("rules"), settings.get("hand")
        known = {field.name for field in fields(Ruleset)}
        if (
            settings.get("schema") != SIMULATE.name
            or settings.get("schema_version") != SIMULATE.version
            or settings.get("generator") != GENERATOR
            or not isinstance(rules, Mapping)
            or set(rules) != known
        ):
            raise PilottaError(
                f"{where}: no dataset of simulated deals that this version reads "
                f"({pilotta_solver.__version__}; it was made by {settings.get('version')})"
            )
        return cls(
            seed=settings["seed"],
            rules=Ruleset(**rules),
            trumps=tuple(map(TRUMPS.index, settings["contracts"])),
            leader=SEATS.index(settings["leader"]),
            hand=parse_hand(hand) if hand else 0,
            place=settings["seat"] or 1,
        )

    def deals(self, first: int, n: int) -> Hands:
        """Deal ``n`` deals from number ``first`` on: uint32 of shape (n, 4)."""
        return worlds(self.hand, self.seat, n, self.seed, first)

    def solve(
        self,
        hands: Hands,
        jobs: int | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Values:
        """Solve deals in every contract: NS values, int16 of shape (n, contracts)."""
        n_trumps = len(self.trumps)
        values = solve_many(
            np.repeat(hands, n_trumps, axis=0),
            np.tile(np.array(self.trumps, dtype=np.int8), len(hands)),
            self.leader,
            rules=self.rules,
            jobs=jobs,
            progress=progress,
        )
        return values.reshape(len(hands), n_trumps)

    def columns(
        self, numbers: npt.NDArray[np.int64], hands: Hands, values: Values
    ) -> dict[str, Any]:
        """Every column of the table, from the numbers of some deals, their hands and values."""
        columns: dict[str, Any] = {"deal_number": numbers}
        texts = format_hands(hands)
        for seat, letter in enumerate(SEATS.lower()):
            columns[f"cards_{letter}"] = np.ascontiguousarray(hands[:, seat])
            columns[f"hand_{letter}"] = texts[:, seat]
        for column, trump in enumerate(self.trumps):
            word, value = TRUMP_WORDS[trump], np.ascontiguousarray(values[:, column])
            columns[f"value_ns_{word}"] = value
            sweeper = np.where(value > CARD_POINTS_TOTAL, 0, np.where(value < 0, 1, -1))
            columns[f"capot_{word}"] = Coded(sweeper.astype(np.int8), SIDES)
            points = declaration_points_many(hands, trump, self.leader, self.rules)
            for side, name in enumerate(SIDES):
                columns[f"declarations_{name}_{word}"] = np.ascontiguousarray(points[:, side])
        for suit in range(N_SUITS):
            seats = belote_seats_many(hands, suit)
            columns[f"belote_{TRUMP_WORDS[suit]}"] = Coded(seats, tuple(SEATS))
        return {name: columns[name] for name in self.schema.names}

    def encode(self, part: Part, hands: Hands, values: Values) -> bytes:
        """The file of a part, from its hands and their values."""
        numbers = np.arange(part.first, part.first + part.n_deals, dtype=np.int64)
        metadata = {**self.settings(), "first_deal": part.first}
        for key in ("schema", "schema_version"):
            del metadata[key]
        return encode(self.schema, self.columns(numbers, hands, values), metadata)


def simulate(
    where: str | Path,
    simulation: Simulation,
    n_deals: int,
    *,
    part_size: int = PART_SIZE,
    jobs: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
    notice: Notice | None = None,
) -> Dataset:
    """Make a dataset of solved deals, or go on with one that is not whole yet.

    Parameters
    ----------
    where : str or Path
        The folder, a path or a URI (`storage.open_folder`).
    simulation : Simulation
        What to deal and to solve.
    n_deals : int
        How many deals the dataset has in the end, those made before among them.
    part_size : int
        Deals a part, at most `MAX_PART_SIZE`.
    jobs : int, optional
        Threads, by default one a core; with ``cluster="local"`` the worker processes.
    cluster : str, optional
        The address of a Dask scheduler whose workers make the parts, or ``"local"`` to start one
        here; they must reach the folder under the same name. Needs the extra ``cluster``.
    progress : callable, optional
        Called with the deals made so far and their number in all.
    notice : callable, optional
        Called with a sentence when there is something to wait for.

    Returns
    -------
    Dataset
        The whole dataset.

    Raises
    ------
    ConstraintError
        If a number is out of range.
    PilottaError
        If the folder is held by another run, holds something else, or cannot be written to. What
        is whole by then is kept.
    """
    if n_deals < 1:
        raise ConstraintError(f"{n_deals} deals: give at least 1")
    if not 1 <= part_size <= MAX_PART_SIZE:
        raise ConstraintError(f"{part_size} deals a part: give 1 to {MAX_PART_SIZE}")
    folder = open_folder(where)
    # Not even a lock is left in a folder of something else.
    refuse_others(folder)
    with folder.lock(notice):
        dataset = Dataset.begin(folder, simulation.settings(), n_deals, part_size)
        make_missing(dataset, where, simulation, jobs=jobs, cluster=cluster, progress=progress)
        folder.remove_leftovers()
    return dataset


def make_missing(
    dataset: Dataset,
    where: str | Path,
    simulation: Simulation,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
) -> None:
    """Make the parts that a dataset lacks; parameters as for `simulate`. Hold its lock."""
    done = dataset.n_deals_made

    def count(n: int) -> None:
        nonlocal done
        done += n
        if progress is not None:
            progress(done, dataset.n_deals)

    count(0)
    if cluster is None:
        _make_here(dataset, simulation, jobs, count)
        return
    with closing(_made_by_cluster(where, simulation, dataset, jobs, cluster)) as results:
        for made in results:
            dataset.add(made)
            count(made.part.n_deals)


def make_part(where: str, simulation: Simulation, settings: dict[str, Any], part: Part) -> MadePart:
    """Make one part on one thread and write it: what a worker of a cluster does.

    Raises
    ------
    PilottaError
        If this program would write other bytes than the one that began the dataset.
    """
    told = differences(settings, simulation.settings())
    if told:
        raise PilottaError(
            f"a worker runs another program: {', '.join(told)}; give all workers the same"
        )
    folder = open_folder(where)
    hands = simulation.deals(part.first, part.n_deals)
    return write_part(folder, part, simulation.encode(part, hands, simulation.solve(hands, 1)))


def format_hands(hands: Hands) -> npt.NDArray[np.str_]:
    """Write many hands as text: the batch twin of `notation.format_hand`, of the same shape."""
    texts = _suit_texts()
    suits = [texts[hands >> np.uint32(8 * suit) & np.uint32(255)] for suit in range(N_SUITS)]
    joined: npt.NDArray[np.str_] = suits[0]
    for suit in suits[1:]:
        joined = np.strings.add(np.strings.add(joined, "."), suit)
    return joined


@cache
def _suit_texts() -> npt.NDArray[np.str_]:
    """The text of every set of ranks, high cards first."""
    return np.array(
        [
            "".join(RANKS[rank] for rank in reversed(range(N_RANKS)) if ranks >> rank & 1)
            for ranks in range(1 << N_RANKS)
        ]
    )


def _make_here(
    dataset: Dataset, simulation: Simulation, jobs: int | None, count: Callable[[int], None]
) -> None:
    """Solve part after part on threads; while one is solved, the one before is written."""
    n_solved = 0

    def solved(n: int) -> None:
        nonlocal n_solved
        before = n_solved // len(simulation.trumps)
        n_solved += n
        count(n_solved // len(simulation.trumps) - before)

    def write(part: Part, hands: Hands, values: Values) -> None:
        dataset.add(write_part(dataset.folder, part, simulation.encode(part, hands, values)))

    writing: Future[None] | None = None
    with ThreadPoolExecutor(1) as writer:
        for part in list(dataset.missing()):
            hands = simulation.deals(part.first, part.n_deals)
            values = simulation.solve(hands, jobs, solved)
            if writing is not None:
                writing.result()
            writing = writer.submit(write, part, hands, values)
        if writing is not None:
            writing.result()


def _made_by_cluster(
    where: str | Path,
    simulation: Simulation,
    dataset: Dataset,
    jobs: int | None,
    address: str,
) -> Generator[MadePart]:
    from pilotta_solver.cluster import completed

    # A worker may stand in another folder.
    text = str(where)
    target = text if "://" in text else str(Path(text).absolute())
    task = partial(make_part, target, simulation, dataset.settings)
    return completed(task, list(dataset.missing()), address, n_workers=jobs)
