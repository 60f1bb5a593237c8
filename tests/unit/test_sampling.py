"""Worlds: held bit for bit to the same generator written plainly, and to what uniform means."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from plain_stream import GOLDEN_GAMMA, WORD, PlainStream, mixed
from scipy import stats

from pilotta_solver import DealError, parse_hand, worlds

HAND = parse_hand("J9AK.T8.A7.")


def plain_world(hand: int, seat: int, seed: int, number: int) -> list[int]:
    """The world as the documentation tells it: seat after seat draws from the cards left."""
    stream = PlainStream(seed, number)
    left = [card for card in range(32) if not hand >> card & 1]
    dealt = [0, 0, 0, 0]
    for seat_after in (1, 2, 3):
        for _ in range(8):
            card = left.pop(stream.below(len(left)))
            dealt[(seat + seat_after) % 4] |= 1 << card
    dealt[seat] = hand | sum(1 << card for card in left)
    return dealt


def test_splitmix64_itself() -> None:
    """The first words of the generator from seed 1234567, as its authors' C code prints them."""
    state, words = 1234567, []
    for _ in range(3):
        state = (state + GOLDEN_GAMMA) & WORD
        words.append(mixed(state))
    assert words == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def arguments() -> Iterator[tuple[int, int, int, int]]:
    rng = random.Random(3)
    for i in range(60):
        hand = sum(1 << card for card in rng.sample(range(32), 8)) if i % 4 else 0
        seed = rng.choice((0, 1, WORD, rng.getrandbits(64)))
        start = rng.choice((0, 1, 1000, rng.getrandbits(40)))
        yield hand, rng.randrange(4), seed, start


def test_bit_for_bit() -> None:
    for hand, seat, seed, start in arguments():
        found = worlds(hand, seat, 8, seed, start)
        wanted = [plain_world(hand, seat, seed, start + i) for i in range(8)]
        assert found.tolist() == wanted, (hand, seat, seed, start)


@pytest.mark.parametrize(
    ("hand", "number"), [(HAND, 77846810), (HAND, 109430391), (0, 30959384), (0, 67262310)]
)
def test_a_word_that_would_make_a_draw_uneven_is_thrown_away(hand: int, number: int) -> None:
    """Once in tens of millions of worlds; these were found by looking for them."""
    stream = PlainStream(1, number)
    n_left = 32 - hand.bit_count()
    words = {n: stream.word() for n in range(n_left, n_left - 24, -1)}
    assert any(word * n % 2**32 < 2**32 % n for n, word in words.items())
    assert worlds(hand, 0, 1, 1, number).tolist() == [plain_world(hand, 0, 1, number)]


def test_the_same_in_every_version() -> None:
    """A seed that someone wrote down must go on meaning the same worlds."""
    assert worlds(HAND, 0, 1, 1)[0].tolist() == [HAND, 336773160, 3814723584, 135013635]
    assert worlds(HAND, 0, 2, 1).tolist() == [plain_world(HAND, 0, 1, i) for i in range(2)]


def test_shape_and_type() -> None:
    hands = worlds(HAND, 2, 5, 9)
    assert hands.shape == (5, 4)
    assert hands.dtype == np.uint32


@pytest.mark.parametrize("seat", range(4))
def test_every_world_is_a_deal_with_the_hand_in_its_seat(seat: int) -> None:
    hands = worlds(HAND, seat, 500, 7)
    assert (hands[:, seat] == HAND).all()
    assert (np.bitwise_count(hands) == 8).all()
    assert (np.bitwise_or.reduce(hands, axis=1) == 0xFFFFFFFF).all()


def test_a_world_does_not_depend_on_where_the_run_starts() -> None:
    whole = worlds(HAND, 1, 100, 5)
    assert (worlds(HAND, 1, 40, 5, start=60) == whole[60:]).all()
    assert (worlds(HAND, 1, 1, 5, start=99) == whole[99:]).all()
    assert (worlds(HAND, 1, 1, 5) == whole[:1]).all()


