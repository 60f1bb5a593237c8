"""Why no deal agrees with what is known, and what to tell a user who asked for too rare a thing.

A conflict is a set of statements, perhaps with the hand that is seen, that no deal fulfils, though
a deal fulfils the set less any one of them. That no deal fulfils a set is proved in one of three
ways:

1. the count of deals by cards and lengths is zero (`Completions`);
2. of all hands of eight cards that a seat may hold, its statements fit none;
3. the four hands of a deal together hold the whole deck, and so a sum over cards (aces, the points
   of a suit) has the same total in every deal: the least that the seats can have is more than that
   total, or the most is less.

The first is exact for what is known of cards and lengths. The third is not the whole truth for the
rest: a conflict that it does not see is reported as too rare.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import FULL_DECK, N_RANKS, cards_of
from pilotta_solver.deal import SEATS
from pilotta_solver.errors import ConstraintError
from pilotta_solver.knowledge.completions import Completions, Deals, agree
from pilotta_solver.knowledge.constraints import Knowledge, Statement, normal_form
from pilotta_solver.knowledge.expression import holds_many, sums_of, tables_of
from pilotta_solver.knowledge.quantities import Terms, look_up
from pilotta_solver.notation import format_hand
from pilotta_solver.ruleset import Ruleset

# So many random deals are looked at first: where one agrees, there is nothing to prove.
_GLANCE = 10_000

# The cards that a hand holds for sure, and those that it may hold: two card sets.
_Cards = tuple[int, int]


def refuse_conflict(hand: int, seat: int, knowledge: Knowledge, *, deeply: bool) -> None:
    """Raise an error that names a conflict, if one can be proved.

    Parameters
    ----------
    hand
        The eight cards seen, a card set; 0 if no hand is seen.
    seat
        The seat that holds them, 0 to 3.
    knowledge
        What is known of the hands.
    deeply
        Whether to try every proof; else only the first, which is quick.

    Raises
    ------
    ConstraintError
        If no deal agrees. Every statement that the message names is needed for the conflict, as
        far as proofs go, and the hand is named if it is.
    """
    prover = _Prover(hand, seat, knowledge, deeply)
    if not prover.proves(knowledge.statements):
        return
    needed = list(knowledge.statements)
    for one in knowledge.statements:
        fewer = [other for other in needed if other is not one]
        if prover.proves(fewer):
            needed = fewer
    named = [f"({one})" for one in needed]
    if hand and not _Prover(0, seat, knowledge, deeply).proves(needed):
        named.append(f"(your hand {format_hand(hand)})")
    if len(named) == 1:
        raise ConstraintError(f"no hand of eight cards fits {named[0]}; change it or leave it out")
    raise ConstraintError(
        f"no deal fits all of {', '.join(named[:-1])} and {named[-1]}; change one or leave it out"
    )


def too_rare(
    completions: Completions, deals: Deals, n_found: int, n_tried: int, rules: Ruleset
) -> ConstraintError:
    """Return the error that says how rare it is that a deal agrees with what is known.

    Parameters
    ----------
    completions
        What is known.
    deals
        Some tries, to tell which statement is the rarest by itself.
    n_found, n_tried
        How many tries agreed, of how many.
    rules
        The ruleset.
    """
    found = f"{n_found:,}" if n_found else "none"
    shares = [(float(agree((one,), deals, rules).mean()), one[0]) for one in completions.rest]
    share, rarest = min(shares, key=lambda pair: pair[0])
    alone = f"in {share:.2%} of them" if share else "in none of them"
    return ConstraintError(
        f"too rare: {found} of {n_tried:,} random deals with the known cards and lengths "
        f"{'agrees' if n_found == 1 else 'agree'} with the rest of what is known; the rarest part, "
        f"({rarest}), holds {alone}: ask for less"
    )


class _Prover:
    """Proofs that no deal around one hand agrees with some statements."""

    def __init__(self, hand: int, seat: int, knowledge: Knowledge, deeply: bool) -> None:
        self._hand = hand
        self._seat = seat
        self._rules = knowledge.rules
        self._deeply = deeply
        self._truths: dict[tuple[_Cards, int], npt.NDArray[np.bool_]] = {}
        self._sums: dict[tuple[_Cards, Terms], npt.NDArray[np.int32]] = {}

    def proves(self, statements: Sequence[Statement]) -> bool:
        """Tell whether it is proved that no deal agrees with all the statements."""
        knowledge = Knowledge(tuple(statements), self._rules)
        completions = Completions(self._hand, self._seat, knowledge)
        if completions.n == 0:
            return True
        if not self._deeply:
            return False
        numbers = np.arange(_GLANCE)
        if completions.agree(completions.draw(0, numbers, np.zeros_like(numbers))).any():
            return False
        by_seat = [knowledge.of_seat(seat) for seat in range(len(SEATS))]
        cards = [self._cards(seat, said) for seat, said in enumerate(by_seat)]
        fitting = [self._fitting(*both) for both in zip(cards, by_seat, strict=True)]
        if not all(fits.any() for fits in fitting):
            return True
        sums = {terms for one in statements for terms in sums_of(one.expression)}
        return any(
            self._total_is_out_of_reach(terms, cards, fitting)
            for terms in filter(_is_over_cards, sums)
        )

    def _cards(self, seat: int, said: Sequence[Statement]) -> _Cards:
        """Return the cards that a seat holds for sure and those that it may hold."""
        if self._hand and seat == self._seat:
            return self._hand, self._hand
        held, may_hold = 0, FULL_DECK & ~self._hand
        for one in said:
            form = normal_form(one.expression)
            held |= form.held
            may_hold &= ~form.excluded
        return held, may_hold

    def _fitting(self, cards: _Cards, said: Sequence[Statement]) -> npt.NDArray[np.bool_]:
        """Tell which of all hands with such cards some statements fit."""
        hands = _eight_of(*cards)
        fits = np.ones(len(hands), np.bool_)
        for one in said:
            key = cards, id(one)
            if key not in self._truths:
                self._truths[key] = holds_many(one.expression, hands, self._rules)
            fits &= self._truths[key]
        return fits

    def _total_is_out_of_reach(
        self,
        terms: Terms,
        cards: Sequence[_Cards],
        fitting: Sequence[npt.NDArray[np.bool_]],
    ) -> bool:
        """Tell whether the seats cannot have together what the deck has of a sum over cards."""
        tables = tables_of(terms)
        (total,) = look_up(tables, np.array([FULL_DECK], np.uint32))
        least = most = 0
        for of_seat, fits in zip(cards, fitting, strict=True):
            key = of_seat, terms
            if key not in self._sums:
                self._sums[key] = look_up(tables, _eight_of(*of_seat))
            sums = self._sums[key][fits]
            least += int(sums.min())
            most += int(sums.max())
        return not least <= total <= most


def _is_over_cards(terms: Terms) -> bool:
    """Whether a sum has the same total over the four hands of any deal."""
    return all(quantity.kind not in ("belote", "declarations") for _, quantity in terms)


@lru_cache(maxsize=8)
def _eight_of(held: int, may_hold: int) -> Deals:
    """Return every hand of eight that holds some cards and else only cards that it may hold.

    Its shape is (n,): n is 735,471 where any eight of 24 will do, and 0 where too many are held.
    """
    n_more = N_RANKS - held.bit_count()
    if n_more < 0 or held & ~may_hold:
        return np.empty(0, np.uint32)
    others = list(cards_of(may_hold & ~held))
    low, high = _subsets(others[: len(others) // 2]), _subsets(others[len(others) // 2 :])
    n_low, n_high = np.bitwise_count(low), np.bitwise_count(high)
    hands = [
        np.bitwise_or.outer(low[n_low == n], high[n_high == n_more - n]).ravel()
        for n in range(n_more + 1)
    ]
    return np.concatenate(hands) | np.uint32(held)


def _subsets(cards: Sequence[int]) -> Deals:
    """Return every subset of some cards as a card set; shape (2**n,)."""
    subsets = np.zeros(1, np.uint32)
    for card in cards:
        subsets = np.concatenate([subsets, subsets | np.uint32(1 << card)])
    return subsets
