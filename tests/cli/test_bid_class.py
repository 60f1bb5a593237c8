"""``pilotta bid`` names the class of the hand, as long as nothing tells of the other hands."""

from __future__ import annotations

import json

import pytest

from pilotta_solver import load_ruleset, parse_hand
from pilotta_solver.bidding_table.shipped import class_row

HAND = "J9AK.T8.A7."
FEW = ("-n", "20", "--seed", "1")


def row_of(run, *args):
    result = run("bid", *args, *FEW, "--json")
    assert result.code == 0
    return json.loads(result.out)["hand_class"]


def test_the_line_says_what_hands_like_it_make(run):
    lines = " ".join(run("bid", HAND, "110S", *FEW).out.split())
    row = class_row(parse_hand(HAND), 0, 0, 110, load_ruleset())
    assert (
        f"Double dummy, hands like this (J9A+1 · 1 side ace · own side leads): 110S makes "
        f"{100 * row.p_made:.0f} % of {row.n:,}; best call {row.best}."
    ) in lines


@pytest.mark.parametrize("rules", ["tsaka", "classic"])
def test_json_has_the_row_of_the_bid_in_question(run, rules):
    row = class_row(parse_hand(HAND), 0, 1, 120, load_ruleset(rules))
    assert row_of(run, HAND, "120S", "--seat", 2, "--rules", rules) == row.as_dict()


def test_without_a_question_it_is_that_of_the_best_bid(run):
    told = json.loads(run("bid", HAND, *FEW, "--json").out)
    row = told["hand_class"]
    assert f"{row['bid']}{row['trump']}" == told["best"]["call"]


def test_where_passing_is_best_it_is_that_of_the_best_trump(run):
    told = json.loads(run("bid", "87.T87.97.Q", *FEW, "--json").out)
    assert told["best"]["call"] == "P"
    best = max(told["contracts"], key=lambda contract: contract["mean_total"])
    row = told["hand_class"]
    assert (row["bid"], row["trump"], row["best"]) == (80, best["trump"], 0)
    assert "best to pass." in " ".join(run("bid", "87.T87.97.Q", *FEW).out.split())


@pytest.mark.parametrize(
    "told",
    [
        ("--auction", "P 80H P"),
        ("--partner", "H>=3"),
        ("--rules", "contree"),
        ("--set", "capot_points=262"),
    ],
)
def test_nothing_is_said_where_the_table_does_not_know(run, told):
    assert row_of(run, HAND, "110S", *told) is None
    assert "hands like this" not in run("bid", HAND, "110S", *told, *FEW).out


def test_a_rare_class_is_called_rare(run):
    result = run("bid", "J9ATKQ87...", "110S", *FEW)
    assert "too few to tell." in " ".join(result.out.split())
    assert row_of(run, "J9ATKQ87...", "110S")["rare"] is True


def test_a_file_of_questions_has_it_on_each_line(run, tmp_path):
    path = tmp_path / "hands.csv"
    path.write_text(f"hand,bid,auction\n{HAND},110S,\n{HAND},110S,P 80H P\n")
    lines = run("bid", "--file", path, *FEW).out.splitlines()
    rows = [json.loads(line)["hand_class"] for line in lines]
    assert rows[0]["hand_class"].startswith("J9A+1")
    assert rows[1] is None
