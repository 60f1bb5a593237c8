from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

WORKED = Path(__file__).parents[2] / "data" / "examples" / "worked_deals.csv"
with WORKED.open(newline="") as file:
    ROWS = list(csv.DictReader(file))
DOUBLES = {"1": [], "2": ["--doubled"], "4": ["--redoubled"]}

# Everybody holds a suit, and N takes every trick.
SWEEP = "N:AKQJT987... .AKQJT987.. ..AKQJT987. ...AKQJT987"
SWEPT = " ".join(f"S{rank} H{rank} D{rank} C{rank}" for rank in "J9ATKQ87")

# Worked deal C15: the declarers take A A A 10 10 K K Q Q J J J and the last trick.
NO_TRUMP = "N:JT.AT9.J.T8 K.K87.T97.9 A9.QJ.AK.Q7 Q87..Q8.AKJ"
NO_TRUMP_PLAYED = (
    "C8 C9 CQ CK DQ DJ DT DK H7 HJ D8 HT CT D7 C7 CA "
    "SQ SJ SK SA HQ CJ H9 H8 S9 S7 ST D9 HA HK DA S8"
)


def pair(text):
    first, second = map(int, text.split("-"))
    return {"declarers": first, "defence": second}


def arguments(row):
    args = [row["bid"], "--rules", row["rules"], *DOUBLES[row["multiplier"]]]
    args += ["--points", row["points"], "--declarations", row["declarations"]]
    for option, key in (("--belote", "belote"), ("--capot", "capot"), ("--set", "setting")):
        args += [option, row[key]] if row[key] else []
    return args


@pytest.mark.parametrize("row", ROWS, ids=[row["deal"] for row in ROWS])
def test_worked_deals(run, row):
    result = run("score", *arguments(row), "--json")
    assert (result.code, result.err) == (0, "")
    answer = json.loads(result.out)
    assert list(answer) == ["made", "total", "raw", "sheet", "rules"]
    assert answer["made"] == (row["made"] == "yes")
    assert answer["raw"] == pair(row["raw"])
    assert answer["sheet"] == pair(row["sheet"])
    assert answer["rules"].startswith(row["rules"])
    told = run("score", *arguments(row)).out
    for party in ("declarers", "defence"):
        assert f"= {answer['raw'][party]}, on the sheet {answer['sheet'][party]}\n" in told
        assert f"= {answer['total'][party]}\n" in told


def test_the_arithmetic(run):
    result = run(
        "score", "140S", "--points", "91-71", "--declarations", "20-0", "--belote=declarers"
    )
    assert result.out.splitlines()[:5] == [
        "total of the declarers: 91 points + 20 declarations + 20 belote = 131",
        "total of the defence: 71 points = 71",
        "failed: 131 does not reach the bid of 140S",
        "declarers: nothing = 0, on the sheet 0",
        "defence: 162 points [failed_points] + 140 bid [bid_scores] + 20 declarers' declarations "
        "[failed_declarations] + 20 declarers' belote [failed_belote] = 342, on the sheet 34",
    ]
    assert result.out.splitlines()[-1].startswith("rules tsaka; pilotta ")


@pytest.mark.parametrize("points", [[], ["--points", "162-0"], ["--points", "250-0"]])
def test_a_capot_needs_no_points(run, points):
    result = run("score", "130S", "--capot", "declarers", *points, "--json")
    assert json.loads(result.out)["raw"] == {"declarers": 380, "defence": 0}
    swept = run("score", "130S", "--capot", "defence", "--json")
    assert json.loads(swept.out)["raw"] == {"declarers": 0, "defence": 380}


def test_a_missed_belote(run):
    args = ("score", "80S", "--points", "100-62", "--missed-belote", "defence", "--json")
    free = run(*args)
    assert json.loads(free.out)["raw"]["defence"] == 62
    assert (
        free.err == "Note: tsaka has no penalty for a missed belote (missed_belote_penalty = 0).\n"
    )
    fined = run(*args, "--set", "missed_belote_penalty=20")
    assert json.loads(fined.out)["raw"]["defence"] == 42
    assert fined.err == ""


