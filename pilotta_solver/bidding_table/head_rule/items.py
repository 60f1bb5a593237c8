"""What a player counts in his hand to value a suit as trumps: the items of the rule."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pilotta_solver.bidding_table.hand_class import QUANTITIES
from pilotta_solver.bidding_table.observations import Observations
from pilotta_solver.knowledge.quantities import Quantity, measure_many
from pilotta_solver.ruleset import Ruleset

Counts = npt.NDArray[np.int8]

FEWEST_TRUMPS = 2
"""Shorter suits are not counted: nobody bids them, and a fit on all suits would fit them most."""

_HONOURS = ("jack", "nine", "ace", "ten")


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to count.

    Attributes
    ----------
    name : str
        Its name in files.
    label : str
        What a player calls it.
    """

    name: str
    label: str


ITEMS = (
    Item("jack", "J of trumps"),
    Item("nine", "9 of trumps"),
    Item("ace", "A of trumps"),
    Item("ten", "10 of trumps"),
    Item("further_trump", "each further trump"),
    Item("belote", "K and Q of trumps, besides"),
    Item("side_aces", "each side ace"),
    Item("guarded_tens", "each side ten with another card of its suit"),
    Item("voids", "each side suit without a card"),
    Item("singletons", "each side suit of one card"),
    Item("declarations", "each 10 points of own declarations"),
    Item("own_side_leads", "you or partner lead"),
)
"""The items, in the order of the rule."""


def count_items(seen: Observations) -> Counts:
    """Count every item of some observations.

    Returns
    -------
    numpy.ndarray
        int8 of shape (m, items), a column for each of `ITEMS`.
    """
    found = {
        item.name: QUANTITIES[item.name].values(seen) for item in ITEMS if item.name in QUANTITIES
    }
    found["further_trump"] = n_trumps(seen) - sum(found[name] for name in _HONOURS)
    found["own_side_leads"] = seen.place % 2 == 0
    return np.stack([found[item.name].astype(np.int8) for item in ITEMS], axis=1)


def n_trumps(seen: Observations) -> npt.NDArray[np.int64]:
    """Return how many trumps each observation has, (m,)."""
    return QUANTITIES["length"].values(seen)


def unsolved(
    hands: npt.NDArray[np.uint32], places: npt.NDArray[np.int8], rules: Ruleset
) -> Observations:
    """See hands with each suit as trumps, as far as their players see them: nothing is played.

    Parameters
    ----------
    hands, places : numpy.ndarray
        Own cards and place in the order of play, (n,).
    rules : Ruleset
        What declarations are worth.

    Returns
    -------
    Observations
        4 n of them, the four suits of a hand side by side; what is not known is 0.
    """
    n, suits = len(hands), np.arange(4, dtype=np.int8)
    nothing = np.zeros((4 * n, 2), np.int16)
    declared = measure_many(Quantity("declarations"), hands, rules)
    return Observations(
        deal=np.zeros(4 * n, np.int64),
        hand=np.repeat(hands, 4),
        trump=np.tile(suits, n),
        place=np.repeat(places, 4),
        value=nothing[:, 0],
        declarations=nothing,
        belote=nothing,
        declared=np.repeat(declared, 4).astype(np.int16),
    )
