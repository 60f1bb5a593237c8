"""The other exact solver: colver, which plays French contrée, given the same deals.

Both solve the same question under the same law (`RULES`), and their answers are compared. colver
numbers seats in the order of play, as this project does, and suits too; its ranks go 7 8 9 J Q K
10 A. It counts a capot as 252 for the side that has it and 0 for the other, where this project
gives the other side 162 less 252, so that both sides always sum to 162.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from benchmarks.deals import N_SEATS, Deals
from benchmarks.jobs import N_SUITS, DisagreementError, EngineJob, card_values, format_values
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
        self.environments = [_environment(deals, row) for row in range(len(deals))]
        self.answers: list[dict[str, Any]] = [{}] * len(deals)
        for environment, trump in zip(self.environments, deals.trump, strict=True):
            environment.set_contract(int(trump), _LOWEST_BID, _NS, _NOT_DOUBLED)
            environment.set_phase_playing()

    def __len__(self) -> int:
        return len(self.environments)

    def run(self, item: int) -> None:
        """Solve one deal."""
        self.answers[item] = self.environments[item].solve_scores()

    def cards(self, item: int) -> None:
        """Return None: colver does not tell."""

    def values(self, item: int) -> dict[int, int]:
        """Return NS points by card, this project's numbers, ascending; a capot is 252 or 0."""
        return dict(sorted((from_rival(card), ns) for card, ns in self.answers[item]["scores"]))


def compare_trumps(deals: Deals, own: EngineJob, rival: FourTrumps) -> int:
    """Compare the values of deals in four suits and return how many there were.

    Raises
    ------
    DisagreementError
        At the first deal with two values; the message names it.
    """
    for item in range(len(rival)):
        theirs = rival.values(item)
        for trump, question in enumerate(own.item(item)):
            ours = _with_capot(int(question["value"]), int(question["sweep"]))
            if ours != theirs[trump]:
                raise DisagreementError(
                    f"{deals.describe(item, trump)}, {RULES.name}: "
                    f"colver {theirs[trump]}, pilotta-solver {ours}"
                )
    return N_SUITS * len(rival)


def compare_cards(deals: Deals, own: EngineJob, rival: EveryCard) -> int:
    """Compare the values of every card of the first lead and return how many there were.

    Raises
    ------
    DisagreementError
        At the first deal with two values for one card; the message names it.
    """
    compared = 0
    for item in range(len(rival)):
        question = own.item(item)[0]
        theirs = rival.values(item)
        ours = {
            card: max(0, _with_capot(points, int(question["card_sweeps"][card])))
            for card, points in card_values(question).items()
        }
        if ours != theirs:
            raise DisagreementError(
                f"{deals.describe(item)}, {RULES.name}: colver {format_values(theirs)}; "
                f"pilotta-solver {format_values(ours)}"
            )
        compared += len(ours)
    return compared


def _with_capot(points: int, sweep: int) -> int:
    """Return the NS value from NS points and the side that sweeps (1 NS, 2 EW, 0 none)."""
    bonus = CAPOT_POINTS - CARD_POINTS_TOTAL
    return points + {0: 0, 1: bonus, 2: -bonus}[sweep]


def _environment(deals: Deals, row: int) -> Any:
    """Return colver's state of a deal: its dealer sits before the leader."""
    import colver

    hands = [[to_rival(card) for card in cards_of(int(hand))] for hand in deals.hands[row]]
    return colver.Env.deal_with_hands((int(deals.leader[row]) - 1) % N_SEATS, hands)
