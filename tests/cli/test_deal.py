"""``pilotta deal``: deals for other programs, each a function of the seed and its number."""

from __future__ import annotations

import csv
import io
import json

import pytest

from pilotta_solver import parse_deal, parse_hand, worlds
from pilotta_solver.notation import format_deal
from pilotta_solver.parquet import read

HAND = "AKJ9.T8.A7."


def test_a_line_a_deal(run):
    result = run("deal", "-n", 10, "--seed", 1)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert len(lines) == 10
    deals = worlds(0, 0, 10, seed=1)
    for line, hands in zip(lines, deals.tolist(), strict=True):
        assert parse_deal(line).hands == tuple(hands)
        assert format_deal(parse_deal(line)) == line


def test_a_drawn_seed_is_reported_and_gives_the_same_again(run):
    drawn = run("deal", "-n", 3)
    assert drawn.err.startswith("Seed ")
    seed = drawn.err.split()[1].rstrip(".")
    assert run("deal", "-n", 3, "--seed", seed).out == drawn.out
    assert run("deal", "-n", 3, "-q").err == ""


def test_any_one_deal_can_be_made_again(run, monkeypatch):
    monkeypatch.setattr("pilotta_cli.commands.deal._BATCH", 3)
    lines = run("deal", "-n", 10, "--seed", 1).out.splitlines()
    assert run("deal", "--seed", 1, "--first", 7).out.splitlines() == lines[7:8]
    assert run("deal", "--seed", 1, "--first", 2, "-n", 8).out.splitlines() == lines[2:]


def test_worlds_around_a_hand(run):
    lines = run("deal", "-n", 5, "--hand", "♠J9AK ♥108 ♦A7", "--seat", 3, "--seed", 1).out
    deals = [parse_deal(line) for line in lines.splitlines()]
    assert {deal.hands[2] for deal in deals} == {parse_hand(HAND)}
    assert [list(deal.hands) for deal in deals] == worlds(parse_hand(HAND), 2, 5, 1).tolist()


def test_what_is_known_of_the_others_is_heeded(run):
    args = ("--hand", HAND, "--partner", "SQ and H>=3", "--right", "not HA", "--seed", 1)
    for line in run("deal", "-n", 30, *args).out.splitlines():
        _, right, partner, _ = line[2:].split(" ")
        assert "Q" in partner.split(".")[0]
        assert len(partner.split(".")[1]) >= 3
        assert "A" not in right.split(".")[1]


@pytest.mark.parametrize("form", ["json", "stdout", "csv", "jsonl", "parquet"])
def test_every_form_holds_the_same(run, tmp_path, form):
    args = ("deal", "-n", 4, "--seed", 2**64 - 1, "--first", 1)
    path = tmp_path / f"a.{form}"
    if form == "json":
        rows = [json.loads(line) for line in run(*args, "--json").out.splitlines()]
    elif form == "stdout":
        rows = list(csv.DictReader(io.StringIO(run(*args, "-o", "-").out)))
    else:
        assert run(*args, "-o", path).err == f"Wrote {path}.\n"
        if form == "csv":
            rows = list(csv.DictReader(path.read_text().splitlines()))
        elif form == "jsonl":
            rows = [json.loads(line) for line in path.read_text().splitlines()]
        else:
            table, metadata = read(path)
            assert (metadata["schema"], metadata["seed"]) == ("deal", 2**64 - 1)
            rows = table.to_dict("records")
    assert [int(row["deal_number"]) for row in rows] == [1, 2, 3, 4]
    for row in rows:
        deal = parse_deal(row["deal"])
        assert int(row["seed"]) == 2**64 - 1
        for seat, hand in zip("nwse", deal.hands, strict=True):
            assert int(row[f"cards_{seat}"]) == hand == parse_hand(row[f"hand_{seat}"])


def test_the_deals_are_those_of_simulate(run, tmp_path):
    run("simulate", "-n", 6, "-o", tmp_path / "d", "--seed", 8, "--contracts", "S", "-q")
    table, _ = read(tmp_path / "d")
    lines = run("deal", "-n", 6, "--seed", 8).out.splitlines()
    columns = (table.hand_n, table.hand_w, table.hand_s, table.hand_e)
    assert lines == [f"N:{' '.join(hands)}" for hands in zip(*columns, strict=True)]


def test_another_command_reads_them(run, run_process):
    deals = run("deal", "-n", 3, "--seed", 1).out.splitlines()
    positions = "deal,trump,leader\n" + "".join(f"{deal},S,N\n" for deal in deals)
    solved = run_process("solve", "--file", "-", "--json", stdin=positions)
    assert [json.loads(line)["deal"] for line in solved.out.splitlines()] == deals


BAD = {
    "no deals": (("-n", "0"), "'-n' / '--deals'"),
    "eight cards short": (("--hand", "AKJ9.T8.A."), "7 cards"),
    "seat five": (("--hand", HAND, "--seat", "5"), "'--seat'"),
    "a seat and no hand": (("--seat", "2"), "give --hand too"),
    "a partner and no hand": (("--partner", "SJ"), "--partner is about the deals around a hand"),
    "what no deal agrees with": (("--hand", HAND, "--left", "SA"), "left: SA"),
    "an expression that is none": (("--hand", HAND, "--left", "SJ and"), "'--left'"),
    "a number below none": (("--first", "-1"), "'--first'"),
    "a seed too large": (("--seed", str(2**64)), "seed 18446744073709551616"),
    "an unknown suffix": (("-o", "a.txt"), ".parquet, .csv, .json"),
    "a missing folder": (("-o", "no/a.csv"), "the folder 'no' does not"),
}


@pytest.mark.parametrize(("args", "told"), BAD.values(), ids=BAD.keys())
def test_bad_input_is_one_line_and_writes_nothing(run, tmp_path, monkeypatch, args, told):
    monkeypatch.chdir(tmp_path)
    result = run("deal", *args)
    assert result.code in (1, 2)
    assert result.out == ""
    assert result.err.startswith("Error: ")
    assert result.err.count("\n") == 1
    assert told in result.err
    assert list(tmp_path.iterdir()) == []
