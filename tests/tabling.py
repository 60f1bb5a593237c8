"""Datasets for bidding tables that cost nothing: real hands, and values made up from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from pilotta_solver import load_ruleset, worlds
from pilotta_solver.cards import TRUMP_POINTS, TRUMPS
from pilotta_solver.datasets.results import Results
from pilotta_solver.datasets.simulation import Simulation
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.tables import Table


def made_up(
    n: int,
    seed: int,
    trumps: tuple[int, ...] = (0, 1, 2, 3),
    *,
    rules: Ruleset | None = None,
    leader: int = 0,
    part_size: int = 64,
) -> Table:
    """A dataset of n deals: N and S make more with better trumps, and something else by chance."""
    rules = load_ruleset() if rules is None else rules
    simulation = Simulation(seed, rules, trumps, leader)
    hands = worlds(0, 0, n, seed)
    rng = np.random.default_rng(seed)
    values = np.empty((n, len(trumps)), np.int16)
    for column, trump in enumerate(trumps):
        held = np.zeros(n)
        for rank, points in enumerate(TRUMP_POINTS):
            card = np.uint32(1 << 8 * (trump % 4) + rank)
            held += points * ((hands[:, 0] | hands[:, 2]) & card > 0)
        value = np.clip(np.rint(2.0 * held + 19 + rng.normal(0, 25, n)), 0, 162)
        sweep, swept = rules.capot_points, 162 - rules.capot_points
        values[:, column] = np.where(value == 162, sweep, np.where(value == 0, swept, value))
    every = simulation.columns(np.arange(n), hands, Results.of_values(trumps, values))

    def batches(names: Iterable[str]) -> Iterator[dict[str, Any]]:
        wanted = tuple(names)
        for first in range(0, n, part_size):
            yield {name: every[name][first : first + part_size] for name in wanted}

    metadata = dict(simulation.settings())
    metadata["contracts"] = "".join(TRUMPS[trump] for trump in trumps)
    return Table("deals", "dataset", simulation.schema, metadata, n, n, batches)
