from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pilotta_solver import __version__
from pilotta_solver.parquet import SOLVE, read

PILOTTA = str(Path(sys.executable).with_name("pilotta"))
DEAL = "N:7.QJ8.AQ8.A J.A.KJ.KQ98 AQT8.7.T7.J K9.KT9.9.T7"
OTHER = "N:AT97.AT..Q8 .KQ8.K.AT97 KQJ8.J.AJ8. .97.QT97.KJ"
KEYS = ["deal", "trump", "leader", "card_points", "value", "capot"]


@pytest.fixture
def positions(tmp_path):
    """A file of positions of several kinds, with blank lines and a column of its own."""
    path = tmp_path / "positions.csv"
    path.write_text(
        "id,deal,trump,leader,played\n"
        f"1,{DEAL},S,N,\n"
        f"2,{DEAL},S,N,S7 SJ SA SK\n"
        "\n"
        f'3,{DEAL},s,n,"S7,SJ,SA"\n'
        f"4,{OTHER},♠,W,\n"
        "5,N:J9... A7... T8... KQ...,A,E,\n"
        f"6,{DEAL},N,S,\n"
    )
    return path


def test_json_has_exactly_the_documented_keys(run):
    result = run("solve", DEAL, "--trump", "S", "--leader", "N", "--json")
    assert (result.code, result.err) == (0, "")
    answer = json.loads(result.out)
    assert list(answer) == KEYS
    assert answer == {
        "deal": DEAL, "trump": "S", "leader": "N",
        "card_points": {"ns": 99, "ew": 63}, "value": {"ns": 99, "ew": 63}, "capot": None,
    }  # fmt: skip


def test_a_sweep_counts_capot_points(run):
    args = ("solve", OTHER, "-t", "S", "-l", "W", "--json")
    tsaka = json.loads(run(*args).out)
    assert (tsaka["value"], tsaka["capot"]) == ({"ns": 250, "ew": -88}, "ns")
    assert tsaka["card_points"] == {"ns": 162, "ew": 0}
    classic = json.loads(run(*args, "--rules", "classic").out)
    assert classic["value"] == {"ns": 252, "ew": -90}
    none = json.loads(run(*args, "--set", "capot_points=162").out)
    assert (none["value"], none["capot"]) == ({"ns": 162, "ew": 0}, None)


def test_cards_have_a_value_each(run):
    answer = json.loads(run("solve", DEAL, "-t", "S", "-l", "N", "--cards", "--json").out)
    assert list(answer) == [*KEYS, "cards"]
    assert set(answer["cards"]) == {"S7", "H8", "HJ", "HQ", "D8", "DQ", "DA", "CA"}
    assert max(answer["cards"].values()) == answer["value"]["ns"]


def test_played_cards_lead_to_a_position(run):
    played = ("--played", "S7 SJ SA SK", "--cards", "--json")
    answer = json.loads(run("solve", DEAL, "-t", "S", "-l", "N", *played).out)
    assert answer["deal"] == DEAL
    assert answer["leader"] == "N"
    assert set(answer["cards"]) == {"HA", "DJ", "DK", "C8", "C9", "CQ", "CK"}
    assert min(answer["cards"].values()) == answer["value"]["ns"]


def test_a_deal_played_to_its_end(run):
    deal = ("N:J... A... T... K...", "-t", "S", "-l", "N", "--played", "SJ SA ST SK", "--cards")
    answer = json.loads(run("solve", *deal, "--json").out)
    assert answer["card_points"] == {"ns": 55, "ew": 0}
    assert answer["cards"] == {}
    assert "all is played" in run("solve", *deal).out


def test_the_table_agrees_with_single_solves(run):
    lines = run("solve", DEAL, "--table", "--json").out.splitlines()
    answers = [json.loads(line) for line in lines]
    assert [(a["trump"], a["leader"]) for a in answers] == [
        (t, s) for t in "SHDCNA" for s in "NWSE"
    ]
    for answer in answers[::5]:
        single = run("solve", DEAL, "-t", answer["trump"], "-l", answer["leader"], "--json").out
        assert json.loads(single) == answer


def test_terminal_answers(run):
    one = run("solve", DEAL, "-t", "S", "-l", "N", "--cards").out
    assert "S trumps, N leads\nNS 99, EW 63 card points\n" in one
    assert one.endswith(f"double dummy; rules tsaka; pilotta {__version__}\n")
    swept = run("solve", OTHER, "-t", "S", "-l", "N", "--played", "SA").out
    assert "S trumps, N leads, played SA, W to play" in swept
    assert "NS 162, EW 0 card points: NS takes all eight tricks, which counts 250" in swept
    assert "no trump, E leads" in run("solve", DEAL, "-t", "N", "-l", "E").out
    table = run("solve", DEAL, "--table").out
    assert "       S        99        99        99        99\n" in table
    assert max(map(len, (one + swept + table).splitlines())) <= 80


