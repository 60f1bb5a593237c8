"""``pilotta table --fit``."""

from __future__ import annotations

import csv
import json
import sys

import pytest

from pilotta_solver import load_ruleset
from pilotta_solver.bidding_table.head_rule.items import ITEMS
from pilotta_solver.datasets.simulation import Simulation, simulate

LEVELS = list(range(80, 170, 10))


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fit") / "deals"
    simulate(folder, Simulation(3, load_ruleset(), (0, 1, 2, 3)), 300, jobs=1)
    return str(folder)


def test_the_rule_is_a_page_that_says_where_it_comes_from(run, dataset):
    done = run("table", "--from", dataset, "--fit")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("# A rule for the head\n\nRules tsaka, from 300 random deals of")
    for item in ITEMS:
        assert f"| {item.label} " in done.out
    assert "double dummy" in done.out
    assert "Beside the solver" not in done.out


def test_each_form_holds_the_same_rule_and_the_same_bytes_again(run, dataset, tmp_path):
    for name in ("a.json", "b.json", "a.csv", "b.csv", "a.md", "b.md"):
        done = run("table", "--from", dataset, "--fit", "-q", "-o", tmp_path / name)
        assert (done.code, done.out, done.err) == (0, "", "")
    for form in ("json", "csv", "md"):
        first, second = (tmp_path / f"{name}.{form}" for name in "ab")
        assert first.read_bytes() == second.read_bytes()
    rule = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    rows = list(csv.DictReader((tmp_path / "a.csv").open(encoding="utf-8")))
    items = {row["name"]: int(row["points"]) for row in rows if row["kind"] == "item"}
    assert items == rule["points"]
    assert [int(row["name"]) for row in rows if row["kind"] == "bid"] == LEVELS
    assert (rule["n_deals"], rule["n_deals_unseen"], rule["rules"]) == (300, 60, "tsaka")
    printed = run("table", "--from", dataset, "--fit").out
    assert (tmp_path / "a.md").read_text(encoding="utf-8") == printed


def test_the_rules_are_picked_after_solving(run, dataset):
    done = run("table", "--from", dataset, "--fit", "--rules", "classic", "--json")
    told = json.loads(done.out)
    assert told["rules"] == told["ruleset"]["name"] == "classic"
    # in classic a bid does not score, so that no bid is better than the lowest
    assert [bid["best_from"] is None for bid in told["bids"]] == [False] + [True] * 8


def test_hands_are_given_to_the_solver_too(run, dataset, monkeypatch):
    monkeypatch.setattr("pilotta_cli.head_rule.N_WORLDS", 20)
    once, twice = (
        run("table", "--from", dataset, "--fit", "--json", "--solver-hands", 2, "-j", jobs)
        for jobs in (1, 2)
    )
    assert once.out == twice.out
    beside = json.loads(once.out)["against_solver"]
    assert [way["name"] for way in beside["ways"]] == [
        "this rule",
        "bidding table",
        "classic text, 90",
        "classic text, 100",
        "cyprus-basic",
    ]
    assert {way["n_hands"] for way in beside["ways"]} == {2}


def test_the_calibration_is_drawn(run, dataset, tmp_path):
    for name in ("a.svg", "b.svg"):
        done = run("table", "--from", dataset, "--fit", "--plot", tmp_path / name)
        assert (done.code, done.err) == (0, f"Drew {tmp_path / name}.\n")
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert drawn == (tmp_path / "b.svg").read_text(encoding="utf-8")
    assert "60 unseen deals, double dummy" in drawn


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (["--fit"], 2, "--fit needs deals"),
        (["--from", "{}", "--fit", "--by", "length"], 2, "leave out --by"),
        (["--from", "{}", "--solver-hands", "5"], 2, "go with --fit"),
        (["--from", "{}", "--fit", "-o", "rule.html"], 2, "ends in none of .md, .json, .csv"),
        (["--from", "{}", "--fit", "--plot", "rule.txt"], 2, "ends in none of .png, .svg"),
        (["--from", "{}", "--fit", "--contracts", "SH"], 1, "--contracts SHDC"),
        (["--from", "{}", "--fit", "--solver-hands", "61"], 1, "only 60 deals were kept"),
    ],
)
def test_what_cannot_be_is_said(run, dataset, args, code, says):
    done = run("table", *(arg.format(dataset) for arg in args))
    assert (done.code, done.out) == (code, "")
    assert says in " ".join(done.err.split())


def test_without_scikit_learn_the_extra_is_named(run, dataset, monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    done = run("table", "--from", dataset, "--fit")
    assert (done.code, done.out) == (1, "")
    assert "pip install 'pilotta-solver[fit]'" in done.err
