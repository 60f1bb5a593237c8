"""A dataset of random deals has the distribution that an independent solver found.

The figures, and how far ours may differ, are those of `test_distribution`; here they come from the
columns of a dataset, as an analyst gets them.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from oracle.test_distribution import (
    MEAN,
    MEAN_ERROR,
    N_ERRORS,
    N_THEIRS,
    QUARTILES,
    SD,
    SHARE_AT_LEAST,
)

from pilotta_solver import load_ruleset
from pilotta_solver.datasets.simulation import Simulation, simulate
from pilotta_solver.figures import ContractFigures, figures_of
from pilotta_solver.tables import open_table

N_DEALS = 3000


@pytest.fixture(scope="module", params=["N", "W"])
def figures(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    """The figures of one trump, and the leader's side."""
    leader = "NW".index(request.param)
    folder = tmp_path_factory.mktemp("deals") / "d"
    simulation = Simulation(20240301 + leader, load_ruleset(), (leader,), leader)
    simulate(folder, simulation, N_DEALS, part_size=1000, jobs=1)
    (one,) = figures_of(open_table(str(folder)))
    return one, leader


def of_leaders_side(figures: tuple[ContractFigures, int]) -> np.ndarray:
    """Deals by the card points of the leader's side."""
    one, side = figures
    counts = np.array(one.counts)
    return counts if side == 0 else counts[::-1]


def error(share: float) -> float:
    return N_ERRORS * math.sqrt(share * (1 - share) * (1 / N_DEALS + 1 / N_THEIRS))


def test_mean(figures):
    counts = of_leaders_side(figures)
    mean = (counts * np.arange(len(counts))).sum() / N_DEALS
    tolerance = N_ERRORS * math.hypot(SD / math.sqrt(N_DEALS), MEAN_ERROR)
    assert mean == pytest.approx(MEAN, abs=tolerance)
    assert figures[0].mean_card_points == pytest.approx(mean if figures[1] == 0 else 162 - mean)


@pytest.mark.parametrize("least", SHARE_AT_LEAST)
def test_share_of_deals_at_least(figures, least):
    share = SHARE_AT_LEAST[least]
    ours = of_leaders_side(figures)[least:].sum() / N_DEALS
    assert ours == pytest.approx(share, abs=error(share))


@pytest.mark.parametrize("part", QUARTILES)
def test_quartiles(figures, part):
    below = np.cumsum(of_leaders_side(figures)) / N_DEALS
    assert below[QUARTILES[part] - 1] <= part + error(part)
    assert below[QUARTILES[part]] >= part - error(part)
