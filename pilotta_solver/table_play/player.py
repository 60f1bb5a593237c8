"""A player that sees only what it may: worlds that agree with what it knows, each card in each.

At its turn the player draws worlds, complete deals that agree with everything its seat knows,
uniformly and independently. In each it solves every card that it may play, with all cards seen
(double dummy), and it plays the card that is best over all worlds. Cards that win alike and are
worth the same, as far as the player can tell, are one choice, and where only one choice is left
nothing is drawn or solved.

This is determinisation, or perfect information Monte Carlo: a strong player and no perfect one. In
every world it takes for granted that all players, itself among them, see all cards from the next
card on; so it never plays to find something out, and never to hide anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import CARD_POINTS_TOTAL, cards_of
from pilotta_solver.deal import side_of
from pilotta_solver.declarations import belote_points_many, declaration_points_many
from pilotta_solver.errors import PilottaError
from pilotta_solver.knowledge.constraints import Knowledge
from pilotta_solver.knowledge.sampling import worlds_given
from pilotta_solver.questions import BOTH_SIDES, with_capots
from pilotta_solver.rules import trick_winner
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.table_play.information import Goal, Information
from pilotta_solver.table_play.outlook import AIMS, Aim, CardValue, Outlook, cheapest, choices
from pilotta_solver.table_play.seen_play import SeenPlay
from pilotta_solver.workers import DEALS_A_CHUNK, new_workspace

DECISION_WORLDS = 20
"""Worlds a decision, unless another number is asked for."""

MOST_DECISION_WORLDS = 100_000
"""All worlds of a decision are in memory at once."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The card that a player chooses, and what each card that it may play promises.

    Attributes
    ----------
    card
        The card chosen.
    values
        Every card that may be played, the best first; empty where nothing was solved, since all of
        them come to the same.
    n_worlds
        The worlds looked at; 0 where nothing was solved.
    legal
        The cards that may be played, a card set.
    """

    card: int
    values: tuple[CardValue, ...]
    n_worlds: int
    legal: int


@dataclass(frozen=True, slots=True)
class Turn:
    """A player's turn: what `Information` holds, once the play has been gone through.

    Attributes
    ----------
    seat, hand, goal, knowledge
        As in `Information`.
    seen
        What everybody has seen of the play.
    may_hold
        For each seat from N the cards that it may have been dealt, card sets.
    """

    seat: int
    hand: int
    seen: SeenPlay
    may_hold: tuple[int, ...]
    goal: Goal | None
    knowledge: Knowledge

    def choices(self, legal: int) -> list[int]:
        """Return one of each kind of card among those that may be played."""
        trick, trump = self.seen.trick, self.seen.trump
        best = trick[trick_winner(trick, trump)] if trick else None
        return choices(legal, self.seen.unplayed & ~self.hand, best, trump)


class Player:
    """A player, with the memory that its decisions need: one for each thread.

    Parameters
    ----------
    rules
        The ruleset.
    n_worlds
        Worlds a decision.
    aim
        What it wants most.
    workspace
        An engine workspace for the law of play; a new one by default.

    Raises
    ------
    PilottaError
        If the aim is unknown or the number of worlds out of range.
    """

    def __init__(
        self,
        rules: Ruleset,
        n_worlds: int = DECISION_WORLDS,
        aim: Aim = "points",
        workspace: Any = None,
    ) -> None:
        from pilotta_solver.engine.solve import CARDS, QUESTION

        check_player(n_worlds, aim)
        self.rules, self.n_worlds, self.aim = rules, n_worlds, aim
        self._workspace = new_workspace(rules.law) if workspace is None else workspace
        self._questions: npt.NDArray[np.void] = np.zeros(n_worlds, dtype=QUESTION)
        self._questions["asked"] = CARDS

    def choose(self, turn: Turn, seed: int) -> int:
        """Return the card that `decide` chooses, nothing more."""
        legal = turn.seen.legal(turn.hand)
        kinds = turn.choices(legal)
        if len(kinds) == 1:
            return cheapest(kinds, turn.seen.trump)
        return self.look(turn, legal, seed).ranked(self.aim)[0]

    def decide(self, turn: Turn, seed: int, *, value_all: bool = False) -> Decision:
        """Decide; parameters and result are those of the function `decide`."""
        legal = turn.seen.legal(turn.hand)
        kinds = turn.choices(legal)
        if len(kinds) == 1 and not value_all:
            return Decision(cheapest(kinds, turn.seen.trump), (), 0, legal)
        outlook = self.look(turn, legal, seed)
        ranked = outlook.ranked(self.aim)
        values = tuple(outlook.value_of(card, ranked[0]) for card in ranked)
        return Decision(ranked[0], values, self.n_worlds, legal)

    def look(self, turn: Turn, legal: int, seed: int) -> Outlook:
        """Draw worlds and solve every card that may be played in each."""
        from pilotta_solver.engine.solve import answer

        seen, side, cards = turn.seen, side_of(turn.seat), tuple(cards_of(legal))
        worlds = worlds_given(
            turn.hand, turn.seat, turn.knowledge, self.n_worlds, seed, may_hold=turn.may_hold
        ).hands
        questions = self._questions
        questions["hands"] = worlds & ~np.array(seen.played, np.uint32)
        questions["trump"] = seen.trump
        questions["leader"] = seen.leader
        questions["trick"] = (*seen.trick, -1, -1, -1)[:3]
        questions["may_sweep"] = self._may_sweep(seen)
        # In chunks, so that Ctrl-C ends many worlds soon too.
        for first in range(0, self.n_worlds, DEALS_A_CHUNK):
            answer(self._workspace, questions[first : first + DEALS_A_CHUNK])
        points = seen.points[0] + questions["card_values"][:, cards]
        values = with_capots(points, questions["card_sweeps"][:, cards], self.rules)
        if side == 1:
            values = CARD_POINTS_TOTAL - values
        made = None if turn.goal is None else self._made(turn.goal, turn, worlds, values)
        is_declaring = turn.goal is not None and side_of(turn.goal.declarer) == side
        return Outlook(cards, values, made, is_declaring, seen.trump)

    def _may_sweep(self, seen: SeenPlay) -> int:
        """Return the bits of the sides that may still take every trick, where that counts."""
        if self.rules.capot_points <= CARD_POINTS_TOTAL:
            return 0
        ns, ew = seen.tricks
        return BOTH_SIDES & ~(2 if ns else 0) & ~(1 if ew else 0)

    def _made(
        self,
        goal: Goal,
        turn: Turn,
        worlds: npt.NDArray[np.uint32],
        values: npt.NDArray[np.int16],
    ) -> npt.NDArray[np.bool_]:
        """Tell in which worlds the declarers' total reaches the bid, after each card."""
        side = side_of(goal.declarer)
        seen, rules = turn.seen, self.rules
        extras = declaration_points_many(worlds, seen.trump, seen.first_leader, rules)[:, side]
        extras = extras + belote_points_many(worlds, seen.trump, rules)[:, side]
        points = values if side == side_of(turn.seat) else CARD_POINTS_TOTAL - values
        # Who is swept has no points, not less than none.
        made: npt.NDArray[np.bool_] = np.maximum(points, 0) + extras[:, None] >= goal.level
        return made


