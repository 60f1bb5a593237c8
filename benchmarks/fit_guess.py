"""Fit what each card is worth to the side that holds it: the search's first guess of a value.

    python benchmarks/fit_guess.py

Least squares on random deals with N to lead, a fit for each kind of contract, printed as
``pilotta_solver/engine/guess.py`` has it, with what it leaves unexplained.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

if not __package__:
    # Run as a file: fit the checkout that it stands in.
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pilotta_solver import load_ruleset, solve_many, worlds
from pilotta_solver.cards import (
    ALL_TRUMP,
    CARD_POINTS_TOTAL,
    N_RANKS,
    NO_TRUMP,
    PLAIN_STRENGTH,
    TRUMP_STRENGTH,
)

Floats = npt.NDArray[np.float64]


def held_by_leaders(
    hands: npt.NDArray[np.uint32], suits: list[int], strength: tuple[int, ...]
) -> Floats:
    """Return cards of each strength held by N and S less those held by W and E, shape (n, 8)."""
    side = np.array([1, -1, 1, -1])
    columns = [
        sum(((hands >> np.uint32(8 * suit + strength.index(place))) & 1) @ side for suit in suits)
        for place in range(N_RANKS)
    ]
    return np.column_stack(columns).astype(float)


def fit(trump: int, n_deals: int, seed: int) -> tuple[Floats, float, float]:
    """Return the worth of each card by lane and strength, that of leading, and the residual s.d."""
    hands = worlds(0, 0, n_deals, seed=seed)
    rules = load_ruleset("tsaka", {"capot_points": CARD_POINTS_TOTAL})
    values = solve_many(hands, trump, 0, rules).astype(float)
    if trump in (NO_TRUMP, ALL_TRUMP):
        strength = TRUMP_STRENGTH if trump == ALL_TRUMP else PLAIN_STRENGTH
        features = [held_by_leaders(hands, [0, 1, 2, 3], strength)]
    else:
        plain = [suit for suit in range(4) if suit != trump]
        features = [
            held_by_leaders(hands, plain, PLAIN_STRENGTH),
            held_by_leaders(hands, [trump], TRUMP_STRENGTH),
        ]
    columns = np.column_stack([*features, np.ones(n_deals)])
    worth, *_ = np.linalg.lstsq(columns, values - CARD_POINTS_TOTAL / 2, rcond=None)
    residual: Floats = values - CARD_POINTS_TOTAL / 2 - columns @ worth
    lanes = worth[:-1].reshape(-1, N_RANKS).astype(np.float64)
    return lanes, float(worth[-1]), float(residual.std())


def main() -> None:
    """Fit the three kinds of contract and print them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=6_000, help="deals a contract")
    parser.add_argument("--seed", type=int, default=99)
    options = parser.parse_args()
    for name, trump in (("trump suit", 0), ("no trump", NO_TRUMP), ("all trump", ALL_TRUMP)):
        worth, lead, residual = fit(trump, options.deals, options.seed + trump)
        print(f"{name}: lead {lead:.1f}, unexplained s.d. {residual:.1f} points")
        for lane in worth:
            print("   ", [round(value) for value in lane.tolist()])


if __name__ == "__main__":
    main()
