from __future__ import annotations

import csv
import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from pilotta_cli.bid_answer import _cell
from pilotta_solver import __version__, parse_bid, parse_hand
from pilotta_solver.advice.advise import advise
from pilotta_solver.parquet import BID, read

HAND = "AKJ9.T8.A7."
QUICK = ("--worlds", 40, "--seed", 7)

CHANCE = ["bid", "p_made", "ci_low", "ci_high"]
WORTH = [
    "p_table", "table_low", "table_high",
    "raw", "raw_doubled", "raw_redoubled", "sheet", "sheet_doubled", "sheet_redoubled",
    "worth", "worth_low", "worth_high", "break_even", "p_win", "p_win_gain",
]  # fmt: skip


def test_json_has_exactly_the_documented_keys(run):
    result = run("bid", HAND, "100S", *QUICK, "--json")
    assert (result.code, result.err) == (0, "")
    assert result.out.count("\n") == 1
    answer = json.loads(result.out)
    assert list(answer) == [
        "rules", "version", "seed", "hand", "seat", "n_worlds", "contracts", "question",
        "alternatives", "best", "score", "target", "method", "hand_class",
    ]  # fmt: skip
    assert [contract["trump"] for contract in answer["contracts"]] == ["S", "H", "D", "C"]
    for contract in answer["contracts"]:
        assert list(contract) == [
            "trump", "n_worlds", "mean_card_points", "sd_card_points", "mean_total",
            "mean_total_table", "p_capot", "highest", "levels",
        ]  # fmt: skip
        assert [level["bid"] for level in contract["levels"]] == list(range(80, 401, 10))
        assert all(list(level) == [*CHANCE, *WORTH] for level in contract["levels"])
    question = answer.pop("question")
    assert list(question) == [
        *CHANCE, "verdict", "n_worlds", *WORTH, "highest", "alternative", "reasons", "worlds",
    ]  # fmt: skip
    assert question["bid"] == "100S"
    for reason in question["reasons"]:
        assert list(reason) == [
            "about", "fact", "n_worlds", "share", "p_made", "ci_low", "ci_high",
        ]  # fmt: skip
    for world in question["worlds"]:
        assert list(world) == [
            "kind", "world", "deal", "card_points", "declarations", "belote", "total", "made",
        ]  # fmt: skip
    for alternative in answer.pop("alternatives"):
        assert list(alternative) == [
            "call", "meaning", "raw", "sheet", "sheet_low", "sheet_high", "p_win",
        ]  # fmt: skip
    assert list(answer.pop("best")) == ["call", "sheet", "worth", "p_win"]
    assert answer.pop("method") == {
        "play": "double dummy", "model": "table", "calibrated": True, "leads": "you",
        "intervals": "wilson", "stopped_by": "worlds",
        "n_tried": 40, "acceptance": 1.0, "known": [],
    }  # fmt: skip
    assert (answer.pop("score"), answer.pop("target")) == (None, None)
    del answer["contracts"], answer["hand_class"]
    assert answer == {
        "rules": "tsaka", "version": __version__, "seed": 7, "hand": HAND, "seat": 1,
        "n_worlds": 40,
    }  # fmt: skip


def test_json_equals_the_library(run):
    result = run("bid", HAND, "100S", *QUICK, "--seat", 2, "--json")
    advice = advise(parse_hand(HAND), parse_bid("100S"), seat=2, n_worlds=40, seed=7)
    answer = json.loads(result.out)
    assert answer.pop("hand_class")["hand_class"].startswith("J9A")
    assert answer == advice.as_dict()


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
    [("80S", "Yes: 80S makes 98 % ± "), ("400C", "No: 400C makes 0 % ± ")],
)
def test_the_answer_is_a_sentence(run, bid, start):
    lines = run("bid", HAND, bid, *QUICK).out.splitlines()
    assert lines[2].startswith(start)
    assert "on the sheet against passing" in f"{lines[2]} {lines[3]}"


def test_a_close_call_says_so(run):
    lines = run("bid", HAND, "80C", "-n", 20, "--seed", 1).out.splitlines()
    assert lines[2].startswith("Close: 80C makes ")


