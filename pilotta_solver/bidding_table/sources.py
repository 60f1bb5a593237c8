"""Where a bidding table comes from: a dataset of solved deals, seen by a ruleset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from pilotta_solver.bidding_table.observations import Observations, column_names, observe
from pilotta_solver.cards import ALL_TRUMP, CARD_POINTS_TOTAL, N_SUITS, NO_TRUMP, TRUMPS
from pilotta_solver.deal import SEATS
from pilotta_solver.errors import PilottaError
from pilotta_solver.ruleset import Law, Ruleset
from pilotta_solver.ruleset_keys import value_text
from pilotta_solver.schemas import BID_OUT, SIMULATE

if TYPE_CHECKING:
    from pilotta_solver.tables import Table

Progress = Callable[[int, int | None], None]
"""Called with the deals read so far, and their number in all."""


@dataclass(frozen=True)
class SolvedDeals:
    """Solved deals of a dataset, counted as a ruleset says.

    Attributes
    ----------
    table : Table
        The dataset.
    rules : Ruleset
        What declarations, belote, a sweep and the score are worth.
    trumps : tuple of int
        The contracts to look at: suits, or no trump alone, or all trump alone.
    leader : int
        The seat that leads, 0 to 3.
    """

    table: Table
    rules: Ruleset
    trumps: tuple[int, ...]
    leader: int

    @property
    def n_deals(self) -> int:
        """How many deals there are."""
        return self.table.n_rows

    def observations(self, progress: Progress | None = None) -> Iterator[Observations]:
        """Give the observations part by part; may be called again and again."""
        n_read = 0
        for columns in self.table.batches(column_names(self.trumps)):
            yield observe(columns, self.trumps, self.rules, leader=self.leader)
            n_read += len(columns["deal_number"])
            if progress is not None:
                progress(n_read, self.n_deals)

    def provenance(self) -> dict[str, Any]:
        """What a table made of them says of itself, without names of files."""
        known = self.table.metadata
        return {
            "rules": self.rules.as_dict(),
            "seed": known["seed"],
            "n_deals": self.n_deals,
            "contracts": "".join(TRUMPS[trump] for trump in self.trumps),
            "leader": known["leader"],
            "model": "double dummy",
            "dataset": {
                "version": known["version"],
                "generator": known.get("generator"),
                "rules": known["rules"]["name"],
            },
        }


def solved_deals(table: Table, rules: Ruleset, trumps: Sequence[int] | None = None) -> SolvedDeals:
    """See a dataset by a ruleset.

    Parameters
    ----------
    table : Table
        A dataset, or a part of one, of random deals (`tables.open_table`).
    rules : Ruleset
        Any ruleset of the same law of play.
    trumps : sequence of int, optional
        The contracts to look at; by default the suits that the dataset has, or else its only
        contract.

    Raises
    ------
    PilottaError
        If the table holds no random solved deals, they were played by another law of play, or the
        contracts are not there, do not go together or may not be bid.
    """
    known = table.metadata
    if table.schema.name == BID_OUT.name:
        raise PilottaError(
            f"{table.where}: a dataset that was bid has one contract a deal, which says nothing of "
            "the others; make one without --bid-by"
        )
    if table.schema.name != SIMULATE.name or not isinstance(known.get("rules"), Mapping):
        raise PilottaError(
            f"{table.where}: not a dataset of solved deals; make one with 'pilotta simulate'"
        )
    if table.n_rows == 0:
        raise PilottaError(f"{table.where}: nothing is in it yet; give its command again")
    if known.get("hand"):
        raise PilottaError(
            f"{table.where}: its deals are dealt around the hand {known['hand']}, so that they say "
            "nothing of other hands; make a dataset without --hand"
        )
    check_rules(known["rules"], rules, table.where)
    there = [TRUMPS.index(letter) for letter in known["contracts"]]
    chosen = _chosen(there, trumps, table.where)
    for trump, key in ((NO_TRUMP, "no_trump_bids"), (ALL_TRUMP, "all_trump_bids")):
        if trump in chosen and not getattr(rules, key):
            raise PilottaError(
                f"no bid in {TRUMPS[trump]} in ruleset {rules.name}: allow it with --set {key}=true"
            )
    return SolvedDeals(table, rules, chosen, SEATS.index(known["leader"]))


def check_rules(solved_by: Mapping[str, Any], rules: Ruleset, where: str) -> None:
    """Refuse a ruleset under which the values of a dataset would be others.

    Parameters
    ----------
    solved_by : mapping
        The ruleset of the dataset, key by key.
    rules : Ruleset
        The one wanted.
    where : str
        What messages call the dataset.

    Raises
    ------
    PilottaError
        If the law of play differs, or the dataset's solver has not looked for the sweeps that the
        ruleset rewards.
    """
    name = solved_by["name"]
    differing = [
        f"{key.name} is {value_text(solved_by[key.name])} in {name} and "
        f"{value_text(getattr(rules, key.name))} in {rules.name}"
        for key in fields(Law)
        if solved_by[key.name] != getattr(rules, key.name)
    ]
    if differing:
        raise PilottaError(
            f"{where}: its deals were played by another law: {'; '.join(differing)}; "
            f"simulate with --rules {rules.name}, or name rules that play like {name}"
        )
    if solved_by["capot_points"] == CARD_POINTS_TOTAL < rules.capot_points:
        raise PilottaError(
            f"{where}: its deals were solved without looking for sweeps (capot_points is "
            f"{CARD_POINTS_TOTAL} in {name}), which count {rules.capot_points} in {rules.name}; "
            f"simulate with --rules {rules.name}"
        )


def _chosen(there: list[int], trumps: Sequence[int] | None, where: str) -> tuple[int, ...]:
    """The contracts to look at: all of them suits, or one alone."""
    if trumps is None:
        suits = tuple(trump for trump in there if trump < N_SUITS)
        trumps = suits or tuple(there)
    missing = [TRUMPS[trump] for trump in trumps if trump not in there]
    if missing:
        raise PilottaError(
            f"{where}: {', '.join(missing)} is not solved in it, only "
            f"{', '.join(TRUMPS[trump] for trump in there)}; simulate with --contracts"
        )
    if len(trumps) > 1 and max(trumps) >= N_SUITS:
        raise PilottaError(
            f"contracts {''.join(TRUMPS[trump] for trump in trumps)}: no trump and all trump make "
            "a table of their own; give --contracts N, or A, or suits"
        )
    return tuple(trumps)
