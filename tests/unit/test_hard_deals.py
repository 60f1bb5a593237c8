from __future__ import annotations

import csv

import numpy as np
import pytest

from benchmarks.deals import HARD_VALUES, PILOTTA, hard
from benchmarks.hard import KEPT
from pilotta_solver import at_least_many, solve_many

SAMPLE = 15
"""Deals solved in an ordinary run; all of them are behind the marker `slow`."""


def test_every_family_and_contract_is_there_and_no_deal_twice() -> None:
    deals = hard()
    with HARD_VALUES.open(encoding="utf-8", newline="") as file:
        families = [row["family"] for row in csv.DictReader(file)]
    assert {family: families.count(family) for family in families} == KEPT
    assert np.bincount(deals.trump, minlength=6).min() >= 10
    contracts = np.column_stack([deals.hands, deals.trump, deals.leader])
    assert len(np.unique(contracts, axis=0)) == len(deals)


@pytest.mark.parametrize("n", [SAMPLE, pytest.param(10_000, marks=pytest.mark.slow)])
def test_values(n: int) -> None:
    deals = hard().spread(n)
    found = solve_many(deals.hands, deals.trump, deals.leader, PILOTTA)
    told = [deals.describe(row) for row in np.flatnonzero(found != deals.value).tolist()]
    assert told == []


@pytest.mark.parametrize("n", [SAMPLE, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("more", "answer"), [(0, True), (1, False)])
def test_the_value_is_reached_and_a_point_more_is_not(n: int, more: int, answer: bool) -> None:
    deals = hard().spread(n)
    threshold = deals.value + more
    found = at_least_many(deals.hands, deals.trump, deals.leader, threshold, PILOTTA)
    assert (found == answer).all()


@pytest.mark.slow
def test_the_other_side_has_the_rest_when_the_seats_are_turned() -> None:
    deals = hard()
    turned = np.roll(deals.hands, 1, axis=1)
    found = solve_many(turned, deals.trump, (deals.leader + 1) % 4, PILOTTA)
    assert (found == 162 - deals.value).all()
