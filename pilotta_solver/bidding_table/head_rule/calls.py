"""Ways to bid by the own hand alone: the rule, a bidding system's openings, a bidding table.

A way says for each hand and place what to call if nobody has bid: a trump and a level, or a pass.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.bidding_table.hand_class import DEFAULT_BY
from pilotta_solver.bidding_table.head_rule.items import (
    FEWEST_TRUMPS,
    count_items,
    n_trumps,
    unsolved,
)
from pilotta_solver.bidding_table.head_rule.rule import HeadRule
from pilotta_solver.bidding_table.head_rule.tally import Cells
from pilotta_solver.bidding_table.merging import MIN_N, Grouping, make_grouping, packed_codes
from pilotta_solver.cards import N_SUITS, SUITS
from pilotta_solver.knowledge.bidding_system import BiddingSystem, load_system
from pilotta_solver.knowledge.expression import holds_many
from pilotta_solver.ruleset import Ruleset

Hands = npt.NDArray[np.uint32]
Places = npt.NDArray[np.int8]

NAIVE = {
    "classic text, 90": "classic-text-90.toml",
    "classic text, 100": "classic-text-100.toml",
}
"""The readings of the classic text's advice, each with its file in ``naive/``."""


@dataclass(frozen=True)
class Calls:
    """What is called with each of n hands.

    Attributes
    ----------
    trump : numpy.ndarray
        int8 of shape (n,): the suit; of no account where the level is 0.
    level : numpy.ndarray
        int16 of shape (n,): the level, 0 to pass.
    """

    trump: npt.NDArray[np.int8]
    level: npt.NDArray[np.int16]


Way = Callable[[Hands, Places], Calls]
"""From hands and places in the order of play, (n,), to the calls."""


def by_rule(rule: HeadRule, rules: Ruleset, *, to_the_limit: bool = False) -> Way:
    """Bid the suit of the greatest sum, of equal ones the longest.

    The level is the best one for the sum; with `to_the_limit` the highest that is worth more than
    a pass.
    """
    level_of = rule.highest_level if to_the_limit else rule.best_level

    def call(hands: Hands, places: Places) -> Calls:
        seen = unsolved(hands, places, rules)
        lengths = n_trumps(seen)
        sums = rule.sums(count_items(seen))
        levels = np.where(lengths >= FEWEST_TRUMPS, level_of(sums), 0)
        # A sum is below 1,000 and a length below 10.
        return _choose(levels, np.where(lengths >= FEWEST_TRUMPS, 10 * sums + lengths, -1))

    return call


def by_system(system: BiddingSystem, rules: Ruleset) -> Way:
    """Open as a bidding system says: the highest bid that fits, of equal ones the longest suit.

    Entries of the system count where nobody has bid; partner's answers are not looked at.
    """
    opening = [
        one
        for one in system.conventions
        if "opening" in one.when and isinstance(one.call, int) and set(SUITS) & set(one.trumps)
    ]

    def call(hands: Hands, places: Places) -> Calls:
        levels = np.zeros((len(hands), N_SUITS), np.int16)
        for trump in range(N_SUITS):
            for one in opening:
                if SUITS[trump] in one.trumps:
                    fits = holds_many(one.expression(trump), hands, rules)
                    level = np.where(fits, int(one.call), 0)
                    levels[:, trump] = np.maximum(levels[:, trump], level)
        lengths = n_trumps(unsolved(hands, places, rules))
        flat = levels.reshape(-1)
        return _choose(flat, 10 * flat.astype(np.int64) + lengths)

    return call


def naive_systems() -> dict[str, BiddingSystem]:
    """Return what players are told: the classic text's advice, read in two ways, and a system."""
    folder = files("pilotta_solver") / "bidding_table" / "head_rule" / "naive"
    told = {name: load_system(Path(str(folder / file))) for name, file in NAIVE.items()}
    return {**told, "cyprus-basic": load_system("cyprus-basic")}


@dataclass(frozen=True)
class ClassCalls:
    """The best level of each hand class, as in the default bidding table.

    Attributes
    ----------
    grouping : Grouping
        The classes.
    level : numpy.ndarray
        int16 of shape (classes,): the level worth most, 0 to pass.
    worth : numpy.ndarray
        float64 of shape (classes,): what it is worth on the sheet; 0 for a pass.
    """

    grouping: Grouping
    level: npt.NDArray[np.int16]
    worth: npt.NDArray[np.float64]

    @classmethod
    def of(cls, cells: Cells, levels: tuple[int, ...]) -> ClassCalls:
        """Find the best levels from observations put together by `packed_codes`."""
        counts = {int(code): int(n) for code, n in zip(cells.counts[:, 0], cells.n, strict=True)}
        grouping = make_grouping(counts, DEFAULT_BY, MIN_N)
        places = grouping.place(cells.counts[:, 0])
        n = np.bincount(places, cells.n)
        sheet = np.stack([np.bincount(places, column) / n for column in cells.sheet.T], axis=1)
        worth = np.maximum(sheet.max(axis=1), 0)
        best = np.array(levels, np.int16)[sheet.argmax(axis=1)]
        return cls(grouping, np.where(worth > 0, best, 0).astype(np.int16), worth)

    def way(self, rules: Ruleset) -> Way:
        """Bid the suit whose class is worth most. What no class is known of is passed."""

        def call(hands: Hands, places: Places) -> Calls:
            codes = packed_codes(unsolved(hands, places, rules), DEFAULT_BY)
            known = np.isin(codes, self.grouping.keys)
            of = np.zeros(len(codes), np.int64)
            of[known] = self.grouping.place(codes[known])
            levels = np.where(known, self.level[of], 0)
            return _choose(levels, np.where(known, self.worth[of], -1.0))

        return call


def _choose(levels: npt.NDArray[Any], merit: npt.NDArray[Any]) -> Calls:
    """Take of the four suits of each hand, side by side, the first of the greatest merit."""
    best = merit.reshape(-1, N_SUITS).argmax(axis=1)
    rows = np.arange(len(best))
    return Calls(best.astype(np.int8), levels.reshape(-1, N_SUITS)[rows, best].astype(np.int16))