def test_a_belote_is_scored_or_missed(run):
    args = ("score", "80S", "--points", "100-62", "--belote", "defence")
    both = run(*args, "--missed-belote", "defence")
    assert (both.code, both.out) == (2, "")
    assert "does not score, so leave out --belote" in both.err
    assert run(*args, "--missed-belote", "declarers").code == 0


def test_no_trump_from_its_cards(run):
    args = ("score", "--deal", NO_TRUMP, "--played", NO_TRUMP_PLAYED, "--contract", "100N")
    result = run(*args, "--declarer", "N", "--rules", "classic", "--json")
    assert json.loads(result.out)["total"] == {"declarers": 107, "defence": 55}
    assert result.err == "Note: classic has no bid of 100N (no_trump_bids = false).\n"
    assert run(*args, "--declarer", "S", "-q").err == ""
    assert run(*args, "--declarer", "S", "--set", "no_trump_bids=true").err == ""
    turned = run(*args, "--declarer", "E", "-q", "--json")
    assert json.loads(turned.out)["total"] == {"declarers": 55, "defence": 107}


def test_declarations_belote_and_capot_are_found(run):
    args = ("score", "--deal", SWEEP, "--played", SWEPT, "--contract", "300S", "--declarer", "N")
    result = run(*args)
    assert (result.code, result.err) == (0, "")
    assert "N  AKQJT987...\n   sequence of 8 to the AS 100\n   belote in S 20\n" in result.out
    assert "declarations: NS scores [sequence_order = natural]\ntricks: NS 8, EW 0\n" in result.out
    assert (
        "total of the declarers: 250 capot [capot_points] + 200 declarations + 20 belote = 470"
        in (result.out)
    )
    assert json.loads(run(*args, "--json").out)["raw"] == {"declarers": 770, "defence": 0}


def test_the_auction_gives_contract_declarer_and_doubles(run):
    args = ("score", "--deal", SWEEP, "--played", SWEPT, "--json")
    plain = run(*args, "--contract", "300S", "--declarer", "S", "--redoubled")
    for calls in ("P P 300S X XX", "P 290H 300S X XX"):
        assert run(*args, "--auction", calls).out == plain.out
        assert run(*args, "--auction", calls, "--contract=300S", "--declarer=S").out == plain.out
    classic = run(*args, "--rules", "classic", "--auction", "P P 300S P")
    again = run(*args, "--rules", "classic", "--contract", "300S", "--declarer", "S")
    assert classic.out == again.out


POINTS = ("score", "80S", "--points", "100-62")
CARDS = ("score", "--deal", SWEEP, "--played", SWEPT)
CONTRACT = ("--contract", "80S", "--declarer", "N")

