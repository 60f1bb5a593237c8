from __future__ import annotations

import pytest

from pilotta_solver import cards
from pilotta_solver.cards import ALL_TRUMP, NO_TRUMP, RANKS, SUITS


def card(name: str) -> int:
    return cards.make_card(SUITS.index(name[0]), RANKS.index(name[1]))


@pytest.mark.parametrize("trump", range(6))
def test_card_points_sum_to_162_with_the_last_trick(trump):
    total = sum(cards.card_points(one, trump) for one in range(32))
    assert total + cards.LAST_TRICK_POINTS == cards.CARD_POINTS_TOTAL


def test_points_of_each_rank():
    assert [cards.card_points(card("H" + rank), 1) for rank in "J9ATKQ87"] == [
        20, 14, 11, 10, 4, 3, 0, 0,
    ]  # fmt: skip
    assert [cards.card_points(card("H" + rank), 0) for rank in "ATKQJ987"] == [
        11, 10, 4, 3, 2, 0, 0, 0,
    ]  # fmt: skip
    assert cards.card_points(card("DA"), NO_TRUMP) == 19
    assert [cards.card_points(card("C" + rank), ALL_TRUMP) for rank in "J9ATKQ87"] == [
        14, 9, 6, 5, 3, 1, 0, 0,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("trump", "order"),
    [(0, "78QKTA9J"), (1, "789JQKTA"), (NO_TRUMP, "789JQKTA"), (ALL_TRUMP, "78QKTA9J")],
)
def test_order_of_strength(trump, order):
    assert [cards.card_strength(card("S" + rank), trump) for rank in order] == list(range(8))


def test_trumps():
    assert cards.is_trump(card("S7"), 0)
    assert not cards.is_trump(card("S7"), 1)
    assert not cards.is_trump(card("S7"), NO_TRUMP)
    assert cards.is_trump(card("S7"), ALL_TRUMP)


def test_card_sets():
    mask = 1 << card("SA") | 1 << card("C7") | 1 << card("HT")
    assert list(cards.cards_of(mask)) == [card("SA"), card("HT"), card("C7")]
    assert sum(cards.SUIT_MASKS) == cards.FULL_DECK
    assert [(cards.suit_of(one), cards.rank_of(one)) for one in (0, 9, 31)] == [
        (0, 0), (1, 1), (3, 7),
    ]  # fmt: skip
