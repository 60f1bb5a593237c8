from __future__ import annotations

import csv
import json

import pytest

from pilotta_solver.parquet import BID, read

HAND = "AKJ9.T8.A7."
QUICK = ("-n", 20, "--seed", 7)
ROWS = f"""\
hand,bid,seat,auction,partner,right,left,score,target
{HAND},100S,2,,,,,,
♠J97 ♥A108 ♦107,,,P 80H P,,,,250-240,301

{HAND},90H,,,S8 and D>=2,,!CA,,
"""


@pytest.fixture
def hands(tmp_path):
    path = tmp_path / "hands.csv"
    path.write_text(ROWS, encoding="utf-8")
    return path


def test_each_line_is_answered_as_the_command_would(run, hands):
    result = run("bid", "--file", hands, *QUICK)
    assert (result.code, result.err) == (0, "")
    answers = [json.loads(line) for line in result.out.splitlines()]
    assert [answer.pop("line") for answer in answers] == [2, 3, 5]
    alone = [
        ("bid", HAND, "100S", "--seat", 2),
        ("bid", "J97.AT8.T7.", "--auction", "P 80H P", "--score", "250-240"),
        ("bid", HAND, "90H", "--partner", "S8 and D>=2", "--left", "!CA"),
    ]
    for answer, command in zip(answers, alone, strict=True):
        assert answer == json.loads(run(*command, *QUICK, "--json").out)


def test_options_hold_for_lines_that_say_nothing_else(run, tmp_path):
    path = tmp_path / "hands.csv"
    path.write_text(f"bid,hand,seat\n100S,{HAND},\n100S,{HAND},4\n")
    out = run("bid", "--file", path, *QUICK, "--seat", 3, "--rules", "classic").out
    answers = [json.loads(line) for line in out.splitlines()]
    assert [answer["seat"] for answer in answers] == [3, 4]
    assert {answer["rules"] for answer in answers} == {"classic"}


BAD = [
    ("AKJ9.T8.A7,100S", "dots"),
    (f"{HAND},85S", "85"),
    (f"{HAND},100S,7", "seat 7"),
    (f"{HAND},100S,one", "seat 'one': give a whole number"),
    (f"{HAND},100S,,P 80S 70H", "70"),
    (f"{HAND},100S,,110H", "a bid must be higher than 110H"),
    (f"{HAND},100S,,,SJ", "no deal fits"),
    (f"{HAND},100S,,,,,,301-0", "both are 0 to 300"),
    (f"{HAND},100S,,,,,,30", "as in 210-180"),
    (f"{HAND},100S,,,,,,,20", "give it with the score"),
    (f"{HAND}", "1 fields under a head of 9"),
]


@pytest.mark.parametrize(("bad", "why"), BAD)
def test_a_bad_line_is_reported_and_the_rest_go_on(run, tmp_path, bad, why):
    fields = bad.split(",")
    bad = ",".join(fields + [""] * (9 - len(fields))) if len(fields) > 1 else bad
    path = tmp_path / "hands.csv"
    lines = ROWS.splitlines()
    path.write_text("\n".join([lines[0], bad, lines[1]]) + "\n", encoding="utf-8")
    result = run("bid", "--file", path, *QUICK)
    assert result.code == 1
    assert [json.loads(line)["line"] for line in result.out.splitlines()] == [3]
    assert result.err.startswith(f"Error: {path}, line 2: ")
    assert why in result.err
    assert result.err.count("\n") == 1


def test_parquet_csv_and_json_hold_the_same_rows(run, hands, tmp_path):
    written = run("bid", "--file", hands, *QUICK, "-o", tmp_path / "a.parquet")
    assert (written.code, written.out) == (0, "")
    rows, metadata = read(tmp_path / "a.parquet")
    assert tuple(rows.columns) == BID.names
    assert metadata["seed"] == 7
    assert metadata["rules"]["name"] == "tsaka"
    assert sorted(set(rows.line)) == [2, 3, 5]
    assert len(rows) == 3 * 4 * 33
    assert list(rows[rows.line == 2].asked.unique()) == ["100S"]
    piped = run("bid", "--file", hands, *QUICK, "-o", "-").out
    records = list(csv.DictReader(piped.splitlines()))
    assert [float(row["worth"]) for row in records] == list(rows.worth)
    said = run("bid", "--file", hands, *QUICK, "-o", tmp_path / "a.jsonl", "--json").out
    assert said == (tmp_path / "a.jsonl").read_text(encoding="utf-8")
    assert said == run("bid", "--file", hands, *QUICK).out


def test_a_drawn_seed_is_the_same_for_all_lines(run, hands):
    out = run("bid", "--file", hands, "-n", 5).out
    assert len({json.loads(line)["seed"] for line in out.splitlines()}) == 1


def test_from_a_pipe(run_process):
    result = run_process("bid", "--file", "-", "-n", 5, stdin=f"hand,bid\n{HAND},100S\n")
    assert result.code == 0
    assert json.loads(result.out)["line"] == 2


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "line 1: empty file"),
        (b"hand\n", "line 1: no column 'bid'"),
        (b"hand,bid,colour\nx,y,z\n", "line 1: unknown column 'colour'"),
        (b"hand,bid,bid\nx,y,z\n", "line 1: two columns 'bid'"),
        (b"hand,bid\n\n", "line 1: no question follows the head"),
        (b"hand,bid\nx,\xff\n", "line 2: not UTF-8 text"),
        (b'hand,bid\n"x,y\n', "line 2: malformed CSV"),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_is_none(run, tmp_path, content, why):
    path = tmp_path / "hands.csv"
    if content is not None:
        path.write_bytes(content)
    result = run("bid", "--file", path, "-o", tmp_path / "a.parquet")
    assert (result.code, result.out) == (1, "")
    assert why in result.err
    assert result.err.count("\n") == 1
    assert not (tmp_path / "a.parquet").exists()


def test_nothing_is_written_where_nothing_could_be_answered(run, tmp_path):
    path = tmp_path / "hands.csv"
    path.write_text("hand,bid\nx,100S\n")
    result = run("bid", "--file", path, *QUICK, "-o", tmp_path / "a.parquet")
    assert result.code == 1
    assert "no line could be answered" in result.err
    assert not (tmp_path / "a.parquet").exists()


@pytest.mark.parametrize("args", [(), (HAND, "--file", "x.csv")])
def test_a_hand_or_a_file(run, args):
    result = run("bid", *args)
    assert (result.code, result.out) == (2, "")
    assert "Give either a HAND or --file." in result.err