CASES = {
    "nothing": (("score",), "Missing argument 'BID'"),
    "no points": (("score", "80S"), "Missing option '--points'"),
    "a bid between levels": (("score", "85S", "--points", "100-62"), "no bid of 85"),
    "a bid without a suit": (("score", "100", "--points", "100-62"), "names no trump"),
    "points that do not sum up": (("score", "80S", "--points", "100-61"), "sum to 162"),
    "points that are none": (("score", "80S", "--points", "many"), "'many': give declarers-"),
    "two scoring sides": ((*POINTS, "--declarations", "20-50"), "only the side with the best"),
    "odd declarations": ((*POINTS, "--declarations", "25-0"), "worth 20, 50, 100, 150 or 200"),
    "declarations where there are none": (
        (*POINTS, "--declarations", "20-0", "--rules", "contree"),
        "declarations 20-0: contree has none (declarations = false)",
    ),
    "capot without all points": ((*POINTS, "--capot", "declarers"), "points 100-62"),
    "belote without trumps": (
        ("score", "80N", "--points", "100-62", "--belote", "defence", "-q"),
        "at most 0 for belote",
    ),
    "an unknown party": ((*POINTS, "--belote", "north"), "'--belote'"),
    "doubled and redoubled": ((*POINTS, "--doubled", "--redoubled"), "not both"),
    "cards without a deal": ((*POINTS, "--played", "SJ"), "--played does not go with"),
    "an auction without a deal": ((*POINTS, "--auction", "80S"), "--auction does not go with"),
    "a deal with points": ((*CARDS, "--points", "100-62"), "--points does not go with --deal"),
    "a deal with a bid": ((*CARDS, "80S"), "goes to --contract"),
    "no cards played": (("score", "--deal", SWEEP, *CONTRACT), "Missing option '--played'"),
    "no contract": (CARDS, "Missing option '--contract'"),
    "no declarer": ((*CARDS, "--contract", "80S"), "Missing option '--declarer'"),
    "an unknown declarer": ((*CARDS, "--contract", "80S", "--declarer", "Q"), "unknown seat 'Q'"),
    "too few cards": (
        ("score", "--deal", SWEEP, "--played", SWEPT[:11], *CONTRACT),
        "4 of 32 cards were played",
    ),
    "no card": (("score", "--deal", SWEEP, "--played", "", *CONTRACT), "no card was played"),
    "an illegal card": (
        ("score", "--deal", NO_TRUMP, "--played", "C8 SK", *CONTRACT),
        "card 2: SK by W is not legal: must follow the suit led, C",
    ),
    "another's card": (
        ("score", "--deal", SWEEP, "--played", "SJ DA", *CONTRACT),
        "card 2: DA by W is not legal: the card is not in the hand",
    ),
    "a card twice": (
        ("score", "--deal", SWEEP, "--played", "SJ SJ", *CONTRACT),
        "SJ stands twice",
    ),
    "a short deal": (
        ("score", "--deal", "N:A... K... Q... J...", "--played", "SA SK SQ SJ", *CONTRACT),
        "a deal of 1 cards a hand",
    ),
    "an illegal call": ((*CARDS, "--auction", "100S 90H"), "call 2: 90H by W is not legal"),
    "an unknown call": ((*CARDS, "--auction", "100S Z"), "'Z' is not a call"),
    "four passes": ((*CARDS, "--auction", "P P P P"), "ends without a contract: there is nothing"),
    "an auction cut short": ((*CARDS, "--auction", "P 80S"), "is not over yet"),
    "another contract": (
        (*CARDS, "--auction", "80S P P P", "--contract", "90S"),
        "the auction ends in 80S by N, not in what --contract",
    ),
    "another declarer": ((*CARDS, "--auction", "80S P P P", "--declarer", "S"), "80S by N"),
    "not doubled": ((*CARDS, "--auction", "80S P P P", "--doubled"), "does not end as --doubled"),
    "an unknown ruleset": ((*POINTS, "--rules", "tsakka"), "no ruleset 'tsakka'"),
    "impossible rules": ((*POINTS, "--set", "bid_scores=false"), "winner_takes_all"),
}  # fmt: skip


@pytest.mark.parametrize(("args", "told"), CASES.values(), ids=CASES.keys())
def test_bad_input(run, args, told):
    result = run(*args)
    assert result.code in (1, 2)
    assert result.out == ""
    assert result.err.startswith("Error: ")
    assert result.err.count("\n") == 1
    assert told in result.err


def test_other_tongues(run):
    english = run("score", "--deal", SWEEP, "--played", SWEPT, *CONTRACT, "--json")
    french = str.maketrans("JQKSHDC", "VDRPCKT")
    deal = SWEEP.replace("T", "10").translate(french)
    played = SWEPT.replace("T", "10").translate(french)
    result = run(
        "score", "--deal", deal, "--played", played, "--contract", "80 pique", "--declarer", "N",
        "--json", "--cards", "fr",
    )  # fmt: skip
    assert (result.err, result.out) == ("", english.out)
    auction = run(
        "score", "--deal", deal, "--played", played, "--auction", "80P P P P", "--json",
        "--cards", "fr",
    )  # fmt: skip
    assert auction.out == english.out
