"""The tables that come with the program know nearly every hand, and load in next to no time."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files

import numpy as np
import pytest
from tabling import made_up

from pilotta_solver import load_ruleset, parse_hand, worlds
from pilotta_solver.bidding_table.grouping import group
from pilotta_solver.bidding_table.shipped import SHIPPED, class_row, find_class, shipped_table
from pilotta_solver.bidding_table.sources import solved_deals

HAND = parse_hand("J9AK.T8.A7.")


@pytest.mark.parametrize("name", SHIPPED)
def test_a_table_says_where_it_comes_from(name):
    rules = load_ruleset(name)
    table = shipped_table(rules)
    assert table.metadata["rules"] == rules.as_dict()
    assert (table.metadata["seed"], table.metadata["n_deals"]) == (1, 1_000_000)
    assert table.by == ("pattern", "side_aces", "lead")
    assert sum(one.n for one in table.classes) == 16_000_000
    assert (table.ci_low <= table.p_made).all()
    assert (table.p_made <= table.ci_high).all()
    assert (np.diff(table.p_made, axis=1) <= 0).all()


def test_they_are_small():
    folder = files("pilotta_solver") / "bidding_table" / "shipped"
    sizes = [len(file.read_bytes()) for file in folder.iterdir() if file.name.endswith(".gz")]
    assert len(sizes) == len(SHIPPED)
    assert sum(sizes) < 1_000_000


def test_a_hand_finds_its_row():
    rules = load_ruleset()
    row = class_row(HAND, 0, 0, 100, rules)
    assert row.hand_class == "J9A+1 · 1 side ace · own side leads"
    assert (row.bid, row.trump, row.rare) == (100, 0, False)
    assert row.n > 10_000
    assert 0.97 < row.ci_low < row.p_made < row.ci_high < 1
    assert row.as_dict()["trump"] == "S"
    assert class_row(HAND, 0, 2, 100, rules) == row
    other = class_row(HAND, 0, 3, 100, rules)
    assert other.hand_class == "J9A+1 · 1 side ace · others lead"
    assert other.p_made < row.p_made
    assert class_row(HAND, 2, 0, 100, rules).hand_class.startswith("A+1 · 1 side ace")


def test_rare_holdings_are_found_where_they_were_put():
    table = shipped_table(load_ruleset())
    merged = [number for number, one in enumerate(table.classes) if one.merged]
    assert merged
    # Seven trumps are rare whatever they are.
    seven = find_class(table, parse_hand("J9ATKQ8.A.."), 0, 0, load_ruleset())
    assert seven in merged
    assert table.classes[seven].label == "J9+any 5 · 1 side ace · own side leads"


def test_every_hand_has_a_class_that_is_its_own():
    rules = load_ruleset()
    deals = solved_deals(made_up(40, 9), rules)
    table = group(deals, min_n=12)
    (seen,) = deals.observations()
    found = np.zeros(len(table.classes), int)
    for row in range(len(seen)):
        place = int(seen.place[row])
        found[find_class(table, int(seen.hand[row]), int(seen.trump[row]), place, rules)] += 1
    assert found.tolist() == [one.n for one in table.classes]


def test_hardly_any_hand_is_unknown():
    rules = load_ruleset()
    table = shipped_table(rules)
    hands = worlds(0, 0, 500, 77).reshape(-1)
    unknown = [find_class(table, int(hand), 0, 1, rules) is None for hand in hands]
    assert sum(unknown) == 0


def test_only_rules_that_change_the_figures_matter():
    same = load_ruleset(overrides={"game_target": 501, "pass_is_final": True})
    assert shipped_table(same) is shipped_table(load_ruleset())
    tie = load_ruleset("classic", {"declaration_tie": "none"})
    assert shipped_table(tie) is shipped_table(load_ruleset("classic"))
    for key, value in (("capot_points", 262), ("sequence_order", "plain"), ("rounding", "nearest")):
        assert shipped_table(load_ruleset(overrides={key: value})) is None
    assert class_row(HAND, 0, 0, 80, load_ruleset("contree")) is None


def test_where_there_is_no_row_there_is_none():
    rules = load_ruleset(overrides={"no_trump_bids": True})
    assert class_row(HAND, 4, 0, 80, rules) is None
    assert class_row(HAND, 0, 0, 390, rules) is None
    assert class_row(HAND, 0, 0, 80, rules) is not None


def test_it_costs_no_heavy_import():
    code = (
        "import sys; from pilotta_solver.bidding_table.shipped import class_row\n"
        "from pilotta_solver import load_ruleset, parse_hand\n"
        "class_row(parse_hand('J9AK.T8.A7.'), 0, 0, 80, load_ruleset())\n"
        "print([name for name in ('pandas', 'pyarrow', 'numba', 'rich') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
