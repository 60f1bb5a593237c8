"""Which card to play, and whole deals played: what is printed, written, and refused."""

from __future__ import annotations

import csv
import json
import re
import shlex
from pathlib import Path

import pytest

from pilotta_solver import Knowledge, __version__, parse_cards, parse_deal, parse_hand
from pilotta_solver.parquet import read
from pilotta_solver.schemas import PLAY
from pilotta_solver.table_play.information import Goal, Information
from pilotta_solver.table_play.player import decide
from pilotta_solver.table_play.self_play import self_play

HAND = "J97.AT.A8.K"
DEAL = "N:7.QJ8.AQ8.A J.A.KJ.KQ98 AQT8.7.T7.J K9.KT9.9.T7"
QUICK = ("-n", 6, "--seed", 1)

HEAD = [
    "rules", "version", "seed", "hand", "seat", "trump", "leader", "played", "declarer", "level",
    "aim", "n_worlds", "n_deals", "choice",
]  # fmt: skip
CARD = [
    "card", "mean", "mean_low", "mean_high", "behind", "behind_low", "behind_high", "p_made",
    "p_made_low", "p_made_high",
]  # fmt: skip


def answer(run, *args):
    result = run("play", *args, *QUICK, "--json")
    assert (result.code, result.err) == (0, "")
    assert result.out.count("\n") == 1
    return json.loads(result.out)


def test_json_has_exactly_the_documented_keys(run):
    told = answer(run, "--hand", HAND, "-t", "S")
    assert list(told) == [
        *HEAD, "points_so_far", "tricks_so_far", "legal", "why", "known", "cards",
    ]  # fmt: skip
    assert all(list(card) == CARD for card in told["cards"])
    assert (told["seat"], told["leader"], told["declarer"]) == ("N", "N", None)
    assert (told["n_deals"], told["version"]) == (9465511770, __version__)


def test_the_answer_is_the_library_s(run):
    told = answer(run, "--hand", HAND, "--bid", "90S", "--declarer", "S", "--played", "SJ S8 SA SQ")
    information = Information(
        0, parse_hand(HAND), 0, 0, parse_cards("SJ S8 SA SQ"), Goal(2, 90), knowledge=Knowledge()
    )
    decision = decide(information, 1, 6)
    assert [card["mean"] for card in told["cards"]] == [one.mean for one in decision.values]
    assert [card["p_made"] for card in told["cards"]] == [one.p_made for one in decision.values]
    assert told["choice"] == told["cards"][0]["card"]
    assert told["points_so_far"] == {"ns": 34, "ew": 0}
    assert told["why"].startswith(told["choice"])


@pytest.mark.parametrize(
    ("given", "seat", "leader"),
    [((), "S", "N"), (("--seat", "W"), "W", "E"), (("-l", "E"), "W", "E")],
)
def test_seat_and_leader_follow_from_one_another(run, given, seat, leader):
    told = answer(run, "--hand", HAND, "-t", "S", "--played", "CA CT", *given)
    assert (told["seat"], told["leader"]) == (seat, leader)


def test_the_auction_gives_the_contract_and_speaks_of_the_others(run):
    # E leads and so has spoken first; N, on the right, has bid.
    args = ("--hand", HAND, "--auction", "P 80H P P P", "--seat", "E")
    told = answer(run, *args)
    assert (told["trump"], told["declarer"], told["level"], told["leader"]) == ("H", "N", 80, "E")
    assert told["known"][0].startswith("Right's 80H: ")
    assert all(reading.startswith(("Right", "Partner", "Left")) for reading in told["known"])
    unread = answer(run, *args, "--system", "none")
    assert unread["n_deals"] > told["n_deals"]


def test_statements_speak_of_the_seats_around_the_player(run):
    told = answer(
        run, "--hand", HAND, "-t", "S", "--seat", "W", "--partner", "S=0", "--right", "SA and HQ"
    )
    assert told["known"] == ["partner: S=0", "right: SA", "right: HQ"]
    free = answer(run, "--hand", HAND, "-t", "S", "--seat", "W")
    assert 0 < told["n_deals"] < free["n_deals"]


