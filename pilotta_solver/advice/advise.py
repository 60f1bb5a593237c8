"""Should I bid it? What every contract of one hand is worth, by sampling and solving.

The hidden hands are completed at random, in agreement with what is known of them (a completion is
a *world*). Each world is solved double dummy for each trump, and the declarations and the belote of
all four hands are counted as the ruleset says. One contract is averaged over all worlds before
contracts are compared.

Unless a number of worlds is given, they are solved in two stages. First all contracts are solved
exactly on the same worlds, in rounds; a trump that can no longer be the best one drops out between
rounds. Then one contract, the one in question or else the best, is decided, made or failed, on as
many more worlds as its chance needs to be known well enough: that costs a tenth of a solve.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import pilotta_solver
from pilotta_solver.advice.answers import (
    Advice as Advice,
    Alternative as Alternative,
    Call as Call,
    Contract as Contract,
    Level as Level,
    Method as Method,
    Question as Question,
)
from pilotta_solver.advice.at_table import AtTable
from pilotta_solver.advice.game_chance import GameChance, shipped_scores, simulate_scores
from pilotta_solver.advice.judge import Judge
from pilotta_solver.advice.rounds import Plan, best_bid, decide_rounds, solve_rounds
from pilotta_solver.advice.stakes import Stakes
from pilotta_solver.advice.survey import LEADER as LEADER, Key, Survey
from pilotta_solver.advice.valuation import Valuation, Valued
from pilotta_solver.advice.worth import Sample
from pilotta_solver.cards import ALL_TRUMP, N_RANKS, NO_TRUMP
from pilotta_solver.deal import SEATS, side_of
from pilotta_solver.errors import ConstraintError, DealError, NotationError
from pilotta_solver.knowledge.auction_knowledge import ROLES, PlayerView
from pilotta_solver.knowledge.constraints import Knowledge
from pilotta_solver.notation import Bid, format_bid, parse_bid
from pilotta_solver.ruleset import Ruleset, load_ruleset
from pilotta_solver.table_play.calibration import shipped_calibration

Progress = Callable[[int, int | None], None]


def advise(
    hand: int,
    question: Bid | None = None,
    *,
    seat: int = 1,
    view: PlayerView | None = None,
    bidding_is_over: bool = False,
    n_worlds: int | None = None,
    precision: float | None = None,
    seconds: float | None = None,
    score: tuple[int, int] | None = None,
    target: int | None = None,
    show_worlds: int = 3,
    model: Literal["table", "dd"] = "table",
    seed: int | None = None,
    rules: Ruleset | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Advice:
    """Value every contract that the own side could declare, and what could be done instead.

    Parameters
    ----------
    hand : int
        The own hand, a set of eight cards (`parse_hand`).
    question : Bid, optional
        A bid to answer about (`parse_bid`).
    seat : int
        Place in the order of speaking, 1 to 4. The first to speak leads to the first trick,
        whoever declares.
    view : PlayerView, optional
        What is known at the table (`player_view`): the seat, what is known of the other hands, the
        contract that stands. `seat` is then left out of account.
    bidding_is_over : bool
        Whether the bidding has ended and only doubles are left to call, as under rules where they
        come after the auction.
    n_worlds : int, optional
        Solve exactly so many worlds for every trump, at least 1. By default sampling goes on until
        `precision` is reached, or for so many `seconds`.
    precision : float, optional
        Stop when the 95 % interval of the chance to make the contract in question (without a
        question, of the best one) reaches at most so many percentage points to each side. By
        default 1.5, or as good as `seconds` allow if these are given.
    seconds : float, optional
        Stop after so long, at the end of a round. The number of worlds then depends on the
        machine, and so does the answer.
    score : tuple of int, optional
        The score of the game, ours and theirs: calls are then judged by the chance of winning it.
    target : int, optional
        The score that wins the game; by default the ruleset's.
    show_worlds : int
        How many worlds near the median are written out.
    model : str
        ``table``: value contracts by what comes of them at the table, as far as there is a
        calibration for the law of play and the contract has a trump suit; ``dd``: double dummy.
    seed : int, optional
        Seed of the worlds, 0 to 2**64 - 1; drawn if not given, and reported in the advice.
    rules : Ruleset, optional
        By default ``tsaka``.
    jobs : int, optional
        Threads; by default one for each core. The result does not depend on it.
    progress : callable, optional
        Called now and then with the number of solved deals and their number in all, as far as it
        is known.

    Returns
    -------
    Advice
        Statistics of every contract with the ruleset, the seed and the version behind them.

    Raises
    ------
    DealError
        If the hand has not eight cards.
    NotationError
        If the auction has no such bid.
    ConstraintError
        If a number is out of range, or no world agrees with what is known.
    """
    rules = load_ruleset() if rules is None else rules
    plan = Plan.of(n_worlds, precision, seconds, asked=question is not None)
    view = _view(seat, rules) if view is None else view
    if hand.bit_count() != N_RANKS:
        raise DealError(f"a hand of {hand.bit_count()} cards: give {N_RANKS}")
    if show_worlds < 0:
        raise ConstraintError(f"{show_worlds} worlds to show: give 0 or more")
    if question is not None:
        _check_bid(question, rules, view, bidding_is_over)
    seed = secrets.randbits(32) if seed is None else seed
    own = side_of(view.seat)
    stakes = _stakes(score, target, own, rules, jobs)

    keys, needed = _contracts(own, rules, view, question)
    n_deals = None if n_worlds is None else n_worlds * len({*keys, *needed})
    survey = Survey(hand, view.seat, view.knowledge, seed, rules, jobs, _counter(n_deals, progress))
    valuation = Valuation(
        survey,
        view.seat,
        rules,
        view.standing,
        stakes,
        bidding_is_over=bidding_is_over,
        at_table=_at_table(model, rules),
    )
    solve_rounds(survey, valuation, plan, keys, needed)
    focus = best_bid(valuation, survey, keys) if question is None else question
    n = max(map(survey.n_solved, keys))
    sample, stopped_by = Sample(n), "worlds" if plan.is_fixed else "precision"
    if focus is not None:
        n_made, n_decided, stopped_by = decide_rounds(survey, own, focus, plan)
        sample = Sample(n, survey.decide(own, focus, n), n_made, n_decided)
    judge = Judge(valuation, survey, plan, sample, focus)
    valued = {trump: judge.value(trump) for _, trump in keys}
    alternatives = judge.alternatives()
    return Advice(
        rules=rules,
        version=pilotta_solver.__version__,
        seed=seed,
        hand=hand,
        seat=view.seat + 1,
        n_worlds=n,
        contracts=tuple(one.contract for one in valued.values()),
        question=None
        if question is None
        else judge.answer(question, valued[question.trump], view.seat, show_worlds),
        alternatives=alternatives,
        best=_best_call(valuation, valued, alternatives),
        score=score,
        target=None if stakes is None else stakes.game.target,
        method=_method(survey, plan, view, model, stopped_by),
    )


def _contracts(
    own: int, rules: Ruleset, view: PlayerView, question: Bid | None
) -> tuple[list[Key], list[Key]]:
    """Return the contracts that could be bid, and those to be solved in every world."""
    needed: list[Key] = []
    if view.standing is not None:
        needed.append((side_of(view.standing.declarer), view.standing.bid.trump))
    if question is not None:
        needed.append((own, question.trump))
    return [(own, trump) for trump in _trumps(rules)], needed


def _at_table(model: str, rules: Ruleset) -> AtTable | None:
    """Return what tells of play at the table; None where that is not asked or not known."""
    calibration = shipped_calibration(rules.law)
    if model != "table" or calibration is None:
        return None
    return AtTable(calibration, rules, LEADER)


def _method(survey: Survey, plan: Plan, view: PlayerView, model: str, stopped_by: str) -> Method:
    """Say how an answer was found."""
    is_calibrated = shipped_calibration(survey.rules.law) is not None
    return Method(
        play="double dummy",
        model="table" if model == "table" and is_calibrated else "dd",
        calibrated=is_calibrated,
        leads=ROLES[(LEADER - view.seat) % len(SEATS)],
        intervals=plan.solving.method,
        stopped_by=stopped_by,
        n_tried=survey.n_tried,
        acceptance=survey.n_drawn / survey.n_tried,
        known=_known(view),
    )


def _best_call(
    valuation: Valuation, valued: dict[int, Valued], alternatives: tuple[Alternative, ...]
) -> Call:
    """Return the call that counts most: the best bid if it beats the best alternative."""
    best, most = None, 0.0
    for trump, one in valued.items():
        for level, gain in zip(one.contract.levels, one.gain, strict=True):
            if gain > most and valuation.may_be_bid(level.bid):
                call = format_bid(Bid(level.bid, trump))
                best, most = Call(call, level.sheet, level.worth, level.p_win), float(gain)
    if best is None:
        first = alternatives[0]
        return Call(first.call, first.sheet, 0.0, first.p_win)
    return best


def _view(seat: int, rules: Ruleset) -> PlayerView:
    """Return the view of a player who knows his hand and his place."""
    if not 1 <= seat <= len(SEATS):
        raise ConstraintError(f"seat {seat}: give 1 to 4, the place in the order of speaking")
    return PlayerView(seat - 1, Knowledge((), rules))


def _known(view: PlayerView) -> tuple[str, ...]:
    """Return what is known of the hidden hands, in words."""
    heard = [one.statement for one in view.readings]
    told = (str(one) for one in view.knowledge.statements if one not in heard)
    return (*told, *(one.sentence() for one in view.readings))


def _stakes(
    score: tuple[int, int] | None,
    target: int | None,
    own: int,
    rules: Ruleset,
    jobs: int | None,
) -> Stakes | None:
    """Return what a score is worth; its table is made where none comes with the program."""
    if score is None:
        if target is not None:
            raise ConstraintError(f"target {target}: give it with the score of the game")
        return None
    if target is not None and target < 1:
        raise ConstraintError(f"target {target}: give 1 or more")
    game = _game(rules, target, jobs)
    game.check(score)
    return Stakes(game, score, own, next_dealer=rules.all_pass == "next_dealer")


@lru_cache(maxsize=8)
def _game(rules: Ruleset, target: int | None, jobs: int | None) -> GameChance:
    """Make the table of chances, once for all questions."""
    scores = shipped_scores(rules) or simulate_scores(rules, jobs=jobs)
    return GameChance(scores, rules, target)


def _counter(total: int | None, progress: Progress | None) -> Callable[[int], None] | None:
    """Turn the numbers of deals solved since the last call into their sum."""
    if progress is None:
        return None
    n_solved = 0

    def count(n: int) -> None:
        nonlocal n_solved
        n_solved += n
        progress(n_solved, total)

    return count


def _check_bid(bid: Bid, rules: Ruleset, view: PlayerView, bidding_is_over: bool) -> None:
    """Refuse a bid that the auction of a ruleset does not have, or not any more."""
    # The grammar knows which levels there are: let it read the bid again.
    parse_bid(format_bid(bid), rules)
    if bid.trump not in _trumps(rules):
        key = "no_trump_bids" if bid.trump == NO_TRUMP else "all_trump_bids"
        raise NotationError(
            f"no bid {format_bid(bid)} in ruleset {rules.name}: set {key} = true to allow it"
        )
    standing = view.standing
    if bidding_is_over:
        raise NotationError(
            f"no bid {format_bid(bid)}: the bidding is over; leave the bid out to see what passing "
            "and doubling are worth"
        )
    if standing is not None and standing.multiplier > 1:
        raise NotationError(
            f"no bid {format_bid(bid)}: none follows a double; leave the bid out to see what "
            "passing and redoubling are worth"
        )
    if standing is not None and bid.level <= standing.bid.level:
        raise NotationError(
            f"no bid {format_bid(bid)}: a bid must be higher than {format_bid(standing.bid)}"
        )


def _trumps(rules: Ruleset) -> tuple[int, ...]:
    extra = ((NO_TRUMP, rules.no_trump_bids), (ALL_TRUMP, rules.all_trump_bids))
    return (0, 1, 2, 3, *(trump for trump, allowed in extra if allowed))
