"""Each wrong input is one line on stderr that says what, where and what to do, and no more."""

from __future__ import annotations

import pytest

HAND = "AKJ9.T8.A7."
DEAL = "N:7.QJ8.AQ8.A J.A.KJ.KQ98 AQT8.7.T7.J K9.KT9.9.T7"
CONTRACT = ("-t", "S", "-l", "N")
SOLVE = ("solve", DEAL, *CONTRACT)

CASES = {
    "seven cards": (("bid", "AKJ9.T8.A."), "7 cards"),
    "nine cards": (("bid", "AKJ9.T8.A7.9"), "9 cards"),
    "a card twice": (("bid", "AKJ9.T8.AA."), "DA stands twice"),
    "an unknown card": (("bid", "AKX9.T8.A7."), "unknown card or suit 'X'"),
    "an unknown suit": (("bid", "Z:AKJ9 H:T8 D:A7"), "'Z'"),
    "three suits": (("bid", "AKJ9.T8.A7"), "3 suits"),
    "a bid between levels": (("bid", HAND, "85S"), "no bid of 85"),
    "a bid too low": (("bid", HAND, "70S"), "no bid of 70"),
    "a bid too high": (("bid", HAND, "410S"), "up to 400"),
    "a bid without a suit": (("bid", HAND, "100"), "names no trump"),
    "a bid that is none": (("bid", HAND, "hearts"), "not a bid"),
    "a bid that is not allowed": (("bid", HAND, "100N"), "no_trump_bids = true"),
    "no worlds": (("bid", HAND, "-n", "0"), "'-n' / '--worlds'"),
    "worlds below none": (("bid", HAND, "--worlds", "-5"), "'-n' / '--worlds'"),
    "worlds in words": (("bid", HAND, "-n", "many"), "'-n' / '--worlds'"),
    "seat five": (("bid", HAND, "--seat", "5"), "'--seat'"),
    "a seed too large": (("bid", HAND, "--seed", str(2**64)), "seed 18446744073709551616"),
    "no jobs": (("bid", HAND, "-j", "0"), "'-j' / '--jobs'"),
    "no hand": (("bid",), "Give either a HAND or --file"),
    "an unknown ruleset": (("bid", HAND, "--rules", "tsakka"), "no ruleset 'tsakka'"),
    "an unknown key": (("bid", HAND, "--set", "capot=250"), "unknown ruleset key 'capot'"),
    "a value not allowed": (("bid", HAND, "--set", "capot_points=some"), "capot_points = some"),
    "a key without a value": (("bid", HAND, "--set", "capot_points"), "key=value"),
    "an unknown suffix": (("bid", HAND, "-o", "answer.txt"), ".parquet, .csv, .json"),
    "a missing folder": (("bid", HAND, "-o", "no/such/a.csv"), "the folder 'no/such' does not"),
    "a folder as output": (("bid", HAND, "-o", "folder.csv"), "is a folder"),
    "an unknown option": (("bid", HAND, "--wrold", "3"), "--wrold"),
    "a shared card": (("solve", DEAL.replace("J.A.KJ", "7.A.KJ"), *CONTRACT), "S7 is in two hands"),
    "unequal hands": (("solve", DEAL.replace("J.A.KJ", ".A.KJ"), *CONTRACT), "W 7"),
    "three hands": (("solve", DEAL[:35], *CONTRACT), "3 hands"),
    "no seat": (("solve", DEAL[2:], *CONTRACT), "begin with the seat"),
    "an unknown trump": (("solve", DEAL, "-t", "X", "-l", "N"), "unknown trump 'X'"),
    "an unknown seat": (("solve", DEAL, "-t", "S", "-l", "Q"), "unknown seat 'Q'"),
    "no trump given": (("solve", DEAL, "-l", "N"), "Missing option '--trump'"),
    "no leader given": (("solve", DEAL, "-t", "S"), "Missing option '--leader'"),
    "not following": ((*SOLVE, "--played", "DA SJ"), "SJ by W is not legal: must follow"),
    "not beating": (("solve", DEAL, "-t", "S", "-l", "S", "--played", "ST SK"), "must beat ST"),
    "another's card": ((*SOLVE, "--played", "SJ"), "not in the hand"),
    "a played card unknown": ((*SOLVE, "--played", "S7 SX"), "unknown card or suit 'X'"),
    "table with a trump": (("solve", DEAL, "--table", "-t", "S"), "--trump does not go with"),
    "file with a deal": (("solve", DEAL, "--file", "a.csv"), "either a DEAL or --file"),
    "nothing to solve": (("solve",), "either a DEAL or --file"),
    "file and cards played": (("solve", "--file", "a.csv", "--played", "SJ"), "--played does not"),
    "depth zero": (("perft", DEAL, *CONTRACT, "-d", "0"), "'-d' / '--depth'"),
    "depth past the end": (("perft", "N:J... A... T... K...", *CONTRACT, "-d", "9"), "depth 9"),
}  # fmt: skip


