"""Which suit is which does not matter to the class of a hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from pilotta_solver.bidding_table.hand_class import QUANTITIES
from pilotta_solver.bidding_table.observations import Observations
from pilotta_solver.cards import cards_of, make_card, rank_of, suit_of

hands = st.sets(st.integers(0, 31), min_size=8, max_size=8).map(
    lambda cards: sum(1 << card for card in cards)
)


def codes(hand, trump, place):
    """All codes but that of the declarations, which the rules count."""
    seen = Observations(
        deal=np.zeros(1, np.int64),
        hand=np.array([hand], np.uint32),
        trump=np.array([trump], np.int8),
        place=np.array([place], np.int8),
        value=np.zeros(1, np.int16),
        declarations=np.zeros((1, 2), np.int16),
        belote=np.zeros((1, 2), np.int16),
        declared=np.zeros(1, np.int16),
    )
    return {name: int(quantity.values(seen)[0]) for name, quantity in QUANTITIES.items()}


@given(hands, st.integers(0, 5), st.integers(0, 3), st.permutations(range(4)))
def test_relabelling_suits_changes_no_class(hand, trump, place, order):
    moved = sum(1 << make_card(order[suit_of(card)], rank_of(card)) for card in cards_of(hand))
    own = order[trump] if trump < 4 else trump
    assert codes(moved, own, place) == codes(hand, trump, place)


@given(hands, st.integers(0, 3), st.integers(0, 3))
def test_counts_agree_with_each_other(hand, trump, place):
    found = codes(hand, trump, place)
    assert found["aces"] == found["ace"] + found["side_aces"]
    assert found["tens"] == found["ten"] + found["side_tens"]
    assert found["guarded_tens"] <= found["side_tens"]
    assert found["length"] + found["singletons"] <= 8
    assert found["lead"] == found["place"] % 2
