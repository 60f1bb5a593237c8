"""Rows and columns of a bidding table."""

from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np
import pytest
from made_table import PATTERNS, make_table

from pilotta_solver.bidding_table.grouping import HandClass
from pilotta_solver.bidding_table.hand_class import QUANTITIES
from pilotta_solver.bidding_table.layout import (
    grid_of,
    percent,
    shade,
    shown_level,
    value_ranks,
    values_in_order,
)

PATTERN = QUANTITIES["pattern"]
ROUGHER = {PATTERN.value(code): PATTERN.coarser(code) for code in range(PATTERN.n_codes)}


def table_of(values, n=500):
    classes = tuple(HandClass(str(one), one, n, n, 100.0) for one in values)
    numbers = np.zeros((len(classes), 3))
    return dataclasses.replace(
        make_table(),
        levels=(80, 90, 100),
        classes=classes,
        p_made=numbers,
        best=np.zeros(len(classes), np.int16),
    )


def test_every_class_with_enough_hands_has_its_cell():
    table = make_table()
    grid = grid_of(table)
    assert grid.rows == PATTERNS
    assert grid.columns == tuple((aces, lead) for aces in range(3) for lead in ("own", "other"))
    for row, value in enumerate(grid.rows):
        for column, others in enumerate(grid.columns):
            place = grid.cells[row][column]
            if place is None:
                assert (value, *others) == table.classes[-1].values
            else:
                assert table.classes[place].values == (value, *others)
    assert grid.lent == frozenset()


def test_numbers_ascend_and_words_come_as_they_are():
    table = table_of([("b", 3, "x"), ("a", 1, "y"), ("b", 2, "x")])
    assert values_in_order(table) == (("b", "a"), (1, 2, 3), ("x", "y"))
    assert value_ranks(table) == ((0, 2, 0), (1, 0, 1), (0, 1, 0))


def test_a_rare_holding_has_the_class_of_its_like():
    rough = next(rough for rough, n in Counter(ROUGHER.values()).items() if n > 1)
    fine = next(fine for fine, kind in ROUGHER.items() if kind == rough)
    table = table_of([(fine, 0, "own"), (rough, 1, "own")])
    grid = grid_of(table)
    row = grid.rows.index(fine)
    assert grid.cells[row] == (0, 1)
    assert grid.lent == {(row, 1)}
    # Not every holding of this kind has a row, so the kind keeps its own.
    assert rough in grid.rows


def test_a_kind_has_no_row_where_all_its_holdings_have_one():
    rough = next(rough for rough, n in Counter(ROUGHER.values()).items() if n > 1)
    finer = [fine for fine, kind in ROUGHER.items() if kind == rough]
    table = table_of([*((fine, 0, "own") for fine in finer), (rough, 1, "own")])
    grid = grid_of(table)
    assert grid.rows == tuple(finer)
    assert [cells[1] for cells in grid.cells] == [len(finer)] * len(finer)


def test_a_holding_that_is_its_own_kind_keeps_its_row():
    own = [fine for fine, rough in ROUGHER.items() if fine == rough]
    assert own
    assert grid_of(table_of([(value, 0, "own") for value in own])).rows == tuple(own)


def test_classes_of_too_few_hands_have_no_cell():
    table = table_of([("J9A+1", 0, "own")], n=29)
    assert grid_of(table).rows == ()
    table = table_of([("J9A+1", 0, "own")], n=30)
    assert grid_of(table).rows == ("J9A+1",)


def test_quantities_without_kinds_lend_nothing():
    table = dataclasses.replace(
        table_of([(4, 0, "own"), (5, 1, "own")]), by=("length", "side_aces", "lead")
    )
    assert grid_of(table).cells == ((0, None), (None, 1))


def test_the_level_that_is_shown():
    table = dataclasses.replace(
        table_of([("a", 0, "x"), ("b", 0, "x")]), best=np.array([100, 0], np.int16)
    )
    assert shown_level(table, 0) == 2
    assert shown_level(table, 1) == 0


@pytest.mark.parametrize(("level", "dark"), [(80, 0.0), (120, 0.5), (160, 1.0), (250, 1.0)])
def test_shades_run_from_the_lowest_level_to_160(level, dark):
    assert shade(make_table(), level) == dark


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (0.0, "0"), (0.004, "<1"), (0.0051, "1"), (0.5, "50"), (0.9949, "99"), (0.996, ">99"),
        (1.0, "100"), (float("nan"), "–"),
    ],
)  # fmt: skip
def test_percent_are_whole_and_0_and_100_exact(p, said):
    assert percent(p) == said
