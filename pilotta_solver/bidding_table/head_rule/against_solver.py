"""Ways to bid beside the solver itself: what their calls cost on the sheet, by its own worlds.

Each hand is given to `advice.advise` twice, with two seeds. The solver's call is the best on the
worlds of the first, and all calls, its own too, are valued on those of the second: else the best of
many noisy means would flatter the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pilotta_solver.advice.advise import Advice, advise
from pilotta_solver.bidding_table.head_rule.calls import Hands, Places, Way
from pilotta_solver.ruleset import Ruleset

Call = tuple[int, int]
"""A trump and a level; (0, 0) is a pass."""

PASS: Call = (0, 0)


@dataclass(frozen=True)
class WayBesideSolver:
    """What a way to bid costs against the solver.

    Attributes
    ----------
    name : str
        The way.
    n_hands : int
        Hands.
    p_bids : float
        Share of the hands with which it bids.
    p_differs : float
        Share of the hands in which the solver calls otherwise.
    p_costs : float
        Share of the hands in which its call costs more than half a point on the sheet.
    costs : float
        Mean cost of a hand on the sheet: the solver's call less its own.
    costs_error : float
        Its standard error.
    """

    name: str
    n_hands: int
    p_bids: float
    p_differs: float
    p_costs: float
    costs: float
    costs_error: float


@dataclass(frozen=True)
class BesideSolver:
    """The trial and how it was made.

    Attributes
    ----------
    n_worlds : int
        Worlds of each of the two answers to a hand.
    seed : int
        The seeds are this number and those that follow, two a hand.
    sheet : float
        Mean sheet difference of a hand with the solver's calls.
    p_agrees : float
        Share of the hands in which the solver calls the same on the worlds of both seeds: its
        calls are a little uncertain too.
    ways : tuple of WayBesideSolver
        The ways.
    """

    n_worlds: int
    seed: int
    sheet: float
    p_agrees: float
    ways: tuple[WayBesideSolver, ...]


def against_solver(
    ways: Mapping[str, Way],
    hands: Hands,
    places: Places,
    rules: Ruleset,
    *,
    n_worlds: int,
    seed: int = 1,
    jobs: int | None = None,
    progress: Callable[[int, int | None], None] | None = None,
) -> BesideSolver:
    """Bid hands in several ways, and with the solver.

    Parameters
    ----------
    ways : mapping
        The ways by name.
    hands, places : numpy.ndarray
        Own cards and place in the order of play, (n,).
    rules : Ruleset
        The ruleset.
    n_worlds : int
        Worlds of each answer of the solver.
    seed : int
        Where the seeds begin.
    jobs : int, optional
        Threads; the result does not depend on them.
    progress : callable, optional
        Called with the hands done, and their number.
    """
    n = len(hands)
    own, told, agrees = np.zeros(n), [], np.zeros(n, np.bool_)
    for number, (hand, place) in enumerate(zip(hands, places, strict=True)):
        chosen, valued = (
            _values(
                advise(
                    int(hand),
                    seat=int(place) + 1,
                    n_worlds=n_worlds,
                    show_worlds=0,
                    model="dd",
                    seed=seed + 2 * number + time,
                    rules=rules,
                    jobs=jobs,
                )
            )
            for time in range(2)
        )
        best = max(chosen, key=lambda call: (chosen[call], call == PASS))
        own[number] = valued[best]
        agrees[number] = best == max(valued, key=lambda call: (valued[call], call == PASS))
        told.append((best, valued))
        if progress is not None:
            progress(number + 1, n)
    results = []
    for name, way in ways.items():
        calls = way(hands, places)
        made = [
            (int(trump), int(level)) if level else PASS
            for trump, level in zip(calls.trump, calls.level, strict=True)
        ]
        costs = np.array(
            [valued[best] - valued[call] for (best, valued), call in zip(told, made, strict=True)]
        )
        differs = [best != call for (best, _), call in zip(told, made, strict=True)]
        results.append(_result(name, calls.level > 0, np.array(differs), costs))
    return BesideSolver(n_worlds, seed, float(own.mean()), float(agrees.mean()), tuple(results))


def _values(advice: Advice) -> dict[Call, float]:
    """The mean sheet difference of every call that an answer knows; the lower levels first."""
    bids = {
        (contract.trump, level.bid): level.sheet
        for contract in advice.contracts
        for level in contract.levels
    }
    return {PASS: 0.0, **bids}


def _result(
    name: str,
    bids: npt.NDArray[np.bool_],
    differs: npt.NDArray[np.bool_],
    costs: npt.NDArray[np.float64],
) -> WayBesideSolver:
    return WayBesideSolver(
        name=name,
        n_hands=len(costs),
        p_bids=float(bids.mean()),
        p_differs=float(differs.mean()),
        p_costs=float((costs > 0.5).mean()),
        costs=float(costs.mean()),
        costs_error=float(costs.std(ddof=1) / np.sqrt(len(costs))),
    )
