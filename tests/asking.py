"""Asking the engine directly, with its short cuts on or off; used by several files of tests."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pilotta_solver import Law
from pilotta_solver.engine import workspace as engine_workspace
from pilotta_solver.engine.solve import NO_VALUE, QUESTION, answer
from pilotta_solver.engine.workspace import EVERY_PRUNING, new_workspace
from pilotta_solver.ruleset import Undertrump

UNDERTRUMP: tuple[Undertrump, ...] = ("must", "may", "forbidden")
LAWS = [
    Law(exempt, undertrump, beat)
    for exempt, undertrump, beat in itertools.product((False, True), UNDERTRUMP, (True, False))
]
"""All twelve laws of play; the first is that of Pilotta."""

FLAGS = {name: flag for name, flag in vars(engine_workspace).items() if name.startswith("USE_")}
"""The search's short cuts, whatever they are: a new one is tested as soon as it has a flag."""


class AnyLaw(Protocol):
    """The library's law or the naive solver's."""

    @property
    def partner_exempt(self) -> bool: ...
    @property
    def undertrump(self) -> str: ...
    @property
    def beat_trump_lead(self) -> bool: ...


def question(
    hands: Sequence[int],
    trump: int,
    leader: int,
    asked: int,
    *,
    trick: Sequence[int] = (),
    may_sweep: int = 0,
    threshold: int = 0,
) -> np.void:
    """One question, its answer not yet filled in."""
    record: np.void = np.zeros(1, QUESTION)[0]
    record["hands"] = hands
    record["trump"] = trump
    record["leader"] = leader
    record["trick"] = [*trick] + [-1] * (3 - len(trick))
    record["may_sweep"] = may_sweep
    record["asked"] = asked
    record["threshold"] = threshold
    return record


def workspace_of(law: AnyLaw, pruning: int = EVERY_PRUNING) -> npt.NDArray[np.void]:
    undertrump = ("must", "may", "forbidden").index(law.undertrump)
    return new_workspace(law.partner_exempt, undertrump, law.beat_trump_lead, pruning)


def answers_of(
    law: AnyLaw, questions: Sequence[np.void], pruning: int = EVERY_PRUNING
) -> npt.NDArray[np.void]:
    """Answers to all the questions from one workspace, as a long run has them."""
    answers = np.array(questions, dtype=QUESTION)
    answer(workspace_of(law, pruning), answers)
    return answers


def payoff(points: int, sweep: int, bonus: int) -> int:
    """NS points with the bonus of a sweep (1 by NS, 2 by EW)."""
    return int(points) + bonus * (int(sweep == 1) - int(sweep == 2))


def card_payoffs(answered: np.void, bonus: int = 0) -> dict[int, int]:
    """NS value by card, of an answer to what every card is worth."""
    values, sweeps = answered["card_values"], answered["card_sweeps"]
    return {
        int(card): payoff(values[card], sweeps[card], bonus)
        for card in np.flatnonzero(values != NO_VALUE)
    }
