"""A deal replayed to its end: rules.py, the engine and ``pilotta score`` tell the same story."""

from __future__ import annotations

import json
import random

import pytest

from pilotta_solver.cards import CARD_POINTS_TOTAL, TRUMPS, cards_of
from pilotta_solver.deal import SEATS, Deal, side_of
from pilotta_solver.declarations import belote_points, contest
from pilotta_solver.double_dummy import solve_cards, solve_cards_of, solve_positions
from pilotta_solver.notation import format_cards, format_deal
from pilotta_solver.rules import legal_cards, play, start
from pilotta_solver.ruleset import load_ruleset, preset_names

RULESETS = [
    *(load_ruleset(name) for name in preset_names()),
    load_ruleset("contree", {"undertrump": "forbidden"}),
    load_ruleset("tsaka", {"beat_trump_lead": False, "capot_points": 162}),
]


def random_deal(draw):
    deck = draw.sample(range(32), 32)
    hands = [sum(1 << card for card in deck[8 * seat : 8 * seat + 8]) for seat in range(4)]
    return Deal((hands[0], hands[1], hands[2], hands[3]))


def random_play(deal, trump, leader, law, draw):
    """Every position of a deal played at random, and the cards played."""
    positions, played = [start(deal, trump, leader)], []
    while not positions[-1].is_over:
        now = positions[-1]
        legal = legal_cards(now.hands[now.to_move], now.trick, trump, law)
        played.append(draw.choice(list(cards_of(legal))))
        positions.append(play(now, played[-1], law))
    return positions, played


def check_score(run, deal, played, over, declarer, rules, tmp_path):
    """The totals that the command finds in the cards are those of the points in rules.py."""
    house = tmp_path / "house.toml"
    house.write_text(rules.as_toml(), "utf-8")
    result = run(
        "score", "--deal", format_deal(deal), "--played", format_cards(played),
        "--contract", f"80{TRUMPS[over.trump]}", "--declarer", SEATS[declarer],
        "--rules", house, "--json", "-q",
    )  # fmt: skip
    assert (result.code, result.err) == (0, "")
    answer = json.loads(result.out)
    found = contest(deal, over.trump, rules, led=played[0], leader=leader_of(deal, played))
    belote = belote_points(deal, over.trump, rules)
    for party, side in (("declarers", side_of(declarer)), ("defence", 1 - side_of(declarer))):
        points = over.points[side]
        if 8 in over.tricks:
            points = rules.capot_points if over.tricks[side] == 8 else 0
        assert answer["total"][party] == points + found.points[side] + belote[side]
    assert answer["made"] == (answer["total"]["declarers"] >= 80)


def leader_of(deal, played):
    return next(seat for seat in range(4) if deal.hands[seat] >> played[0] & 1)


@pytest.mark.parametrize("rules", RULESETS, ids=[rules.name for rules in RULESETS])
@pytest.mark.parametrize("trump", range(6))
def test_a_deal_played_at_random(run, tmp_path, rules, trump):
    draw = random.Random(trump)
    for _ in range(3):
        deal, leader, declarer = random_deal(draw), draw.randrange(4), draw.randrange(4)
        positions, played = random_play(deal, trump, leader, rules.law, draw)
        over = positions[-1]

        # The engine knows the points so far, and plays the last cards, which are forced, itself.
        assert solve_positions(positions[-2:-6:-1], rules)[3].card_points == over.points
        # It allows the same cards at every step of the second half.
        late = positions[16:-1]
        for position, by_card in zip(late, solve_cards_of(late, rules), strict=True):
            hand = position.hands[position.to_move]
            legal = legal_cards(hand, position.trick, trump, rules.law)
            assert list(by_card) == list(cards_of(legal))

        check_score(run, deal, played, over, declarer, rules, tmp_path)


@pytest.mark.parametrize("rules", RULESETS, ids=[rules.name for rules in RULESETS])
def test_a_deal_played_as_the_engine_says_keeps_its_value(run, tmp_path, rules):
    draw = random.Random(rules.name)
    for trump in range(6):
        deal, leader = random_deal(draw), draw.randrange(4)
        positions, played = random_play(deal, trump, leader, rules.law, draw)
        position, played = positions[10], played[:10]
        value = solve_positions([position], rules)[0].value[0]
        while not position.is_over:
            best = max if side_of(position.to_move) == 0 else min
            by_card = solve_cards(position, rules=rules)
            card = best(by_card, key=by_card.__getitem__)
            assert by_card[card] == value
            played.append(card)
            position = play(position, card, rules.law)
        swept = rules.capot_points > CARD_POINTS_TOTAL and 8 in position.tricks
        points = (rules.capot_points, CARD_POINTS_TOTAL - rules.capot_points)
        expected = points[position.tricks[0] == 0] if swept else position.points[0]
        assert value == expected
        check_score(run, deal, played, position, draw.randrange(4), rules, tmp_path)
