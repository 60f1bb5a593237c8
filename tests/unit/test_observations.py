"""An observation says what the library says of one hand of one deal, card by card."""

from __future__ import annotations

import numpy as np
import pytest

from pilotta_solver import load_ruleset, parse_hand, worlds
from pilotta_solver.bidding_table.observations import column_names, observe
from pilotta_solver.datasets.results import Results
from pilotta_solver.datasets.simulation import Simulation
from pilotta_solver.declarations import belote_points, contest, hand_declarations

NAMES = ("tsaka", "classic")


def columns_of(hands, trumps, values):
    """A batch with made-up values, as a dataset would give it."""
    simulation = Simulation(1, load_ruleset(), tuple(trumps))
    results = Results.of_values(tuple(trumps), values)
    return simulation.columns(np.arange(len(hands)), hands, results)


@pytest.fixture
def dealt():
    """Deals with a carré and a belote among them, and values with sweeps of both sides."""
    hands = worlds(0, 0, 40, 3)
    texts = ("KQ7.K.KQJ.K", "AJT98.7.7.7", ".AQJ.AT98.A", ".T98..QJT98")
    rich = [parse_hand(text) for text in texts]
    hands[7] = rich
    values = np.random.default_rng(1).integers(0, 163, (40, 6)).astype(np.int16)
    values[3], values[4] = 250, 162 - 250
    return hands, values


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("trumps", [(0, 1, 2, 3), (2,), (4,), (5,)])
def test_each_observation_is_that_of_its_deal(dealt, name, trumps):
    hands, values = dealt
    rules = load_ruleset(name, {"all_trump_belote": True})
    columns = columns_of(hands, trumps, values[:, : len(trumps)])
    for leader in (0, 3):
        seen = observe(columns, trumps, rules, leader=leader)
        assert len(seen) == len(hands) * len(trumps) * 4
        row = 0
        for deal in range(len(hands)):
            whole = [int(hand) for hand in hands[deal]]
            for column, trump in enumerate(trumps):
                declared = contest(whole, trump, rules, leader).points
                belote = belote_points(whole, trump, rules)
                for seat in range(4):
                    side = seat % 2
                    ns = int(values[deal, column])
                    own = ns if side == 0 else 162 - ns
                    swept = rules.capot_points if own > 162 else 162 - rules.capot_points
                    assert seen.deal[row] == deal
                    assert (seen.hand[row], seen.trump[row]) == (whole[seat], trump)
                    assert seen.place[row] == (seat - leader) % 4
                    assert seen.value[row] == (own if 0 <= own <= 162 else swept)
                    assert tuple(seen.declarations[row]) == (declared[side], declared[1 - side])
                    assert tuple(seen.belote[row]) == (belote[side], belote[1 - side])
                    points = sum(one.points for one in hand_declarations(whole[seat], trump, rules))
                    assert seen.declared[row] == points
                    total = max(0, int(seen.value[row])) + declared[side] + belote[side]
                    assert seen.total[row] == total
                    row += 1


def test_sweeps_count_what_the_ruleset_says(dealt):
    hands, values = dealt
    columns = columns_of(hands, (0,), values[:, :1])
    for points in (162, 262):
        seen = observe(columns, (0,), load_ruleset(overrides={"capot_points": points}))
        assert seen.value[12:16].tolist() == [points, 162 - points] * 2


def test_only_what_is_needed_is_read():
    assert column_names((0, 4)) == (
        "deal_number", "cards_n", "cards_w", "cards_s", "cards_e",
        "value_ns_spades", "value_ns_no_trump",
    )  # fmt: skip
