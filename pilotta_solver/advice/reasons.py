"""Why: what hidden facts a contract hangs on, counted from worlds already solved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pilotta_solver.advice.worth import Ints, Played, Truths
from pilotta_solver.cards import (
    ALL_TRUMP,
    N_SUITS,
    NO_TRUMP,
    RANKS,
    SUIT_MASKS,
    make_card,
)
from pilotta_solver.deal import SEATS, Deal
from pilotta_solver.notation import format_card, format_deal
from pilotta_solver.stopping import Certainty

# Ranks whose holder is looked at: in trumps, and in a plain suit.
_KEYS_TRUMP = "J9AT"
_KEYS_PLAIN = "AT"

# Lengths of partner's trumps from this one on are taken together.
_MANY_TRUMPS = 3

# A fact that fewer worlds share is not told: it would be told with an interval of 20 points.
_FEWEST = 20


@dataclass(frozen=True, slots=True)
class Reason:
    """The chance of a contract where one hidden fact is known.

    Attributes
    ----------
    about : str
        What the fact is about: a card such as ``S9``, or ``partner's trumps``.
    fact : str
        The fact: ``partner`` or ``opponent`` for the holder of a card; ``0``, ``1``, ``2`` or
        ``3+`` for a length.
    n_worlds : int
        Worlds in which it is so.
    share : float
        Their share of all worlds.
    p_made, ci_low, ci_high : float
        The chance of making the contract in them, and its 95 % interval.
    """

    about: str
    fact: str
    n_worlds: int
    share: float
    p_made: float
    ci_low: float
    ci_high: float


@dataclass(frozen=True, slots=True)
class Example:
    """One world, written out.

    Attributes
    ----------
    kind : str
        ``median``: the total is near the median of all worlds; ``failure``: the contract fails,
        with a total near the median of all that fail.
    world : int
        Its number; with the seed it can be made again.
    deal : str
        The four hands, in order of play from N, who leads.
    card_points : int
        Card points of the declarers.
    declarations, belote : int
        What the declarers score besides.
    total : int
        Their total.
    made : bool
        Whether the contract is made.
    """

    kind: str
    world: int
    deal: str
    card_points: int
    declarations: int
    belote: int
    total: int
    made: bool


def reasons(
    hands: npt.NDArray[np.uint32],
    seat: int,
    trump: int,
    made: Truths,
    certainty: Certainty,
) -> tuple[Reason, ...]:
    """Return what a contract hangs on, the most telling card first.

    Parameters
    ----------
    hands
        The worlds, ``(n, 4)``.
    seat
        The seat that asks, 0 to 3.
    trump
        The trump.
    made
        In which of the worlds the contract is made, ``(n,)``.
    certainty
        How the intervals are made.

    Returns
    -------
    tuple of Reason
        Two for each key card that the hand lacks (partner holds it, an opponent does), cards in
        the order of how much of the outcome they explain; then partner's trumps 0, 1, 2, 3+.
    """
    partner = hands[:, (seat + 2) % len(SEATS)]
    unseen = ~int(hands[0, seat])
    cards = [card for card in _key_cards(trump) if unseen >> card & 1]
    by_card = []
    for card in cards:
        holds = (partner >> np.uint32(card) & np.uint32(1)).astype(np.bool_)
        facts = [("partner", holds), ("opponent", ~holds)]
        told = list(_told(format_card(card), facts, made, certainty))
        by_card.append((_explained(holds, made), told))
    by_card.sort(key=lambda one: -one[0])
    found = [reason for _, told in by_card for reason in told]
    if trump < N_SUITS:
        lengths = np.bitwise_count(partner & np.uint32(SUIT_MASKS[trump]))
        facts = [(str(k), lengths == k) for k in range(_MANY_TRUMPS)]
        facts.append((f"{_MANY_TRUMPS}+", lengths >= _MANY_TRUMPS))
        found += _told("partner's trumps", facts, made, certainty)
    return tuple(found)


def _key_cards(trump: int) -> list[int]:
    plain = [suit for suit in range(N_SUITS) if suit != trump]
    keys = [(trump, rank) for rank in _KEYS_TRUMP] if trump < N_SUITS else []
    if trump == ALL_TRUMP:
        keys += [(suit, rank) for rank in _KEYS_TRUMP[:2] for suit in plain]
    else:
        ranks = _KEYS_PLAIN if trump == NO_TRUMP else _KEYS_PLAIN[:1]
        keys += [(suit, rank) for rank in ranks for suit in plain]
    return [make_card(suit, RANKS.index(rank)) for suit, rank in keys]


def _told(
    about: str, facts: list[tuple[str, Truths]], made: Truths, certainty: Certainty
) -> Iterator[Reason]:
    for fact, holds in facts:
        n = int(holds.sum())
        if n >= _FEWEST:
            n_made = int(made[holds].sum())
            low, high = certainty.chance(n_made, n)
            yield Reason(about, fact, n, n / len(made), n_made / n, low, high)


def _explained(holds: Truths, made: Truths) -> float:
    """The share of the variance of the outcome that a fact explains, but for a factor."""
    n = int(holds.sum())
    if n in (0, len(made)):
        return 0.0
    gap = float(made[holds].mean() - made[~holds].mean())
    return gap * gap * n * (len(made) - n)


def examples(
    hands: npt.NDArray[np.uint32], deals: Played, level: int, n_median: int
) -> tuple[Example, ...]:
    """Return the worlds nearest the median, and a typical failure if the contract ever fails.

    Parameters
    ----------
    hands
        The worlds, ``(n, 4)``.
    deals
        What the trump comes to in them.
    level
        The level of the contract.
    n_median
        How many worlds near the median; 0 for no examples at all.
    """
    if n_median == 0:
        return ()
    total = deals.total
    chosen = [("median", int(i)) for i in _nearest_median(total)[:n_median]]
    failed = np.flatnonzero(total < level)
    if len(failed):
        chosen.append(("failure", int(failed[_nearest_median(total[failed])[0]])))
    return tuple(
        Example(
            kind=kind,
            world=i,
            deal=format_deal(Deal(_four(hands[i]))),
            card_points=int(deals.points[i, 0]),
            declarations=int(deals.declarations[i, 0]),
            belote=int(deals.belote[i, 0]),
            total=int(total[i]),
            made=bool(total[i] >= level),
        )
        for kind, i in chosen
    )


def _nearest_median(total: Ints) -> npt.NDArray[np.intp]:
    """Places in the order of their distance from the median; the earlier first."""
    return np.argsort(np.abs(total - np.median(total)), kind="stable")


def _four(row: npt.NDArray[np.uint32]) -> tuple[int, int, int, int]:
    n, w, s, e = (int(cards) for cards in row)
    return n, w, s, e
