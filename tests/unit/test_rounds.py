from __future__ import annotations

import pytest

from pilotta_solver.advice.advise import advise
from pilotta_solver.advice.rounds import Plan, best_bid, solve_rounds
from pilotta_solver.advice.survey import Survey
from pilotta_solver.advice.valuation import Valuation
from pilotta_solver.errors import ConstraintError
from pilotta_solver.knowledge.auction_knowledge import player_view
from pilotta_solver.notation import parse_bid, parse_hand
from pilotta_solver.ruleset import load_ruleset
from pilotta_solver.stopping import Fixed, UpTo

RULES = load_ruleset()


def test_a_number_of_worlds_leaves_nothing_to_stop():
    plan = Plan.of(300, None, None, asked=True)
    assert plan.is_fixed
    assert (plan.n_solved, plan.solving, plan.deciding) == (300, Fixed(), Fixed())
    assert not plan.is_late()
    with pytest.raises(ConstraintError, match="leaves nothing to stop"):
        Plan.of(300, None, 5.0, asked=True)


def test_a_finer_precision_takes_more_of_everything():
    rough, usual, fine = (Plan.of(None, p, None, asked=True) for p in (10, None, 0.5))
    assert (rough.n_solved, usual.n_solved, fine.n_solved) == (128, 384, 3456)
    assert usual.deciding == UpTo.precise_to(0.015)
    assert (rough.precision, usual.precision, fine.precision) == (0.1, 0.015, 0.005)
    assert Plan.of(None, None, None, asked=False).n_solved == 1024


def test_time_alone_aims_at_no_precision():
    plan = Plan.of(None, None, 1e-9, asked=True)
    assert plan.precision is None
    assert plan.is_late()
    assert Plan.of(None, 2.0, 60.0, asked=True).precision == 0.02
    assert not Plan.of(None, None, 60.0, asked=True).is_late()


def rounds(hand: str, calls: str = "", question: str | None = None) -> dict[int, int]:
    """Solve in rounds, and return the number of worlds of each suit."""
    view = player_view(RULES, auction=calls, system="none")
    own = view.seat % 2
    survey = Survey(parse_hand(hand), view.seat, view.knowledge, 1, RULES)
    valuation = Valuation(survey, own, RULES, view.standing)
    plan = Plan.of(None, None, None, asked=question is not None)
    keys = [(own, trump) for trump in range(4)]
    needed = []
    if view.standing is not None:
        needed.append((view.standing.declarer % 2, view.standing.bid.trump))
    if question is not None:
        needed.append((own, parse_bid(question).trump))
    solve_rounds(survey, valuation, plan, keys, needed)
    for key in needed:
        assert survey.n_solved(key) == plan.n_solved
    if question is None and valuation.lowest is not None:
        bid = best_bid(valuation, survey, keys)
        assert bid is not None
        assert survey.n_solved((own, bid.trump)) == plan.n_solved
    return {trump: survey.n_solved((own, trump)) for trump in range(4)}


def test_a_suit_that_is_far_behind_drops_out():
    assert rounds("J9A7.T8.A7.") == {0: 1024, 1: 128, 2: 128, 3: 128}


def test_suits_that_are_alike_stay_in():
    solved = rounds("J98.J98.7.7")
    assert solved[0] == solved[1] == 1024
    assert solved[2] == solved[3] == 128


def test_the_suit_in_question_and_the_standing_one_stay_in():
    solved = rounds("J9A7.T8.A7.", question="80C")
    assert solved[3] == 384
    assert solved[0] == 64  # that it is the best is clear by then
    assert rounds("J9A7.T8.A7.", "P 80H P")[1] == 1024


def test_where_no_bid_may_follow_only_what_stands_is_solved():
    solved = rounds("J9A7.T8.A7.", "80H P 90H X")
    assert solved[1] == 1024
    assert max(solved[trump] for trump in (2, 3)) == 128


@pytest.mark.parametrize("hand", ["J9A7.T8.A7.", "J98.J98.7.7", "987.T87.J.Q"])
def test_dropping_out_does_not_change_the_best_suit(hand):
    """Of all suits in a thousand worlds, the best is no other, or as good within the error."""
    cards = parse_hand(hand)
    by_rounds = advise(cards, seed=1)
    in_full = advise(cards, n_worlds=1024, seed=1)
    worth = {"P": 0.0} | {
        f"{level.bid}{'SHDC'[contract.trump]}": level.worth
        for contract in in_full.contracts
        for level in contract.levels
    }
    assert worth[in_full.best.call] - worth[by_rounds.best.call] < 0.5
