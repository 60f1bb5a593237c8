"""What is read from the play: no deal that is possible is lost, and none that is not is kept."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from playing import LAWS, information_at, random_deal, random_play
from scipy.stats import chisquare

from pilotta_solver import PlayError
from pilotta_solver.cards import cards_of
from pilotta_solver.deal import Deal
from pilotta_solver.knowledge.completions import Completions
from pilotta_solver.knowledge.sampling import worlds_given
from pilotta_solver.rules import legal_cards, replay

# Enough cards for every part that a card can have: following and beating or not, trumps above and
# below the best one, and cards that are neither.
CARDS = [8 * suit + rank for suit, rank in product((0, 1), (0, 2, 4, 6))] + [16, 20]

plays = st.tuples(
    st.sampled_from(sorted(LAWS)),
    st.integers(0, 5),
    st.integers(0, 3),
    st.integers(0, 31),
    st.integers(0, 10**6),
)


def is_pairwise(hand, trick, trump, law):
    """Whether a card is legal in a hand exactly if it is in each two cards of the hand."""
    legal = legal_cards(hand, trick, trump, law)
    by_pairs = sum(
        1 << card
        for card in cards_of(hand)
        if all(
            legal_cards(1 << card | 1 << other, trick, trump, law) >> card & 1
            for other in cards_of(hand ^ 1 << card)
        )
    )
    return legal == by_pairs


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("trump", [0, 4, 5])
def test_the_law_is_pairwise(name, trump):
    law = LAWS[name].law
    n_tested = 0
    for n_played in (1, 2, 3):
        tricks = list(permutations(CARDS, n_played))
        for place, trick in enumerate(tricks[:: max(1, len(tricks) // 30)]):
            rest = [card for card in CARDS if card not in trick]
            size = 1 + place % 5
            for cards in combinations(rest, size):
                assert is_pairwise(sum(1 << card for card in cards), trick, trump, law)
                n_tested += 1
    assert n_tested > 2000


@given(plays, st.sets(st.integers(0, 31), min_size=1, max_size=8))
def test_the_law_is_pairwise_in_whole_hands(play, cards):
    name, trump, _, n_played, seed = play
    trick = random_play(random_deal(seed), trump, 0, n_played % 4, LAWS[name], seed)
    hand = sum(1 << card for card in cards if card not in trick)
    assert is_pairwise(hand, trick, trump, LAWS[name].law)


@settings(max_examples=60, deadline=None)
@given(plays)
def test_the_deal_itself_is_never_excluded_and_every_world_could_have_been_played_so(play):
    name, trump, leader, n_played, seed = play
    rules, deal = LAWS[name], random_deal(seed)
    played = random_play(deal, trump, leader, n_played, rules, seed)
    known = information_at(deal, trump, leader, played, rules)
    may = list(known.may_hold(known.replay()))
    assert all(hand & ~cards == 0 for hand, cards in zip(deal.hands, may, strict=True))
    worlds = worlds_given(known.hand, known.seat, known.knowledge, 4, seed=seed, may_hold=may).hands
    for world in worlds.tolist():
        other = Deal(tuple(world))
        replay(other, trump, leader, played, rules.law)  # raises if a card were not legal
        same = information_at(other, trump, leader, played, rules)
        assert same.replay().lacks == known.replay().lacks
        assert world[known.seat] == known.hand
        for shown, hand in zip(known.shown, world, strict=True):
            assert hand & shown == shown
        for denied, hand in zip(known.denied, world, strict=True):
            assert hand & denied == 0


def agreeing(known, deal, rules):
    """Every deal that agrees with what a player knows late in the play, by trying them all."""
    seen = known.replay()
    rest = [card for card in range(32) if seen.unplayed >> card & 1 and not known.hand >> card & 1]
    others = [seat for seat in range(4) if seat != known.seat]
    room = [8 - seen.played[seat].bit_count() for seat in others]
    found = set()
    for first in combinations(rest, room[0]):
        left = [card for card in rest if card not in first]
        for second in combinations(left, room[1]):
            third = [card for card in left if card not in second]
            hands = list(seen.played)
            hands[known.seat] = known.hand
            for seat, cards in zip(others, (first, second, third), strict=True):
                hands[seat] |= sum(1 << card for card in cards)
            told = all(
                hand & shown == shown and not hand & denied
                for hand, shown, denied in zip(hands, known.shown, known.denied, strict=True)
            )
            try:
                replay(Deal(tuple(hands)), known.trump, known.leader, known.played, rules.law)
            except PlayError:
                continue
            if told:
                found.add(tuple(hands))
    return found


@settings(max_examples=12, deadline=None)
@given(plays)
def test_the_deals_left_are_those_that_could_have_been_played_so(play):
    name, trump, leader, n_played, seed = play
    rules, deal = LAWS[name], random_deal(seed)
    played = random_play(deal, trump, leader, 20 + n_played % 12, rules, seed)
    known = information_at(deal, trump, leader, played, rules)
    may = list(known.may_hold(known.replay()))
    assert Completions(known.hand, known.seat, known.knowledge, may).n == len(
        agreeing(known, deal, rules)
    )


@pytest.mark.parametrize("seed", range(3))
def test_worlds_are_uniform_over_the_deals_left(seed):
    rules, deal = LAWS["pilotta"], random_deal(seed)
    known = information_at(deal, 0, 1, random_play(deal, 0, 1, 22, rules, seed), rules)
    possible = agreeing(known, deal, rules)
    assert len(possible) > 5
    n = 200 * len(possible)
    drawn = worlds_given(
        known.hand, known.seat, known.knowledge, n, seed=5, may_hold=known.may_hold(known.replay())
    ).hands
    counts = Counter(map(tuple, drawn.tolist()))
    assert set(counts) == possible
    assert chisquare(np.array(list(counts.values()))).pvalue > 0.001
