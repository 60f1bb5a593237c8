"""Every golden declaration row, one deal at a time and all at once."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from pilotta_solver.declarations import (
    belote_seats_many,
    belotes,
    contest,
    declaration_points_many,
    describe,
)
from pilotta_solver.notation import parse_deal, parse_trump
from pilotta_solver.ruleset import load_ruleset

GOLDEN = Path(__file__).parents[2] / "data" / "golden" / "declarations.csv"
with GOLDEN.open(newline="") as file:
    ROWS = list(csv.DictReader(file))
RULES = {
    order: load_ruleset("tsaka", {"sequence_order": order, "declaration_tie": "none"})
    for order in ("natural", "plain")
}


def deal_of(row):
    return parse_deal("N:" + " ".join(row[f"hand{seat}"] for seat in range(4)))


def golden(row):
    return [int(row[name]) for name in ("declarations_side0", "declarations_side1", "belote_seat")]


def test_every_row_is_here():
    assert len(ROWS) == 160


@pytest.mark.parametrize("row", ROWS, ids=range(len(ROWS)))
def test_one_deal(row):
    deal, trump, rules = deal_of(row), parse_trump(row["trump"]), RULES[row["sequence_order"]]
    found = contest(deal, trump, rules)
    seats = [seat for seat, _ in belotes(deal, trump, rules)] or [-1]
    declared = [[describe(one) for one in own] for own in found.declared]
    assert [*found.points, *seats] == golden(row), f"{row}: {declared}"


@pytest.mark.parametrize("order", RULES)
def test_all_at_once(order):
    rows = [row for row in ROWS if row["sequence_order"] == order]
    hands = np.array([deal_of(row).hands for row in rows], np.uint32)
    trumps = np.array([parse_trump(row["trump"]) for row in rows])
    points = declaration_points_many(hands, trumps, 0, RULES[order])
    found = np.column_stack([points, belote_seats_many(hands, trumps)])
    assert found.tolist() == [golden(row) for row in rows]
