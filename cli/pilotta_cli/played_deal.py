"""A deal that four players have played, with what it came to, in the forms that are written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pilotta_solver.deal import Deal
    from pilotta_solver.game import PlayedDeal
    from pilotta_solver.ruleset import Ruleset
    from pilotta_solver.table_play.account import Account
    from pilotta_solver.table_play.information import Goal
    from pilotta_solver.table_play.outlook import Aim
    from pilotta_solver.table_play.self_play import SelfPlay


@dataclass(frozen=True)
class PlayedByFour:
    """A deal played out, and everything that is told of it.

    Attributes
    ----------
    deal, trump, leader, goal, aim, n_worlds, seed, rules
        What was played, and how.
    played
        The cards and decisions.
    account
        The double dummy value after each card.
    outcome
        Declarations, belote and the rest of the score, from the declarers' side where the contract
        is known and from NS's otherwise.
    """

    deal: Deal
    trump: int
    leader: int
    goal: Goal | None
    aim: Aim
    n_worlds: int
    seed: int
    rules: Ruleset
    played: SelfPlay
    account: Account
    outcome: PlayedDeal

    @property
    def total(self) -> int | None:
        """The declarers' total, which the bid is held against; None without a contract."""
        from pilotta_solver.scoring import totals

        return None if self.goal is None else totals(self.outcome.outcome, self.rules)[0]

    @property
    def is_made(self) -> bool | None:
        """Whether the contract was made; None without one."""
        from pilotta_solver.scoring import is_made

        if self.goal is None or self.total is None:
            return None
        return is_made(self.total, self.goal.level)

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        from pilotta_solver import __version__
        from pilotta_solver.deal import SEATS, SIDES
        from pilotta_solver.notation import format_deal, format_trump

        goal = self.goal
        return {
            "rules": self.rules.name,
            "version": __version__,
            "seed": self.seed,
            "deal": format_deal(self.deal),
            "trump": format_trump(self.trump),
            "leader": SEATS[self.leader],
            "declarer": None if goal is None else SEATS[goal.declarer],
            "level": None if goal is None else goal.level,
            "aim": self.aim,
            "n_worlds": self.n_worlds,
            "value_double_dummy": self.account.value,
            "value": self.played.value,
            "card_points": dict(zip(SIDES, self.played.points, strict=True)),
            "tricks_taken": dict(zip(SIDES, self.played.tricks, strict=True)),
            "declarations": self._by_side(self.outcome.outcome.declarations),
            "belote": self._by_side(self.outcome.outcome.belote),
            "total": self.total,
            "made": self.is_made,
            "lost": {seat: self.account.lost_by(place) for place, seat in enumerate(SEATS)},
            "tricks": [self._trick(number) for number in range(len(self.account.winners))],
        }

    def _by_side(self, pair: tuple[int, int]) -> dict[str, int]:
        """Return what the declarers and the defence have by side, NS first."""
        from pilotta_solver.deal import SIDES

        own = 0 if self.goal is None else self.goal.declarer & 1
        return {SIDES[0]: pair[own], SIDES[1]: pair[1 - own]}

    def _trick(self, number: int) -> dict[str, Any]:
        from pilotta_solver.deal import SEATS, SIDES
        from pilotta_solver.notation import format_card

        steps = self.account.steps[4 * number : 4 * number + 4]
        return {
            "trick": number + 1,
            "winner": SEATS[self.account.winners[number]],
            "points_so_far": dict(zip(SIDES, self.account.points[number], strict=True)),
            "cards": [
                {
                    "seat": SEATS[step.seat],
                    "card": format_card(step.card),
                    "value": step.value,
                    "lost": step.lost,
                }
                for step in steps
            ],
        }
