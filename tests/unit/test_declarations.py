from __future__ import annotations

import numpy as np
import pytest

from pilotta_solver.cards import ALL_TRUMP, NO_TRUMP
from pilotta_solver.declarations import (
    belote_points,
    belote_points_many,
    belote_seats_many,
    belotes,
    contest,
    declaration_points_many,
    describe,
    hand_declarations,
)
from pilotta_solver.notation import parse_cards, parse_hand
from pilotta_solver.ruleset import load_ruleset

TSAKA = load_ruleset("tsaka")
CLASSIC = load_ruleset("classic")


def mask(text):
    return sum(1 << card for card in parse_cards(text))


def told(hand, rules=TSAKA, trump=0):
    return [describe(one) for one in hand_declarations(parse_hand(hand), trump, rules)]


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("987.AKJ.A8.", ["tierce to the 9♠ 20"]),
        ("AKQJ.A8.A8.", ["quarte to the A♠ 50"]),
        ("AKQJT.A8.A.", ["quinte to the A♠ 100"]),
        ("AKQJT9.A.A.", ["sequence of 6 to the A♠ 100"]),
        ("AKQJT987...", ["sequence of 8 to the A♠ 100"]),
        ("KQJ.T98.7.7", ["tierce to the K♠ 20", "tierce to the 10♥ 20"]),
        ("KQ.KJT.KQ.K", ["carré of Ks 100"]),
        ("T.T7.T8.T97", ["carré of 10s 100"]),
        ("9.98.97.9AK", ["carré of 9s 150"]),
        ("J.J8.J7.JAK", ["carré of Js 200"]),
        ("87.87.87.87", []),
        ("AT.KQ.J9.87", []),
    ],
)
def test_what_a_hand_declares(hand, expected):
    assert told(hand) == expected


def test_the_two_orders_of_a_sequence():
    assert told("ATK.98.A7.8", CLASSIC) == ["tierce to the A♠ 20"]
    assert told("ATK.98.A7.8", TSAKA) == []
    assert told("JT9.98.A7.8", TSAKA) == ["tierce to the J♠ 20"]
    assert told("JT9.98.A7.8", CLASSIC) == []
    for same in ("KQJ.98.A7.8", "987.AK.A7.8"):
        assert told(same, TSAKA) == told(same, CLASSIC) != []


def test_a_card_counts_once():
    # Four queens break the runs of spades and hearts.
    assert told("KQJ.Q87.Q.Q") == ["carré of Qs 100"]
    # A quarte and a tierce are worth less than the carré that breaks them up.
    assert told("AKQJ.Q.QJ.Q") == ["carré of Qs 100"]
    # A quinte that keeps a run of three beside the carré.
    assert told("QJT98.Q.Q.Q") == ["carré of Qs 100", "quarte to the J♠ 50"]
    # Two carrés.
    assert told("J9.J9.J9.J9") == ["carré of Js 200", "carré of 9s 150"]


def test_the_choice_between_a_carre_and_a_sequence():
    # Worth 100 either way: the single best one is taken.
    hand = "AKQJT.A.A.A"
    assert told(hand) == ["carré of As 100", "quarte to the K♠ 50"]
    hand = "T987.T.T.T7"
    assert told(hand) == ["carré of 10s 100", "tierce to the 9♠ 20"]
    seven = "KQJT9.T.T.T"
    assert told(seven) == ["carré of 10s 100", "tierce to the K♠ 20"]


def test_no_declarations_at_all():
    assert told("AKQJT987...", load_ruleset("contree")) == []
    hands = np.array([[255, 255 << 8, 255 << 16, 255 << 24]], np.uint32)
    assert declaration_points_many(hands, 0, 0, load_ruleset("contree")).tolist() == [[0, 0]]
    assert declaration_points_many(hands[:0], 0, 0, TSAKA).shape == (0, 2)


def winner(hands, trump=0, rules=TSAKA, **known):
    found = contest([mask(hand) for hand in hands], trump, rules, **known)
    return found.winner, found.points


