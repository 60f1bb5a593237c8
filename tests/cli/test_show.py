"""``pilotta show``: every file and dataset that the program writes, and what is refused."""

from __future__ import annotations

import json

import pytest

from pilotta_solver.schemas import SCHEMAS

HAND = "AKJ9.T8.A7."
DEAL = "N:7.QJ8.AQ8.A J.A.KJ.KQ98 AQT8.7.T7.J K9.KT9.9.T7"


@pytest.fixture
def dataset(run, tmp_path):
    folder = tmp_path / "d"
    run("simulate", "-n", 120, "-o", folder, "--seed", 1, "--contracts", "SHA", "-q")
    return folder


def test_a_dataset_is_shown(run, dataset):
    result = run("show", dataset)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "Random deals with their exact values: 120 deals, rules tsaka"
    assert "leader N; contracts SHA; seed 1; version" in lines[1]
    for word in ("NS card points", "spread", "median", "capot NS, %", "belote EW, %",
                 "declarations NS", "made, % NS/EW", "NS card points, S H A together",
                 "double dummy"):  # fmt: skip
        assert word in result.out
    assert "160-162" in result.out
    assert all(len(line) <= 80 for line in lines)


def test_every_contract_fits_on_a_terminal(run, tmp_path):
    run("simulate", "-n", 60, "-o", tmp_path / "d", "--seed", 1, "--contracts", "SHDCNA", "-q")
    out = run("show", tmp_path / "d").out
    assert all(len(line) <= 80 for line in out.splitlines())
    assert "…" not in out


def test_one_trump_alone(run, dataset):
    out = run("show", dataset, "-t", "H").out
    assert "NS card points, H\n" in out
    missing = run("show", dataset, "-t", "D")
    assert (missing.code, missing.out) == (1, "")
    assert missing.err.endswith("nothing about D is in it; leave out --trump\n")


def test_a_dataset_on_its_way_says_how_far_it_is(run, tmp_path):
    small = ("--part-size", "10", "--contracts", "S", "-q")
    run("simulate", "-n", 30, "-o", tmp_path / "d", *small)
    manifest = tmp_path / "d" / "_manifest.json"
    head = json.loads(manifest.read_bytes())
    head["parts"].pop()
    manifest.write_text(json.dumps(head))
    out = run("show", tmp_path / "d").out
    assert "20 of 30 deals" in out
    assert "Not whole yet: give its command again to go on." in out


def test_json_holds_the_figures(run, dataset):
    told = json.loads(run("show", dataset, "--json").out)
    assert {key: told[key] for key in ("form", "schema", "rules", "seed", "n_rows", "leader")} == {
        "form": "dataset", "schema": "simulate", "rules": "tsaka", "seed": 1, "n_rows": 120,
        "leader": "N",
    }  # fmt: skip
    assert [one["trump"] for one in told["contracts"]] == ["S", "H", "A"]
    assert sum(told["contracts"][0]["counts"]) == 120


