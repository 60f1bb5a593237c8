"""A bidding table is the same table in every form, and its text hides what nobody knows."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from tabling import made_up

from pilotta_solver import load_ruleset
from pilotta_solver.bidding_table.grouping import group
from pilotta_solver.bidding_table.sources import solved_deals
from pilotta_solver.bidding_table.table_files import (
    FIGURES,
    as_dict,
    from_dict,
    read_table,
    records,
    schema_of,
)
from pilotta_solver.bidding_table.table_text import markdown, text_table
from pilotta_solver.errors import PilottaError
from pilotta_solver.parquet import write
from pilotta_solver.tables import open_table


@pytest.fixture(scope="module")
def table():
    return group(solved_deals(made_up(200, 1), load_ruleset()), min_n=30)


def assert_same(one, other):
    assert (one.by, one.levels, one.classes) == (other.by, other.levels, other.classes)
    assert one.best.tolist() == other.best.tolist()
    for name in FIGURES:
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_json_gives_the_table_back(table):
    again = from_dict(json.loads(json.dumps(as_dict(table), allow_nan=False)))
    assert_same(again, table)
    assert again.metadata == table.metadata


def test_parquet_gives_the_table_back(table, tmp_path):
    path = tmp_path / "t.parquet"
    write(path, schema_of(table), records(table), table.metadata)
    again = read_table(open_table(str(path)))
    assert_same(again, table)
    known = {name: again.metadata[name] for name in table.metadata}
    assert known == table.metadata


def test_rows_have_the_columns_of_their_schema(table):
    rows = list(records(table))
    assert len(rows) == len(table.classes) * len(table.levels)
    assert tuple(rows[0]) == schema_of(table).names
    assert {row["by"] for row in rows} == {"pattern,side_aces,lead"}
    single = [row for row in rows if row["n_deals"] == 1]
    assert single
    assert all(row["sheet_low"] is None for row in single)


def test_a_file_of_something_else_is_no_table(table, tmp_path):
    (columns,) = [{"bid": np.array([80, 90, 80]), "by": np.array(["lead"] * 3, object)}]
    source = made_up(5, 1)
    with pytest.raises(PilottaError, match="no bidding table"):
        read_table(source)
    torn = dataclasses.replace(
        source, schema=schema_of(table), batches=lambda names: iter([columns])
    )
    with pytest.raises(PilottaError, match="not every class has every level"):
        read_table(torn)


def test_text_leaves_out_rare_classes_and_says_so(table):
    text = text_table(table)
    rare = [one for one in table.classes if one.is_rare]
    assert len(text.rows) == len(table.classes) - len(rare)
    assert text.notes[-1] == (
        f"Left out, being too rare to tell: {len(rare)} classes, "
        f"{sum(one.n for one in rare):,} hands in all."
    )
    assert text.heads[:8] == (
        "pattern",
        "side aces",
        "lead",
        "hands",
        "total",
        "best",
        "up to",
        "±",
    )
    assert text.heads[8:] == tuple(map(str, range(80, 161, 10)))
    merged = [row for row in text.rows if row[0].endswith("*")]
    assert len(merged) == sum(one.merged and not one.is_rare for one in table.classes)


def test_chances_are_exact_only_where_they_are(table):
    shares = table.p_made.copy()
    shares[0, :4] = 0.0004, 0.9996, 1.0, 0.0
    never = tuple(dataclasses.replace(one, is_rare=False, n=1_234_567) for one in table.classes)
    row = text_table(dataclasses.replace(table, p_made=shares, classes=never)).rows[0]
    assert row[8:12] == ("<1", ">99", "100", "0")
    assert row[3] == "1.23M"


def test_markdown_says_where_it_comes_from(table):
    page = markdown(table)
    assert page.startswith("# Bidding table, rules tsaka\n\n200 random deals, solved double dummy")
    assert "seed 1; v" in page
    heads = next(line for line in page.splitlines() if line.startswith("| pattern"))
    lines = [line for line in page.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in lines} == {heads.count("|")}
    assert r"\*" in page
