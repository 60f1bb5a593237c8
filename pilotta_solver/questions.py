"""What the engine is asked, checked, since it trusts its input; and what its answers mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import CARD_POINTS_TOTAL, N_RANKS, TRUMPS
from pilotta_solver.deal import SEATS, Position
from pilotta_solver.errors import DealError
from pilotta_solver.ruleset import Ruleset

Hands = npt.NDArray[np.uint32]

BOTH_SIDES = 3
"""Bits of the sides that may still sweep: 1 for NS, 2 for EW."""


def check_hands(hands: npt.ArrayLike) -> Hands:
    """Return ``hands`` as a contiguous (n, 4) uint32 array of deals.

    Raises
    ------
    DealError
        If the type or shape is wrong, or a row is no deal; the message names the row.
    """
    array = np.asarray(hands)
    if array.dtype != np.uint32 or array.ndim != 2 or array.shape[1] != len(SEATS):
        raise DealError(
            f"hands of type {array.dtype} and shape {array.shape}: give uint32 of shape (n, 4)"
        )
    sizes = np.bitwise_count(array)
    together = np.bitwise_or.reduce(array, axis=1)
    unequal = (sizes != sizes[:, :1]).any(axis=1) | (sizes[:, 0] < 1) | (sizes[:, 0] > N_RANKS)
    shared = np.bitwise_count(together) != sizes.sum(axis=1)
    wrong = np.flatnonzero(unequal | shared)
    if wrong.size:
        row = int(wrong[0])
        why = (
            f"hands of {', '.join(str(size) for size in sizes[row])} cards: give all four the "
            f"same number, 1 to {N_RANKS}"
            if unequal[row]
            else "two hands share a card: give every card to one hand only"
        )
        raise DealError(f"row {row} of hands: {why}")
    return np.ascontiguousarray(array)


def check_contracts(
    trump: npt.ArrayLike, leader: npt.ArrayLike, n: int
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """Return trumps and leaders, one a deal, from one index each or an array of n."""
    return (
        _indices(trump, "trump", TRUMPS, n),
        _indices(leader, "leader", SEATS, n),
    )


def check_thresholds(threshold: npt.ArrayLike, n: int) -> npt.NDArray[np.int64]:
    """Return whole thresholds, one a deal, from one number or an array of n."""
    array = np.asarray(threshold)
    if array.dtype.kind not in "iu" or array.shape not in ((), (n,)):
        raise DealError(
            f"threshold of type {array.dtype} and shape {array.shape}: "
            f"give a whole number of points, or {n} of them"
        )
    return np.broadcast_to(array.astype(np.int64), (n,))


def check_cost_array(cards_searched: npt.NDArray[np.int64] | None, shape: tuple[int, ...]) -> None:
    """Raise DealError unless the array to receive the cost fits."""
    if cards_searched is None:
        return
    if cards_searched.dtype != np.int64 or cards_searched.shape != shape:
        raise DealError(
            f"cards_searched of type {cards_searched.dtype} and shape {cards_searched.shape}: "
            f"give int64 of shape {shape}"
        )


def _indices(values: npt.ArrayLike, name: str, letters: str, n: int) -> npt.NDArray[np.int8]:
    array = np.asarray(values)
    if array.dtype.kind not in "iu" or array.shape not in ((), (n,)):
        raise DealError(
            f"{name} of type {array.dtype} and shape {array.shape}: give an index, or {n} of them"
        )
    if array.size and not 0 <= int(array.min()) <= int(array.max()) < len(letters):
        raise DealError(
            f"{name} {int(array.min())} to {int(array.max())}: it is 0 to {len(letters) - 1}, "
            f"for {', '.join(letters)}"
        )
    return np.broadcast_to(array.astype(np.int8), (n,))


def deal_questions(
    hands: Hands, trump: npt.NDArray[np.int8], leader: npt.NDArray[np.int8], rules: Ruleset
) -> npt.NDArray[np.void]:
    """Ask about deals from the first card on; a capot needs all eight tricks, hence 8 cards."""
    from pilotta_solver.engine.solve import QUESTION

    questions = np.zeros(len(hands), dtype=QUESTION)
    questions["hands"] = hands
    questions["trump"] = trump
    questions["leader"] = leader
    questions["trick"] = -1
    if rules.capot_points > CARD_POINTS_TOTAL:
        questions["may_sweep"] = BOTH_SIDES * (np.bitwise_count(hands[:, 0]) == N_RANKS)
    return questions


def position_questions(positions: Sequence[Position], rules: Ruleset) -> npt.NDArray[np.void]:
    """Ask about positions part-way through the play."""
    from pilotta_solver.engine.solve import QUESTION

    questions = np.zeros(len(positions), dtype=QUESTION)
    questions["trick"] = -1
    for question, position in zip(questions, positions, strict=True):
        question["hands"] = position.hands
        question["trump"] = position.trump
        question["leader"] = position.leader
        question["trick"][: len(position.trick)] = position.trick
        question["may_sweep"] = _may_sweep(position, rules)
    return questions


def _may_sweep(position: Position, rules: Ruleset) -> int:
    n_tricks = sum(position.tricks) + max(hand.bit_count() for hand in position.hands)
    if rules.capot_points <= CARD_POINTS_TOTAL or n_tricks != N_RANKS:
        return 0
    return sum(1 << side for side in range(2) if position.tricks[1 - side] == 0)


def with_capots(points: Any, sweep: Any, rules: Ruleset) -> Any:
    """NS value from NS points and the side that sweeps (1 NS, 2 EW, 0 none); arrays or ints."""
    bonus = rules.capot_points - CARD_POINTS_TOTAL
    return points + bonus * (np.equal(sweep, 1).astype(np.int16) - np.equal(sweep, 2))


def ask_at_least(
    workspace: Any,
    questions: npt.NDArray[np.void],
    thresholds: npt.NDArray[np.int64],
    rules: Ruleset,
) -> npt.NDArray[np.bool_]:
    """Answer in place; beyond 0 and 162 the value is decided by who sweeps."""
    from pilotta_solver.engine import solve as engine

    capot = rules.capot_points
    may_sweep = questions["may_sweep"] != 0
    questions["asked"] = engine.AT_LEAST
    questions["threshold"] = np.clip(thresholds, -capot, 2 * capot)
    questions["asked"][may_sweep & (thresholds > CARD_POINTS_TOTAL)] = engine.NS_SWEEP
    questions["asked"][may_sweep & (thresholds <= 0)] = engine.EW_SWEEP
    engine.answer(workspace, questions)
    yes: npt.NDArray[np.bool_] = questions["value"] != 0
    yes[questions["asked"] == engine.EW_SWEEP] ^= True
    yes[may_sweep & (thresholds > capot)] = False
    yes[may_sweep & (thresholds <= CARD_POINTS_TOTAL - capot)] = True
    return yes
