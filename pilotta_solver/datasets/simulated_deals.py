"""What is simulated: deals as a function of seed and number, and what comes of each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

import pilotta_solver
from pilotta_solver.cards import N_RANKS, N_SUITS, TRUMPS
from pilotta_solver.datasets.dataset import Part
from pilotta_solver.datasets.deal_columns import columns_of
from pilotta_solver.datasets.results import Count, Hands, Results, TablePlay, results_of
from pilotta_solver.deal import SEATS
from pilotta_solver.errors import ConstraintError, DealError, PilottaError
from pilotta_solver.knowledge.auction_knowledge import ROLES
from pilotta_solver.knowledge.bidding_system import BiddingSystem
from pilotta_solver.knowledge.constraints import Knowledge, Statement
from pilotta_solver.knowledge.expression_text import parse_expression
from pilotta_solver.knowledge.sampling import MAX_SEED, worlds, worlds_given
from pilotta_solver.knowledge.system_auction import check_bids
from pilotta_solver.notation import format_hand, parse_hand
from pilotta_solver.parquet import encode, writer_version
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.schemas import BID_OUT, SIMULATE, Schema, bid_out_schema, simulate_schema

_TABLES = ((SIMULATE.name, 1), (SIMULATE.name, SIMULATE.version), (BID_OUT.name, BID_OUT.version))

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
    play : TablePlay or None
        How each contract is played besides by players who see only their own cards; None if it is
        not.
    bid_by : BiddingSystem or None
        The system by which the four hands bid. The contract they reach is then the only one, and
        ``trumps`` says nothing.

    Raises
    ------
    ConstraintError
        If a number is out of range, no contract is given, something is known without a hand, or
        nobody could open by the system.
    PilottaError
        If the players' aim is a contract, and nobody bids one.
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
    play: TablePlay | None = None
    bid_by: BiddingSystem | None = None

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
        if self.bid_by is not None:
            check_bids(self.bid_by)
        elif self.play is not None and self.play.aim == "contract":
            raise PilottaError('the aim "contract" needs one: give the system by which it is bid')

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
        is_played = self.play is not None
        if self.bid_by is not None:
            return bid_out_schema(table=is_played)
        return simulate_schema(
            self.trumps, all_trump_belote=self.rules.all_trump_belote, table=is_played
        )

    def settings(self) -> dict[str, Any]:
        """What the manifest and the metadata of every part say of all deals."""
        settings: dict[str, Any] = {
            "schema": self.schema.name,
            "schema_version": self.schema.version,
            "version": pilotta_solver.__version__,
            "writer": writer_version(),
            "generator": GENERATOR,
            "seed": self.seed,
            "rules": self.rules.as_dict(),
            "contracts": (
                "".join(TRUMPS[trump] for trump in self.trumps) if self.bid_by is None else None
            ),
            "leader": SEATS[self.leader],
            "hand": format_hand(self.hand) if self.hand else None,
            "seat": self.place if self.hand else None,
            "known": [{"seat": place, "says": text} for place, text in self.known],
        }
        # A dataset that is neither bid nor played says what it said before there were any such.
        if self.bid_by is not None:
            settings["bid_by"] = self.bid_by.as_dict()
        if self.play is not None:
            settings["model"] = "table"
            settings["decision_worlds"] = self.play.n_worlds
            settings["aim"] = self.play.aim
        return settings

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
        table = (settings.get("schema"), settings.get("schema_version"))
        unknown = PilottaError(
            f"{where}: no dataset of simulated deals that this version reads "
            f"({pilotta_solver.__version__}; it was made by {settings.get('version')})"
        )
        if (
            table not in _TABLES
            or settings.get("generator") != GENERATOR
            or not isinstance(rules, Mapping)
            or set(rules) != known
        ):
            raise unknown
        more: dict[str, Any] = {}
        if settings["contracts"] is not None:
            more["trumps"] = tuple(map(TRUMPS.index, settings["contracts"]))
        if "bid_by" in settings:
            more["bid_by"] = BiddingSystem.from_dict(settings["bid_by"])
        if settings.get("model") == "table":
            more["play"] = TablePlay(settings["decision_worlds"], settings["aim"])
        found = cls(
            seed=settings["seed"],
            rules=Ruleset(**rules),
            leader=SEATS.index(settings["leader"]),
            hand=parse_hand(hand) if hand else 0,
            place=settings["seat"] or 1,
            known=tuple((one["seat"], one["says"]) for one in settings["known"]),
            **more,
        )
        if (found.schema.name, found.schema.version) != table:
            raise unknown
        return found

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

    def results(
        self,
        numbers: npt.NDArray[np.int64],
        hands: Hands,
        jobs: int | None = None,
        progress: Count | None = None,
    ) -> Results:
        """Solve deals, bid and play them as far as is asked: what comes of each contract.

        Parameters
        ----------
        numbers : numpy.ndarray
            int64 of shape (n,): the numbers of the deals.
        hands : numpy.ndarray
            Their hands, uint32 of shape (n, 4).
        jobs, progress
            As for `results.results_of`.
        """
        return results_of(
            numbers,
            hands,
            self.trumps if self.bid_by is None else self.bid_by,
            self.leader,
            self.rules,
            seed=self.seed,
            play=self.play,
            jobs=jobs,
            progress=progress,
        )

    def columns(
        self, numbers: npt.NDArray[np.int64], hands: Hands, results: Results
    ) -> dict[str, Any]:
        """Every column of the table, from some deals' numbers, hands and what came of them."""
        columns = columns_of(numbers, hands, results, self.leader, self.rules)
        return {name: columns[name] for name in self.schema.names}

    def encode(self, part: Part, hands: Hands, results: Results) -> bytes:
        """The file of a part, from its hands and what came of them."""
        metadata = {**self.settings(), "first_deal": part.first}
        for key in ("schema", "schema_version"):
            del metadata[key]
        return encode(self.schema, self.columns(part.numbers, hands, results), metadata)