def test_worlds_and_seeds_differ() -> None:
    rows = {tuple(row) for seed in range(50) for row in worlds(HAND, 0, 100, seed).tolist()}
    assert len(rows) == 5000


def test_no_hand_deals_all_four() -> None:
    hands = worlds(0, 0, 4000, 11)
    assert (np.bitwise_or.reduce(hands, axis=1) == 0xFFFFFFFF).all()
    assert (np.bitwise_count(hands) == 8).all()
    counts = card_counts(hands)
    # Each card falls to each seat in a quarter of the deals.
    assert_uniform(counts.ravel())


def card_counts(hands: np.ndarray) -> np.ndarray:
    """How often each seat (column) holds each card (row)."""
    return np.array([(hands >> np.uint32(card) & 1).sum(axis=0) for card in range(32)])


def assert_uniform(counts: np.ndarray) -> None:
    """Chi-square on a fixed seed; 1 in 10,000 by chance, and then for good."""
    assert stats.chisquare(counts).pvalue > 1e-4


def test_each_card_is_as_likely_in_each_unseen_seat() -> None:
    n = 30_000
    counts = card_counts(worlds(HAND, 0, n, 2))
    unseen = [card for card in range(32) if not HAND >> card & 1]
    assert counts[:, 0].sum() == 8 * n
    for card in unseen:
        assert counts[card, 0] == 0
        assert counts[card].sum() == n
    # Three seats, so two degrees of freedom a card; the cards of one seat hang together only
    # slightly, which makes the sum of the squares a little smaller than chi-square.
    expected = n / 3
    statistic = ((counts[unseen][:, 1:] - expected) ** 2 / expected).sum()
    freedom = 2 * len(unseen)
    assert stats.chi2.ppf(1e-4, freedom) < statistic < stats.chi2.ppf(1 - 1e-4, freedom)


@pytest.mark.parametrize(("low", "high"), [(1, 2), (1, 3), (2, 3)])
def test_pairs_of_cards_fall_together_as_often_as_they_should(low: int, high: int) -> None:
    """Two unseen cards in given seats: 8/24 of the cards, then 7/23 or 8/23 of the others."""
    n = 30_000
    hands = worlds(HAND, 0, n, 4)
    unseen = [card for card in range(32) if not HAND >> card & 1]
    rng = random.Random(low * 10 + high)
    for first, second in (rng.sample(unseen, 2) for _ in range(12)):
        here = (hands[:, low] >> np.uint32(first) & 1).astype(bool)
        there = (hands[:, high] >> np.uint32(second) & 1).astype(bool)
        along = (hands[:, low] >> np.uint32(second) & 1).astype(bool)
        for together, chance in ((here & there, 8 / 24 * 8 / 23), (here & along, 8 / 24 * 7 / 23)):
            assert stats.binomtest(int(together.sum()), n, chance).pvalue > 1e-5


def test_number_of_trumps_opposite_is_hypergeometric() -> None:
    n = 20_000
    hands = worlds(HAND, 0, n, 6)
    spades = np.bitwise_count(hands[:, 2] & np.uint32(0xFF))
    chances = stats.hypergeom(24, 4, 8).pmf(range(5))
    assert stats.chisquare(np.bincount(spades, minlength=5), n * chances).pvalue > 1e-4


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"hand": HAND ^ (HAND & -HAND)}, "7 cards"),
        ({"hand": HAND | 1}, "9 cards"),
        ({"hand": -1}, "cards"),
        ({"hand": 1 << 32}, "cards"),
        ({"seat": 4}, "seat 4"),
        ({"seat": -1}, "seat -1"),
        ({"n": 0}, "0 worlds"),
        ({"n": -3}, "-3 worlds"),
        ({"start": -1}, "-1"),
        ({"seed": -1}, "seed -1"),
        ({"seed": 1 << 64}, "seed 18446744073709551616"),
    ],
)
def test_errors_say_what_is_wrong(changes: dict[str, int], says: str) -> None:
    good = {"hand": HAND, "seat": 0, "n": 1, "seed": 1}
    with pytest.raises(DealError, match=says) as error:
        worlds(**(good | changes))
    assert "\n" not in str(error.value)
