"""What holds of the rule for the head whatever the hand."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from pilotta_solver import load_ruleset
from pilotta_solver.bidding_table.head_rule.calls import by_rule, by_system, naive_systems
from pilotta_solver.bidding_table.head_rule.items import count_items, unsolved
from pilotta_solver.bidding_table.head_rule.rule import HeadRule, LevelOfSum

CLASSIC = load_ruleset("classic")
RULE = HeadRule(
    points=(10, 6, 4, 4, 3, 4, 4, 1, 2, 0, 2, 3),
    unit=5.0,
    total_at_zero=15.0,
    total_per_point=4.9,
    first_sum=0,
    chances=((0.5,),),
    levels=tuple(
        LevelOfSum(level, start, start, 0.6)
        for level, start in ((80, 18), (90, 28), (100, 30), (110, 33))
    ),
)
hands = st.permutations(range(32)).map(lambda cards: sum(1 << card for card in cards[:8]))
orders = st.permutations(range(4))


def relabelled(hand: int, order: list[int]) -> int:
    return sum((hand >> 8 * suit & 255) << 8 * order[suit] for suit in range(4))


def seen(hand: int, place: int):
    return unsolved(np.array([hand], np.uint32), np.array([place], np.int8), CLASSIC)


@given(hands, st.integers(0, 3), orders)
def test_suits_have_no_names(hand, place, order):
    counts = count_items(seen(hand, place))
    others = count_items(seen(relabelled(hand, order), place))
    assert counts.tolist() == others[list(order)].tolist()


@given(hands, st.integers(0, 3), orders)
def test_a_way_bids_as_high_whatever_the_suits_are_called(hand, place, order):
    ways = [by_rule(RULE, CLASSIC)]
    ways += [by_system(system, CLASSIC) for system in naive_systems().values()]
    places = np.array([place], np.int8)
    for way in ways:
        levels = {
            int(way(np.array([one], np.uint32), places).level[0])
            for one in (hand, relabelled(hand, order))
        }
        assert len(levels) == 1


@given(hands, st.integers(0, 3))
def test_partners_count_alike_and_the_lead_adds_its_points(hand, place):
    sums = {k: RULE.sums(count_items(seen(hand, k))) for k in range(4)}
    assert (sums[place] == sums[(place + 2) % 4]).all()
    assert (sums[0] - sums[1] == RULE.points[-1]).all()
