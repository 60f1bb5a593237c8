"""What must be true of the declarations of every deal; one deal and many are told alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from pilotta_solver.cards import N_RANKS
from pilotta_solver.declarations import (
    belote_points,
    belote_points_many,
    belote_seats_many,
    belotes,
    carres,
    contest,
    declaration_points_many,
    hand_declarations,
)
from pilotta_solver.ruleset import load_ruleset

trumps = st.integers(0, 5)
seats = st.integers(0, 3)
rulesets = st.builds(
    lambda order, carre, tie, belote: load_ruleset(
        "tsaka",
        {
            "sequence_order": order,
            "carre_beats_quint": carre,
            "declaration_tie": tie,
            "all_trump_belote": belote,
        },
    ),
    st.sampled_from(["natural", "plain"]),
    st.booleans(),
    st.sampled_from(["none", "first"]),
    st.booleans(),
)


@st.composite
def hands_of_a_deal(draw):
    """Four hands; by suits or by ranks half the time, so that runs and carrés abound."""
    key = draw(
        st.sampled_from([lambda card: 0, lambda card: card >> 4, lambda card: card >> 1 & 3])
    )
    deck = sorted(draw(st.permutations(range(32))), key=key)
    return [sum(1 << card for card in deck[8 * seat : 8 * seat + 8]) for seat in range(4)]


@given(hands_of_a_deal(), trumps, rulesets)
def test_a_card_counts_once_and_only_in_the_hand_that_holds_it(hands, trump, rules):
    for hand in hands:
        declared = hand_declarations(hand, trump, rules)
        together = 0
        for one in declared:
            assert together & one.cards == 0
            together |= one.cards
        assert together & ~hand == 0
        assert sum(one.points for one in declared) >= sum(one.points for one in carres(hand))


@given(hands_of_a_deal(), trumps, rulesets, seats)
def test_one_side_scores_all_of_its_own_or_nobody_does(hands, trump, rules, leader):
    found = contest(hands, trump, rules, leader)
    own = [sum(one.points for one in declared) for declared in found.declared]
    sides = (own[0] + own[2], own[1] + own[3])
    expected = [0, 0]
    if found.winner is not None:
        expected[found.winner] = sides[found.winner]
        best = max(sides_best(found.declared, found.winner))
        assert best == max(sides_best(found.declared, 0) + sides_best(found.declared, 1))
    assert list(found.points) == expected


def sides_best(declared, side):
    return [one.points for seat in (side, side + 2) for one in declared[seat]] or [0]


@given(hands_of_a_deal(), trumps, rulesets, seats, seats)
def test_turning_the_seats_turns_the_result(hands, trump, rules, leader, turn):
    turned = [hands[(seat - turn) % 4] for seat in range(4)]
    points = contest(hands, trump, rules, leader).points
    belote = belote_points(hands, trump, rules)
    if turn % 2:
        points, belote = points[::-1], belote[::-1]
    assert contest(turned, trump, rules, (leader + turn) % 4).points == points
    assert belote_points(turned, trump, rules) == belote


@given(hands_of_a_deal(), trumps, rulesets, seats, st.permutations(range(4)))
def test_the_names_of_suits_mean_nothing(hands, trump, rules, leader, order):
    def renamed(hand):
        return sum((hand >> 8 * suit & 255) << 8 * order[suit] for suit in range(4))

    new = order[trump] if trump < 4 else trump
    again = [renamed(hand) for hand in hands]
    assert contest(again, new, rules, leader).points == contest(hands, trump, rules, leader).points
    assert belote_points(again, new, rules) == belote_points(hands, trump, rules)


@given(hands_of_a_deal(), trumps, rulesets, seats)
def test_many_as_one(hands, trump, rules, leader):
    array = np.array([hands], np.uint32)
    points = declaration_points_many(array, trump, leader, rules)
    assert tuple(points[0]) == contest(hands, trump, rules, leader).points
    assert tuple(belote_points_many(array, trump, rules)[0]) == belote_points(hands, trump, rules)


@pytest.mark.parametrize("order", ["natural", "plain"])
@pytest.mark.parametrize("tie", ["none", "first"])
def test_many_as_one_on_random_deals(order, tie):
    rules = load_ruleset("tsaka", {"sequence_order": order, "declaration_tie": tie})
    draw = np.random.default_rng(2024)
    decks = draw.permuted(np.tile(np.arange(32), (5000, 1)), axis=1)
    bits = np.uint32(1) << decks.astype(np.uint32)
    hands = np.bitwise_or.reduce(bits.reshape(-1, 4, N_RANKS), axis=2)
    trumps, leaders = draw.integers(0, 6, len(hands)), draw.integers(0, 4, len(hands))
    points = declaration_points_many(hands, trumps, leaders, rules)
    holders = belote_seats_many(hands, trumps)
    for row, trump, leader, expected, seat in zip(
        hands.tolist(), trumps.tolist(), leaders.tolist(), points.tolist(), holders, strict=True
    ):
        assert list(contest(row, trump, rules, leader).points) == expected
        assert [one for one, _ in belotes(row, trump, rules)] == ([seat] if seat >= 0 else [])
