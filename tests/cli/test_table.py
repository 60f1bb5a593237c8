"""``pilotta table``: every form, the same bytes each time, and what is refused."""

from __future__ import annotations

import csv
import json

import pytest

from pilotta_solver import load_ruleset
from pilotta_solver.datasets.simulation import Simulation, simulate

FORMS = ("parquet", "csv", "json", "md", "html")


@pytest.fixture(scope="module")
def deals(tmp_path_factory):
    folder = tmp_path_factory.mktemp("table") / "deals"
    simulate(folder, Simulation(1, load_ruleset()), 120, part_size=50, jobs=1)
    return folder


@pytest.fixture
def small(deals):
    """Options for a table with classes that are not rare."""
    return ("--from", deals, "--by", "jack,lead", "--min-n", 50)


def test_a_table_is_shown(run, small):
    result = run("table", *small)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "What each kind of hand makes, its own side declaring"
    assert lines[1].startswith(
        "120 random deals, solved double dummy, SHDC; rules tsaka; seed 1; v"
    )
    assert lines[3].split()[:9] == ["jack", "lead", "hands", "total", "best", "up", "to", "±", "80"]
    assert [line.split()[:2] for line in lines[5:9]] == [
        ["0", "own"], ["0", "other"], ["1", "own"], ["1", "other"]
    ]  # fmt: skip
    assert sum(int(line.split()[2].replace(",", "")) for line in lines[5:9]) == 1920
    assert lines[-1] == "double dummy"
    assert all(len(line) <= 80 for line in lines)


def test_the_default_is_pattern_side_aces_and_lead(run, deals):
    told = json.loads(run("table", "--from", deals, "--json").out)
    assert told["by"] == ["pattern", "side_aces", "lead"]
    assert told["min_n"] == 400
    assert told["levels"] == list(range(80, 251, 10))
    assert sum(one["n"] for one in told["classes"]) == 1920
    assert (told["n_deals_in_all"], told["trumps"], told["model"]) == (120, "SHDC", "double dummy")


@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_the_same_bytes_each_time(run, small, tmp_path, form):
    contents = []
    for name in ("a", "b"):
        path = tmp_path / f"{name}.{form}"
        result = run("table", *small, "-o", path)
        assert (result.code, result.out, result.err) == (0, "", f"Wrote {path}.\n")
        contents.append(path.read_bytes())
    assert contents[0] == contents[1]
    assert contents[0]
    again = run("table", *small, "-o", path)
    assert (again.code, again.out) == (1, "")
    assert "exists; name another, or replace it with --force" in again.err
    assert run("table", *small, "-o", path, "--force", "-q").err == ""


def test_files_are_shown_again_alike(run, small, tmp_path):
    shown = []
    for form in ("parquet", "csv", "json"):
        path = tmp_path / f"t.{form}"
        run("table", *small, "-o", path, "-q")
        result = run("show", path)
        assert (result.code, result.err) == (0, "")
        assert result.out.startswith("Bidding table: what each kind of hand makes: 72 rows, rules")
        shown.append(result.out.split("jack")[1])
        summary = json.loads(run("show", path, "--json").out)
        assert (summary["schema"], summary["n_rows"], summary["seed"]) == ("table", 72, 1)
    assert shown[0] == shown[1] == shown[2]
    refused = run("show", path, "--plot", tmp_path / "t.png")
    assert refused.code == 1
    assert "draw one with 'pilotta table --plot'" in refused.err


def test_stdout_is_csv_or_json(run, small):
    rows = list(csv.DictReader(run("table", *small, "-o", "-").out.splitlines()))
    told = json.loads(run("table", *small, "--json").out)
    assert len(rows) == 4 * 18
    assert [row["hand_class"] for row in rows[::18]] == [
        one["hand_class"] for one in told["classes"]
    ]
    assert [float(row["p_made"]) for row in rows[:18]] == told["classes"][0]["p_made"]
    assert {row["rules"] for row in rows} == {"tsaka"}


def test_the_ruleset_counts_afterwards(run, small):
    tsaka = json.loads(run("table", *small, "--json").out)
    classic = json.loads(run("table", *small, "--json", "--rules", "classic").out)
    assert (tsaka["rules"], classic["rules"]) == ("tsaka", "classic")
    assert tsaka["dataset"]["rules"] == classic["dataset"]["rules"] == "tsaka"
    assert tsaka["classes"][3]["sheet"] != classic["classes"][3]["sheet"]
    # Without the bid on the sheet the lowest bid is never beaten.
    assert {one["best"] for one in classic["classes"]} <= {0, 80}
    poor = json.loads(run("table", *small, "--json", "--set", "declarations=false").out)
    for one, other in zip(poor["classes"], tsaka["classes"], strict=True):
        assert one["mean_total"] < other["mean_total"]


