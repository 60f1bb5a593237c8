from __future__ import annotations

import csv
import json
import re

import pytest

from pilotta_solver import __version__, parse_bid, parse_hand
from pilotta_solver.advice import advise
from pilotta_solver.parquet import BID, read

HAND = "AKJ9.T8.A7."
QUICK = ("--worlds", 40, "--seed", 7)


def test_json_has_exactly_the_documented_keys(run):
    result = run("bid", HAND, "100S", *QUICK, "--json")
    assert (result.code, result.err) == (0, "")
    assert result.out.count("\n") == 1
    answer = json.loads(result.out)
    assert list(answer) == [
        "rules", "version", "seed", "hand", "seat", "n_worlds", "contracts", "question",
    ]  # fmt: skip
    assert [contract["trump"] for contract in answer["contracts"]] == ["S", "H", "D", "C"]
    for contract in answer["contracts"]:
        assert list(contract) == [
            "trump", "n_worlds", "mean_card_points", "sd_card_points", "mean_total", "p_capot",
            "levels",
        ]  # fmt: skip
        assert [level["bid"] for level in contract["levels"]] == list(range(80, 401, 10))
        assert all(
            list(level) == ["bid", "p_made", "ci_low", "ci_high"] for level in contract["levels"]
        )
    assert list(answer["question"]) == ["bid", "p_made", "ci_low", "ci_high", "verdict"]
    assert answer["question"]["bid"] == "100S"
    del answer["contracts"], answer["question"]
    assert answer == {
        "rules": "tsaka", "version": __version__, "seed": 7, "hand": HAND, "seat": 1,
        "n_worlds": 40,
    }  # fmt: skip


def test_json_equals_the_library(run):
    result = run("bid", HAND, "100S", *QUICK, "--seat", 2, "--json")
    advice = advise(parse_hand(HAND), parse_bid("100S"), seat=2, n_worlds=40, seed=7)
    assert json.loads(result.out) == advice.as_dict()


def test_question_is_null_without_a_bid(run):
    assert json.loads(run("bid", HAND, *QUICK, "--json").out)["question"] is None


@pytest.mark.parametrize("form", [["--json"], ["-o", "-"], []])
def test_the_same_bytes_for_any_number_of_jobs(run, form):
    outputs = {
        run("bid", HAND, "100S", "-n", 120, "--seed", 3, "-j", j, *form).out for j in (1, 2, 5)
    }
    assert len(outputs) == 1


def test_a_drawn_seed_is_reported_and_gives_the_same_answer_again(run):
    first = run("bid", HAND, "-n", 20, "--json").out
    assert run("bid", HAND, "-n", 20, "--json", "--seed", json.loads(first)["seed"]).out == first


@pytest.mark.parametrize(
    "hand",
    ["♠J9AK ♥108 ♦A7", "S:J9AK H:T8 D:A7", "js 9s as ks th 8h ad 7d", "j9ak.108.a7."],
)
def test_a_hand_in_any_form(run, hand):
    assert json.loads(run("bid", hand, *QUICK, "--json").out)["hand"] == HAND


@pytest.mark.parametrize(
    ("bid", "start"),
    [("80S", "Yes, bid 80S: it is made in "), ("400C", "No, do not bid 400C: it is made in ")],
)
def test_the_answer_is_a_sentence(run, bid, start):
    lines = run("bid", HAND, bid, *QUICK).out.splitlines()
    assert lines[2].startswith(start)
    assert "95 % interval" in lines[2]


def test_a_close_call_says_so(run):
    lines = run("bid", HAND, "100D", "-n", 20, "--seed", 1).out.splitlines()
    assert lines[2].startswith("100D is a close call: it is made in ")


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_the_table_fits_eighty_columns_and_names_its_method(run, seat):
    out = run("bid", HAND, "100S", *QUICK, "--seat", seat).out
    assert max(map(len, out.splitlines())) <= 80
    leads = {1: "you lead", 3: "your partner leads"}.get(seat, "an opponent leads")
    assert leads in out
    for told in ("double dummy", "rules tsaka", "natural order", "seed 7", f"v{__version__}"):
        assert told in out