def test_without_a_question_the_best_call_is_named(run):
    lines = run("bid", HAND, *QUICK).out.splitlines()
    assert re.match(r"Best call: \d+S makes \d+ % ± .* \(double dummy \d+ % ± ", lines[2])
    weak = run("bid", "QT8.QT8.Q8.", *QUICK).out
    assert "Best call: pass, +0.0 on the sheet." in weak


def test_the_default_answer_stops_at_a_precision_of_its_own(run):
    """The rule looks again and again, and 1.5 points are reached whatever the chance."""
    result = run("bid", HAND, "120H", "--seed", 5, "--json")
    question = json.loads(result.out)["question"]
    assert 0.01 < question["ci_high"] - question["ci_low"] <= 0.03
    table = run("bid", HAND, "120H", "--seed", 5).out
    assert re.search(r"[\d,]+ worlds \(384 solved\), solved double dummy, turned", table)


@pytest.mark.parametrize("form", [["--json"], ["-o", "-"], []])
def test_the_same_bytes_for_any_number_of_jobs_where_it_stops_by_itself(run, form):
    asked = ("bid", HAND, "110H", "--precision", 6, "--seed", 3)
    assert len({run(*asked, "-j", j, *form).out for j in (1, 2, 5)}) == 1


def test_the_auction_is_told_and_weighed(run):
    out = run("bid", HAND, "100S", *QUICK, "--auction", "P 80H P").out
    lines = out.splitlines()
    assert "seat 4, right opponent leads" in lines[0]
    assert lines[1] == "Right's pass: no 80 or 90 in any suit"
    assert "Instead, on the sheet: passing +" in out
    assert "% of draws agree" in out
    assert not re.search(r"^ +80 ", out, re.MULTILINE)  # no longer to be had
    out = run("bid", HAND, "100S", *QUICK, "--auction", "80H", "--system", "none").out
    assert re.search(r"passing [+-]\d.* \(80H\)", out)
    assert re.search(r"doubling [+-]\d.* \(80H doubled\)", out)


def test_once_the_bidding_is_over_only_doubles_are_left(run):
    asked = ("bid", "QT8.QT8.Q8.", *QUICK, "--auction", "80H P P P", "--rules", "classic")
    answer = json.loads(run(*asked, "--json").out)
    assert {one["call"] for one in answer["alternatives"]} == {"P", "X"}
    assert answer["best"]["call"] in ("P", "X")
    assert {contract["highest"] for contract in answer["contracts"]} == {None}


def test_the_score_of_a_game_makes_its_chance_the_measure(run):
    asked = ("bid", HAND, "150S", *QUICK, "--score", "299-250")
    out = run(*asked).out
    assert "points in chance of winning, against passing" in " ".join(out.split())
    assert "wins the game" in out
    answer = json.loads(run(*asked, "--json").out)
    assert "made %, wins +%" in out
    level = next(one for one in answer["contracts"][0]["levels"] if one["bid"] == 150)
    row = next(line.split() for line in out.splitlines() if line.strip().startswith("150 "))
    assert row[3] == f"{100 * level['p_win_gain']:+z.1f}"
    assert (answer["score"], answer["target"]) == ([299, 250], 301)
    assert answer["question"]["p_win"] <= answer["best"]["p_win"]


def test_reasons_and_worlds_are_written_out(run):
    asked = ("bid", "J97.AT8.T7.", "90H", "-n", 200, "--seed", 1)
    out = run(*asked).out
    assert re.search(
        r"What decides, double dummy: HJ with partner \d+ %, with an opponent \d+ %;", out
    )
    assert re.search(r"By partner's trumps, double dummy: 0: \d+ %, 1: \d+ %,", out)
    assert "World" not in out
    shown = run(*asked, "--show-worlds", 2).out
    assert shown.count("near the median") == 2
    assert shown.count("a typical failure") == 1
    assert shown.count("  N:J97.AT8.T7. ") == 3


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_the_table_fits_eighty_columns_and_names_its_method(run, seat):
    out = run("bid", HAND, "100S", *QUICK, "--seat", seat).out
    assert max(map(len, out.splitlines())) <= 80
    leads = ("you lead", "left opponent leads", "your partner leads", "right opponent leads")
    assert leads[seat - 1] in out
    out = " ".join(out.split())
    for told in ("double dummy", "rules tsaka", "natural order", "seed 7", f"v{__version__}"):
        assert told in out


