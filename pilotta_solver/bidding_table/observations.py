"""What solved deals tell a player: his cards, trump and place, and what his side makes of them.

Every solved deal is four hands by its contracts, each an *observation*: the player at one seat,
with one trump, whose side declares. Declarations and belote are found again from the hands, so that
one dataset serves every ruleset of the same law of play.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import CARD_POINTS_TOTAL
from pilotta_solver.deal import SEATS
from pilotta_solver.declarations import belote_points_many, declaration_points_many
from pilotta_solver.knowledge.quantities import Quantity as Measured, measure_many
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.schemas import TRUMP_WORDS

N_SEATS = len(SEATS)


@dataclass(frozen=True)
class Observations:
    """The observations of some deals: one for each deal, trump and seat, in this order.

    A pair is the own side, which declares, then the other side.

    Attributes
    ----------
    deal : numpy.ndarray
        int64 of shape (m,): the number of the deal.
    hand : numpy.ndarray
        uint32 of shape (m,): the own cards, a card set.
    trump : numpy.ndarray
        int8 of shape (m,): 0 to 3 a suit, 4 no trump, 5 all trump.
    place : numpy.ndarray
        int8 of shape (m,): place in the order of play, 0 to 3; 0 leads to the first trick.
    value : numpy.ndarray
        int16 of shape (m,): what the own side makes double dummy. Card points with the last trick;
        a sweep counts ``capot_points`` of the ruleset, one by the other side 162 less that.
    declarations, belote : numpy.ndarray
        int16 of shape (m, 2): scoring declaration points, and belote points.
    declared : numpy.ndarray
        int16 of shape (m,): what the declarations of the own hand alone are worth, whoever wins
        the contest.
    """

    deal: npt.NDArray[np.int64]
    hand: npt.NDArray[np.uint32]
    trump: npt.NDArray[np.int8]
    place: npt.NDArray[np.int8]
    value: npt.NDArray[np.int16]
    declarations: npt.NDArray[np.int16]
    belote: npt.NDArray[np.int16]
    declared: npt.NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.deal)

    @property
    def total(self) -> npt.NDArray[np.int32]:
        """The own side's total, int32 of shape (m,): value, scoring declarations and belote.

        A side that takes no trick has 0 card points, not the value's less than 0.
        """
        won = np.maximum(self.value, 0).astype(np.int32)
        return won + self.declarations[:, 0] + self.belote[:, 0]


def column_names(trumps: Sequence[int]) -> tuple[str, ...]:
    """The columns of a simulated dataset that `observe` needs for some contracts."""
    hands = (f"cards_{seat}" for seat in SEATS.lower())
    values = (f"value_ns_{TRUMP_WORDS[trump]}" for trump in trumps)
    return ("deal_number", *hands, *values)


def observe(
    columns: Mapping[str, Any], trumps: Sequence[int], rules: Ruleset, *, leader: int = 0
) -> Observations:
    """Turn solved deals into observations.

    Parameters
    ----------
    columns : mapping
        The columns `column_names` of n deals, as ``tables.open_table(...).batches`` gives them.
    trumps : sequence of int
        The k contracts to look at.
    rules : Ruleset
        What declarations, belote and a sweep are worth. Its law of play must be that of the deals,
        and the deals must have been solved with sweeps in sight if the ruleset rewards them
        (`sources.check_rules`).
    leader : int
        The seat that leads in every deal, 0 to 3.

    Returns
    -------
    Observations
        4 k n of them.
    """
    hands = np.stack([columns[f"cards_{seat}"] for seat in SEATS.lower()], axis=1)
    n, k = len(hands), len(trumps)
    shape = (n, k, N_SEATS)
    value, pairs = np.empty(shape, np.int16), np.empty((2, *shape, 2), np.int16)
    for place, trump in enumerate(trumps):
        of_ns = _values(columns[f"value_ns_{TRUMP_WORDS[trump]}"], rules)
        bonuses = (
            declaration_points_many(hands, trump, leader, rules),
            belote_points_many(hands, trump, rules),
        )
        for seat in range(N_SEATS):
            side = seat % 2
            value[:, place, seat] = of_ns if side == 0 else CARD_POINTS_TOTAL - of_ns
            for kind, points in enumerate(bonuses):
                pairs[kind, :, place, seat] = points[:, [side, 1 - side]]
    declared = measure_many(Measured("declarations"), hands.reshape(-1), rules)
    places = (np.arange(N_SEATS) - leader) % N_SEATS

    def spread(values: Any, dtype: Any) -> Any:
        return np.broadcast_to(values, shape).astype(dtype).reshape(-1)

    return Observations(
        deal=spread(np.asarray(columns["deal_number"])[:, None, None], np.int64),
        hand=spread(hands[:, None, :], np.uint32),
        trump=spread(np.asarray(trumps)[None, :, None], np.int8),
        place=spread(places[None, None, :], np.int8),
        value=value.reshape(-1),
        declarations=pairs[0].reshape(-1, 2),
        belote=pairs[1].reshape(-1, 2),
        declared=spread(declared.reshape(n, 1, N_SEATS), np.int16),
    )


def _values(of_ns: npt.NDArray[np.integer[Any]], rules: Ruleset) -> npt.NDArray[np.int16]:
    """NS values with a sweep counted as the ruleset does.

    Who can sweep does so whatever more than 162 points it is worth, so that nothing else changes.
    """
    sweep = rules.capot_points
    by_ns, by_ew = of_ns > CARD_POINTS_TOTAL, of_ns < 0
    counted = np.where(by_ns, sweep, np.where(by_ew, CARD_POINTS_TOTAL - sweep, of_ns))
    return counted.astype(np.int16)