def test_classic_says_its_order_of_sequences(run):
    out = run("bid", HAND, *QUICK, "--rules", "classic").out
    assert "rules classic" in out
    assert "plain order of sequences" in out


def test_no_trump_and_all_trump_where_they_may_be_bid(run):
    sets = ("--set", "no_trump_bids=true", "--set", "all_trump_bids=true")
    answer = json.loads(run("bid", HAND, "90N", *QUICK, *sets, "--json").out)
    assert [contract["trump"] for contract in answer["contracts"]] == list("SHDCNA")
    assert answer["rules"] == "tsaka+no_trump_bids=true+all_trump_bids=true"
    table = run("bid", HAND, "90A", *QUICK, *sets).out
    assert max(map(len, table.splitlines())) <= 100


def test_sweeps_are_not_looked_for_when_they_count_nothing(run):
    answer = json.loads(run("bid", HAND, *QUICK, "--set", "capot_points=162", "--json").out)
    assert {contract["p_capot"] for contract in answer["contracts"]} == {None}


def test_parquet_has_a_row_for_each_trump_and_level(run, tmp_path):
    path = tmp_path / "hand.parquet"
    result = run("bid", HAND, "100S", *QUICK, "--rules", "classic", "-o", path, "--json")
    assert result.code == 0
    assert result.err == f"Wrote {path}.\n"
    rows, metadata = read(path)
    assert tuple(rows.columns) == BID.names
    assert len(rows) == 4 * 33
    assert (metadata["seed"], metadata["hand"], metadata["version"]) == (7, HAND, __version__)
    assert metadata["rules"]["sequence_order"] == "plain"
    answer = json.loads(result.out)
    for contract in answer["contracts"]:
        mine = rows[rows.trump == contract["trump"]]
        assert list(mine.p_made) == [level["p_made"] for level in contract["levels"]]
        assert set(mine.mean_total) == {contract["mean_total"]}


def test_csv_and_json_files_hold_the_same(run, tmp_path):
    run("bid", HAND, *QUICK, "-o", tmp_path / "hand.csv")
    run("bid", HAND, *QUICK, "-o", tmp_path / "hand.json")
    piped = run("bid", HAND, *QUICK, "-o", "-").out
    text = (tmp_path / "hand.csv").read_text()
    assert piped == text
    rows = list(csv.DictReader(text.splitlines()))
    assert tuple(rows[0]) == BID.names
    answer = json.loads((tmp_path / "hand.json").read_text())
    chances = [level["p_made"] for contract in answer["contracts"] for level in contract["levels"]]
    assert [float(row["p_made"]) for row in rows] == chances


def test_a_file_comes_beside_the_answer_on_stdout(run, tmp_path):
    plain = run("bid", HAND, "100S", *QUICK)
    written = run("bid", HAND, "100S", *QUICK, "-o", tmp_path / "a.json", "--quiet")
    assert written.out == plain.out
    assert written.err == ""
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_an_existing_file_is_kept_unless_forced(run, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("precious")
    refused = run("bid", HAND, *QUICK, "-o", path)
    assert refused.code == 1
    assert refused.out == ""
    assert (
        refused.err
        == f"Error: output file '{path}' exists; name another, or replace it with --force\n"
    )
    assert path.read_text() == "precious"
    assert run("bid", HAND, *QUICK, "-o", path, "--force").code == 0
    assert path.read_text().startswith("rules,version,")


def test_settings_from_the_environment(run, monkeypatch):
    monkeypatch.setenv("PILOTTA_RULES", "classic")
    monkeypatch.setenv("PILOTTA_SEED", "11")
    monkeypatch.setenv("PILOTTA_WORLDS", "15")
    monkeypatch.setenv("PILOTTA_SET", "capot_points=262")
    answer = json.loads(run("bid", HAND, "--json").out)
    assert (answer["rules"], answer["seed"], answer["n_worlds"]) == (
        "classic+capot_points=262", 11, 15,
    )  # fmt: skip


def test_verbose_tells_what_was_solved(run):
    result = run("bid", HAND, *QUICK, "-v")
    assert re.fullmatch(r"Solved 160 deals in \d+\.\d\d s; threads: \d+\.\n", result.err)
