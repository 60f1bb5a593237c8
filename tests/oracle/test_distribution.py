"""Uniform random deals have the distribution of values that an independent solver found.

That solver, written apart from this project, dealt its own uniform deals and solved each double
dummy under the Pilotta law with a trump suit, the sweep worth nothing more. It gave the mean of the
card points of the leader's side with a standard error of 0.3, hence some 19,400 deals, and the
other figures below from the same deals. Two samples of the same law differ by their sampling
errors, and here are allowed four standard errors of the difference.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from pilotta_solver import at_least_many, load_ruleset, solve_many, worlds

MEAN, MEAN_ERROR, SD = 86.59, 0.3, 41.8
N_THEIRS = round((SD / MEAN_ERROR) ** 2)
SHARE_AT_LEAST = {
    82: 0.549,
    92: 0.4665,
    102: 0.3846,
    112: 0.3024,
    122: 0.2287,
    132: 0.1598,
    142: 0.1046,
    152: 0.0602,
}
QUARTILES = {0.25: 55, 0.5: 88, 0.75: 119}

N_DEALS = 3000
N_ERRORS = 4
RULES = load_ruleset(overrides={"capot_points": 162})


@pytest.fixture(scope="module")
def deals() -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int_], npt.NDArray[np.int_]]:
    """Hands, trumps and leaders; every leader and suit in turn, though they cannot matter."""
    numbers = np.arange(N_DEALS)
    return worlds(0, seat=0, n=N_DEALS, seed=20240229), numbers % 4, numbers // 4 % 4


@pytest.fixture(scope="module")
def points(
    deals: tuple[npt.NDArray[np.uint32], npt.NDArray[np.int_], npt.NDArray[np.int_]],
) -> npt.NDArray[np.int64]:
    """Card points of the leader's side."""
    hands, trumps, leaders = deals
    values = solve_many(hands, trumps, leaders, RULES, jobs=1).astype(np.int64)
    return np.where(leaders % 2 == 0, values, 162 - values)


def share_error(share: float) -> float:
    """Standard error of the difference of two shares, ours and theirs."""
    return math.sqrt(share * (1 - share) * (1 / N_DEALS + 1 / N_THEIRS))


def test_mean(points: npt.NDArray[np.int64]) -> None:
    error = math.hypot(points.std() / math.sqrt(N_DEALS), MEAN_ERROR)
    assert points.mean() == pytest.approx(MEAN, abs=N_ERRORS * error)


def test_spread(points: npt.NDArray[np.int64]) -> None:
    # The variance of a sample variance is (m4 - m2 ** 2) / n, and sd = sqrt(variance).
    centred = points - points.mean()
    fourth, second = (centred**4).mean(), (centred**2).mean()
    n = 1 / (1 / N_DEALS + 1 / N_THEIRS)
    error = math.sqrt((fourth - second**2) / n) / (2 * math.sqrt(second))
    assert points.std() == pytest.approx(SD, abs=N_ERRORS * error + 0.05)


@pytest.mark.parametrize("least", SHARE_AT_LEAST)
def test_share_of_deals_at_least(points: npt.NDArray[np.int64], least: int) -> None:
    share = SHARE_AT_LEAST[least]
    assert (points >= least).mean() == pytest.approx(share, abs=N_ERRORS * share_error(share))


@pytest.mark.parametrize("part", QUARTILES)
def test_quartiles(points: npt.NDArray[np.int64], part: float) -> None:
    tolerance = N_ERRORS * share_error(part)
    assert (points < QUARTILES[part]).mean() <= part + tolerance
    assert (points <= QUARTILES[part]).mean() >= part - tolerance


def test_the_question_at_least_gives_the_same_share(
    deals: tuple[npt.NDArray[np.uint32], npt.NDArray[np.int_], npt.NDArray[np.int_]],
    points: npt.NDArray[np.int64],
) -> None:
    hands, trumps, leaders = deals
    for least in (82, 122):
        # EW reaches a number where NS does not take more than the rest.
        threshold = np.where(leaders % 2 == 0, least, 163 - least)
        ns_reaches = at_least_many(hands, trumps, leaders, threshold, RULES, jobs=1)
        reached = ns_reaches == (leaders % 2 == 0)
        assert (reached == (points >= least)).all()


def test_every_card_goes_somewhere(
    deals: tuple[npt.NDArray[np.uint32], npt.NDArray[np.int_], npt.NDArray[np.int_]],
) -> None:
    hands = deals[0]
    assert (np.bitwise_or.reduce(hands, axis=1) == 0xFFFFFFFF).all()
    assert (np.bitwise_count(hands) == 8).all()
