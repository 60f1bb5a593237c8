"""The engine against a naive solver, on random endings, card by card."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from asking import answers_of, card_payoffs, payoff, question
from oracle.naive import CONTRACTS, DECK, LAST_TRICK, LAWS, Game, Law, Place

from pilotta_solver.engine.solve import AT_LEAST, CARDS, EW_SWEEP, NS_SWEEP, VALUE

BONUS = 90
MUCH = 1000
"""A bonus that no card points can outweigh: who can force a sweep is then seen in the value."""

# Endings of 1 to 5 tricks for each law of play; a law has its own, so there are 12 times as many.
N_ENDINGS = {1: 60, 2: 150, 3: 120, 4: 12, 5: 1}
N_MORE_ENDINGS = {1: 200, 2: 1000, 3: 1500, 4: 200, 5: 20}


def number_of(card: str) -> int:
    """Card number of the engine: 8 * suit + rank."""
    return DECK.index(card)


def set_of(hand: tuple[str, ...]) -> int:
    return sum(1 << number_of(card) for card in hand)


def random_pool(rng: random.Random, contract: str, size: int) -> list[str]:
    """Cards of an ending: sometimes any, sometimes rich in trumps, sometimes of few suits."""
    kind = rng.choice(("any", "trumps", "two suits", "high"))
    weight = dict.fromkeys(DECK, 1.0)
    if kind == "trumps" and contract in "SHDC":
        weight |= {card: 4.0 for card in DECK if card[0] == contract}
    elif kind == "two suits":
        few = rng.sample("SHDC", 2)
        weight |= {card: 12.0 for card in DECK if card[0] in few}
    elif kind == "high":
        weight |= {card: 3.0 for card in DECK if card[1] in "ATKJ9"}
    # Weighted sampling without replacement: the greatest u ** (1 / w) are drawn.
    return sorted(DECK, key=lambda card: -(rng.random() ** (1 / weight[card])))[:size]


def random_ending(rng: random.Random, game: Game, n_tricks: int) -> Place:
    """An ending at the start of a trick or, more often, with one to three cards on the table."""
    pool = random_pool(rng, game.contract, 4 * n_tricks)
    hands = tuple(tuple(pool[k * n_tricks : (k + 1) * n_tricks]) for k in range(4))
    lost = rng.choice(((True, True), (False, False), (True, False), (False, True)))
    place = Place((hands[0], hands[1], hands[2], hands[3]), rng.randrange(4), (), lost)
    return play_on(rng, game, place, rng.randrange(4))


def question_of(place: Place, contract: str, asked: int, threshold: int = 0) -> np.void:
    return question(
        [set_of(hand) for hand in place.hands],
        CONTRACTS.index(contract),
        place.leader,
        asked,
        trick=[number_of(card) for card in place.trick],
        may_sweep=sum(1 << side for side in range(2) if not place.lost[side]),
        threshold=threshold,
    )


def endings(law: Law, seed: str, counts: dict[int, int]) -> Iterator[tuple[Game, Place]]:
    rng = random.Random(f"{seed} {law}")
    for n_tricks, n in counts.items():
        for i in range(n):
            contract = CONTRACTS[i % 6] if i < 6 else rng.choice(CONTRACTS + "SHDC")
            game = Game(contract, law, rng.choice((0, BONUS)))
            yield game, random_ending(rng, game, n_tricks)


def described(game: Game, place: Place) -> str:
    return f"{game.contract} under {game.law}, bonus {game.bonus}: {place}"


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_every_card_of_random_endings(law: Law) -> None:
    check_every_card(law, list(endings(law, "cards", N_ENDINGS)))


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS, ids=str)
def test_every_card_of_many_more_endings(law: Law) -> None:
    check_every_card(law, list(endings(law, "more cards", N_MORE_ENDINGS)))


def check_every_card(law: Law, cases: list[tuple[Game, Place]]) -> None:
    asked = [question_of(place, game.contract, CARDS) for game, place in cases]
    values = [question_of(place, game.contract, VALUE) for game, place in cases]
    answers = answers_of(law, asked + values)
    for (game, place), cards, whole in zip(
        cases, answers[: len(cases)], answers[len(cases) :], strict=True
    ):
        expected = game.card_values(place)
        found = {DECK[card]: value for card, value in card_payoffs(cards, game.bonus).items()}
        assert found == expected, described(game, place)
        best = max if place.to_move % 2 == 0 else min
        value = payoff(whole["value"], whole["sweep"], game.bonus)
        assert value == best(expected.values()), described(game, place)


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_every_threshold_of_random_endings(law: Law) -> None:
    cases = list(endings(law, "thresholds", {1: 12, 2: 24, 3: 16, 4: 3}))
    questions, expected, stories = [], [], []
    for game, place in cases:
        value = Game(game.contract, law).value(place)
        for threshold in {*range(-1, 165, 9), value - 1, value, value + 1}:
            questions.append(question_of(place, game.contract, AT_LEAST, threshold))
            expected.append(value >= threshold)
            stories.append(f"at least {threshold}? {described(game, place)}")
    answers = answers_of(law, questions)["value"]
    for found, wanted, story in zip(answers, expected, stories, strict=True):
        assert bool(found) == wanted, story


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_who_can_take_every_trick_to_come(law: Law) -> None:
    cases = list(endings(law, "sweeps", {1: 12, 2: 40, 3: 40, 4: 6}))
    questions, expected = [], []
    for game, place in cases:
        for asked, lost in ((NS_SWEEP, (False, True)), (EW_SWEEP, (True, False))):
            fresh = Place(place.hands, place.leader, place.trick, lost)
            value = Game(game.contract, law, MUCH).value(fresh)
            questions.append(question_of(place, game.contract, asked))
            expected.append(value >= MUCH if asked == NS_SWEEP else value < 0)
    answers = answers_of(law, questions)["value"]
    for i, (found, wanted) in enumerate(zip(answers, expected, strict=True)):
        side = ("NS", "EW")[i % 2]
        assert bool(found) == wanted, f"a sweep by {side}? {described(*cases[i // 2])}"
    assert 0 < sum(expected) < len(expected)


def poor_ending(rng: random.Random, game: Game, n_tricks: int) -> Place:
    """Few cards are worth anything, so that a side can have all the points and lose a trick."""
    cards = {card for card in DECK if card[1] in "789"} | set(rng.sample(DECK, 4))
    pool = rng.sample(sorted(cards), 4 * n_tricks)
    hands = [tuple(pool[seat::4]) for seat in range(4)]
    place = Place((hands[0], hands[1], hands[2], hands[3]), rng.randrange(4))
    return play_on(rng, game, place, rng.choice((0, 0, 3)))


def play_on(rng: random.Random, game: Game, place: Place, n_cards: int) -> Place:
    for _ in range(n_cards):
        choices = game.legal(place.hands[place.to_move], place.trick)
        place, _ = game.after(place, rng.choice(choices))
    return place


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_a_bonus_counts_only_where_a_side_takes_every_point(law: Law) -> None:
    """The engine looks for a sweep only then; in the naive payoff the bonus is a part like any."""
    rng = random.Random(f"bonus {law}")
    cases = []
    for i in range(300):
        game = Game(CONTRACTS[i % 6], law, BONUS)
        n_tricks = rng.choice((2, 2, 3))
        place = (poor_ending if i % 4 else random_ending)(rng, game, n_tricks)
        cases.append((game, Place(place.hands, place.leader, place.trick, (False, False))))
    asked = (VALUE, CARDS)
    questions = [question_of(place, game.contract, one) for game, place in cases for one in asked]
    answers = answers_of(law, questions)
    n_more = n_all_points_only = 0
    for (game, place), found, cards in zip(cases, answers[::2], answers[1::2], strict=True):
        value, with_bonus = Game(game.contract, law).value(place), game.value(place)
        left = [*place.trick, *(card for hand in place.hands for card in hand)]
        total = sum(game.points(card) for card in left) + LAST_TRICK
        assert with_bonus in (value, value + BONUS * (value == total), value - BONUS * (value == 0))
        assert found["value"] == value, described(game, place)
        assert payoff(value, found["sweep"], BONUS) == with_bonus, described(game, place)
        by_card = {DECK[card]: value for card, value in card_payoffs(cards, BONUS).items()}
        assert by_card == game.card_values(place), described(game, place)
        n_more += with_bonus != value
        n_all_points_only += value in (0, total) and with_bonus == value
    assert n_more > 10
    assert n_all_points_only > 0


@pytest.mark.parametrize("contract", CONTRACTS)
def test_last_trick_in_full(contract: str) -> None:
    """The last trick is forced: every way to lay four cards of seven, whoever leads."""
    rng = random.Random(contract)
    cards = rng.sample(DECK, 7)
    law = LAWS[0]
    game = Game(contract, law)
    places = [
        Place(((a,), (b,), (c,), (d,)), leader)
        for a in cards
        for b in cards
        for c in cards
        for d in cards
        if len({a, b, c, d}) == 4
        for leader in range(4)
    ]
    answers = answers_of(law, [question_of(place, contract, VALUE) for place in places])
    for place, found in zip(places, answers["value"], strict=True):
        assert found == game.value(place), described(game, place)