@pytest.mark.parametrize(
    ("hands", "trump", "expected"),
    [
        # Greater value, and all of its side's.
        (["HAKQJ", "SAKQ", "DQJT", "CAKQ"], 0, (0, (70, 0))),
        # By length at 100.
        (["HKQJT9", "SAKQJT9", "", ""], 2, (1, (0, 100))),
        # By the top card.
        (["HKQJ", "SQJT", "", ""], 2, (0, (20, 0))),
        # Trump beats plain.
        (["HKQJ", "SKQJ", "", ""], 0, (1, (0, 20))),
        (["HKQJ", "SKQJ", "", ""], 1, (0, (20, 0))),
        # The top card goes before the trump.
        (["HAKQ", "SKQJ", "", ""], 0, (0, (20, 0))),
        # A carré beats a sequence at 100, and carrés rank A, 10, K, Q.
        (["HKQJT9", "SQ HQ DQ CQ", "", ""], 1, (1, (0, 100))),
        (["SA HA DA CA", "ST HT DT CT", "", ""], 1, (0, (100, 0))),
        (["SK HK DK CK", "ST HT DT CT", "", ""], 1, (1, (0, 100))),
        (["SK HK DK CK", "SQ HQ DQ CQ", "", ""], 1, (0, (100, 0))),
        (["S9 H9 D9 C9", "SJ HJ DJ CJ", "", ""], 1, (1, (0, 200))),
        # Level.
        (["HKQJ", "DKQJ", "", ""], 0, (None, (0, 0))),
        (["HKQJ", "SKQJ", "", ""], NO_TRUMP, (None, (0, 0))),
        (["HKQJ", "SKQJ", "", ""], ALL_TRUMP, (None, (0, 0))),
        # Level between partners is no tie.
        (["HKQJ", "D987", "CKQJ", ""], 0, (0, (40, 0))),
        (["", "", "", ""], 0, (None, (0, 0))),
    ],
)
def test_the_contest(hands, trump, expected):
    assert winner(hands, trump) == expected


def test_a_quinte_can_beat_a_carre():
    rules = load_ruleset("tsaka", {"carre_beats_quint": False})
    assert winner(["HKQJT9", "SQ HQ DQ CQ", "", ""], 1, rules) == (0, (100, 0))


LEVEL = ["HKQJ", "DKQJ", "CKQJ", "S987"]


def test_a_tie_for_the_first_in_order_of_play():
    rules = load_ruleset("tsaka", {"declaration_tie": "first"})
    assert [winner(LEVEL, 0, rules, leader=leader)[0] for leader in range(4)] == [0, 1, 0, 0]
    assert winner(LEVEL, 0, rules, leader=0)[1] == (40, 0)
    hands = np.array([[mask(hand) for hand in LEVEL]] * 4, np.uint32)
    many = declaration_points_many(hands, 0, np.arange(4), rules)
    assert many.tolist() == [[40, 0], [0, 40], [40, 0], [40, 0]]


def test_a_tie_for_the_holder_who_leads_the_suit():
    rules = load_ruleset("tsaka", {"declaration_tie": "led_suit"})
    (heart, diamond) = parse_cards("HK DK")
    assert winner(LEVEL, 0, rules) == (None, (0, 0))
    assert winner(LEVEL, 0, rules, leader=0) == (None, (0, 0))
    assert winner(LEVEL, 0, rules, leader=0, led=heart) == (0, (40, 0))
    assert winner(LEVEL, 0, rules, leader=0, led=diamond)[0] is None
    assert winner(LEVEL, 0, rules, leader=1, led=diamond) == (1, (0, 40))
    assert winner(LEVEL, 0, rules, leader=3, led=heart)[0] is None
    # The leader may hold two that are level.
    two = ["HKQJ DKQJ", "CKQJ", "", ""]
    assert winner(two, 0, rules, leader=0, led=diamond) == (0, (40, 0))


def test_belote():
    hands = [mask("SKQ HK"), mask("HQ DK"), mask("CKQ DQ"), mask("S7 H7 D7")]
    assert belotes(hands, 0, TSAKA) == ((0, 0),)
    assert belotes(hands, 1, TSAKA) == ()
    assert belotes(hands, 3, TSAKA) == ((2, 3),)
    assert belotes(hands, NO_TRUMP, TSAKA) == ()
    assert belotes(hands, ALL_TRUMP, TSAKA) == ()
    rules = load_ruleset("tsaka", {"all_trump_belote": True})
    assert belotes(hands, ALL_TRUMP, rules) == ((0, 0), (2, 3))
    assert belote_points(hands, ALL_TRUMP, rules) == (40, 0)
    array = np.array([hands], np.uint32)
    assert [int(belote_seats_many(array, trump)[0]) for trump in range(6)] == [0, -1, -1, 2, -1, -1]
    assert belote_points_many(array, ALL_TRUMP, rules).tolist() == [[40, 0]]
    assert belote_points_many(array, ALL_TRUMP, TSAKA).tolist() == [[0, 0]]
    assert belote_points_many(array, 3, TSAKA).tolist() == [[20, 0]]
