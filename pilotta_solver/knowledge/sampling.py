"""Determinisation: worlds, that is complete deals that agree with what one player sees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import FULL_DECK, N_RANKS
from pilotta_solver.deal import SEATS
from pilotta_solver.errors import ConstraintError, DealError
from pilotta_solver.knowledge.completions import Completions, Deals
from pilotta_solver.knowledge.conflicts import refuse_conflict, too_rare
from pilotta_solver.knowledge.constraints import Knowledge

MOST_WORLDS = 100_000_000
MAX_START = (1 << 62) - 1
MAX_SEED = (1 << 64) - 1

# Tries drawn at a time, so that memory stays constant.
_BATCH = 16_384

# Where no try of so many agreed, it is worth a look whether any deal does.
_SUSPICIOUS = 100_000

# The share of tries below which sampling is given up, and how many tries tell that share.
_RAREST = 100_000
_ENOUGH = 1_000_000


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
    _check(hand, seat, n, seed, start)
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
        Share of the tries that agreed, n / n_tried; 1 where nothing had to be thrown away.
    n_tried : int
        Tries that it took, those that agreed among them.
    notes : tuple of str
        What a user should be told of it, a sentence each.
    """

    hands: Deals
    acceptance: float
    n_tried: int
    notes: tuple[str, ...] = ()


def worlds_given(
    hand: int,
    seat: int,
    knowledge: Knowledge,
    n: int,
    seed: int,
    start: int = 0,
    *,
    may_hold: Iterable[int] | None = None,
) -> Sampled:
    """Sample completions of the unseen hands that agree with what is known, uniformly.

    What is known of cards and lengths is drawn exactly, without rejection: the docstring of
    `pilotta_solver.engine.completions` has the proof. A draw that does not agree with the rest of
    what is known is thrown away, and the world is tried again. In every try each completion that
    agrees is as likely as any other, so the first that does is uniform over all that agree.

    World i is a function of (hand, seat, knowledge, seed, i) alone, whatever ``n`` and ``start``:
    it is the first of its tries that agrees, and each try depends on (seed, i) and its own number.
    Where nothing is known, the worlds are those of `worlds`; otherwise they are others.

    Parameters
    ----------
    hand
        The eight cards seen, a card set; 0 to deal all four hands.
    seat
        The column in which the hand stands, 0 to 3.
    knowledge
        What is known of the hands.
    n
        How many worlds.
    seed
        0 to 2**64 - 1.
    start
        The number of the first world.
    may_hold
        For each seat from N the only cards that it may hold, card sets, where the play tells more
        than the statements. The worlds then are never those of `worlds`.

    Returns
    -------
    Sampled
        The worlds, and how many tries they took.

    Raises
    ------
    ConstraintError
        If no deal agrees with what is known; the message names statements that cannot all hold
        though any fewer of them can. Or if fewer than 1 in 100,000 tries agree; the message says
        how many did.
    DealError
        If the hand has not eight cards, or a number is out of range.

    Examples
    --------
    >>> from pilotta_solver import format_hand, parse_hand
    >>> known = Knowledge.of({2: "SQ and H=0 and D>=4", 1: "S>=3 and aces>=1"})
    >>> sampled = worlds_given(parse_hand("AKJ9.T8.A7."), 0, known, n=2, seed=1)
    >>> [format_hand(int(hand)) for hand in sampled.hands[0]]
    ['AKJ9.T8.A7.', 'T87.AK..QT9', 'Q..KQJT8.A8', '.QJ97.9.KJ7']
    >>> sampled.n_tried
    2
    """
    _check(hand, seat, n, seed, start)
    completions = Completions(hand, seat, knowledge, may_hold)
    if completions.n == 0:
        refuse_conflict(hand, seat, knowledge, deeply=False)
        raise ConstraintError(
            "no deal fits both the cards seen in the play and what is said of the hands; change "
            "one or leave it out"
        )
    if completions.says_nothing:
        return Sampled(worlds(hand, seat, n, seed, start), 1.0, n)
    hands = np.empty((n, len(SEATS)), np.uint32)
    n_found = n_tried = 0

    def count(found: int, tried: int, deals: Deals) -> float:
        """Count a round of tries; give up where it is hopeless. Return the tries a world takes."""
        nonlocal n_found, n_tried
        if n_found + found == 0 and n_tried < _SUSPICIOUS <= n_tried + tried:
            refuse_conflict(hand, seat, knowledge, deeply=True)
        n_found += found
        n_tried += tried
        if n_tried >= _ENOUGH and n_found * _RAREST < n_tried:
            raise too_rare(completions, deals, n_found, n_tried, knowledge.rules)
        return (n_tried + 1) / (n_found + 1)

    for first in range(0, n, _BATCH):
        _fill(hands[first : first + _BATCH], completions, seed, start + first, count)
    return Sampled(hands, n / n_tried, n_tried, (_note(n, n_tried, completions),))


def _fill(
    hands: Deals,
    completions: Completions,
    seed: int,
    start: int,
    count: Callable[[int, int, Deals], float],
) -> None:
    """Fill row i with the first try at world ``start + i`` that agrees.

    Rows still empty are tried together, each as many more times as seem to be needed.
    """
    empty = np.arange(len(hands))
    n_done, n_each = 0, 1
    while len(empty):
        tries = np.tile(np.arange(n_done, n_done + n_each), len(empty))
        deals = completions.draw(seed, np.repeat(start + empty, n_each), tries)
        agrees = completions.agree(deals).reshape(-1, n_each)
        found, first = agrees.any(axis=1), agrees.argmax(axis=1)
        rows = np.flatnonzero(found)
        hands[empty[rows]] = deals[rows * n_each + first[rows]]
        n_tried = int(np.where(found, first + 1, n_each).sum())
        expected = count(len(rows), n_tried, deals)
        empty = empty[~found]
        n_done += n_each
        n_each = max(1, min(int(2 * expected), _BATCH // max(1, len(empty))))


def _note(n: int, n_tried: int, completions: Completions) -> str:
    """Say how the worlds were found."""
    deals = "deal agrees" if completions.n == 1 else "deals agree"
    exact = f"{completions.n:,} {deals} with what is known of cards and lengths"
    if not completions.rest:
        return f"{exact}; worlds are drawn from them without rejection"
    share = f"{n / n_tried:.0%}" if 10 * n > n_tried else f"1 in {n_tried / n:,.0f}"
    return f"{exact}; {share} of those drawn agrees with the rest ({n:,} of {n_tried:,})"


def _check(hand: int, seat: int, n: int, seed: int, start: int) -> None:
    """Raise DealError for arguments out of range."""
    if hand and (not 0 <= hand <= FULL_DECK or hand.bit_count() != N_RANKS):
        raise DealError(f"a hand of {hand.bit_count()} cards: worlds are dealt around {N_RANKS}")
    if not 0 <= seat < len(SEATS):
        raise DealError(f"seat {seat}: it is 0 to {len(SEATS) - 1}, for {', '.join(SEATS)}")
    if not 1 <= n <= MOST_WORLDS or not 0 <= start <= MAX_START:
        raise DealError(
            f"{n} worlds from number {start}: give 1 to {MOST_WORLDS} at a time, from number 0 on"
        )
    if not 0 <= seed <= MAX_SEED:
        raise DealError(f"seed {seed}: it is 0 to {MAX_SEED}")
