"""A position to solve, and its answer in the forms that are written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pilotta_cli.stream import Row
from pilotta_solver.errors import PilottaError

if TYPE_CHECKING:
    from pilotta_solver.deal import Deal, Position
    from pilotta_solver.double_dummy import Solution
    from pilotta_solver.ruleset import Ruleset


@dataclass(frozen=True)
class Task:
    """A position to solve: a deal, its contract, and the cards played from its start."""

    deal: Deal
    trump: int
    leader: int
    played: tuple[int, ...] = ()
    with_cards: bool = False


@dataclass(frozen=True)
class Solved:
    """A position with its exact result, and the NS value after each legal card if asked for."""

    task: Task
    position: Position
    solution: Solution
    cards: dict[int, int] | None

    def as_dict(self) -> dict[str, Any]:
        """The answer as JSON has it."""
        from pilotta_solver.deal import SEATS, SIDES
        from pilotta_solver.notation import format_card, format_deal, format_trump

        answer: dict[str, Any] = {
            "deal": format_deal(self.task.deal),
            "trump": format_trump(self.task.trump),
            "leader": SEATS[self.task.leader],
            "card_points": dict(zip(SIDES, self.solution.card_points, strict=True)),
            "value": dict(zip(SIDES, self.solution.value, strict=True)),
            "capot": self.solution.capot,
        }
        if self.cards is not None:
            answer["cards"] = {format_card(card): value for card, value in self.cards.items()}
        return answer

    def row(self, rules: Ruleset) -> dict[str, Any]:
        """The answer as a row of `parquet.SOLVE`."""
        from pilotta_solver import __version__
        from pilotta_solver.notation import format_cards

        answer = self.as_dict()
        cards = answer.pop("cards", None)
        for key in ("card_points", "value"):
            for side, points in answer.pop(key).items():
                answer[f"{key}_{side}"] = points
        return {
            "rules": rules.name,
            "version": __version__,
            "played": format_cards(self.task.played),
            "cards": None if cards is None else json.dumps(cards),
            **answer,
        }


def solve_task(task: Task, rules: Ruleset) -> Solved:
    """Solve one position.

    Raises
    ------
    PlayError
        If one of the cards played is not legal.
    """
    from pilotta_solver import double_dummy
    from pilotta_solver.rules import replay

    position = replay(task.deal, task.trump, task.leader, task.played, rules.law)
    solution = double_dummy.solve(position, rules=rules)
    cards = double_dummy.solve_cards(position, rules=rules) if task.with_cards else None
    return Solved(task, position, solution, cards)


def solve_row(row: Row, rules: Ruleset, with_cards: bool, tongue: str = "en") -> Solved:
    """Parse and solve one row of a file, whose cards are named in the tongue given.

    Raises
    ------
    PilottaError
        Of the kind that the row deserves; the message begins with file and line.
    """
    from pilotta_solver.notation import parse_cards, parse_deal, parse_seat, parse_trump

    try:
        contract = parse_trump(row.trump, tongue), parse_seat(row.leader)
        deal, played = parse_deal(row.deal, tongue), parse_cards(row.played, tongue)
        task = Task(deal, *contract, played, with_cards)
        return solve_task(task, rules)
    except PilottaError as error:
        raise type(error)(f"{row.where}: {error}") from error