def test_a_table_for_a_person(run):
    result = run("play", "--hand", HAND, "--bid", "90S", "--declarer", "N", *QUICK)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[:2] == ["N to play from J97.AT.A8.K", "90S by N, N leads to the first trick"]
    assert lines[3].split() == ["card", "points", "95", "%", "behind", "made", "%", "95", "%"]
    assert len([line for line in lines if line.startswith("  ")]) == 8
    assert f"seed 1; rules tsaka; v{__version__}" in " ".join(result.out.split())
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (("--played", "H7 HK", "--leader", "N", "--hand", "J97.A.KA8.K"), "HA is the only card"),
        (("--played", "SA"), "all cards came to the same in every world; it is the cheapest."),
    ],
)
def test_why_in_a_line(run, args, why):
    result = run("play", "--hand", HAND, "-t", "S", "--seed", 1, *args)
    assert result.code == 0
    assert why in " ".join(result.out.split())


def test_one_world_has_no_interval(run):
    told = json.loads(run("play", "--hand", HAND, "-t", "S", "-n", 1, "--seed", 1, "--json").out)
    assert {card["mean_low"] for card in told["cards"]} == {None}
    assert "1 world, double dummy" in run("play", "--hand", HAND, "-t", "S", "-n", 1).out


@pytest.mark.parametrize(("declarer", "word"), [("S", "made"), ("W", "broken")])
def test_why_where_the_contract_decides(run, declarer, word):
    args = ("--bid", "110H", "--declarer", declarer, "--aim", "contract", "-n", 60, "--seed", 1)
    result = run("play", "--hand", "AT.A97.KJ7.", *args, "--json")
    told = json.loads(result.out)
    chances = [card["p_made"] for card in told["cards"]]
    assert chances == sorted(chances, reverse=declarer == "S")
    best = chances[0] if declarer == "S" else 1 - chances[0]
    assert f"the contract is {word} in {100 * best:.0f} % of the worlds" in told["why"]


@pytest.mark.parametrize("suffix", ["parquet", "csv"])
def test_files_hold_a_row_a_card(run, tmp_path, suffix):
    path = tmp_path / f"cards.{suffix}"
    result = run("play", "--hand", HAND, "-t", "S", *QUICK, "-o", path)
    assert result.code == 0
    if suffix == "parquet":
        frame, metadata = read(path)
        rows = frame.to_dict("records")
        assert metadata["seed"] == 1
    else:
        rows = list(csv.DictReader(path.open()))
    assert [list(row) for row in rows] == [list(PLAY.names)] * 8
    assert rows[0]["card"] == rows[0]["choice"]


def test_csv_on_stdout(run):
    result = run("play", "--hand", HAND, "-t", "S", *QUICK, "-o", "-")
    assert result.out.splitlines()[0] == ",".join(PLAY.names)


def test_a_whole_deal(run):
    told = answer(run, "--deal", DEAL, "--bid", "80S", "--declarer", "S", "-l", "W")
    assert list(told) == [
        "rules", "version", "seed", "deal", "trump", "leader", "declarer", "level", "aim",
        "n_worlds", "value_double_dummy", "value", "card_points", "tricks_taken", "declarations",
        "belote", "total", "made", "lost", "tricks",
    ]  # fmt: skip
    played = self_play(parse_deal(DEAL), 0, 1, seed=1, n_worlds=6)
    cards = [card for trick in told["tricks"] for card in trick["cards"]]
    assert parse_cards(" ".join(card["card"] for card in cards)) == played.played
    assert told["value"] == played.value == cards[-1]["value"]
    lost = {seat: sum(card["lost"] for card in cards if card["seat"] == seat) for seat in "NWSE"}
    assert told["lost"] == lost
    gained = lost["W"] + lost["E"] - lost["N"] - lost["S"]
    assert told["value"] == told["value_double_dummy"] + gained
    assert told["made"] is (told["total"] >= 80)
    assert sum(told["card_points"].values()) == 162


def test_a_whole_deal_for_a_person(run):
    result = run("play", "--deal", DEAL, "-t", "S", "--seed", 1)
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "N  7.QJ8.AQ8.A"
    assert "NS value with all cards seen: 99" in lines
    head = next(place for place, line in enumerate(lines) if line.startswith("trick"))
    assert [line.split()[0] for line in lines[head + 2 : head + 10]] == list("12345678")
    assert max(map(len, lines)) <= 80
    with_bid = run("play", "--deal", DEAL, "--bid", "150S", "--declarer", "N", "--seed", 1)
    assert "total of the declarers" in with_bid.out
    assert ": failed." in with_bid.out


