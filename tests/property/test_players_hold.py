"""A player sees its own cards only, plays by the law, and finds what slow reading finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from playing import LAWS, TSAKA, information_at, random_deal, random_play, table_after

from pilotta_solver.cards import cards_of
from pilotta_solver.deal import Deal, side_of
from pilotta_solver.declarations import belote_points, contest
from pilotta_solver.double_dummy import solve_cards
from pilotta_solver.knowledge.sampling import worlds_given
from pilotta_solver.rules import legal_cards, replay
from pilotta_solver.table_play.information import Goal
from pilotta_solver.table_play.player import Player, decide
from pilotta_solver.table_play.self_play import self_play

plays = st.tuples(
    st.sampled_from(sorted(LAWS)),
    st.integers(0, 5),
    st.integers(0, 3),
    st.integers(0, 31),
    st.integers(0, 10**6),
)
goals = st.builds(Goal, st.integers(0, 3), st.sampled_from([80, 90, 100, 120]))


def read_slowly(known, seed, n_worlds):
    """For each card its mean and its chance: each world replayed, solved, scored by itself."""
    rules, own = known.rules, side_of(known.seat)
    may = known.may_hold(known.replay())
    worlds = worlds_given(known.hand, known.seat, known.knowledge, n_worlds, seed, may_hold=may)
    values, made = {}, {}
    for hands in worlds.hands.tolist():
        position = replay(Deal(tuple(hands)), known.trump, known.leader, known.played, rules.law)
        side = side_of(known.goal.declarer)
        extras = contest(hands, known.trump, rules, known.leader).points[side]
        extras += belote_points(hands, known.trump, rules)[side]
        for card, ns in solve_cards(position, rules=rules).items():
            values.setdefault(card, []).append((ns, 162 - ns)[own])
            points = max(0, (ns, 162 - ns)[side])
            made.setdefault(card, []).append(points + extras >= known.goal.level)
    return {
        card: (sum(values[card]) / n_worlds, sum(made[card]) / n_worlds) for card in sorted(values)
    }


@settings(max_examples=40, deadline=None)
@given(plays, goals, st.sampled_from(["points", "contract"]))
def test_what_each_card_promises(play, goal, aim):
    name, trump, leader, n_played, seed = play
    rules, deal = LAWS[name], random_deal(seed)
    n_played = max(n_played, 8)
    known = information_at(
        deal, trump, leader, random_play(deal, trump, leader, n_played, rules, seed), rules, goal
    )
    decision = decide(known, seed, 5, aim, value_all=True)
    told = {one.card: (one.mean, one.p_made) for one in decision.values}
    slowly = read_slowly(known, seed, 5)
    assert {card: told[card] for card in sorted(told)} == slowly
    sign = 1 if side_of(goal.declarer) == side_of(known.seat) else -1
    best = [(sign * p_made if aim == "contract" else 0, mean) for mean, p_made in slowly.values()]
    mean, p_made = slowly[decision.card]
    assert (sign * p_made if aim == "contract" else 0, mean) == max(best)
    # Nothing to choose means nothing to gain: all cards come to the same.
    if not decide(known, seed, 5, aim).values:
        assert len(set(slowly.values())) == 1
    assert decide(known, seed, 5, aim).card == decision.card


@settings(max_examples=40, deadline=None)
@given(plays, goals, st.sampled_from(["points", "contract"]))
def test_hidden_cards_change_nothing(play, goal, aim):
    """Two deals that look alike to a player: it is told the same, and decides the same."""
    name, trump, leader, n_played, seed = play
    rules, deal = LAWS[name], random_deal(seed)
    n_played = min(n_played, 27)
    played = random_play(deal, trump, leader, n_played, rules, seed)
    known = information_at(deal, trump, leader, played, rules, goal)
    may = known.may_hold(known.replay())
    hands = worlds_given(known.hand, known.seat, known.knowledge, 1, seed=9, may_hold=may).hands
    other = Deal(tuple(hands[0].tolist()))
    tables = [table_after(one, trump, leader, played, rules) for one in (deal, other)]
    told = [(table.shown, table.denied) for table in tables]
    # A declaration that is beaten stays hidden, but which side shows is for all to see.
    assume(told[0] == told[1])
    player = Player(rules, 3, aim)
    decisions = [player.decide(table.turn(goal), seed, value_all=True) for table in tables]
    assert decisions[0] == decisions[1]
    assert decisions[0] == decide(known, seed, 3, aim, value_all=True)


@settings(max_examples=12, deadline=None)
@given(plays, goals, st.sampled_from(["points", "contract"]))
def test_a_deal_played_out(play, goal, aim):
    """Legal throughout, and each decision is that on information built from scratch."""
    name, trump, leader, _, seed = play
    rules, deal = LAWS[name], random_deal(seed)
    played = self_play(
        deal, trump, leader, seed=seed, number=7, n_worlds=3, aim=aim, goal=goal, rules=rules
    )
    end = replay(deal, trump, leader, played.played, rules.law)
    assert end.is_over
    assert (end.points, end.tricks) == (played.points, played.tricks)
    for k, (decision, card_seed) in enumerate(zip(played.decisions, played.seeds, strict=True)):
        known = information_at(deal, trump, leader, played.played[:k], rules, goal)
        assert decide(known, card_seed, 3, aim) == decision
        assert decision.card == played.played[k]


def play_legally(n_deals, seed):
    """Play deals out under every law and contract; return the number of decisions."""
    names = sorted(LAWS)
    for number in range(n_deals):
        rules, deal = LAWS[names[number % len(names)]], random_deal(seed + number)
        trump, leader = number % 6, number // 6 % 4
        played = self_play(
            deal, trump, leader, seed=seed, number=number, n_worlds=2, rules=rules
        ).played
        position = replay(deal, trump, leader, played, rules.law)  # raises for an illegal card
        assert position.is_over
    return 32 * n_deals


def test_no_card_is_illegal():
    assert play_legally(60, seed=1) == 1920


@pytest.mark.slow
def test_no_card_of_a_hundred_thousand_is_illegal():
    assert play_legally(3125, seed=10_000) == 100_000


def test_the_seeds_of_all_decisions_differ():
    deal = random_deal(3)
    seeds = [
        self_play(deal, 0, 0, seed=seed, number=number, n_worlds=1).seeds
        for seed, number in ((1, 0), (1, 1), (2, 0))
    ]
    assert len(set().union(*seeds)) == 96


def test_cards_alike_are_one_choice_and_come_to_the_same():
    """Wherever cards are counted as one choice, every world gives them one value."""
    n_alike = 0
    for seed in range(60):
        deal = random_deal(seed)
        played = random_play(deal, seed % 6, 0, 4 * (seed % 5), TSAKA, seed)
        table = table_after(deal, seed % 6, 0, played, TSAKA)
        turn = table.turn(None)
        legal = turn.seen.legal(turn.hand)
        assert legal == legal_cards(
            turn.hand & ~turn.seen.played[turn.seat], turn.seen.trick, seed % 6, TSAKA.law
        )
        outlook = Player(TSAKA, 5).look(turn, legal, seed)
        kinds = turn.choices(legal)
        for card in cards_of(legal):
            if card not in kinds:
                n_alike += 1
                columns = outlook.values.T
                value = columns[outlook.cards.index(card)]
                assert any(
                    np.array_equal(value, columns[outlook.cards.index(kind)]) for kind in kinds
                )
    assert n_alike >= 15
