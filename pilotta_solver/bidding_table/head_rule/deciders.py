"""How often a contract is made only thanks to declarations or a belote."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pilotta_solver.bidding_table.head_rule.calls import Way
from pilotta_solver.bidding_table.observations import N_SEATS, Observations
from pilotta_solver.cards import N_SUITS


@dataclass(frozen=True)
class Deciders:
    """The bids of a way, and how many of them are made.

    A bid is made *only thanks to* something if it would have failed without its points.

    Attributes
    ----------
    n_bids, n_made : int
        Bids, and bids that are made.
    n_by_cards : int
        Made by card points alone.
    n_by_declarations, n_by_belote : int
        Made only thanks to the own side's declarations, and only thanks to its belote; where only
        both together make it, it is in both.
    n_by_either : int
        Made with both, where the one or the other would have been enough: neither decides alone,
        and card points alone would have failed.
    """

    n_bids: int
    n_made: int
    n_by_cards: int
    n_by_declarations: int
    n_by_belote: int
    n_by_either: int


def deciders(seen: Observations, way: Way) -> Deciders:
    """Count what decides the bids of a way on whole deals that are solved in four suits."""
    n = len(seen) // (N_SUITS * N_SEATS)
    shape = n, N_SUITS, N_SEATS
    calls = way(
        seen.hand.reshape(shape)[:, 0].reshape(-1), seen.place.reshape(shape)[:, 0].reshape(-1)
    )
    hands = np.flatnonzero(calls.level)
    deal, seat = np.divmod(hands, N_SEATS)
    rows = (deal * N_SUITS + calls.trump[hands]) * N_SEATS + seat
    level = calls.level[hands]
    cards = np.maximum(seen.value[rows], 0)
    declarations, belote = seen.declarations[rows, 0], seen.belote[rows, 0]
    total = cards + declarations + belote
    made, by_cards = total >= level, cards >= level
    without_declarations, without_belote = cards + belote >= level, cards + declarations >= level

    def count(where: npt.NDArray[np.bool_]) -> int:
        return int(np.count_nonzero(where))

    return Deciders(
        n_bids=len(rows),
        n_made=count(made),
        n_by_cards=count(by_cards),
        n_by_declarations=count(made & ~without_declarations),
        n_by_belote=count(made & ~without_belote),
        n_by_either=count(without_declarations & without_belote & ~by_cards),
    )


def add(parts: list[Deciders]) -> Deciders:
    """Add up the counts of several parts."""
    return Deciders(
        **{name: sum(getattr(part, name) for part in parts) for name in Deciders.__annotations__}
    )
