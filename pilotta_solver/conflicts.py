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

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import FULL_DECK, N_RANKS, cards_of
from pilotta_solver.completions import Completions, Deals, agree
from pilotta_solver.constraints import Knowledge, Statement
from pilotta_solver.deal import SEATS
from pilotta_solver.errors import ConstraintError
from pilotta_solver.expression import (
    Comparison,
    Expression,
    holds_many,
    parts_of,
    tables_of,
)
from pilotta_solver.notation import format_hand
from pilotta_solver.quantities import Terms, look_up
from pilotta_solver.ruleset import Ruleset


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
        self._truths: dict[int, npt.NDArray[np.bool_]] = {}
        self._sums: dict[tuple[int, Terms], npt.NDArray[np.int32]] = {}

    def proves(self, statements: Sequence[Statement]) -> bool:
        """Tell whether it is proved that no deal agrees with all the statements."""
        knowledge = Knowledge(tuple(statements), self._rules)
        if Completions(self._hand, self._seat, knowledge).n == 0:
            return True
        if not self._deeply:
            return False
        fitting = [self._fitting(seat, statements) for seat in range(len(SEATS))]
        if not all(fits.any() for fits in fitting):
            return True
        return any(
            self._total_is_out_of_reach(terms, fitting)
            for terms in {terms for one in statements for terms in _sums_in(one.expression)}
        )

    def _fitting(self, seat: int, statements: Sequence[Statement]) -> npt.NDArray[np.bool_]:
        """Tell which of all hands that a seat may hold its statements fit."""
        hands = self._hands(seat)
        fits = np.ones(len(hands), np.bool_)
        for one in statements:
            if one.seat == seat:
                if id(one) not in self._truths:
                    self._truths[id(one)] = holds_many(one.expression, hands, self._rules)
                fits &= self._truths[id(one)]
        return fits

    def _total_is_out_of_reach(
        self, terms: Terms, fitting: Sequence[npt.NDArray[np.bool_]]
    ) -> bool:
        """Tell whether the seats cannot have together what the deck has of a sum over cards."""
        (total,) = look_up(tables_of(terms), np.array([FULL_DECK], np.uint32))
        least = most = 0
        for seat, fits in enumerate(fitting):
            is_own = bool(self._hand) and seat == self._seat
            key = (int(is_own), terms)
            if key not in self._sums:
                self._sums[key] = look_up(tables_of(terms), self._hands(seat))
            sums = self._sums[key][fits]
            least += int(sums.min())
            most += int(sums.max())
        return not least <= total <= most

    def _hands(self, seat: int) -> Deals:
        """Return all hands that a seat may hold, by what is seen of the deal; shape (n,)."""
        if self._hand and seat == self._seat:
            return np.array([self._hand], np.uint32)
        return _eight_of(FULL_DECK & ~self._hand)


def _sums_in(expression: Expression) -> Iterator[Terms]:
    """Iterate over the sums that an expression compares, as far as they are sums over cards."""
    if isinstance(expression, Comparison) and not any(
        quantity.kind in ("belote", "declarations") for _, quantity in expression.terms
    ):
        yield expression.terms
    for part in parts_of(expression):
        yield from _sums_in(part)


@lru_cache(maxsize=2)
def _eight_of(cards: int) -> Deals:
    """Return every hand of eight of some cards; shape (n,), 735,471 of 24 cards."""
    held = list(cards_of(cards))
    halves = [_subsets(held[: len(held) // 2]), _subsets(held[len(held) // 2 :])]
    sizes = [np.bitwise_count(half) for half in halves]
    hands = [
        np.bitwise_or.outer(halves[0][sizes[0] == n], halves[1][sizes[1] == N_RANKS - n]).ravel()
        for n in range(N_RANKS + 1)
    ]
    return np.concatenate(hands)


def _subsets(cards: Sequence[int]) -> Deals:
    """Return every subset of some cards as a card set; shape (2**n,)."""
    subsets = np.zeros(1, np.uint32)
    for card in cards:
        subsets = np.concatenate([subsets, subsets | np.uint32(1 << card)])
    return subsets
