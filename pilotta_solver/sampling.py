"""Determinisation: worlds, that is complete deals that agree with what one player sees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import FULL_DECK, N_RANKS
from pilotta_solver.constraints import Knowledge
from pilotta_solver.deal import SEATS
from pilotta_solver.errors import ConstraintError, DealError
from pilotta_solver.expression import holds_many

MAX_SEED = (1 << 64) - 1


def worlds(hand: int, seat: int, n: int, seed: int, start: int = 0) -> npt.NDArray[np.uint32]:
    """Sample completions of the three unseen hands, uniformly and independently.

    World i is a function of (hand, seat, seed, i) alone, whatever ``n`` and ``start``.

    Parameters
    ----------
    hand
        The eight cards seen, a card set; 0 to deal all four hands at random.
    seat
        The column in which the hand stands, 0 to 3.
    n
        How many worlds.
    seed
        0 to 2**64 - 1.
    start
        The number of the first world.

    Returns
    -------
    numpy.ndarray
        Shape (n, 4), uint32: a row a world, a column a seat in order of play.

    Raises
    ------
    DealError
        If the hand has not eight cards, or a number is out of range.

    Examples
    --------
    >>> hands = worlds(0b11111111, seat=0, n=3, seed=1)
    >>> hands.shape, int(hands[0].sum()) == 0xFFFFFFFF
    ((3, 4), True)
    """
    if hand and (not 0 <= hand <= FULL_DECK or hand.bit_count() != N_RANKS):
        raise DealError(f"a hand of {hand.bit_count()} cards: worlds are dealt around {N_RANKS}")
    if not 0 <= seat < len(SEATS):
        raise DealError(f"seat {seat}: it is 0 to {len(SEATS) - 1}, for {', '.join(SEATS)}")
    if n < 1 or start < 0:
        raise DealError(f"{n} worlds from number {start}: give at least 1, from 0 on")
    if not 0 <= seed <= MAX_SEED:
        raise DealError(f"seed {seed}: it is 0 to {MAX_SEED}")
    from pilotta_solver.engine.sampling import deal_worlds

    dealt = np.empty((n, len(SEATS)), dtype=np.uint32)
    deal_worlds(hand, seat, np.uint64(seed), start, dealt)
    return dealt


@dataclass(frozen=True)
class Sampled:
    """Worlds that agree with what is known, and how they were found.

    Attributes
    ----------
    hands : numpy.ndarray
        Shape (n, 4), uint32: a row a world, a column a seat in order of play.
    acceptance : float
        Share of the tries that agreed, n / n_tried.
    n_tried : int
        Tries until every world was found, those that agreed among them.
    notes : tuple of str
        What to tell the user about it, a sentence each.
    """

    hands: npt.NDArray[np.uint32]
    acceptance: float
    n_tried: int
    notes: tuple[str, ...] = ()


def worlds_given(
    hand: int, seat: int, knowledge: Knowledge, n: int, seed: int, start: int = 0
) -> Sampled:
    """Sample completions of the unseen hands that agree with what is known of them, uniformly."""
    hands = worlds(hand, seat, n, seed, start)
    agree = np.zeros(n, np.bool_)
    n_tried = 0
    while not agree.all():
        found = np.ones(n, np.bool_)
        for statement in knowledge.statements:
            column = hands[:, statement.seat]
            found &= holds_many(statement.expression, column, knowledge.rules)
        n_tried += int((~agree).sum())
        if n_tried > 100_000 * n:
            raise ConstraintError(f"fewer than 1 world in {n_tried:,} agrees with what is known")
        agree |= found
        fresh = worlds(hand, seat, n, (seed + n_tried) % MAX_SEED, start)
        hands[~agree] = fresh[~agree]
    return Sampled(hands, n / n_tried, n_tried)