def test_classic_says_its_order_of_sequences(run):
    out = run("bid", HAND, *QUICK, "--rules", "classic").out
    assert "rules classic" in out
    assert "plain order of sequences" in " ".join(out.split())


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


@pytest.mark.parametrize(
    ("options", "code", "why"),
    [
        (("--score", "210"), 2, "give our score and theirs, as in 210-180"),
        (("--score", "-5-10"), 2, "give our score and theirs, as in 210-180"),
        (("--score", "301-10"), 1, "in a game to 301 both are 0 to 300"),
        (("--target", "301"), 2, "--target goes with --score: give both"),
        (("--time", "soon"), 2, "give a time above 0, as in 5s, 500ms or 2m"),
        (("--time", "0s"), 2, "give a time above 0, as in 5s, 500ms or 2m"),
        (("--precision", "0"), 2, "--precision"),
        (("-n", "5", "--precision", "1"), 2, "--worlds leaves nothing for --precision to stop"),
        (("-n", "5", "--time", "5s"), 2, "--worlds leaves nothing for --time to stop"),
        (("--show-worlds", "-1"), 2, "--show-worlds"),
        (("--auction", "110H"), 1, "a bid must be higher than 110H"),
        (("--auction", "P P P P"), 2, "is over"),
        (("--auction", "80H P P P", "--rules", "classic"), 1, "the bidding is over"),
    ],
)
def test_options_that_make_no_sense_are_refused(run, options, code, why):
    result = run("bid", HAND, "100S", *options)
    assert (result.code, result.out) == (code, "")
    assert result.err.startswith("Error: ")
    assert why in result.err
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("time", ["1ms", "0.001", "0.001s"])
def test_a_time_limit(run, time):
    answer = json.loads(run("bid", HAND, "100S", "--time", time, "--json").out)
    assert answer["method"]["stopped_by"] == "time"


def test_verbose_tells_what_was_solved(run):
    result = run("bid", HAND, *QUICK, "-v")
    assert re.fullmatch(r"Solved 160 deals in \d+\.\d\d s; threads: \d+\.\n", result.err)


PAGES = Path(__file__).parents[2]
COMMANDS = sorted(
    {
        line
        for page in ("README.md", "docs/examples.md", "docs/cli.md")
        for line in re.findall(
            r"^ *pilotta (bid .*)$", (PAGES / page).read_text(encoding="utf-8"), re.MULTILINE
        )
        if "--file" not in line
    }
)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_pages_runs(run, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    precise = () if "--precision" in command else ("-n", 3)
    result = run(*shlex.split(command, comments=True), "-q", *precise)
    assert (result.code, result.err) == (0, "")
    assert result.out


@pytest.mark.parametrize(("columns", "n_tables"), [(60, 3), (80, 2), (120, 1)])
def test_contracts_that_do_not_fit_side_by_side_stand_below(run, monkeypatch, columns, n_tables):
    monkeypatch.setenv("COLUMNS", str(columns))
    out = run("bid", HAND, *QUICK, "--set", "no_trump_bids=true").out
    assert "…" not in out
    assert all(len(line.rstrip()) <= columns for line in out.splitlines())
    heads = [line.split()[3:] for line in out.splitlines() if line.startswith("made %, worth")]
    assert len(heads) == n_tables
    assert [trump for head in heads for trump in head] == ["S", "H", "D", "C", "N"]
    assert out.count("  total, d.d.") == n_tables


def test_a_contract_that_is_not_calibrated_is_named(run):
    free = ("--set", "no_trump_bids=true")
    left_out = "turned into play at the table but for N (not calibrated);"
    assert left_out in " ".join(run("bid", HAND, *QUICK, *free).out.split())
    assert "but for" not in run("bid", HAND, *QUICK).out


@pytest.mark.parametrize(("worth", "shown"), [(-0.04, " +0.0"), (-0.06, " -0.1"), (0.0, " +0.0")])
def test_what_is_worth_nothing_has_no_minus(worth, shown):
    level = advise(parse_hand(HAND), n_worlds=8, seed=1).contracts[0].levels[0]
    assert f"]{shown}[" in _cell(replace(level, worth=worth))
