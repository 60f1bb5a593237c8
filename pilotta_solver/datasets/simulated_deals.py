"""What is simulated: deals as a function of seed and number, their values, and their columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

import pilotta_solver
from pilotta_solver.cards import CARD_POINTS_TOTAL, N_RANKS, N_SUITS, RANKS, TRUMPS
from pilotta_solver.datasets.dataset import Part
from pilotta_solver.deal import SEATS, SIDES
from pilotta_solver.declarations import belote_seats_many, declaration_points_many
from pilotta_solver.double_dummy import solve_many
from pilotta_solver.errors import ConstraintError, DealError, PilottaError
from pilotta_solver.knowledge.auction_knowledge import ROLES
from pilotta_solver.knowledge.constraints import Knowledge, Statement
from pilotta_solver.knowledge.expression_text import parse_expression
from pilotta_solver.knowledge.sampling import MAX_SEED, worlds, worlds_given
from pilotta_solver.notation import format_hand, parse_hand
from pilotta_solver.parquet import Coded, encode, writer_version
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.schemas import SIMULATE, TRUMP_WORDS, Schema, simulate_schema

Hands = npt.NDArray[np.uint32]
Values = npt.NDArray[np.int16]

GENERATOR = "splitmix64"
"""How (seed, deal number) becomes a deal: `sampling.worlds` and `sampling.worlds_given`."""


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
    known : tuple of (int, str)
        What is known of the other hands: the place of one in the order of speaking, and an
        expression (`expression_text`) that holds for it.

    Raises
    ------
    ConstraintError
        If a number is out of range, no contract is given, or something is known without a hand.
    DealError
        If the hand has not eight cards.
    """

    seed: int
    rules: Ruleset
    trumps: tuple[int, ...] = tuple(range(N_SUITS))
    leader: int = 0
    hand: int = 0
    place: int = 1
    known: tuple[tuple[int, str], ...] = ()

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
        if self.known and not self.hand:
            raise ConstraintError("something is known of the other hands: give the hand beside it")

    @property
    def seat(self) -> int:
        """The seat of the hand, 0 to 3."""
        return (self.leader + self.place - 1) % len(SEATS) if self.hand else 0

    @property
    def knowledge(self) -> Knowledge:
        """What is known of the other hands; its seats are those of speaking, 0 leads."""
        return Knowledge(
            tuple(
                Statement(
                    place - 1,
                    parse_expression(text),
                    text,
                    ROLES[(place - self.place) % len(SEATS)],
                )
                for place, text in self.known
            ),
            self.rules,
        )

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
            "known": [{"seat": place, "says": text} for place, text in self.known],
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
            known=tuple((one["seat"], one["says"]) for one in settings["known"]),
        )

    def deals(self, first: int, n: int) -> Hands:
        """Deal ``n`` deals from number ``first`` on: uint32 of shape (n, 4).

        Raises
        ------
        ConstraintError
            If no deal agrees with what is known, or next to none (`sampling.worlds_given`).
        """
        if not self.known:
            return worlds(self.hand, self.seat, n, self.seed, first)
        sampled = worlds_given(self.hand, self.place - 1, self.knowledge, n, self.seed, first)
        return np.roll(sampled.hands, self.leader, axis=1)

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
        for seat, letter in enumerate(SEATS.lower()):
            columns[f"cards_{letter}"] = np.ascontiguousarray(hands[:, seat])
            columns[f"hand_{letter}"] = format_hands(hands[:, seat])
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


def format_hands(hands: Hands) -> npt.NDArray[np.str_]:
    """Write many hands as text: the batch twin of `notation.format_hand`, of the same shape."""
    texts = _suit_texts()
    suits = [texts[hands >> np.uint32(8 * suit) & np.uint32(255)] for suit in range(N_SUITS)]
    joined: npt.NDArray[np.str_] = suits[0]
    for suit in suits[1:]:
        joined = np.strings.add(np.strings.add(joined, "."), suit)
    # Eight cards and three points, where numpy has made room for 32 cards.
    return joined.astype("U11")


@cache
def _suit_texts() -> npt.NDArray[np.str_]:
    """The text of every set of ranks, high cards first."""
    return np.array(
        [
            "".join(RANKS[rank] for rank in reversed(range(N_RANKS)) if ranks >> rank & 1)
            for ranks in range(1 << N_RANKS)
        ]
    )