@pytest.mark.parametrize("jobs", [1, 2, 7])
@pytest.mark.parametrize("form", [("--json", "--cards"), ()])
def test_a_file_gives_the_same_bytes_for_any_number_of_jobs(run, positions, jobs, form):
    result = run("solve", "--file", positions, "-j", jobs, *form)
    assert (result.code, result.err) == (0, "")
    assert result.out == run("solve", "--file", positions, *form).out
    assert result.out.count("\n") == (6 if form else 7)


def test_a_file_agrees_with_single_solves_in_order(run, positions):
    lines = run("solve", "--file", positions, "--json", "--cards").out.splitlines()
    rows = csv.DictReader(filter(str.strip, positions.read_text().splitlines()))
    for line, row in zip(lines, rows, strict=True):
        args = (row["deal"], "-t", row["trump"], "-l", row["leader"], "--played", row["played"])
        assert run("solve", *args, "--json", "--cards").out == line + "\n"


def test_files_of_every_form_hold_the_same(run, positions, tmp_path):
    for name in ("v.parquet", "v.csv", "v.jsonl"):
        result = run("solve", "--file", positions, "--cards", "-o", tmp_path / name)
        assert (result.code, result.out, result.err) == (0, "", f"Wrote {tmp_path / name}.\n")
    assert (tmp_path / "v.jsonl").read_text() == run(
        "solve", "--file", positions, "--cards", "--json"
    ).out
    text = (tmp_path / "v.csv").read_text()
    assert text == run("solve", "--file", positions, "--cards").out
    rows, metadata = read(tmp_path / "v.parquet")
    assert tuple(rows.columns) == SOLVE.names
    assert metadata["rules"]["name"] == "tsaka"
    filled = rows.fillna("").astype(str).to_dict("records")
    assert filled == list(csv.DictReader(text.splitlines()))
    assert rows.played[1] == "S7 SJ SA SK"
    assert rows.capot[3] == "ns"


def test_stdin(run_process, positions):
    from_file = run_process("solve", "--file", positions, "--json")
    piped = run_process("solve", "--file", "-", "--json", stdin=positions.read_text())
    assert piped == from_file
    assert piped.code == 0
    marked = run_process("solve", "--file", "-", stdin="\ufeff" + positions.read_text())
    assert marked.code == 0
    wrong = run_process("solve", "--file", "-", "--json", stdin="deal,trump,leader\nx,S,N\n")
    assert (wrong.code, wrong.out) == (1, "")
    assert wrong.err.startswith("Error: stdin, line 2: deal 'x'")


def test_the_first_result_comes_before_the_second_line_is_there():
    process = subprocess.Popen(
        [PILOTTA, "solve", "--file", "-", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"deal,trump,leader\n{DEAL},S,N\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["trump"] == "S"
    process.stdin.write(f"{DEAL},H,N\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["trump"] == "H"
    process.stdin.close()
    assert process.wait(timeout=60) == 0
    process.stdout.close()


def test_results_before_a_wrong_line_are_written(run_process):
    lines = f"deal,trump,leader\n{DEAL},S,N\n{DEAL},H,N\n{DEAL},X,N\n{DEAL},S,N\n"
    result = run_process("solve", "--file", "-", "--json", stdin=lines)
    assert result.code == 1
    assert [json.loads(line)["trump"] for line in result.out.splitlines()] == ["S", "H"]
    assert result.err.startswith("Error: stdin, line 4: unknown trump 'X'")


def test_a_reader_that_leaves_is_no_error_message(tmp_path):
    path = tmp_path / "many.csv"
    path.write_text("deal,trump,leader\n" + f"{DEAL},A,N\n" * 3000)
    shell = f'"{PILOTTA}" solve --file "{path}" --json | head -n 2'
    done = subprocess.run(shell, shell=True, capture_output=True, check=False, timeout=120)
    assert done.stdout.count(b"\n") == 2
    assert done.stderr == b""


def test_a_named_pipe(run_process, tmp_path, positions):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cp", positions, pipe]):
        piped = run_process("solve", "--file", pipe, "--json")
    assert piped == run_process("solve", "--file", positions, "--json")