@pytest.mark.parametrize(("args", "told"), CASES.values(), ids=CASES.keys())
def test_one_line_that_says_what_where_and_what_to_do(run, tmp_path, monkeypatch, args, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.csv").mkdir()
    result = run(*args)
    assert result.code in (1, 2)
    assert result.out == ""
    assert result.err.startswith("Error: ")
    assert result.err.count("\n") == 1
    assert told in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["folder.csv"]


HEAD = "deal,trump,leader\n"

FILES = {
    "empty": (b"", "a.csv, line 1: empty file"),
    "header only": (b"deal,trump,leader\n", "a.csv, line 1: no position"),
    "blank lines only": (b"\n \n", "a.csv, line 1: empty file"),
    "no column after a blank line": (b"\ndeal;trump;leader\n", "a.csv, line 2: no column 'deal'"),
    "a column missing": (b"deal,trump\nx,S\n", "a.csv, line 1: no column 'leader'"),
    "a column twice": (b"deal,trump,leader,trump\n", "a.csv, line 1: two columns 'trump'"),
    "a field missing": (f"{HEAD}{DEAL},S,N\n{DEAL},S\n".encode(), "a.csv, line 3: 2 fields"),
    "a comma too many": (f"{HEAD}{DEAL},S,N,\n".encode(), "a.csv, line 2: 4 fields"),
    "a wrong deal": (b"deal,trump,leader\nN:7.,S,N\n", "a.csv, line 2: deal 'N:7.' has 1 hand"),
    "a wrong trump": (f"{HEAD}{DEAL},Z,N\n".encode(), "a.csv, line 2: unknown trump"),
    "an illegal card": (
        f"deal,trump,leader,played\n{DEAL},S,N,DA SJ\n".encode(),
        "a.csv, line 2: card 2: SJ by W is not legal: must follow",
    ),
    "an open quote": (b'deal,trump,leader\n"N:7,S,N\n', "malformed CSV"),
    "not text": (b"deal,trump,leader\n\xff\xfe,S,N\n", "a.csv, line 2: not UTF-8 text"),
}  # fmt: skip


@pytest.mark.parametrize(("content", "told"), FILES.values(), ids=FILES.keys())
@pytest.mark.parametrize("form", [["--json"], [], ["-o", "out.parquet"], ["-o", "out.csv"]])
def test_a_wrong_csv_is_told_with_file_and_line(run, tmp_path, monkeypatch, content, told, form):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_bytes(content)
    result = run("solve", "--file", "a.csv", *form)
    assert result.code == 1
    # A line that is right is solved and written before the wrong one is read.
    one_is_right = "line 3" in told and "-o" not in form
    assert result.out.count(DEAL) == one_is_right
    assert bool(result.out) == one_is_right
    assert result.err.startswith("Error: ")
    assert result.err.count("\n") == 1
    assert told in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def test_a_missing_csv(run, tmp_path):
    result = run("solve", "--file", tmp_path / "none.csv")
    assert result.code == 1
    assert result.err.startswith(f"Error: {tmp_path / 'none.csv'}: cannot be read")


@pytest.mark.parametrize("worlds", ["10000000000", "9" * 20])
def test_more_worlds_than_fit_are_refused(run, worlds):
    result = run("bid", "AKJ9.T8.A7.", "-n", worlds)
    assert (result.code, result.out) == (2, "")
    assert "is not in the range 1<=x<=1000000" in result.err
    assert len(result.err.splitlines()) == 1


def test_an_output_without_a_name_is_refused(run):
    result = run("bid", "AKJ9.T8.A7.", "-n", "5", "-o", "")
    assert (result.code, result.out) == (2, "")
    assert "no file is named" in result.err
