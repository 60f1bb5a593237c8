"""The worked deals and the golden declarations again, told by nothing but the cards played."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import pytest

from pilotta_solver.cards import cards_of
from pilotta_solver.notation import format_cards, format_deal, parse_deal, parse_trump
from pilotta_solver.rules import legal_cards, play, start

DATA = Path(__file__).parents[2] / "data"
DOUBLES = {"1": [], "2": ["--doubled"], "4": ["--redoubled"]}


def rows_of(name):
    with (DATA / name).open(newline="") as file:
        return list(csv.DictReader(file))


WORKED = {row["deal"]: row for row in rows_of("examples/worked_deals.csv")}
PLAYED = rows_of("examples/played_deals.csv")
GOLDEN = rows_of("golden/declarations.csv")


def pair(text):
    first, second = map(int, text.split("-"))
    return {"declarers": first, "defence": second}


def score(run, deal, played, contract, declarer, *options):
    result = run(
        "score", "--deal", deal, "--played", played, "--contract", contract,
        "--declarer", declarer, "--json", "-q", *options,
    )  # fmt: skip
    assert (result.code, result.err) == (0, "")
    return json.loads(result.out)


def test_every_worked_deal_is_played():
    assert [row["deal"] for row in PLAYED] == list(WORKED)


@pytest.mark.parametrize("row", PLAYED, ids=list(WORKED))
def test_a_worked_deal_from_its_cards(run, row):
    worked = WORKED[row["deal"]]
    options = ["--rules", worked["rules"], *DOUBLES[worked["multiplier"]]]
    options += ["--set", worked["setting"]] if worked["setting"] else []
    answer = score(run, row["hands"], row["played"], worked["bid"], row["declarer"], *options)
    assert answer["made"] == (worked["made"] == "yes")
    assert answer["raw"] == pair(worked["raw"])
    assert answer["sheet"] == pair(worked["sheet"])


def test_the_order_of_a_sequence_is_told_and_turns_the_contract(run):
    plain, natural = (row for row in PLAYED if row["deal"] in ("C14", "C14b"))
    assert (plain["hands"], plain["played"]) == (natural["hands"], natural["played"])
    args = ("score", "--deal", plain["hands"], "--played", plain["played"], "--contract", "90S")
    args += ("--declarer", plain["declarer"], "--rules", "classic")
    told = run(*args).out
    assert "declarations: NS scores [sequence_order = plain]\n" in told
    assert "\nmade: 94 reaches" in told
    told = run(*args, "--set", "sequence_order=natural").out
    assert "declarations: nobody scores [sequence_order = natural]\n" in told
    assert "\nfailed: 74 does not reach" in told


def played_at_random(deal, trump, leader, draw):
    """The position after the last card, and the cards as they were played."""
    position, played = start(deal, trump, leader), []
    while not position.is_over:
        hand = position.hands[position.to_move]
        legal = legal_cards(hand, position.trick, trump)
        played.append(draw.choice(list(cards_of(legal))))
        position = play(position, played[-1])
    return position, format_cards(played)


@pytest.mark.parametrize(
    ("tie", "told"), [("none", "nobody"), ("first", "EW"), ("led_suit", "nobody")]
)
def test_a_level_contest_is_told_with_its_key(run, tie, told):
    # N has K Q J of hearts, W of diamonds; W leads a spade.
    deal = parse_deal("N:7.KQJ.T8.T8 8.T8.KQJ.97 AQT.A7.9.AQ KJ9.9.A7.KJ")
    draw, played = random.Random(1), ""
    while not played.startswith("S8"):
        _, played = played_at_random(deal, 0, 1, draw)
    result = run(
        "score", "--deal", format_deal(deal), "--played", played, "--contract", "80S",
        "--declarer", "N", "--set", f"declaration_tie={tie}",
    )  # fmt: skip
    keys = f"[sequence_order = natural, declaration_tie = {tie}]"
    assert f"declarations: level, {told} scores {keys}\n" in result.out


@pytest.mark.parametrize("row", GOLDEN, ids=range(len(GOLDEN)))
def test_golden_declarations_from_cards(run, row):
    deal = parse_deal("N:" + " ".join(row[f"hand{seat}"] for seat in range(4)))
    draw = random.Random(row["hand0"])
    over, played = played_at_random(deal, parse_trump(row["trump"]), draw.randrange(4), draw)
    rules = ("--set", f"sequence_order={row['sequence_order']}", "--set", "capot_points=162")
    answer = score(run, format_deal(deal), played, f"80{row['trump']}", "N", *rules)
    belote = int(row["belote_seat"])
    for party, side in (("declarers", 0), ("defence", 1)):
        expected = over.points[side] + int(row[f"declarations_side{side}"])
        assert answer["total"][party] == expected + 20 * (belote >= 0 and belote % 2 == side)
