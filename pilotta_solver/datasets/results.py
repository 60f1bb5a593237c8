"""What comes of simulated deals: double dummy values, results of self-play, contracts reached."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pilotta_solver.auction import Auction
from pilotta_solver.deal import SEATS
from pilotta_solver.double_dummy import solve_many
from pilotta_solver.knowledge.auction_knowledge import knowledge_from_auction
from pilotta_solver.knowledge.bidding_system import BiddingSystem
from pilotta_solver.knowledge.system_auction import ReachedContracts, bid_out_many
from pilotta_solver.notation import parse_calls
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.table_play.outlook import Aim
from pilotta_solver.table_play.player import DECISION_WORLDS, check_player
from pilotta_solver.table_play.self_play import Told, self_play_many

Hands = npt.NDArray[np.uint32]
Values = npt.NDArray[np.int16]
Count = Callable[[int], None]
"""Called with the number of deals done since the last call."""


@dataclass(frozen=True)
class TablePlay:
    """How deals are played out by four players who see only their own cards.

    Attributes
    ----------
    n_worlds : int
        Worlds that a player draws for each card.
    aim : str
        ``"points"``, or ``"contract"``, which only a contract that somebody bid has.

    Raises
    ------
    PilottaError
        If one of them is out of range.
    """

    n_worlds: int = DECISION_WORLDS
    aim: Aim = "points"

    def __post_init__(self) -> None:
        check_player(self.n_worlds, self.aim)


@dataclass(frozen=True)
class Results:
    """What comes of n deals in m contracts.

    Attributes
    ----------
    rows : numpy.ndarray
        Of shape (m,): the place of the deal of each contract, ascending.
    trumps : numpy.ndarray
        int8 of shape (m,).
    values : numpy.ndarray
        int16 of shape (m,): NS, double dummy.
    table : numpy.ndarray or None
        int16 of shape (m,): NS, as the deal was played; None if it was not.
    reached : ReachedContracts or None
        The auctions, where the contracts are those that a bidding system reaches: one a deal, or
        none where all four passed.
    """

    rows: npt.NDArray[np.intp]
    trumps: npt.NDArray[np.int8]
    values: Values
    table: Values | None = None
    reached: ReachedContracts | None = None

    @classmethod
    def of_values(cls, contracts: tuple[int, ...], values: Values) -> Results:
        """Return results that are known: NS values of shape (n, contracts)."""
        rows = np.repeat(np.arange(len(values)), len(contracts))
        trumps = np.tile(np.array(contracts, np.int8), len(values))
        return cls(rows, trumps, values.ravel())


def results_of(
    numbers: npt.NDArray[np.int64],
    hands: Hands,
    contracts: tuple[int, ...] | BiddingSystem,
    leader: int,
    rules: Ruleset,
    *,
    seed: int,
    play: TablePlay | None = None,
    jobs: int | None = None,
    progress: Count | None = None,
) -> Results:
    """Solve deals, and have them played if so asked, each in some contracts.

    What comes of a deal in a contract depends on the two, the seed and the number of the deal
    alone; where it is bid by a system also on that, for the players then read the auction by it.

    Parameters
    ----------
    numbers : numpy.ndarray
        int64 of shape (n,): the number of each deal.
    hands : numpy.ndarray
        uint32 of shape (n, 4).
    contracts : tuple of int or BiddingSystem
        The trumps that all deals are solved in, or the system by which each is bid out first.
    leader : int
        The seat that leads, and that speaks first.
    rules : Ruleset
        The rules.
    seed : int
        The seed of the dataset.
    play : TablePlay, optional
        How the deals are played; by default they are not.
    jobs : int, optional
        Threads; never changes a result.
    progress : callable, optional
        Called with the number of deals done since the last call; those that are played count once
        they have been.
    """
    reached = told = None
    if isinstance(contracts, BiddingSystem):
        dealer = (leader - 1) % len(SEATS)
        reached = bid_out_many(hands, contracts, rules, dealer)
        rows = np.flatnonzero(reached.trump >= 0)
        trumps, n_each = reached.trump[rows], 1
        if play is not None:
            told = _heard(reached.calls[rows].tolist(), contracts, rules, dealer)
    else:
        n_each = len(contracts)
        rows = np.repeat(np.arange(len(hands)), n_each)
        trumps = np.tile(np.array(contracts, np.int8), len(hands))
    count = None if progress is None else _whole_deals(progress, n_each)
    if progress is not None:
        progress(len(hands) - len(rows) // n_each)
    values = solve_many(
        hands[rows],
        trumps,
        leader,
        rules=rules,
        jobs=jobs,
        progress=count if play is None else None,
    )
    table = None
    if play is not None:
        table = self_play_many(
            hands[rows],
            trumps,
            leader,
            seed=seed,
            numbers=numbers[rows],
            n_worlds=play.n_worlds,
            aim=play.aim,
            levels=None if reached is None else reached.level[rows],
            declarers=None if reached is None else reached.declarer[rows],
            told=told,
            rules=rules,
            jobs=jobs,
            progress=count,
        )
    return Results(rows, trumps, values, table, reached)


def _heard(calls: list[str], system: BiddingSystem, rules: Ruleset, dealer: int) -> list[Told]:
    """What each player has heard in each auction; auctions that are the same are read once."""
    heard: dict[str, Told] = {}
    for text in calls:
        if text not in heard:
            auction = Auction(rules, dealer, parse_calls(text))
            heard[text] = tuple(
                knowledge_from_auction(auction, system, seat).knowledge
                for seat in range(len(SEATS))
            )
    return [heard[text] for text in calls]


def _whole_deals(progress: Count, n_each: int) -> Count:
    """Count contracts, and tell of the deals of which all are done."""
    n_done = 0

    def count(n: int) -> None:
        nonlocal n_done
        before = n_done // n_each
        n_done += n
        progress(n_done // n_each - before)

    return count
