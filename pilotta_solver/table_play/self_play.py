"""Deals played out by four players that see only their own cards: one deal, or very many.

The four players are one and the same program, each at its seat with its own information and its
own random numbers. `self_play` tells all they decided; `self_play_many` is its bulk twin, which
gives the results alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import (
    ALL_TRUMP,
    KING,
    N_CARDS,
    N_RANKS,
    NO_TRUMP,
    QUEEN,
    make_card,
    rank_of,
    suit_of,
)
from pilotta_solver.deal import SEATS, Deal, Hands
from pilotta_solver.declarations import contest
from pilotta_solver.double_dummy import Rules, as_ruleset
from pilotta_solver.errors import ConstraintError, DealError, PilottaError
from pilotta_solver.knowledge.constraints import Knowledge
from pilotta_solver.knowledge.sampling import MAX_SEED, MAX_START
from pilotta_solver.questions import check_contracts, check_hands, with_capots
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.table_play.information import NOTHING, Goal, may_hold
from pilotta_solver.table_play.outlook import Aim
from pilotta_solver.table_play.player import (
    DECISION_WORLDS,
    Decision,
    Player,
    Turn,
    check_player,
)
from pilotta_solver.table_play.seen_play import SeenPlay
from pilotta_solver.workers import Progress, run_chunks

# A deal costs some hundred solves.
_SOLVES_A_DEAL = 100

Told = Sequence[Knowledge]
"""What each player is told before the play, from N: what the auction says of the other hands."""

_WORD = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def decision_seed(seed: int, number: int, seat: int, k: int) -> int:
    """Return the seed of one decision: of the player at ``seat`` for card ``k`` of deal ``number``.

    SplitMix64's finaliser over the seed, then over the number, then over seat and card.
    """
    state = _mix(seed + _GOLDEN)
    state = _mix(state + number * _GOLDEN)
    return _mix(state + (len(SEATS) * k + seat + 1) * _GOLDEN)


def _mix(word: int) -> int:
    word &= _WORD
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
    return word ^ word >> 31


class Table:
    """A deal on the table: the one place where all hands are known, and what each player is told.

    Parameters
    ----------
    hands, trump, leader, rules
        The deal, its contract and the ruleset.
    told
        What each player is told before the play; by default nothing.

    Attributes
    ----------
    seen
        What everybody has seen of the play.
    shown, denied
        As in `Information`.
    """

    def __init__(
        self, hands: Hands, trump: int, leader: int, rules: Ruleset, told: Told | None = None
    ) -> None:
        self.seen = SeenPlay(trump, leader, rules.law)
        self.shown, self.denied = NOTHING, NOTHING
        self._hands, self._rules = hands, rules
        self._told = (Knowledge(rules=rules),) * len(SEATS) if told is None else told
        self._first_card = -1

    @property
    def value(self) -> int:
        """NS points so far, a sweep counted as ``capot_points``."""
        ns, ew = self.seen.tricks
        sweep = {(N_RANKS, 0): 1, (0, N_RANKS): 2}.get((ns, ew), 0)
        return int(with_capots(self.seen.points[0], sweep, self._rules))

    def turn(self, goal: Goal | None) -> Turn:
        """Return what the seat to move knows, of all that is known here."""
        seat = self.seen.to_move
        hand = self._hands[seat]
        may = tuple(may_hold(seat, hand, self.seen, self.shown, self.denied))
        return Turn(seat, hand, self.seen, may, goal, self._told[seat])

    def play(self, card: int) -> None:
        """Play a card of the seat to move; tell everybody of a belote, and of declarations."""
        seen = self.seen
        seat = seen.to_move
        if seen.n_played == 0:
            self._first_card = card
        if rank_of(card) in (KING, QUEEN) and self._has_belote(suit_of(card)):
            self._tell_belote(seat, card)
        seen.play(card)
        if seen.n_played == len(SEATS) and self._rules.declarations:
            self._show_declarations()

    def _has_belote(self, suit: int) -> bool:
        trump = self.seen.trump
        if trump == ALL_TRUMP:
            return self._rules.all_trump_belote
        return trump < NO_TRUMP and suit == trump

    def _tell_belote(self, seat: int, card: int) -> None:
        """Whoever plays K or Q of trumps says whether he was dealt the other one too."""
        other = 1 << make_card(suit_of(card), KING + QUEEN - rank_of(card))
        if not self.seen.unplayed & other:
            return
        if self._hands[seat] & other:
            self.shown = _with(self.shown, seat, other)
        else:
            self.denied = _with(self.denied, seat, other)

    def _show_declarations(self) -> None:
        """The side that scores its declarations shows their cards."""
        trump, leader = self.seen.trump, self.seen.first_leader
        found = contest(self._hands, trump, self._rules, leader, self._first_card)
        for seat, declared in enumerate(found.declared):
            if seat & 1 == found.winner:
                for one in declared:
                    self.shown = _with(self.shown, seat, one.cards)


def _with(sets: Hands, seat: int, cards: int) -> Hands:
    """Return four card sets with cards added to one of them."""
    added = list(sets)
    added[seat] |= cards
    return added[0], added[1], added[2], added[3]


@dataclass(frozen=True, slots=True)
class SelfPlay:
    """A deal played out.

    Attributes
    ----------
    played
        The 32 cards, in order.
    decisions
        What was decided at each card.
    seeds
        The seed of each decision.
    points, tricks
        Card points and tricks of NS and EW.
    value
        NS card points, with a sweep of all eight tricks counted as ``capot_points``: NS then has
        that, or 162 less it when EW sweeps.
    """

    played: tuple[int, ...]
    decisions: tuple[Decision, ...]
    seeds: tuple[int, ...]
    points: tuple[int, int]
    tricks: tuple[int, int]
    value: int


def self_play(
    deal: Deal,
    trump: int,
    leader: int,
    *,
    seed: int,
    number: int = 0,
    n_worlds: int = DECISION_WORLDS,
    aim: Aim = "points",
    goal: Goal | None = None,
    told: Told | None = None,
    rules: Rules = None,
    value_all: bool = False,
) -> SelfPlay:
    """Have four players play a deal of eight cards a hand, and tell all they decided.

    Parameters
    ----------
    deal
        The deal. Each player is told its own hand of it, and in the course of the play what
        everybody is: the cards played, the declarations that score, once they are shown, and
        whether K or Q of trumps was played with a belote.
    trump, leader
        The contract, and the seat that leads to the first trick.
    seed, number
        The seed, 0 to 2**64 - 1, and the number of the deal: the play depends on the deal, the
        contract and these, and on nothing else.
    n_worlds, aim, value_all
        As for `player.decide`.
    goal
        The contract's declarer and level, if one is played for.
    told
        What each player, from N, knows of the other hands before the play: what the auction says
        (`knowledge_from_auction`). By default nothing.
    rules
        The ruleset; default ``tsaka``.

    Raises
    ------
    ConstraintError
        If next to no deal agrees with what a player is told (`sampling.worlds_given`).
    DealError
        If the deal has not eight cards a hand, or a number is out of range.
    PilottaError
        If the aim is the contract and none is given.
    """
    rules = as_ruleset(rules)
    check_player(n_worlds, aim)
    if aim == "contract" and goal is None:
        raise PilottaError('the aim "contract" needs one: give the declarer and the level')
    hands = np.array([deal.hands], np.uint32)
    trumps, leaders = check_contracts(trump, leader, 1)
    _check_deals(check_hands(hands))
    _check_numbers(seed, np.array([number]), 1)
    player = Player(rules, n_worlds, aim)
    table = Table(deal.hands, int(trumps[0]), int(leaders[0]), rules, told)
    played, decisions, seeds = [], [], []
    for turn in _turns(table, goal):
        seeds.append(decision_seed(seed, number, turn.seat, table.seen.n_played))
        decisions.append(player.decide(turn, seeds[-1], value_all=value_all))
        played.append(decisions[-1].card)
        table.play(played[-1])
    points, tricks = table.seen.points, table.seen.tricks
    return SelfPlay(
        tuple(played),
        tuple(decisions),
        tuple(seeds),
        (points[0], points[1]),
        (tricks[0], tricks[1]),
        table.value,
    )


def self_play_many(
    hands: npt.NDArray[np.uint32],
    trump: int | npt.ArrayLike,
    leader: int | npt.ArrayLike,
    *,
    seed: int,
    numbers: npt.NDArray[np.int64],
    n_worlds: int = DECISION_WORLDS,
    aim: Aim = "points",
    levels: int | npt.ArrayLike | None = None,
    declarers: int | npt.ArrayLike | None = None,
    told: Sequence[Told] | None = None,
    rules: Rules = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> npt.NDArray[np.int16]:
    """Have four players play many deals; the results.

    Row i depends on its deal and contract, the seed and ``numbers[i]`` alone: neither on ``jobs``
    nor on what stands in the other rows.

    Parameters
    ----------
    hands
        Shape (n, 4), uint32: card sets (bit 8 * suit + rank) from N in order of play, eight cards
        each.
    trump, leader
        An index (0-3 S H D C, 4 no trump, 5 all trump; 0-3 N W S E), or one a deal.
    seed
        0 to 2**64 - 1.
    numbers
        Shape (n,), int64: the number of each deal, 0 or more.
    n_worlds
        Worlds a decision.
    aim
        ``points``, or ``contract``, which needs ``levels`` and ``declarers``.
    levels, declarers
        The points bid and the seat that bid them, one each or one a deal. They change nothing
        where the aim is points.
    told
        For each deal what its players are told before the play, as in `self_play`.
    rules
        The ruleset; default ``tsaka``.
    jobs
        Threads; default one a core. Never changes a result.
    progress
        Called with the number of deals done since the last call.

    Returns
    -------
    numpy.ndarray
        Shape (n,), int16: NS card points as the deals were played, on the scale of
        `double_dummy.solve_many`: a sweep of all eight tricks counts ``capot_points``, NS then has
        that, or 162 less it when EW sweeps.

    Raises
    ------
    ConstraintError
        If next to no deal agrees with what a player is told; the message names the deal.
    DealError
        If an array has the wrong shape or type, or a row is no deal; the message names the row.
    PilottaError
        If the aim is the contract and none is given, or a number is out of range.
    """
    rules = as_ruleset(rules)
    check_player(n_worlds, aim)
    hands = check_hands(hands)
    n = len(hands)
    _check_deals(hands)
    _check_numbers(seed, numbers, n)
    trumps, leaders = check_contracts(trump, leader, n)
    goals = _goals(aim, levels, declarers, n)
    if told is not None and len(told) != n:
        raise DealError(f"told of length {len(told)}: give one for each of {n} deals")
    values = np.empty(n, np.int16)

    def chunk(workspace: Any, rows: slice) -> None:
        player = Player(rules, n_worlds, aim, workspace)
        for row in range(rows.start, rows.stop):
            four = hands[row].tolist()
            known = None if told is None else told[row]
            table = Table(tuple(four), int(trumps[row]), int(leaders[row]), rules, known)
            number = int(numbers[row])
            try:
                for turn in _turns(table, goals[row]):
                    card_seed = decision_seed(seed, number, turn.seat, table.seen.n_played)
                    table.play(player.choose(turn, card_seed))
            except ConstraintError as error:
                raise ConstraintError(f"deal {number}: {error}") from error
            values[row] = table.value

    run_chunks(chunk, n, rules.law, jobs, progress, weight=_SOLVES_A_DEAL)
    return values


def _turns(table: Table, goal: Goal | None) -> Iterator[Turn]:
    """Iterate over the turns of a deal; each comes once its forerunner's card has been played."""
    while table.seen.n_played < N_CARDS:
        yield table.turn(goal)