@pytest.mark.parametrize("suffix", ["parquet", "csv", "json"])
def test_an_answer_of_bid_is_shown(run, tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    run("bid", HAND, "-n", 40, "--seed", 1, "-q", "-o", path)
    result = run("show", path)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("The chance to make each contract with a hand: ")
    assert f"hand {HAND}; seat 1; seed 1" in result.out
    assert "S made" in result.out
    told = json.loads(run("show", path, "--json").out)
    assert [one["trump"] for one in told["contracts"]] == ["S", "H", "D", "C"]


@pytest.mark.parametrize("suffix", ["parquet", "csv", "json"])
def test_solved_positions_are_shown(run, tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    run("solve", DEAL, "--table", "-q", "-o", path)
    result = run("show", path)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("Solved positions: 24 positions")
    assert "NS card points, S H D C N A together" in result.out


@pytest.mark.parametrize("suffix", ["parquet", "csv", "json"])
def test_deals_are_shown(run, tmp_path, suffix):
    run("deal", "-n", 7, "--seed", 1, "-q", "-o", tmp_path / f"a.{suffix}")
    result = run("show", tmp_path / f"a.{suffix}")
    assert result.code == 0
    assert result.out.startswith("Random deals, not solved: 7 deals")


@pytest.mark.parametrize("suffix", ["parquet", "csv", "json"])
def test_cards_that_may_be_played_are_shown(run, tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    run("play", "--hand", "J97.AT.A8.K", "-t", "S", "-n", 2, "--seed", 1, "-q", "-o", path)
    result = run("show", path)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(
        "The cards that may be played, by what one player knows: 8 cards, rules tsaka"
    )
    refused = run("show", path, "--plot", tmp_path / "a.png")
    assert (refused.code, refused.out) == (1, "")
    assert "nothing in it can be drawn; leave out --plot" in refused.err


@pytest.mark.parametrize("suffix", ["parquet", "csv", "json"])
@pytest.mark.parametrize("trumps", ["", "no_trump_bids=true"])
def test_chances_are_shown_as_bid_told_them(run, tmp_path, suffix, trumps):
    path = tmp_path / f"a.{suffix}"
    more = ("--set", trumps) if trumps else ()
    answer = json.loads(
        run("bid", HAND, "-n", 40, "--seed", 1, "-q", "-o", path, "--json", *more).out
    )
    out = run("show", path).out
    assert "made at the table, %" in out
    at_100 = answer["contracts"][0]["levels"][2]
    line = next(line for line in out.splitlines() if line.split()[:1] == ["100"])
    assert line.split()[1] == f"{100 * at_100['p_table']:.0f}"
    shown = json.loads(run("show", path, "--json").out)["contracts"][0]["levels"][2]
    assert shown["p_table"] == pytest.approx(at_100["p_table"])
    assert shown["p_made"]["own"] == pytest.approx(at_100["p_made"])
    last = " ".join(out.splitlines()[-2:])
    assert "double dummy, but for the chances at the table" in last
    assert ("(of N they are not known)" in last) == bool(trumps)


def test_double_dummy_chances_are_called_so(run, tmp_path):
    path = tmp_path / "a.csv"
    run("bid", HAND, "-n", 40, "--seed", 1, "-q", "-o", path, "--model", "dd")
    out = run("show", path).out
    assert out.endswith("\n\ndouble dummy\n")
    assert "at the table" not in out


@pytest.mark.parametrize("suffix", ["parquet", "csv", "json"])
def test_chances_of_several_hands_are_not_mixed(run, tmp_path, suffix):
    questions, answers = tmp_path / "q.csv", tmp_path / f"a.{suffix}"
    questions.write_text(f"hand,bid\n{HAND},100S\n7.QJ8.AQ8.A,80D\n")
    run("bid", "--file", questions, "-n", 20, "--seed", 1, "-q", "-o", answers)
    result = run("show", answers)
    assert (result.code, result.err) == (0, "")
    assert "Answers to several questions, which have no figures in common." in result.out
    assert "made" not in result.out
    assert json.loads(run("show", answers, "--json").out)["contracts"] == []


def test_a_page_is_for_people(run, tmp_path):
    for name in ("t.html", "t.md"):
        run("table", "-q", "-o", tmp_path / name)
        refused = run("show", tmp_path / name)
        assert (refused.code, refused.out) == (1, "")
        assert "a page is for people to read; name a .parquet, .csv or .json" in refused.err


def test_what_was_bid_is_told_within_the_width(run, tmp_path, monkeypatch):
    made = run("simulate", "-n", 20, "-o", tmp_path / "d", "--bid-by", "cyprus-basic", "--seed", 1)
    assert " deals in 1 part, " in made.err
    for columns in (50, 80):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = run("show", tmp_path / "d").out.splitlines()
        assert all(len(line) <= columns for line in lines)
    refused = run("table", "--from", tmp_path / "d")
    assert (refused.code, refused.out) == (1, "")
    assert "make one without --bid-by" in refused.err


def test_what_has_a_name_for_people_is_a_table():
    from pilotta_cli.commands.show import _NOUNS, _WHAT

    assert set(_WHAT) == set(_NOUNS) <= {schema.name for schema in SCHEMAS}


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_a_picture_is_written_whole_and_not_over_another(run, dataset, tmp_path, suffix):
    path = tmp_path / f"a.{suffix}"
    result = run("show", dataset, "--plot", path)
    assert (result.code, result.err) == (0, f"Wrote {path}.\n")
    assert path.read_bytes()[:5] in (b"\x89PNG\r", b"<?xml")
    again = run("show", dataset, "--plot", path)
    assert (again.code, again.out) == (1, "")
    assert "exists; name another, or replace it with --force" in again.err
    assert run("show", dataset, "--plot", path, "--force", "-q").code == 0


BAD = {
    "no path": (("show",), "Missing argument 'PATH'"),
    "nothing there": (("show", "none"), "none: no such file or folder"),
    "an empty folder": (("show", "folder"), "folder: no dataset"),
    "another program's": (("show", "a.txt"), "a.txt: not a table that pilotta writes"),
    "an unknown trump": (("show", "a.txt", "-t", "X"), "unknown trump 'X'"),
    "an unknown picture": (("show", "a.txt", "--plot", "a.gif"), "none of .png, .svg"),
    "a missing folder": (("show", "a.txt", "--plot", "no/a.png"), "the folder 'no' does not"),
    "an unknown URI": (("show", "ftp://x/d"), "not a folder that can be opened"),
}


@pytest.mark.parametrize(("args", "told"), BAD.values(), ids=BAD.keys())
def test_bad_input_is_one_line(run, tmp_path, monkeypatch, args, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "a.txt").write_text("hello\n")
    result = run(*args)
    assert result.code in (1, 2)
    assert result.out == ""
    assert result.err.startswith("Error: ")
    assert result.err.count("\n") == 1
    assert told in result.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "folder"]
