from __future__ import annotations

import pytest

from pilotta_solver.deal import Deal, Position, next_seat, side_of
from pilotta_solver.errors import DealError

FULL = (0x000000FF, 0x0000FF00, 0x00FF0000, 0xFF000000)


def test_a_full_deal_and_a_short_one():
    assert Deal(FULL).n_cards == 8
    assert Deal((1, 2, 4, 8)).n_cards == 1


def test_seats_and_sides():
    assert [side_of(seat) for seat in range(4)] == [0, 1, 0, 1]
    assert [next_seat(seat) for seat in range(4)] == [1, 2, 3, 0]


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        ((1, 1, 4, 8), "S7 is in two hands, N and W"),
        ((1, 2, 4, 24), r"unequal or wrong size \(N 1, W 1, S 1, E 2 cards\)"),
        ((0, 0, 0, 0), "unequal or wrong size"),
        ((1, 2, 4), "3 hands"),
        ((1 << 32, 2, 4, 8), "hand N: 4294967296 is not a set"),
        ((-1, 2, 4, 8), "hand N: -1 is not a set"),
    ],
)
def test_what_is_no_deal(hands, message):
    with pytest.raises(DealError, match=message):
        Deal(hands)


def test_a_position_knows_who_moves():
    position = Position((2, 4, 8, 16), trump=0, leader=3)
    assert position.to_move == 3
    assert not position.is_over
    assert Position((2, 4, 0, 16), 0, 2, trick=(3,)).to_move == 3
    assert Position((0, 0, 0, 0), 0, 2, points=(100, 62), tricks=(5, 3)).is_over


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"trump": 6}, "trump 6"),
        ({"leader": -1}, "leader -1"),
        ({"trick": (5,)}, "unequal or wrong size"),
        ({"trick": (1,), "hands": (0, 4, 8, 16), "leader": 0}, None),
        ({"trick": (2,), "hands": (0, 4, 8, 16), "leader": 0}, "S9 is on the table and elsewhere"),
        ({"trick": (40,), "hands": (0, 4, 8, 16), "leader": 0}, "card 40 on the table"),
        ({"trick": (5, 6, 7, 8)}, "4 cards on the table"),
        ({"points": (100, 63)}, "points"),
        ({"points": (-1, 63)}, "points"),
        ({"tricks": (4, 4)}, "unequal or wrong size"),
    ],
)
def test_what_is_no_position(parts, message):
    whole = {"hands": (2, 4, 8, 16), "trump": 0, "leader": 0} | parts
    if message is None:
        assert Position(**whole).to_move == 1
        return
    with pytest.raises(DealError, match=message):
        Position(**whole)
