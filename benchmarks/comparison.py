"""This solver's values and colver's, held against each other; and who is right where they differ.

The value of a card is the best of the values one card later, for whoever is then to move. Where
colver gives a card another value than its own answers one card later make it, it is wrong by its
own account. From a disputed card on, along cards that the two value differently, such a place must
come if this solver is right, since at the end of a deal both can only count points.
"""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.deals import Deals, deal_of
from benchmarks.jobs import N_SUITS, DisagreementError, EngineJob, card_values, format_values
from benchmarks.rival import CAPOT_POINTS, RULES, EveryCard, FourTrumps, Scores
from pilotta_solver import rules, solve_cards
from pilotta_solver.cards import CARD_POINTS_TOTAL
from pilotta_solver.deal import Position
from pilotta_solver.engine.solve import answer
from pilotta_solver.notation import format_card, format_cards
from pilotta_solver.questions import position_questions
from pilotta_solver.workers import new_workspace


@dataclass(frozen=True)
class Compared:
    """How many values were compared, how many were equal, and proof for each deal with others."""

    values: int
    equal: int
    rival_errors: tuple[str, ...] = ()


def compare_trumps(deals: Deals, own: EngineJob, rival: FourTrumps) -> Compared:
    """Compare the values of deals in four suits.

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
    n = N_SUITS * len(rival)
    return Compared(n, n)


def compare_cards(deals: Deals, own: EngineJob, rival: EveryCard) -> Compared:
    """Compare the values of every card of the first lead.

    Raises
    ------
    DisagreementError
        At the first deal with two values for one card, unless it is proved that colver is wrong;
        the message names the deal.
    """
    n_values, n_equal, errors = 0, 0, []
    for item in range(len(rival)):
        question = own.item(item)[0]
        theirs = rival.values(item)
        ours = {
            card: max(0, _with_capot(points, int(question["card_sweeps"][card])))
            for card, points in card_values(question).items()
        }
        n_values += len(ours)
        n_equal += sum(theirs.get(card) == value for card, value in ours.items())
        if ours == theirs:
            continue
        told = (
            f"{deals.describe(item)}, {RULES.name}: colver {format_values(theirs)}; "
            f"pilotta-solver {format_values(ours)}"
        )
        root = rules.start(
            deal_of(deals.hands[item]), int(deals.trump[item]), int(deals.leader[item])
        )
        proof = rival_contradiction(root, rival.scores(item))
        if not proof or not is_confirmed(root, _differing(ours, theirs)):
            raise DisagreementError(told)
        errors.append(f"{told}; {proof}")
    return Compared(n_values, n_equal, tuple(errors))


def rival_contradiction(position: Position, scores: Scores) -> str:
    """Return where colver contradicts itself, in words; "" where it does not.

    Parameters
    ----------
    position
        A position in which it gives some cards other values than this solver does.
    scores
        Its NS points by card, after the cards played from that position on.
    """
    played: list[int] = []
    theirs = scores(played)
    while disputed := _differing(_own_scores(position), theirs):
        for card in disputed:
            later = rules.play(position, card, RULES.law)
            if later.is_over:
                return f"colver cannot count {format_cards([*played, card])}"
            after = scores([*played, card])
            best = (max, min)[later.to_move & 1](after.values())
            if best != theirs[card]:
                so_far = f"after {format_cards(played)} " if played else ""
                return (
                    f"{so_far}colver says {format_card(card)}={theirs[card]}, but a card later "
                    f"{format_values(after)}, which makes it {best}"
                )
        position = rules.play(position, disputed[0], RULES.law)
        played.append(disputed[0])
        theirs = scores(played)
    return ""


def is_confirmed(position: Position, cards: list[int]) -> bool:
    """Tell whether a search without any pruning gives cards the values that are disputed."""
    ours = _own_scores(position)
    workspace = new_workspace(RULES.law)
    workspace["pruning"] = 0
    for card in cards:
        later = rules.play(position, card, RULES.law)
        question = position_questions([later], RULES)
        answer(workspace, question)
        points = later.points[0] + int(question["value"][0])
        if max(0, _with_capot(points, int(question["sweep"][0]))) != ours.get(card):
            return False
    return True


def _own_scores(position: Position) -> dict[int, int]:
    """Return this solver's NS values by card on colver's scale: a capot is 252 or 0."""
    values = solve_cards(position, rules=RULES)
    return {card: max(0, value) for card, value in values.items()}


def _differing(ours: dict[int, int], theirs: dict[int, int]) -> list[int]:
    """Return the cards with two values; none where the two do not even see the same cards."""
    if ours.keys() != theirs.keys():
        return []
    return [card for card, value in ours.items() if theirs[card] != value]


def _with_capot(points: int, sweep: int) -> int:
    """Return the NS value from NS points and the side that sweeps (1 NS, 2 EW, 0 none)."""
    bonus = CAPOT_POINTS - CARD_POINTS_TOTAL
    return points + {0: 0, 1: bonus, 2: -bonus}[sweep]
