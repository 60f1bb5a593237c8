"""Quantities of a hand: each one as counted card by card, and as a player would name it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from pilotta_solver import load_ruleset, parse_hand, worlds
from pilotta_solver.bidding_table.hand_class import QUANTITIES, check_by, default_by, parse_by
from pilotta_solver.bidding_table.merging import packed_codes, unpacked
from pilotta_solver.bidding_table.observations import Observations
from pilotta_solver.cards import RANKS, cards_of, rank_of, suit_of
from pilotta_solver.declarations import hand_declarations
from pilotta_solver.errors import PilottaError
from pilotta_solver.schemas import CLASS_COLUMNS

RULES = load_ruleset()
PAGE = Path(__file__).parents[2] / "docs" / "tables.md"


def seen_of(hands, trumps, places=None):
    """Observations of hands, whatever came of them."""
    m = len(hands)
    declared = [sum(one.points for one in hand_declarations(int(hand), 0, RULES)) for hand in hands]
    return Observations(
        deal=np.arange(m),
        hand=np.asarray(hands, np.uint32),
        trump=np.asarray(trumps, np.int8),
        place=np.zeros(m, np.int8) if places is None else np.asarray(places, np.int8),
        value=np.zeros(m, np.int16),
        declarations=np.zeros((m, 2), np.int16),
        belote=np.zeros((m, 2), np.int16),
        declared=np.array(declared, np.int16),
    )


def value_of(name, hand, trump, place=0):
    quantity = QUANTITIES[name]
    return quantity.value(int(quantity.values(seen_of([hand], [trump], [place]))[0]))


def counted(hand, trump, place):
    """Every quantity, card by card."""
    suits = dict.fromkeys(range(4), "")
    for card in cards_of(hand):
        suits[suit_of(card)] += RANKS[rank_of(card)]
    trumps = suits.get(trump, "")
    plain = [held for suit, held in suits.items() if suit != trump]
    belote = "K" in trumps and "Q" in trumps
    three = "".join(letter for letter in "J9A" if letter in trumps) + "KQ" * belote
    six = "".join(letter for letter in "J9ATKQ" if letter in trumps)
    every = "".join(suits.values())
    return {
        "pattern": named(three, trumps),
        "honours": named(six, trumps),
        "length": len(trumps),
        "jack": trumps.count("J"),
        "nine": trumps.count("9"),
        "ace": trumps.count("A"),
        "ten": trumps.count("T"),
        "belote": int(belote),
        "side_aces": sum("A" in held for held in plain),
        "side_tens": sum("T" in held for held in plain),
        "guarded_tens": sum("T" in held and len(held) > 1 for held in plain),
        "voids": sum(held == "" for held in plain),
        "singletons": sum(len(held) == 1 for held in plain),
        "aces": every.count("A"),
        "tens": every.count("T"),
        "jacks": every.count("J"),
        "nines": every.count("9"),
        "declarations": sum(one.points for one in hand_declarations(hand, trump, RULES)),
        "lead": "own" if place % 2 == 0 else "other",
        "place": place + 1,
    }


def named(letters, trumps):
    others = len(trumps) - len(letters)
    return (letters + (f"+{others}" if others else "")) or "0"


def test_every_quantity_is_what_it_says_card_by_card():
    hands = worlds(0, 0, 150, 5).reshape(-1)
    for number, hand in enumerate(hands):
        trump, place = number % 6, number // 6 % 4
        expected = counted(int(hand), trump, place)
        assert list(expected) == list(QUANTITIES)
        for name, value in expected.items():
            if trump < 4 or not QUANTITIES[name].needs_trumps:
                assert value_of(name, int(hand), trump, place) == value, (name, hand, trump)


@pytest.mark.parametrize(
    ("hand", "pattern", "honours", "coarse"),
    [
        ("J9AK.T8.A7.", "J9A+1", "J9AK", "J9+any 2"),
        ("J9KQ7.T8.A.", "J9KQ+1", "J9KQ+1", "J9+any 3"),
        ("T8.T98.A7.K", "+2", "T+1", "+any 2"),
        (".T98.A7K.K9", "0", "0", "0"),
        ("J9.T98.A7.K", "J9", "J9", "J9"),
    ],
)
def test_trumps_have_names_that_a_player_reads(hand, pattern, honours, coarse):
    cards = parse_hand(hand)
    assert value_of("pattern", cards, 0) == pattern
    assert value_of("honours", cards, 0) == honours
    for name in ("pattern", "honours"):
        quantity = QUANTITIES[name]
        code = int(quantity.values(seen_of([cards], [0]))[0])
        assert quantity.coarser(code) == coarse
        assert quantity.label(code) == quantity.value(code)


def test_a_ten_is_guarded_by_any_other_card_of_its_suit():
    assert value_of("guarded_tens", parse_hand("J9A.T7.T.AT"), 0) == 2
    assert value_of("guarded_tens", parse_hand("JT987.T7.T."), 0) == 1


def test_codes_are_small_and_have_a_label_each():
    for quantity in QUANTITIES.values():
        labels = [quantity.label(code) for code in range(quantity.n_codes)]
        assert len(set(labels)) == quantity.n_codes
    assert QUANTITIES["side_aces"].label(1) == "1 side ace"
    assert QUANTITIES["side_aces"].label(2) == "2 side aces"


def test_a_number_holds_all_codes_and_gives_them_back():
    by = ("honours", "declarations", "place", "voids")
    hands = worlds(0, 0, 50, 5).reshape(-1)
    seen = seen_of(hands, np.arange(200) % 4, np.arange(200) % 4)
    packed = packed_codes(seen, by)
    for row in range(len(seen)):
        codes = tuple(int(QUANTITIES[name].values(seen)[row]) for name in by)
        assert unpacked(int(packed[row]), by) == codes


def test_names_are_read_with_commas_or_spaces():
    assert parse_by("pattern,side_aces, lead") == ("pattern", "side_aces", "lead")
    assert parse_by("side-aces voids") == ("side_aces", "voids")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pattern,aces_high", "no quantity 'aces_high': name some of pattern, honours, length"),
        ("", "no quantity to make classes by"),
        ("jack,jack", "name each quantity once"),
    ],
)
def test_names_that_make_no_classes_are_refused(text, words):
    with pytest.raises(PilottaError, match=re.escape(words)):
        parse_by(text)


def test_quantities_of_trumps_need_a_trump_suit():
    with pytest.raises(PilottaError, match=r"'pattern' needs a trump suit.*aces, tens"):
        check_by(("lead", "pattern"), (4,))
    for trumps in ((0, 1), (4,), (5,)):
        check_by(default_by(trumps), trumps)


def test_every_quantity_has_a_column_and_a_line_on_the_page():
    assert [column.name for column in CLASS_COLUMNS] == list(QUANTITIES)
    text = PAGE.read_text("utf-8").split("## What makes a class")[1].split("\n## ")[0]
    lines = re.findall(r"^\| `(\w+)` \| (.*) \|$", text, re.MULTILINE)
    assert dict(lines) == {name: one.description for name, one in QUANTITIES.items()}