def _goals(
    aim: Aim, levels: npt.ArrayLike | None, declarers: npt.ArrayLike | None, n: int
) -> list[Goal | None]:
    """Return what is played for in each deal; nothing where points alone count."""
    if aim == "points":
        return [None] * n
    if levels is None or declarers is None:
        raise PilottaError('the aim "contract" needs one: give levels and declarers')
    bid, seats = np.asarray(levels), np.asarray(declarers)
    for name, array in (("levels", bid), ("declarers", seats)):
        if array.dtype.kind not in "iu" or array.shape not in ((), (n,)):
            raise DealError(
                f"{name} of type {array.dtype} and shape {array.shape}: give a whole number, or "
                f"{n} of them"
            )
    both = zip(np.broadcast_to(seats, n).tolist(), np.broadcast_to(bid, n).tolist(), strict=True)
    return [Goal(declarer, level) for declarer, level in both]


def _check_deals(hands: npt.NDArray[np.uint32]) -> None:
    short = np.flatnonzero(np.bitwise_count(hands[:, 0]) != N_RANKS)
    if short.size:
        row = int(short[0])
        size = int(hands[row, 0]).bit_count()
        raise DealError(f"row {row} of hands: hands of {size} cards; {N_RANKS} are dealt to each")


def _check_numbers(seed: int, numbers: npt.NDArray[np.int64], n: int) -> None:
    if not 0 <= seed <= MAX_SEED:
        raise DealError(f"seed {seed}: it is 0 to {MAX_SEED}")
    if numbers.dtype != np.int64 or numbers.shape != (n,):
        raise DealError(
            f"numbers of type {numbers.dtype} and shape {numbers.shape}: give int64 of shape ({n},)"
        )
    if n and not 0 <= int(numbers.min()) <= int(numbers.max()) <= MAX_START:
        raise DealError(
            f"numbers {int(numbers.min())} to {int(numbers.max())}: they are 0 to {MAX_START}"
        )
