"""The questions whose cost is measured, put to the engine one item at a time.

The engine is asked directly, with a workspace that lives as long as the job, so that a time is
that of the search and not of checking arrays and of making room for a table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.deals import N_SEATS, Deals
from pilotta_solver.cards import SUITS
from pilotta_solver.engine.solve import AT_LEAST, CARDS, NO_VALUE, answer
from pilotta_solver.notation import format_card
from pilotta_solver.questions import deal_questions
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.workers import new_workspace

Questions = npt.NDArray[np.void]
N_SUITS = len(SUITS)


class DisagreementError(Exception):
    """Two solvers, or a solver and a known value, that give one position two values."""


class EngineJob:
    """Questions to the engine, ``per_item`` of them an item; the answers stay in ``questions``."""

    def __init__(self, questions: Questions, workspace: Any, per_item: int = 1) -> None:
        self.questions = questions
        self.workspace = workspace
        self.per_item = per_item

    def __len__(self) -> int:
        return len(self.questions) // self.per_item

    def item(self, item: int) -> Questions:
        """Return the questions of one item."""
        return self.questions[item * self.per_item : (item + 1) * self.per_item]

    def run(self, item: int) -> None:
        """Have the engine answer one item."""
        answer(self.workspace, self.item(item))

    def run_all(self) -> None:
        """Have the engine answer everything."""
        answer(self.workspace, self.questions)

    def cards(self, item: int) -> int:
        """Return the cards searched for one item."""
        return int(self.item(item)["cards_searched"].sum())


def one_value(deals: Deals, rules: Ruleset, workspace: Any = None) -> EngineJob:
    """Ask the exact value of each deal."""
    return EngineJob(_questions(deals, rules), _workspace(workspace, rules))


def at_least(deals: Deals, threshold: int, rules: Ruleset, workspace: Any = None) -> EngineJob:
    """Ask whether NS takes at least ``threshold`` points."""
    questions = _questions(deals, rules)
    questions["asked"] = AT_LEAST
    questions["threshold"] = threshold
    return EngineJob(questions, _workspace(workspace, rules))


def every_card(deals: Deals, rules: Ruleset, workspace: Any = None) -> EngineJob:
    """Ask the exact value of every card of the first lead."""
    questions = _questions(deals, rules)
    questions["asked"] = CARDS
    return EngineJob(questions, _workspace(workspace, rules))


def four_leaders(deals: Deals, rules: Ruleset, workspace: Any = None) -> EngineJob:
    """Ask the exact value of each deal and contract by all four leaders."""
    questions = np.repeat(_questions(deals, rules), N_SEATS)
    questions["leader"] = np.tile(np.arange(N_SEATS), len(deals))
    return EngineJob(questions, _workspace(workspace, rules), N_SEATS)


def four_trumps(deals: Deals, rules: Ruleset, workspace: Any = None) -> EngineJob:
    """Ask the exact value of each deal in all four suits."""
    questions = np.repeat(_questions(deals, rules), N_SUITS)
    questions["trump"] = np.tile(np.arange(N_SUITS), len(deals))
    return EngineJob(questions, _workspace(workspace, rules), N_SUITS)


def card_values(question: np.void) -> dict[int, int]:
    """Return NS points by card that may be played."""
    values = question["card_values"]
    return {int(card): int(values[card]) for card in np.flatnonzero(values != NO_VALUE)}


def format_values(values: dict[int, int]) -> str:
    """Write values by card, as in ``SJ=74 HK=70``."""
    return " ".join(f"{format_card(card)}={value}" for card, value in values.items())


def _questions(deals: Deals, rules: Ruleset) -> Questions:
    return deal_questions(deals.hands, deals.trump, deals.leader, rules)


def _workspace(workspace: Any, rules: Ruleset) -> Any:
    return new_workspace(rules.law) if workspace is None else workspace
