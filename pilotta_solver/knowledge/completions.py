"""Complete deals that agree with a seen hand and with what is known of the others.

What is known is split by its normal form (`constraints.normal_form`): restrictions on cards and
lengths, with which complete deals are counted and drawn exactly, and a rest, against which drawn
deals are tested.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import FULL_DECK, N_CARDS, N_RANKS, N_SUITS
from pilotta_solver.deal import SEATS
from pilotta_solver.knowledge.constraints import Knowledge, Restrictions, Statement, normal_form
from pilotta_solver.knowledge.expression import And, Expression, holds_many
from pilotta_solver.ruleset import Ruleset

Deals = npt.NDArray[np.uint32]


class Completions:
    """The deals that agree with a hand and with knowledge: how many, and draws from them.

    Parameters
    ----------
    hand
        The eight cards seen, a card set; 0 if no hand is seen.
    seat
        The seat that holds them, 0 to 3.
    knowledge
        What is known of the hands.
    may_hold
        For each seat from N the only cards that it may hold, card sets, where more is known than
        the hand and the statements tell; such as by the play.

    Attributes
    ----------
    n : int
        The number of deals that agree with the hand and with all that is known of cards and
        lengths. Those that agree with everything are among them.
    rest : tuple of (Statement, Expression)
        Statements that say more than cards and lengths, and what they say besides.
    says_nothing : bool
        Whether every deal around the hand agrees.
    """

    def __init__(
        self, hand: int, seat: int, knowledge: Knowledge, may_hold: Iterable[int] | None = None
    ) -> None:
        from pilotta_solver.engine.completions import COMPLETIONS, count_completions

        forms = [(one, normal_form(one.expression)) for one in knowledge.statements]
        self.rest: tuple[tuple[Statement, Expression], ...] = tuple(
            (one, And(form.rest)) for one, form in forms if form.rest
        )
        self._rules = knowledge.rules
        self._known = np.zeros(1, COMPLETIONS)
        may = [FULL_DECK] * len(SEATS) if may_hold is None else list(may_hold)
        for of_seat in range(len(SEATS)):
            said = Restrictions()
            for one, form in forms:
                if one.seat == of_seat:
                    said &= form
            if hand:
                own = hand if of_seat == seat else FULL_DECK & ~hand
                may[of_seat] &= own
            may[of_seat] &= ~said.excluded
            for other in range(len(SEATS)):
                if other != of_seat:
                    may[other] &= ~said.held
            self._known["lengths"][0, :, of_seat] = said.lengths
        self.says_nothing = may_hold is None and all(form == Restrictions() for _, form in forms)
        seats = [
            sum((may[of_seat] >> card & 1) << of_seat for of_seat in range(len(SEATS)))
            for card in range(N_CARDS)
        ]
        self._known["seats"][0] = np.reshape(seats, (N_SUITS, N_RANKS))
        self.n = int(count_completions(self._known))

    def draw(
        self, seed: int, numbers: npt.NDArray[np.int64], tries: npt.NDArray[np.int64]
    ) -> Deals:
        """Draw deals uniformly from those that agree with the cards and lengths.

        Parameters
        ----------
        seed
            0 to 2**64 - 1.
        numbers, tries
            Shape (m,): the number of each deal, and which try at it this is. A row depends on the
            seed, its number and its try alone.

        Returns
        -------
        numpy.ndarray
            Shape (m, 4), uint32.
        """
        from pilotta_solver.engine.completions import draw_completions

        deals = np.empty((len(numbers), len(SEATS)), np.uint32)
        draw_completions(self._known, np.uint64(seed), numbers, tries, deals)
        return deals

    def agree(self, deals: Deals) -> npt.NDArray[np.bool_]:
        """Tell which deals agree with the rest of what is known; shape (m,)."""
        return agree(self.rest, deals, self._rules)


def agree(
    said: tuple[tuple[Statement, Expression], ...], deals: Deals, rules: Ruleset
) -> npt.NDArray[np.bool_]:
    """Tell for which deals all of some expressions hold, each for the seat of its statement."""
    left = np.arange(len(deals))
    for statement, expression in said:
        left = left[holds_many(expression, deals[left, statement.seat], rules)]
    agreeing = np.zeros(len(deals), np.bool_)
    agreeing[left] = True
    return agreeing
