"""Double dummy: exact values with all four hands seen, for one position or for many.

Every function here validates, hands the work to the engine, and returns plain results. Many
positions are shared out between threads; the kernels release the GIL, each thread has a
workspace of its own, and the number of threads never changes a result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import (
    LAST_TRICK_POINTS,
    TRUMPS,
    card_points,
    cards_of,
)
from pilotta_solver.deal import SEATS, SIDES, Deal, Position
from pilotta_solver.errors import DealError
from pilotta_solver.questions import (
    Hands,
    ask_at_least,
    check_contracts,
    check_cost_array,
    check_hands,
    check_thresholds,
    deal_questions,
    position_questions,
    with_capots,
)
from pilotta_solver.ruleset import Law, Ruleset, load_ruleset
from pilotta_solver.workers import Progress, new_workspace, run_chunks

Rules = Ruleset | str | None
"""A ruleset, the name or path of one, or None for the default."""


@dataclass(frozen=True, slots=True)
class Solution:
    """The exact result of a position under best play by both sides.

    Attributes
    ----------
    trump
        The contract: 0 to 3 a suit, 4 no trump, 5 all trump.
    leader
        The seat that led the trick in progress, or leads the next one.
    card_points
        Card points of NS and EW over the whole deal, those taken before the position included.
    value
        The same, with a sweep of all eight tricks counted as ``capot_points``: the side with the
        sweep has that value, the other side 162 less it.
    capot
        The side that takes all eight tricks, ``"ns"`` or ``"ew"``, or None; always None when
        ``capot_points`` is 162, since sweeps are then not looked for.
    cards_searched
        Cards played in the search: the cost, free of the machine.
    """

    trump: int
    leader: int
    card_points: tuple[int, int]
    value: tuple[int, int]
    capot: str | None
    cards_searched: int


def solve(
    deal: Deal | Position,
    trump: int | None = None,
    leader: int | None = None,
    rules: Rules = None,
) -> Solution:
    """Solve one deal, or one position part-way through the play, exactly.

    Parameters
    ----------
    deal
        A deal, with ``trump`` and ``leader``; or a position, which has both of its own.
    trump
        0 to 3 a suit, 4 no trump, 5 all trump.
    leader
        The seat that leads, 0 to 3 for N W S E.
    rules
        The law of play and ``capot_points``; default ``tsaka``.

    Raises
    ------
    DealError
        If the contract is missing, out of range, or given twice.

    Examples
    --------
    >>> from pilotta_solver import parse_deal
    >>> deal = parse_deal("N:7.QJ8.AQ8.A J.A.KJ.KQ98 AQT8.7.T7.J K9.KT9.9.T7")
    >>> solve(deal, trump=0, leader=0).card_points
    (99, 63)
    """
    return solve_positions([_position(deal, trump, leader)], rules, jobs=1)[0]


def solve_positions(
    positions: Sequence[Position], rules: Rules = None, jobs: int | None = None
) -> list[Solution]:
    """Solve many positions; `solve` for each, shared out between threads."""
    rules = as_ruleset(rules)
    questions = position_questions(positions, rules)
    _ask(questions, rules.law, jobs)
    return [
        _solution(position, question, rules)
        for position, question in zip(positions, questions, strict=True)
    ]


def solve_cards(
    deal: Deal | Position,
    trump: int | None = None,
    leader: int | None = None,
    rules: Rules = None,
) -> dict[int, int]:
    """Solve for every card that may be played: NS value if it is, and both sides then play best.

    Parameters are those of `solve`; the value is ``Solution.value[0]``, by card, ascending.

    Examples
    --------
    >>> from pilotta_solver import format_card, parse_deal
    >>> deal = parse_deal("N:.A.7. .T.8. .7.9. .8.T.")
    >>> {format_card(card): value for card, value in solve_cards(deal, 0, 0).items()}
    {'HA': 21, 'D7': 31}
    """
    return solve_cards_of([_position(deal, trump, leader)], rules, jobs=1)[0]


def solve_cards_of(
    positions: Sequence[Position], rules: Rules = None, jobs: int | None = None
) -> list[dict[int, int]]:
    """Value every card in many positions; `solve_cards` for each, shared out between threads."""
    rules = as_ruleset(rules)
    from pilotta_solver.engine.solve import CARDS, NO_VALUE

    questions = position_questions(positions, rules)
    questions["asked"] = CARDS
    _ask(questions, rules.law, jobs)
    answers = []
    for position, q in zip(positions, questions, strict=True):
        points = position.points[0] + q["card_values"]
        values = with_capots(points, q["card_sweeps"], rules)
        legal = np.flatnonzero(q["card_values"] != NO_VALUE)
        answers.append({int(card): int(values[card]) for card in legal})
    return answers


def solve_many(
    hands: Hands,
    trump: int | npt.ArrayLike,
    leader: int | npt.ArrayLike,
    rules: Rules = None,
    jobs: int | None = None,
    *,
    cards_searched: npt.NDArray[np.int64] | None = None,
    progress: Progress | None = None,
) -> npt.NDArray[np.int16]:
    """Solve many deals exactly.

    Parameters
    ----------
    hands
        Shape (n, 4), uint32: card sets (bit 8 * suit + rank) from N in order of play, each deal
        with hands of one size, 1 to 8 cards.
    trump, leader
        An index (0-3 S H D C, 4 no trump, 5 all trump; 0-3 N W S E), or one a deal.
    rules
        The law of play and ``capot_points``; default ``tsaka``.
    jobs
        Threads; default one a core. Never changes a result.
    cards_searched
        Shape (n,), int64: receives the cards played in the search of each deal.
    progress
        Called with the number of deals done since the last call.

    Returns
    -------
    numpy.ndarray
        Shape (n,), int16: NS card points, 0 to the total of the deal. A sweep of all eight tricks
        counts ``capot_points``: NS then has that, or 162 less it when EW sweeps.

    Raises
    ------
    DealError
        If an array has the wrong shape or type, or a row is no deal; the message names the row.
    """
    from pilotta_solver.engine.solve import answer

    rules = as_ruleset(rules)
    hands = check_hands(hands)
    trumps, leaders = check_contracts(trump, leader, len(hands))
    check_cost_array(cards_searched, (len(hands),))
    values = np.empty(len(hands), dtype=np.int16)

    def chunk(workspace: Any, rows: slice) -> None:
        questions = deal_questions(hands[rows], trumps[rows], leaders[rows], rules)
        answer(workspace, questions)
        values[rows] = with_capots(questions["value"], questions["sweep"], rules)
        if cards_searched is not None:
            cards_searched[rows] = questions["cards_searched"]

    run_chunks(chunk, len(hands), rules.law, jobs, progress)
    return values


def at_least_many(
    hands: Hands,
    trump: int | npt.ArrayLike,
    leader: int | npt.ArrayLike,
    threshold: int | npt.ArrayLike,
    rules: Rules = None,
    jobs: int | None = None,
    *,
    cards_searched: npt.NDArray[np.int64] | None = None,
    progress: Progress | None = None,
) -> npt.NDArray[np.bool_]:
    """Tell of many deals whether NS takes at least ``threshold``: cheaper than the value.

    Parameters are those of `solve_many`, and ``threshold`` a number, or one a deal, on the scale
    of its values: above 162 it asks for a capot by NS, at 0 or below whether EW has none.

    Returns
    -------
    numpy.ndarray
        Shape (n,), bool: ``solve_many(...) >= threshold``.
    """
    rules = as_ruleset(rules)
    hands = check_hands(hands)
    trumps, leaders = check_contracts(trump, leader, len(hands))
    thresholds = check_thresholds(threshold, len(hands))
    check_cost_array(cards_searched, (len(hands),))
    answers = np.empty(len(hands), dtype=np.bool_)

    def chunk(workspace: Any, rows: slice) -> None:
        questions = deal_questions(hands[rows], trumps[rows], leaders[rows], rules)
        answers[rows] = ask_at_least(workspace, questions, thresholds[rows], rules)
        if cards_searched is not None:
            cards_searched[rows] = questions["cards_searched"]

    run_chunks(chunk, len(hands), rules.law, jobs, progress)
    return answers


def solve_table_many(
    hands: Hands,
    rules: Rules = None,
    jobs: int | None = None,
    *,
    cards_searched: npt.NDArray[np.int64] | None = None,
    progress: Progress | None = None,
) -> npt.NDArray[np.int16]:
    """Solve many deals in every contract by every leader; the four leaders share one table.

    Parameters are those of `solve_many`.

    Returns
    -------
    numpy.ndarray
        Shape (n, 6, 4), int16: NS values by trump (S H D C, no trump, all trump) and leader
        (N W S E); ``cards_searched`` has the same shape.
    """
    from pilotta_solver.engine.solve import answer

    rules = as_ruleset(rules)
    hands = check_hands(hands)
    n_trumps, n_seats = len(TRUMPS), len(SEATS)
    per_deal = n_trumps * n_seats
    check_cost_array(cards_searched, (len(hands), n_trumps, n_seats))
    values = np.empty((len(hands), n_trumps, n_seats), dtype=np.int16)
    trumps = np.repeat(np.arange(n_trumps, dtype=np.int8), n_seats)
    leaders = np.tile(np.arange(n_seats, dtype=np.int8), n_trumps)

    def chunk(workspace: Any, rows: slice) -> None:
        n = rows.stop - rows.start
        questions = deal_questions(
            np.repeat(hands[rows], per_deal, axis=0),
            np.tile(trumps, n),
            np.tile(leaders, n),
            rules,
        )
        answer(workspace, questions)
        points = with_capots(questions["value"], questions["sweep"], rules)
        values[rows] = points.reshape(n, n_trumps, n_seats)
        if cards_searched is not None:
            cards_searched[rows] = questions["cards_searched"].reshape(n, n_trumps, n_seats)

    run_chunks(chunk, len(hands), rules.law, jobs, progress, weight=per_deal)
    return values


def perft(
    deal: Deal | Position,
    trump: int | None = None,
    leader: int | None = None,
    *,
    depth: int,
    rules: Rules = None,
) -> int:
    """Count the legal sequences of ``depth`` cards from a deal or position.

    Raises
    ------
    DealError
        If the depth is not 1 to the number of cards left.
    """
    from pilotta_solver.engine.perft import count_sequences

    rules = as_ruleset(rules)
    position = _position(deal, trump, leader)
    n_left = sum(hand.bit_count() for hand in position.hands)
    if not 1 <= depth <= n_left:
        raise DealError(f"depth {depth}: {n_left} cards are left, so give 1 to {n_left}")
    return int(
        count_sequences(new_workspace(rules.law), position_questions([position], rules), depth)
    )


def as_ruleset(rules: Rules) -> Ruleset:
    """Return the ruleset meant: itself, or the one of that name or path, or the default."""
    if isinstance(rules, Ruleset):
        return rules
    return load_ruleset() if rules is None else load_ruleset(rules)


def _position(deal: Deal | Position, trump: int | None, leader: int | None) -> Position:
    if isinstance(deal, Position):
        if trump is not None or leader is not None:
            raise DealError("a position has its own trump and leader: give neither beside it")
        return deal
    if trump is None or leader is None:
        raise DealError("a deal has no contract of its own: give trump and leader beside it")
    return Position(deal.hands, trump, leader)


def _ask(questions: npt.NDArray[np.void], law: Law, jobs: int | None) -> None:
    """Have the engine answer in place."""
    from pilotta_solver.engine.solve import answer

    def chunk(workspace: Any, rows: slice) -> None:
        answer(workspace, questions[rows])

    run_chunks(chunk, len(questions), law, jobs)


def _solution(position: Position, question: np.void, rules: Ruleset) -> Solution:
    total = sum(position.points) + _points_left(position)
    ns_points = position.points[0] + int(question["value"])
    sweep = int(question["sweep"])
    ns_value = int(with_capots(ns_points, sweep, rules))
    return Solution(
        trump=position.trump,
        leader=position.leader,
        card_points=(ns_points, total - ns_points),
        value=(ns_value, total - ns_value),
        capot=SIDES[sweep - 1] if sweep else None,
        cards_searched=int(question["cards_searched"]),
    )


def _points_left(position: Position) -> int:
    """Card points still to be taken, the trick in progress and the last trick included."""
    cards = position.hands[0] | position.hands[1] | position.hands[2] | position.hands[3]
    if not cards:
        return 0
    on_table = sum(card_points(card, position.trump) for card in position.trick)
    held = sum(card_points(card, position.trump) for card in cards_of(cards))
    return on_table + held + LAST_TRICK_POINTS