def decide(
    information: Information,
    seed: int,
    n_worlds: int = DECISION_WORLDS,
    aim: Aim = "points",
    *,
    value_all: bool = False,
) -> Decision:
    """Choose a card by what one player knows, and nothing else.

    Parameters
    ----------
    information
        What the player knows.
    seed
        0 to 2**64 - 1. The same information and seed, the same decision.
    n_worlds
        How many worlds to draw, at least 1. They are drawn independently of one another even where
        fewer agree with what is known, so that one may come more than once.
    aim
        ``points``: the best mean of the own side's points. ``contract``: the best chance that the
        contract is made, or for defenders that it fails; then the best mean. What is still level
        goes to the card worth least, then to the lowest in strength, then by suit, S H D C.
    value_all
        Value the cards even where all of them come to the same.

    Raises
    ------
    ConstraintError
        If no deal agrees with what is known, or too few do to find one.
    PilottaError
        If the aim is the contract and none is known, or a number is out of range.

    Examples
    --------
    To draw trumps is best; all four win, and the ten is worth least:

    >>> from pilotta_solver import format_card, parse_hand
    >>> information = Information(0, parse_hand("J9AT.8.A8.7"), trump=0, leader=0)
    >>> format_card(decide(information, seed=1).card)
    'ST'
    """
    if aim == "contract" and information.goal is None:
        raise PilottaError('the aim "contract" needs one: give the declarer and the level')
    seen = information.replay()
    turn = Turn(
        information.seat,
        information.hand,
        seen,
        tuple(information.may_hold(seen)),
        information.goal,
        information.knowledge,
    )
    return Player(information.rules, n_worlds, aim).decide(turn, seed, value_all=value_all)


def check_player(n_worlds: int, aim: str) -> None:
    """Raise PilottaError unless a player can have this number of worlds and this aim."""
    if not 1 <= n_worlds <= MOST_DECISION_WORLDS:
        raise PilottaError(
            f"{n_worlds} worlds a decision: give 1 to {MOST_DECISION_WORLDS:,}; 20 play well"
        )
    if aim not in AIMS:
        raise PilottaError(f'aim "{aim}": give {" or ".join(AIMS)}')
