"""The other exact solver: colver, which plays French contrée, given the same deals.

Both solve the same question under the same law (`RULES`); `comparison` holds the answers against
each other. colver numbers seats in the order of play, as this project does, and suits too; its
ranks go 7 8 9 J Q K 10 A. It counts a capot as 252 for the side that has it and 0 for the other,
where this project gives the other side 162 less 252, so that both sides always sum to 162.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from benchmarks.deals import N_SEATS, Deals
from pilotta_solver import load_ruleset
from pilotta_solver.cards import CARD_POINTS_TOTAL, N_RANKS, RANKS, cards_of

CAPOT_POINTS = 252
RULES = load_ruleset("contree", {"capot_points": CAPOT_POINTS})

_RANKS = "789JQKTA"
_TO_RIVAL = tuple(_RANKS.index(rank) for rank in RANKS)
_FROM_RIVAL = tuple(RANKS.index(rank) for rank in _RANKS)
_LOWEST_BID, _NS, _NOT_DOUBLED = 80, 0, 0


def is_installed() -> bool:
    """Tell whether colver can be imported."""
    return find_spec("colver") is not None


def version() -> str:
    """Return the version of colver."""
    import colver

    return str(colver.__version__)


def to_rival(card: int) -> int:
    """Return colver's number of a card."""
    return card // N_RANKS * N_RANKS + _TO_RIVAL[card % N_RANKS]


def from_rival(card: int) -> int:
    """Return this project's number of a card of colver's."""
    return card // N_RANKS * N_RANKS + _FROM_RIVAL[card % N_RANKS]


def ns_value(ns_points: int, ew_points: int) -> int:
    """Return the NS value on this project's scale from colver's points of both sides."""
    return CARD_POINTS_TOTAL - CAPOT_POINTS if ew_points == CAPOT_POINTS else ns_points


Scores = Callable[[Sequence[int]], dict[int, int]]
"""A solver's NS points by card, in this project's numbers, after some cards have been played."""


class FourTrumps:
    """Its way to a value of a whole deal: one call gives those of all four trump suits."""

    def __init__(self, deals: Deals) -> None:
        self.environments = [_environment(deals, row) for row in range(len(deals))]
        self.answers: list[dict[str, Any]] = [{}] * len(deals)

    def __len__(self) -> int:
        return len(self.environments)

    def run(self, item: int) -> None:
        """Solve one deal."""
        self.answers[item] = self.environments[item].solve_all_suits()

    def cards(self, item: int) -> None:
        """Return None: colver does not tell."""

    def values(self, item: int) -> list[int]:
        """Return the NS value by trump suit, S H D C."""
        return [ns_value(ns, ew) for ns, ew in self.answers[item]["suits"]]


class EveryCard:
    """The values of every card of the first lead."""

    def __init__(self, deals: Deals) -> None:
        self.deals = deals
        self.environments = [_in_play(deals, row) for row in range(len(deals))]
        self.answers: list[dict[str, Any]] = [{}] * len(deals)

    def __len__(self) -> int:
        return len(self.environments)

    def run(self, item: int) -> None:
        """Solve one deal."""
        self.answers[item] = self.environments[item].solve_scores()

    def cards(self, item: int) -> None:
        """Return None: colver does not tell."""

    def values(self, item: int) -> dict[int, int]:
        """Return NS points by card, this project's numbers, ascending; a capot is 252 or 0."""
        return _scores(self.answers[item])

    def scores(self, item: int) -> Scores:
        """Return what answers for a deal after any cards played."""

        def after(played: Sequence[int]) -> dict[int, int]:
            environment = _in_play(self.deals, item)
            for card in played:
                environment.step(to_rival(card))
            return _scores(environment.solve_scores())

        return after


def _environment(deals: Deals, row: int) -> Any:
    """Return colver's state of a deal: its dealer sits before the leader."""
    import colver

    hands = [[to_rival(card) for card in cards_of(int(hand))] for hand in deals.hands[row]]
    return colver.Env.deal_with_hands((int(deals.leader[row]) - 1) % N_SEATS, hands)


def _in_play(deals: Deals, row: int) -> Any:
    """Return colver's state of a deal in its contract, the leader to play."""
    environment = _environment(deals, row)
    environment.set_contract(int(deals.trump[row]), _LOWEST_BID, _NS, _NOT_DOUBLED)
    environment.set_phase_playing()
    return environment


def _scores(answer: dict[str, Any]) -> dict[int, int]:
    return dict(sorted((from_rival(card), ns) for card, ns in answer["scores"]))
