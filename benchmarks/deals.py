"""The deals that are measured: golden, random, hard, and endings of them."""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pilotta_solver import load_ruleset, rules
from pilotta_solver.cards import SUITS, cards_of
from pilotta_solver.deal import SEATS, Deal
from pilotta_solver.notation import format_deal, format_trump, parse_deal, parse_trump

ROOT = Path(__file__).resolve().parents[1]
GOLDEN_VALUES = ROOT / "data" / "golden" / "values.csv"
HARD_VALUES = ROOT / "data" / "hard" / "hard.csv"

NO_SWEEP = 162
"""``capot_points`` with which a sweep is worth nothing more, as in the golden values."""
PILOTTA = load_ruleset("tsaka", {"capot_points": NO_SWEEP})
CONTREE = load_ruleset("contree", {"capot_points": NO_SWEEP})

N_CARDS = 32
N_SEATS = len(SEATS)


@dataclass(frozen=True)
class Deals:
    """Deals, each with its contract and leader.

    Attributes
    ----------
    hands
        Shape (n, 4), uint32: card sets from N in order of play.
    trump, leader
        Shape (n,), int8.
    value
        Shape (n,), int16: NS card points, without a capot's; -1 where it is not known.
    """

    hands: npt.NDArray[np.uint32]
    trump: npt.NDArray[np.int8]
    leader: npt.NDArray[np.int8]
    value: npt.NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.hands)

    def take(self, rows: npt.ArrayLike | slice) -> Deals:
        """Return the deals of some rows."""
        index = rows if isinstance(rows, slice) else np.asarray(rows)
        return Deals(self.hands[index], self.trump[index], self.leader[index], self.value[index])

    def spread(self, n: int) -> Deals:
        """Return ``n`` deals taken from the whole at equal distances, or all if there are fewer."""
        if n >= len(self):
            return self
        return self.take(np.arange(n) * len(self) // n)

    def describe(self, row: int, trump: int | None = None) -> str:
        """Name one deal so that it can be solved again, in its own contract or another."""
        deal = format_deal(deal_of(self.hands[row]))
        contract = format_trump(int(self.trump[row]) if trump is None else trump)
        return f"{deal}, trump {contract}, leader {SEATS[self.leader[row]]}"


def golden(play: str = "pilotta") -> Deals:
    """Return the golden deals of a law of play that have a trump suit: 400 of ``pilotta``."""
    rows = [
        row
        for row in _rows(GOLDEN_VALUES)
        if row["play"] == play and row["capot_bonus"] == "0" and row["trump"] in SUITS
    ]
    return _from_rows(rows, "points_side0")


def hard() -> Deals:
    """Return the hard deals, in all six contracts."""
    return _from_rows(_rows(HARD_VALUES), "points_ns")


def random_deals(n: int, seed: int) -> npt.NDArray[np.uint32]:
    """Return ``n`` uniformly random deals, shape (n, 4)."""
    rng = np.random.default_rng(seed)
    order = rng.permuted(np.tile(np.arange(N_CARDS, dtype=np.uint32), (n, 1)), axis=1)
    bits = np.left_shift(np.uint32(1), order).reshape(n, N_SEATS, N_CARDS // N_SEATS)
    hands: npt.NDArray[np.uint32] = np.bitwise_or.reduce(bits, axis=2)
    return hands


def endings(deals: Deals, n_tricks: int, seed: int = 0) -> Deals:
    """Play random legal cards of the Pilotta law until ``n_tricks`` are left in every deal."""
    rng = random.Random(seed)
    hands = np.empty_like(deals.hands)
    leader = np.empty_like(deals.leader)
    for row in range(len(deals)):
        position = rules.start(
            deal_of(deals.hands[row]), int(deals.trump[row]), int(deals.leader[row])
        )
        while sum(position.tricks) + n_tricks < N_CARDS // N_SEATS:
            hand = position.hands[position.to_move]
            legal = rules.legal_cards(hand, position.trick, position.trump, PILOTTA.law)
            position = rules.play(position, rng.choice(list(cards_of(legal))), PILOTTA.law)
        hands[row] = position.hands
        leader[row] = position.leader
    return Deals(hands, deals.trump, leader, np.full(len(deals), -1, np.int16))


def deal_of(hands: Sequence[int] | npt.NDArray[np.uint32]) -> Deal:
    """Return one row of hands as a deal."""
    return Deal((int(hands[0]), int(hands[1]), int(hands[2]), int(hands[3])))


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _from_rows(rows: list[dict[str, str]], value: str) -> Deals:
    texts = ("N:" + " ".join(row[f"hand{seat}"] for seat in range(N_SEATS)) for row in rows)
    return Deals(
        np.array([parse_deal(text).hands for text in texts], dtype=np.uint32),
        np.array([parse_trump(row["trump"]) for row in rows], dtype=np.int8),
        np.array([int(row["leader"]) for row in rows], dtype=np.int8),
        np.array([int(row[value]) for row in rows], dtype=np.int16),
    )
