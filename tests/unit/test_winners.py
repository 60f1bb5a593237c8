from __future__ import annotations

import numpy as np
import pytest

from pilotta_solver.notation import parse_hand
from pilotta_solver.table_play.winners import winners_many


@pytest.mark.parametrize(
    ("hand", "trump", "n"),
    [
        ("J9ATK.AT.A.", 0, 7),
        ("J9AK.AT.A8.", 0, 5),
        ("9ATK.AT.A8.", 0, 2),
        ("J9AK.AT.A8.", 1, 2),
        ("JT98.AT.A8.", 2, 1),
        ("J9ATKQ87...", 0, 8),
        (".KQ87.KQ8.T", 3, 0),
    ],
)
def test_winners_are_top_trumps_without_a_gap_and_side_aces(hand, trump, n):
    assert winners_many(np.array([parse_hand(hand)], np.uint32), trump).tolist() == [n]


def test_each_hand_may_have_its_own_trump():
    hand = np.full(4, parse_hand("J9A.J9.J.AT"), np.uint32)
    assert winners_many(hand, np.arange(4)).tolist() == [4, 4, 3, 1]
