"""Every short cut of the search changes its cost and no answer.

The search with each set of its short cuts is held to the search with none of them. Among the deals
are those in which partner must ruff: he is void in the leader's strongest suit and still holds
trumps, so that the leader's master cards do not win what they seem to.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pytest
from asking import FLAGS, LAWS, answers_of, card_payoffs, question

from pilotta_solver import Law, legal_cards, trick_winner
from pilotta_solver.cards import (
    LAST_TRICK_POINTS,
    N_CARDS,
    N_RANKS,
    card_points,
    card_strength,
    cards_of,
    make_card,
    suit_of,
)
from pilotta_solver.engine.solve import AT_LEAST, CARDS, EW_SWEEP, NS_SWEEP, VALUE
from pilotta_solver.engine.workspace import EVERY_PRUNING

SETS = sorted({*FLAGS.values(), *(EVERY_PRUNING & ~flag for flag in FLAGS.values()), EVERY_PRUNING})
"""Short cuts that are on together: each alone, all but one, all."""


@dataclass(frozen=True)
class Root:
    """A position to ask about."""

    hands: tuple[int, ...]
    trump: int
    leader: int
    trick: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        sizes = [self.hands[(self.leader + k) % 4].bit_count() for k in range(4)]
        assert [n + (k < len(self.trick)) for k, n in enumerate(sizes)] == [sizes[3]] * 4

    @property
    def to_move(self) -> int:
        return (self.leader + len(self.trick)) % 4

    @property
    def total(self) -> int:
        """All points still to be taken."""
        cards = [*self.trick, *(card for hand in self.hands for card in cards_of(hand))]
        return sum(card_points(card, self.trump) for card in cards) + LAST_TRICK_POINTS

    def ask(self, asked: int, threshold: int = 0, may_sweep: int = 3) -> np.void:
        return question(
            self.hands,
            self.trump,
            self.leader,
            asked,
            trick=self.trick,
            may_sweep=may_sweep,
            threshold=threshold,
        )


def set_of(cards: list[int]) -> int:
    return sum(1 << card for card in cards)


def even(rng: random.Random, trump: int, n: int) -> tuple[int, ...]:
    """Any cards."""
    deck = rng.sample(range(N_CARDS), 4 * n)
    return tuple(set_of(deck[seat * n : seat * n + n]) for seat in range(4))


def two_suits(rng: random.Random, trump: int, n: int) -> tuple[int, ...]:
    """Most cards in two suits: long runs of cards that are alike, and crowded trumps."""
    few = rng.sample(range(4), 2)
    deck = sorted(range(N_CARDS), key=lambda card: rng.random() + (suit_of(card) not in few) * 0.8)
    deck = rng.sample(deck[: 4 * n], 4 * n)
    return tuple(set_of(deck[seat * n : seat * n + n]) for seat in range(4))


def partner_must_ruff(rng: random.Random, trump: int, n: int) -> tuple[int, ...]:
    """Seat 0 holds the top cards of a plain suit in which seat 2, with trumps, is void.

    The opponents mostly have no trumps, or few: the masters look safe.
    """
    ruffing = trump if trump < 4 else rng.randrange(4)
    suit = rng.choice([s for s in range(4) if s != ruffing])
    masters = sorted(
        (make_card(suit, rank) for rank in range(N_RANKS)),
        key=lambda card: card_strength(card, trump),
    )
    trumps = [make_card(ruffing, rank) for rank in range(N_RANKS)]
    rng.shuffle(trumps)
    leader = [masters.pop() for _ in range(rng.randint(1, min(n, 3)))]
    partner = [trumps.pop() for _ in range(rng.randint(1, min(n, 5)))]
    west, east = [masters.pop(rng.randrange(len(masters)))], [masters.pop(0)]
    plain = [card for card in range(N_CARDS) if suit_of(card) not in (suit, ruffing)]
    rng.shuffle(plain)
    if rng.random() < 0.3:
        plain, trumps = rng.sample(plain + trumps, len(plain) + len(trumps)), []
    # Trumps are dealt to the others last, when nothing else is left.
    partner += [plain.pop() for _ in range(min(n - len(partner), len(plain)))]
    rest = rng.sample(plain + masters, len(plain) + len(masters)) + trumps
    for hand in (partner, leader, west, east):
        missing = n - len(hand)
        hand += rest[:missing]
        rest = rest[missing:]
    return tuple(set_of(hand) for hand in (leader, west, partner, east))


def whole_suits(rng: random.Random, trump: int, n: int) -> tuple[int, ...]:
    """Two suits complete, their top cards in seat 0, which alone is void in the third suit.

    Once it has discarded from one of the two, a suit of seven cards and one of eight are left,
    which take the most room to write down.
    """
    short, *whole = rng.sample(range(4), 3)
    cards = {
        suit: sorted(
            (make_card(suit, rank) for rank in range(N_RANKS)),
            key=lambda card: card_strength(card, trump),
        )
        for suit in (short, *whole)
    }
    n_short = 4 * n - 2 * N_RANKS
    void = [cards[suit].pop() for suit in whole]
    rest = rng.sample(cards[whole[0]] + cards[whole[1]], 2 * N_RANKS - 2)
    void += [rest.pop() for _ in range(n - 2)]
    follow = rng.sample(cards[short], n_short)
    following: list[list[int]] = [[follow.pop()] for _ in range(3)]
    rest += follow
    rng.shuffle(rest)
    for hand in following:
        hand += [rest.pop() for _ in range(n - 1)]
    return tuple(set_of(hand) for hand in (void, *following))


KINDS: tuple[Callable[[random.Random, int, int], tuple[int, ...]], ...] = (
    even,
    two_suits,
    partner_must_ruff,
)


def play_on(rng: random.Random, root: Root, law: Law, n_cards: int) -> Root:
    """The position after some random legal cards, at most until one trick is left."""
    hands, leader, trick = list(root.hands), root.leader, root.trick
    for _ in range(n_cards):
        seat = (leader + len(trick)) % 4
        card = rng.choice(list(cards_of(legal_cards(hands[seat], trick, root.trump, law))))
        hands[seat] ^= 1 << card
        trick = (*trick, card)
        if len(trick) == 4:
            leader, trick = (leader + trick_winner(trick, root.trump)) % 4, ()
    return Root(tuple(hands), root.trump, leader, trick)


def roots(law: Law, seed: str, counts: dict[int, int]) -> Iterator[Root]:
    """Random positions of each kind in each contract; ``counts`` is how many of each size."""
    rng = random.Random(f"{seed} {law}")
    for n_tricks, n in counts.items():
        for i in range(n):
            trump = i % 6
            hands = KINDS[i // 6 % len(KINDS)](rng, trump, n_tricks)
            turned = rng.randrange(4)
            hands = hands[-turned:] + hands[:-turned]
            root = Root(hands, trump, turned if rng.random() < 0.6 else rng.randrange(4))
            yield play_on(rng, root, law, rng.choice((0, 0, 0, 1, 2, 3, 5)))


def same(
    roots_asked: list[Root], found: npt.NDArray[np.void], wanted: npt.NDArray[np.void], story: str
) -> None:
    for field in ("value", "sweep", "card_values", "card_sweeps"):
        differs = found[field] != wanted[field]
        rows = differs if differs.ndim == 1 else differs.any(axis=1)
        for i in np.flatnonzero(rows)[:1]:
            pytest.fail(
                f"{story}: {field} {found[field][i]}, without short cuts {wanted[field][i]}: "
                f"{roots_asked[i]} asked {found['asked'][i]} {found['threshold'][i]}"
            )


def test_the_full_set_has_every_flag() -> None:
    assert sum(FLAGS.values()) == EVERY_PRUNING
    assert len(set(FLAGS.values())) == len(FLAGS) >= 3
    assert all(flag.bit_count() == 1 for flag in FLAGS.values())


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_short_cuts_change_no_answer(law: Law) -> None:
    cases = list(roots(law, "answers", {2: 54, 3: 162, 4: 162, 5: 72, 6: 18}))
    asked_of, questions = [], []
    for root in cases:
        for asked in (VALUE, CARDS, NS_SWEEP, EW_SWEEP):
            asked_of.append(root)
            questions.append(root.ask(asked))
    wanted = answers_of(law, questions, 0)
    for pruning in SETS:
        found = answers_of(law, questions, pruning)
        same(asked_of, found, wanted, f"short cuts {pruning} under {law}")
    check_each_answer(cases, wanted)


def check_each_answer(cases: list[Root], answered: npt.NDArray[np.void]) -> None:
    """What holds of the four answers about one position, whatever the law."""
    n_sweeps = 0
    for root, (value, cards, ns_sweep, ew_sweep) in zip(
        cases, answered.reshape(-1, 4), strict=True
    ):
        best = max if root.to_move % 2 == 0 else min
        for bonus in (0, 90):
            by_card = card_payoffs(cards, bonus).values()
            whole = value["value"] + bonus * ((value["sweep"] == 1) - int(value["sweep"] == 2))
            assert best(by_card) == whole, root
        assert 0 <= value["value"] <= root.total
        assert (value["sweep"] == 1) == bool(ns_sweep["value"]), root
        assert (value["sweep"] == 2) == bool(ew_sweep["value"]), root
        if value["sweep"] != 0:
            n_sweeps += 1
            assert value["value"] == (root.total if value["sweep"] == 1 else 0), root
    assert n_sweeps > 10


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_at_least_is_the_value_against_the_threshold(law: Law) -> None:
    """For every threshold, with every set of short cuts."""
    cases = list(roots(law, "thresholds", {3: 36, 4: 36, 5: 18}))
    values = answers_of(law, [root.ask(VALUE) for root in cases], 0)["value"]
    asked_of, questions, wanted = [], [], []
    for root, value in zip(cases, values, strict=True):
        for threshold in range(-1, root.total + 2):
            asked_of.append(root)
            questions.append(root.ask(AT_LEAST, threshold))
            wanted.append(value >= threshold)
    for pruning in (0, *SETS):
        found = answers_of(law, questions, pruning)["value"]
        for i in np.flatnonzero((found != 0) != np.array(wanted))[:1]:
            pytest.fail(f"short cuts {pruning} under {law}: {asked_of[i]} {questions[i]}")


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_short_cuts_change_no_answer_with_whole_suits(law: Law) -> None:
    rng = random.Random(f"whole suits {law}")
    cases = []
    for i in range(300):
        trump, n = i % 6, rng.choice((5, 5, 6))
        root = Root(whole_suits(rng, trump, n), trump, rng.randrange(4))
        cases.append(play_on(rng, root, law, rng.randrange(3)))
    asked_of = [root for root in cases for _ in range(4)]
    questions = [root.ask(asked) for root in cases for asked in (VALUE, CARDS, NS_SWEEP, EW_SWEEP)]
    wanted = answers_of(law, questions, 0)
    for flag in (EVERY_PRUNING, FLAGS["USE_TABLE"]):
        found = answers_of(law, questions, flag)
        same(asked_of, found, wanted, f"{flag} under {law}")


@pytest.mark.parametrize("law", [LAWS[0], LAWS[6], LAWS[11]], ids=str)
def test_short_cuts_change_no_answer_of_longer_deals(law: Law) -> None:
    """Seven tricks, and whole deals with the table alone held to the search with everything."""
    cases = list(roots(law, "longer", {7: 18}))
    questions = [root.ask(VALUE) for root in cases]
    wanted = answers_of(law, questions, 0)
    same(cases, answers_of(law, questions), wanted, f"seven tricks under {law}")
    table_only = FLAGS["USE_TABLE"]
    cases = list(roots(law, "whole", {8: 54}))
    questions = [root.ask(asked) for root in cases for asked in (VALUE, CARDS)]
    asked_of = [root for root in cases for _ in range(2)]
    wanted = answers_of(law, questions, table_only)
    same(asked_of, answers_of(law, questions), wanted, f"whole deals under {law}")


@pytest.mark.parametrize("law", [LAWS[0], LAWS[7], LAWS[11]], ids=str)
def test_a_workspace_forgets_the_deal_before(law: Law) -> None:
    """Hundreds of deals from one workspace, more than the table has generations."""
    cases = [root for root in roots(law, "generations", {4: 900}) if not root.trick]
    questions = [root.ask(VALUE) for root in cases]
    assert len(questions) > 256 / 2
    together = answers_of(law, questions)
    alone = np.concatenate([answers_of(law, [one]) for one in questions])
    same(cases, together, alone, "after other deals")
    assert (together["cards_searched"] == alone["cards_searched"]).all()
    order = random.Random(1).sample(range(len(questions)), len(questions))
    shuffled = answers_of(law, [questions[i] for i in order])
    same([cases[i] for i in order], shuffled, together[order], "in another order")


@pytest.mark.parametrize("law", [LAWS[0], LAWS[7], LAWS[11]], ids=str)
def test_leaders_share_a_table(law: Law) -> None:
    """Questions about one deal and trump use one table; the answers are those of each alone."""
    cases = [
        Root(root.hands, root.trump, leader)
        for root in roots(law, "leaders", {5: 48})
        if not root.trick
        for leader in range(4)
    ]
    questions = [root.ask(asked) for root in cases for asked in (VALUE, NS_SWEEP, EW_SWEEP)]
    together = answers_of(law, questions)
    alone = np.concatenate([answers_of(law, [one]) for one in questions])
    same([root for root in cases for _ in range(3)], together, alone, "with a shared table")
    assert together["cards_searched"].sum() < alone["cards_searched"].sum()


@pytest.mark.parametrize("name", FLAGS)
@pytest.mark.parametrize("suit", [True, False], ids=["a trump suit", "none, or all"])
def test_each_short_cut_saves_work(name: str, suit: bool) -> None:
    """On fixed deals, beside all others and alone: a rule that saves nothing may as well go."""
    law = LAWS[0]
    cases = [root for root in roots(law, "cost", {6: 288}) if (root.trump < 4) == suit]
    questions = [root.ask(VALUE, may_sweep=0) for root in cases]

    def cost(pruning: int) -> int:
        return int(answers_of(law, questions, pruning)["cards_searched"].sum())

    flag = FLAGS[name]
    assert cost(EVERY_PRUNING) < cost(EVERY_PRUNING & ~flag)
    assert cost(flag) < cost(0)


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_turning_the_seats_changes_nothing(law: Law) -> None:
    """Everything one seat on: what NS took EW now takes."""
    cases = list(roots(law, "turning", {4: 36, 6: 18}))
    turned = [
        Root(root.hands[-by:] + root.hands[:-by], root.trump, (root.leader + by) % 4, root.trick)
        for root in cases
        for by in (1, 2, 3)
    ]
    first = answers_of(law, [root.ask(CARDS) for root in cases])
    other = answers_of(law, [root.ask(CARDS) for root in turned])
    for i, root in enumerate(cases):
        before = card_payoffs(first[i], 90)
        for by in (1, 2, 3):
            after = card_payoffs(other[3 * i + by - 1], 90)
            swapped = {card: root.total - value for card, value in after.items()}
            assert before == (after if by == 2 else swapped), (root, by)


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_the_names_of_suits_do_not_matter(law: Law) -> None:
    """Suits exchanged, the trump suit among them: each card is worth what its twin was."""
    rng = random.Random(f"names {law}")
    cases = list(roots(law, "names", {4: 36, 6: 18}))
    renamings = [rng.sample(range(4), 4) for _ in cases]

    def rename(card: int, names: list[int]) -> int:
        return 8 * names[card // 8] + card % 8

    renamed = [
        Root(
            tuple(set_of([rename(card, names) for card in cards_of(hand)]) for hand in root.hands),
            names[root.trump] if root.trump < 4 else root.trump,
            root.leader,
            tuple(rename(card, names) for card in root.trick),
        )
        for root, names in zip(cases, renamings, strict=True)
    ]
    first = answers_of(law, [root.ask(CARDS) for root in cases])
    other = answers_of(law, [root.ask(CARDS) for root in renamed])
    for root, names, before, after in zip(cases, renamings, first, other, strict=True):
        expected = {rename(card, names): v for card, v in card_payoffs(before, 90).items()}
        assert card_payoffs(after, 90) == expected, (root, names)


def test_partner_must_ruff_in_the_deals_made_for_it() -> None:
    """The special deals are what they are made for: a master of the leader is ruffed by partner."""
    rng = random.Random(0)
    n_ruffed = 0
    for _ in range(200):
        hands = Root(partner_must_ruff(rng, 0, 4), 0, 0).hands
        for card in cards_of(hands[0]):
            west = legal_cards(hands[1], (card,), 0, LAWS[0])
            follows = next(cards_of(west))
            partner = legal_cards(hands[2], (card, follows), 0, LAWS[0])
            if suit_of(card) != 0 and suit_of(follows) == suit_of(card) and partner >> 8 == 0:
                n_ruffed += card_strength(card, 0) == 7
    assert n_ruffed > 100
