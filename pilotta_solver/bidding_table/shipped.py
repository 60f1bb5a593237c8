"""The bidding tables that come with the program, and the class of one hand in them.

They lie in ``shipped/``, a file a ruleset, as ``pilotta table -o NAME.json`` writes it, compressed;
``docs/make_bidding_tables.py`` makes them. Any ruleset that scores undoubled contracts in the same
way shares them.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from pilotta_solver.bidding_table.grouping import BiddingTable
from pilotta_solver.bidding_table.hand_class import QUANTITIES
from pilotta_solver.bidding_table.observations import Observations
from pilotta_solver.bidding_table.table_files import from_dict
from pilotta_solver.cards import N_SUITS
from pilotta_solver.knowledge.quantities import Quantity as Measured, measure
from pilotta_solver.ruleset import Ruleset, load_ruleset

SHIPPED = ("tsaka", "classic")
"""The rulesets whose tables come with the program."""

_RELEVANT = (
    "partner_exempt",
    "undertrump",
    "beat_trump_lead",
    "declarations",
    "sequence_order",
    "carre_beats_quint",
    "declaration_tie",
    "first_bid",
    "bid_step",
    "highest_bid",
    "bid_scores",
    "failed_points",
    "failed_declarations",
    "failed_belote",
    "capot_points",
    "rounding",
)


def shipped_table(rules: Ruleset) -> BiddingTable | None:
    """Return the table that comes with the program for these rules; None if there is none."""
    for name in SHIPPED:
        if _relevant(load_ruleset(name).as_dict()) == _relevant(rules.as_dict()):
            return _load(name)
    return None


@cache
def _load(name: str) -> BiddingTable:
    file = files("pilotta_solver") / "bidding_table" / "shipped" / f"{name}.json.gz"
    return from_dict(json.loads(gzip.decompress(file.read_bytes())))


def _relevant(rules: dict[str, Any]) -> dict[str, Any]:
    """The keys that a table depends on. Before the play no suit has been led."""
    values = {key: rules[key] for key in _RELEVANT}
    if values["declaration_tie"] == "led_suit":
        values["declaration_tie"] = "none"
    return values


@dataclass(frozen=True)
class ClassRow:
    """What a table says of one kind of hand in one level.

    Attributes
    ----------
    hand_class : str
        The class, in a player's words.
    trump : int
        The trump, 0 to 3.
    bid : int
        The level.
    n : int
        Hands behind it.
    p_made, ci_low, ci_high : float
        How often the level is made, and the 95 % interval of that.
    mean_total : float
        The mean total of the own side.
    sheet : float
        The mean sheet difference.
    best : int
        The level that is worth most; 0 to pass.
    highest : int
        The highest level that is worth more than passing; 0 if none is.
    rare : bool
        Whether it stands on few hands.
    n_deals : int
        Deals behind the whole table.
    """

    hand_class: str
    trump: int
    bid: int
    n: int
    p_made: float
    ci_low: float
    ci_high: float
    mean_total: float
    sheet: float
    best: int
    highest: int
    rare: bool
    n_deals: int

    def as_dict(self) -> dict[str, Any]:
        """The row as JSON has it."""
        return asdict(self) | {"trump": "SHDC"[self.trump]}


def class_row(
    hand: int, trump: int, place: int, level: int, rules: Ruleset, table: BiddingTable | None = None
) -> ClassRow | None:
    """Return what a table says of a hand.

    Parameters
    ----------
    hand : int
        The hand, a set of eight cards.
    trump : int
        0 to 3; no trump and all trump have no table.
    place : int
        Place in the order of play, 0 leads.
    level : int
        The level.
    rules : Ruleset
        The ruleset.
    table : BiddingTable, optional
        The table; by default the one that comes with the program.

    Returns
    -------
    ClassRow or None
        None if there is no table for the rules, or it has no such class or level.
    """
    table = shipped_table(rules) if table is None and trump < N_SUITS else table
    if table is None or level not in table.levels or trump >= N_SUITS:
        return None
    row = find_class(table, hand, trump, place, rules)
    if row is None:
        return None
    column, one = table.levels.index(level), table.classes[row]
    return ClassRow(
        hand_class=one.label,
        trump=trump,
        bid=level,
        n=one.n,
        p_made=float(table.p_made[row, column]),
        ci_low=float(table.ci_low[row, column]),
        ci_high=float(table.ci_high[row, column]),
        mean_total=one.mean_total,
        sheet=float(table.sheet[row, column]),
        best=int(table.best[row]),
        highest=int(table.highest[row]),
        rare=one.is_rare,
        n_deals=int(table.metadata["n_deals"]),
    )


def find_class(
    table: BiddingTable, hand: int, trump: int, place: int, rules: Ruleset
) -> int | None:
    """Return the place of a hand's class in a table; None if no deal of the table had its like."""
    seen = Observations(
        deal=np.zeros(1, np.int64),
        hand=np.array([hand], np.uint32),
        trump=np.array([trump], np.int8),
        place=np.array([place], np.int8),
        value=np.zeros(1, np.int16),
        declarations=np.zeros((1, 2), np.int16),
        belote=np.zeros((1, 2), np.int16),
        declared=np.array([measure(Measured("declarations"), hand, rules)], np.int16),
    )
    codes = {name: int(QUANTITIES[name].values(seen)[0]) for name in table.by}
    own = tuple(QUANTITIES[name].value(code) for name, code in codes.items())
    rough: list[str | int] = list(own)
    for number, (name, code) in enumerate(codes.items()):
        coarser = QUANTITIES[name].coarser
        if coarser is not None:
            rough[number] = coarser(code)
            break
    places = {one.values: number for number, one in enumerate(table.classes)}
    return places.get(own, places.get(tuple(rough)))