def test_new_deals_are_solved_where_asked(run, deals):
    options = ("--by", "jack,lead", "--min-n", 50, "--json", "-q")
    new = run("table", "-n", 120, "--seed", 1, "-j", 1, *options)
    assert (new.code, new.err) == (0, "")
    old = run("table", "--from", deals, *options)
    assert new.out == old.out


def test_without_trumps(run):
    options = ("-n", 20, "--seed", 2, "--min-n", 10, "--contracts", "N", "-q", "--json")
    told = json.loads(run("table", *options, "--set", "no_trump_bids=true").out)
    assert (told["trumps"], told["by"]) == ("N", ["aces", "guarded_tens", "lead"])
    refused = run("table", *options)
    assert refused.code == 1
    assert "allow it with --set no_trump_bids=true" in refused.err


def test_the_table_that_comes_with_the_program(run, tmp_path):
    for name in ("tsaka", "classic"):
        told = json.loads(run("table", "--rules", name, "--json").out)
        assert (told["rules"], told["n_deals_in_all"]) == (name, 1_000_000)
    page = run("table", "-o", tmp_path / "t.html")
    assert (page.code, page.out) == (0, "")
    other = run("table", "--set", "capot_points=300")
    assert (other.code, other.out) == (1, "")
    assert "no table for ruleset tsaka+capot_points=300 comes with the program" in other.err


def test_a_dataset_on_its_way_is_used_as_far_as_it_is(run, tmp_path):
    small = ("--part-size", "10", "-q")
    run("simulate", "-n", 30, "-o", tmp_path / "d", "--seed", 1, *small)
    manifest = tmp_path / "d" / "_manifest.json"
    head = json.loads(manifest.read_bytes())
    head["parts"].pop()
    manifest.write_text(json.dumps(head))
    result = run("table", "--from", tmp_path / "d", "--json")
    assert json.loads(result.out)["n_deals_in_all"] == 20
    assert "not whole yet; using the 20 of 30 deals that are there" in result.err


BAD = {
    "another law": (("--rules", "contree"), 1, "played by another law: partner_exempt is false in"),
    "no such quantity": (("--by", "pattern,luck"), 2, "no quantity 'luck': name some of pattern,"),
    "twice": (("--by", "jack,jack"), 2, "name each quantity once"),
    "not solved": (("--contracts", "N"), 1, "N is not solved in it, only S, H, D, C"),
    "both sources": (("-n", "5"), 2, "--from has its deals already"),
    "a seed": (("--seed", "5"), 2, "--from has its seed already"),
    "no form": (("-o", "t.txt"), 2, "ends in none of .parquet, .csv, .json, .md, .html"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_done_is_refused(run, deals, name):
    options, code, words = BAD[name]
    result = run("table", "--from", deals, *options)
    assert (result.code, result.out) == (code, "")
    assert words in " ".join(result.err.split())


def test_options_of_deals_need_deals(run):
    for options in (("--by", "jack"), ("--min-n", "5"), ("--seed", "5"), ("--contracts", "S")):
        result = run("table", *options)
        assert (result.code, result.out) == (2, "")
        assert "need deals: give --from DATASET or -n N too" in result.err
    nothing = run("table", "--from", "nowhere")
    assert (nothing.code, nothing.err) == (
        1, "Error: nowhere: no such file or folder; name one that pilotta has written\n"
    )  # fmt: skip


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet"])
def test_where_every_class_is_rare_it_says_what_to_do(run, deals, tmp_path, suffix):
    said = "Every class is too rare to tell: take more deals, or a smaller --min-n."
    result = run("table", "--from", deals)
    assert said in result.out
    assert "pattern" not in result.out
    file = tmp_path / f"t.{suffix}"
    assert run("table", "--from", deals, "-o", file).code == 0
    assert said in run("show", file).out


@pytest.mark.parametrize("columns", [40, 60, 250])
def test_sentences_around_a_table_are_as_long_as_can_be_read(run, small, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = run("table", *small).out.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("hands: "))
    sentences = [*lines[: lines.index("")], *lines[start:]]
    assert all(len(line) <= min(columns, 100) for line in sentences)
    assert all(line == line.rstrip() for line in sentences)
