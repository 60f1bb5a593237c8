"""The columns of simulated deals, from their hands and what came of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import CARD_POINTS_TOTAL, N_RANKS, N_SUITS, RANKS, TRUMPS
from pilotta_solver.datasets.results import Hands, Results, Values
from pilotta_solver.deal import SEATS, SIDES
from pilotta_solver.declarations import (
    belote_points_many,
    belote_seats_many,
    declaration_points_many,
)
from pilotta_solver.parquet import Coded
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.schemas import TRUMP_WORDS

Columns = dict[str, Any]


def columns_of(
    numbers: npt.NDArray[np.int64], hands: Hands, results: Results, leader: int, rules: Ruleset
) -> Columns:
    """Return every column of the tables `simulate` and `bid_out` that some deals have.

    Parameters
    ----------
    numbers, hands, leader, rules
        As for `results.results_of`.
    results : Results
        What came of the deals.
    """
    columns: Columns = {"deal_number": numbers}
    for seat, letter in enumerate(SEATS.lower()):
        columns[f"cards_{letter}"] = np.ascontiguousarray(hands[:, seat])
        columns[f"hand_{letter}"] = format_hands(hands[:, seat])
    if results.reached is not None:
        return columns | _of_reached(hands, results, leader, rules)
    n_each = len(results.rows) // len(hands)
    for place, trump in enumerate(results.trumps[:n_each].tolist()):
        word = TRUMP_WORDS[trump]
        value = np.ascontiguousarray(results.values[place::n_each])
        columns[f"value_ns_{word}"] = value
        columns[f"capot_{word}"] = Coded(_sweepers(value), SIDES)
        points = declaration_points_many(hands, trump, leader, rules)
        for side, name in enumerate(SIDES):
            columns[f"declarations_{name}_{word}"] = np.ascontiguousarray(points[:, side])
        if results.table is not None:
            columns[f"table_ns_{word}"] = np.ascontiguousarray(results.table[place::n_each])
    for suit in range(N_SUITS):
        seats = belote_seats_many(hands, suit)
        columns[f"belote_{TRUMP_WORDS[suit]}"] = Coded(seats, tuple(SEATS))
    return columns


def _of_reached(hands: Hands, results: Results, leader: int, rules: Ruleset) -> Columns:
    """The columns of the contract that each deal is played in; some have none."""
    reached, rows = results.reached, results.rows
    assert reached is not None
    is_passed_out = reached.trump < 0

    def spread(of_contracts: npt.NDArray[Any]) -> Any:
        """Values of the contracts as a column that lacks the other deals."""
        column = np.zeros(len(hands), of_contracts.dtype)
        column[rows] = of_contracts
        return np.ma.masked_array(column, is_passed_out)

    sweepers = np.full(len(hands), -1, np.int8)
    sweepers[rows] = _sweepers(results.values)
    columns: Columns = {
        "calls": reached.calls,
        "contract_trump": Coded(reached.trump, tuple(TRUMPS)),
        "contract_level": spread(reached.level[rows]),
        "contract_multiplier": spread(reached.multiplier[rows]),
        "declarer": Coded(reached.declarer, tuple(SEATS)),
        "value_ns": spread(results.values),
        "capot": Coded(sweepers, SIDES),
    }
    declarations = declaration_points_many(hands[rows], results.trumps, leader, rules)
    belotes = belote_points_many(hands[rows], results.trumps, rules)
    for side, name in enumerate(SIDES):
        columns[f"declarations_{name}"] = spread(declarations[:, side])
        columns[f"belote_{name}"] = spread(belotes[:, side])
    if results.table is not None:
        columns["table_ns"] = spread(results.table)
    return columns


def _sweepers(values: Values) -> npt.NDArray[np.int8]:
    """The side that takes all the tricks, by the NS value; -1 if none does."""
    found = np.where(values > CARD_POINTS_TOTAL, 0, np.where(values < 0, 1, -1))
    return found.astype(np.int8)


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