def test_the_same_seed_gives_the_same_bytes(run):
    args = ("play", "--deal", DEAL, "-t", "H", "-n", 3, "--seed", 5, "--json")
    assert run(*args).out == run(*args).out
    drawn = json.loads(run("play", "--hand", HAND, "-t", "S", "-n", 2, "--json").out)["seed"]
    again = answer(run, "--hand", HAND, "-t", "S")
    assert isinstance(drawn, int)
    assert again["seed"] == 1


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        ((), 2, "Give either --hand or --deal."),
        (("--hand", HAND, "--deal", DEAL, "-t", "S"), 2, "Give either --hand or --deal."),
        (("--hand", HAND), 2, "Missing option '--trump'; or give --bid and --declarer."),
        (("--hand", HAND, "--bid", "90S"), 2, "--bid and --declarer go together"),
        (("--hand", HAND, "-t", "S", "--declarer", "N"), 2, "--bid and --declarer go together"),
        (
            ("--hand", HAND, "-t", "H", "--bid", "90S", "--declarer", "N"),
            2,
            "--trump contradicts the bid",
        ),
        (("--hand", HAND, "--bid", "85S", "--declarer", "N"), 2, "Invalid value for '--bid'"),
        (("--hand", HAND, "-t", "S", "--aim", "contract"), 2, "--aim contract needs the contract"),
        (("--deal", DEAL, "-t", "S", "--aim", "contract"), 2, "--aim contract needs the contract"),
        (("--hand", HAND, "-t", "S", "--seat", "W", "-l", "N"), 2, "it is the turn of N"),
        (("--hand", HAND, "-t", "S", "--played", "S7"), 1, "S7 by N: it is in the hand of W"),
        (
            ("--hand", HAND, "-t", "S", "-l", "E", "--played", "H7 S7 H8 H9"),
            1,
            "card 2: S7 by N: must follow the suit led, H",
        ),
        (
            ("--hand", HAND, "-t", "S", "--played", "HA D7 H7 H8 S9 S8 SQ SK"),
            1,
            "card 6: S8 by W: W cannot hold it",
        ),
        (("--hand", HAND, "-t", "S", "--partner", "SJ"), 1, "no deal fits all of (partner: SJ)"),
        (("--hand", HAND, "--auction", "90S P"), 2, "is not over; give all its calls"),
        (("--hand", HAND, "--auction", "P P P P"), 2, "nobody has bid"),
        (
            ("--hand", HAND, "--auction", "90S P P P", "--bid", "90S", "--declarer", "N"),
            2,
            "--auction says who bid what",
        ),
        (("--deal", DEAL, "-t", "S", "--partner", "SJ"), 2, "does not go with --deal"),
        (("--deal", DEAL, "-t", "S", "--played", "SJ"), 2, "--played does not go with --deal"),
        (("--deal", DEAL, "-t", "S", "-o", "x.csv"), 2, "-o/--output does not go with --deal"),
        (("--deal", "N:.A.7. .T.8. .7.9. .8.T.", "-t", "S"), 1, "hands of 2 cards"),
    ],
)
def test_what_is_refused(run, args, code, message):
    result = run("play", *args, "-n", 2, "--seed", 1)
    assert (result.code, result.out) == (code, "")
    assert message in result.err
    assert "Traceback" not in result.err


def test_what_the_play_has_shown_contradicts_what_is_said(run):
    args = ("play", "--hand", HAND, "-t", "S", "--played", "HA H7 D7 H8", "--seed", 1)
    assert run(*args, "--partner", "H=0 and S=0").code == 0
    result = run(*args, "--partner", "H>=1")
    assert (result.code, result.out) == (1, "")
    assert "no deal fits both the cards seen in the play and what is said" in result.err


COMMANDS = re.findall(
    r"^pilotta play (.*?)(?: +#.*)?$",
    (Path(__file__).parents[2] / "docs" / "play.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_page_run(run, command):
    result = run("play", *shlex.split(command), "-n", 2, "--seed", 1)
    assert (result.code, result.err) == (0, "")
    assert result.out


def test_the_page_shows_commands():
    assert len(COMMANDS) == 6


def test_no_card_of_a_whole_deal_is_cut_off(run, monkeypatch):
    deal = ("play", "--deal", DEAL, "-t", "S", "-n", 2, "--seed", 1)
    tricks = [line for line in run(*deal).out.splitlines() if line.startswith("  ")]
    monkeypatch.setenv("COLUMNS", "50")
    narrow = run(*deal).out
    assert "…" not in narrow
    assert [line for line in narrow.splitlines() if line.startswith("  ")] == tricks
    assert len(tricks) == 8
