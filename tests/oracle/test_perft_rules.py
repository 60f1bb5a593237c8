"""The readable law of play against the golden files: sequences counted, cards that are legal."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from pilotta_solver.cards import cards_of
from pilotta_solver.notation import format_card, parse_cards, parse_deal, parse_trump
from pilotta_solver.rules import legal_cards, play, replay, start
from pilotta_solver.ruleset import Law

GOLDEN = Path(__file__).parents[2] / "data" / "golden"
LAWS = {
    "pilotta": Law(False, "must"),
    "belote": Law(True, "must"),
    "contree": Law(True, "may"),
    "amsterdam": Law(True, "forbidden"),
}


def rows_of(name):
    with (GOLDEN / name).open(newline="") as file:
        return list(csv.DictReader(file))


PERFT = rows_of("perft.csv")
POSITIONS = rows_of("positions.csv") + rows_of("root_cards.csv")


def deal_of(row):
    return parse_deal("N:" + " ".join(row[f"hand{seat}"] for seat in range(4)))


def n_sequences(position, depth, law):
    hand = position.hands[position.to_move]
    legal = legal_cards(hand, position.trick, position.trump, law)
    if depth == 1:
        return legal.bit_count()
    return sum(n_sequences(play(position, card, law), depth - 1, law) for card in cards_of(legal))


def test_every_row_is_here():
    assert len(PERFT) == 216
    assert len(POSITIONS) == 140


@pytest.mark.parametrize("row", PERFT, ids=range(len(PERFT)))
def test_perft(row):
    position = start(deal_of(row), parse_trump(row["trump"]), int(row["leader"]))
    found = n_sequences(position, int(row["depth"]), LAWS[row["play"]])
    assert found == int(row["sequences"]), row


@pytest.mark.parametrize("row", POSITIONS, ids=range(len(POSITIONS)))
def test_played_cards_are_legal_and_so_are_those_that_have_a_value(row):
    law, trump = LAWS[row["play"]], parse_trump(row["trump"])
    position = replay(deal_of(row), trump, int(row["leader"]), parse_cards(row["played"]), law)
    legal = legal_cards(position.hands[position.to_move], position.trick, trump, law)
    named = {value.partition("=")[0] for value in row["points_side0_by_card"].split()}
    assert {format_card(card) for card in cards_of(legal)} == named, row
