"""The auction of four players who bid by one system: of one deal, or of very many.

A player looks at his own hand and at the calls before his. He makes a bid of the system whose
meaning his hand has, and passes if there is none, so that `knowledge_from_auction` reads every call
as what it was. Where his hand has several:

- a double or a redouble comes before any bid;
- then the highest level, for a lower bid would deny it;
- then partner's suit; then the suit of which he holds most; then the order S H D C N A.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from pilotta_solver.auction import Auction, Contract
from pilotta_solver.cards import N_RANKS, N_SUITS, SUIT_MASKS, TRUMPS
from pilotta_solver.deal import SEATS
from pilotta_solver.errors import ConstraintError
from pilotta_solver.knowledge.bidding_system import BiddingSystem
from pilotta_solver.knowledge.expression import Expression, holds, holds_many
from pilotta_solver.knowledge.turn import Turn
from pilotta_solver.notation import Bid, Call, format_call
from pilotta_solver.ruleset import Ruleset

Hands = npt.NDArray[np.uint32]


def bid_out(
    hands: Sequence[int], system: BiddingSystem, rules: Ruleset, dealer: int = len(SEATS) - 1
) -> Auction:
    """Have four hands bid by a system until the auction is over.

    This is the readable twin of `bid_out_many`.

    Parameters
    ----------
    hands
        Four card sets, from N in order of play.
    system
        What calls mean; all players play it.
    rules
        The ruleset, which says what may be called.
    dealer
        The seat that deals; the next one speaks first, and leads.

    Returns
    -------
    Auction
        The auction, over; its contract is None if all four passed.

    Examples
    --------
    >>> from pilotta_solver import format_call, load_ruleset, load_system, parse_deal
    >>> deal = parse_deal("N:7.QJ8.AQ8.A J.A.KJ.KQ98 AQT8.7.T7.J K9.KT9.9.T7")
    >>> auction = bid_out(deal.hands, load_system("cyprus-basic"), load_ruleset())
    >>> " ".join(format_call(call) for call in auction.calls)
    '80H P 90H P P P'
    """
    turn = Turn.first(rules, dealer)
    while True:
        hand = hands[turn.seat]
        fitting = [
            (_priority(turn, one) + _length(one, hand), one)
            for one, meaning in _choices(turn, system)
            if holds(meaning, hand, rules)
        ]
        call: Call = max(fitting, key=lambda pair: pair[0])[1] if fitting else "P"
        following = turn.after(call)
        if following is None:
            return turn.auction.call(call)
        turn = following


@dataclass(frozen=True, slots=True)
class ReachedContracts:
    """The contracts that many auctions end in.

    Attributes
    ----------
    trump
        int8 of shape (n,): 0 to 3 a suit, 4 no trump, 5 all trump; -1 where all four passed.
    level
        int16 of shape (n,): the last bid; 0 where all four passed.
    declarer
        int8 of shape (n,): the seat that made it; -1 where all four passed.
    multiplier
        int8 of shape (n,): 1, or 2 for a doubled and 4 for a redoubled contract.
    calls
        Text of shape (n,): the calls in order, from the first to speak.
    """

    trump: npt.NDArray[np.int8]
    level: npt.NDArray[np.int16]
    declarer: npt.NDArray[np.int8]
    multiplier: npt.NDArray[np.int8]
    calls: npt.NDArray[np.object_]


def bid_out_many(
    hands: Hands, system: BiddingSystem, rules: Ruleset, dealer: int = len(SEATS) - 1
) -> ReachedContracts:
    """Have the hands of many deals bid by a system.

    Deals whose calls are the same so far are looked at together.

    Parameters
    ----------
    hands
        Card sets of shape (n, 4), uint32, the columns from N in order of play.
    system, rules, dealer
        As for `bid_out`.
    """
    n = len(hands)
    reached = ReachedContracts(
        np.full(n, -1, np.int8),
        np.zeros(n, np.int16),
        np.full(n, -1, np.int8),
        np.ones(n, np.int8),
        np.full(n, "", dtype=object),
    )
    waiting = [(Turn.first(rules, dealer), np.arange(n))]
    while waiting:
        turn, rows = waiting.pop()
        calls, chosen = _choose_many(turn, hands[rows, turn.seat], system)
        for place, call in enumerate(calls):
            these = rows[chosen == place]
            if not these.size:
                continue
            following = turn.after(call)
            if following is None:
                _enter(reached, these, turn.auction.call(call))
            else:
                waiting.append((following, these))
    return reached


def check_bids(system: BiddingSystem) -> None:
    """Refuse a system by which nobody could ever open.

    Raises
    ------
    ConstraintError
        If it has no opening bid.
    """
    opens = any(isinstance(one.call, int) and "opening" in one.when for one in system.conventions)
    if not opens:
        raise ConstraintError(
            f"the bidding system '{system.name}' has no opening bid, so every deal would be passed "
            "out; name a system that has one"
        )


def _choices(turn: Turn, system: BiddingSystem) -> list[tuple[Call, Expression]]:
    """Return what the player could call by the system, but for the pass, with what it means."""
    found: list[tuple[Call, Expression]] = [
        (bid, meaning) for bid, _, meaning in turn.meanings(system)
    ]
    if turn.standing is not None:
        trump = turn.standing.bid.trump
        doubles: tuple[Literal["X", "XX"], ...] = ("X", "XX")
        for double in doubles:
            convention = system.convention(double, turn.situation(trump), trump)
            if convention is not None and not turn.auction.why_illegal(double):
                found.append((double, convention.expression(trump)))
    return found


# What decides between calls, from the least weight on: the order of trumps, the length of the
# suit, whether it is partner's, the level.
_LENGTH = len(TRUMPS)
_PARTNERS = _LENGTH * (N_RANKS + 1)
_LEVEL = 2 * _PARTNERS
_DOUBLE = 1 << 40


def _priority(turn: Turn, call: Call) -> int:
    """Return how much a player prefers a call, whatever his hand."""
    if not isinstance(call, Bid):
        return _DOUBLE
    partner = turn.partners_bid
    is_partners = partner is not None and partner.trump == call.trump
    order = len(TRUMPS) - 1 - call.trump
    return _LEVEL * call.level + _PARTNERS * is_partners + order


def _length(call: Call, hand: int) -> int:
    """Return how much he prefers it besides for the length of its suit."""
    if not isinstance(call, Bid) or call.trump >= N_SUITS:
        return 0
    return _LENGTH * (hand & SUIT_MASKS[call.trump]).bit_count()


def _choose_many(
    turn: Turn, hands: Hands, system: BiddingSystem
) -> tuple[list[Call], npt.NDArray[np.intp]]:
    """Return the calls that may be chosen, the pass first, and the place of each hand's own."""
    rules = turn.auction.rules
    calls: list[Call] = ["P"]
    best = np.zeros(len(hands), np.int64)
    chosen = np.zeros(len(hands), np.intp)
    for call, meaning in _choices(turn, system):
        priority = np.full(len(hands), _priority(turn, call), np.int64)
        if isinstance(call, Bid) and call.trump < N_SUITS:
            of_suit = hands & np.uint32(SUIT_MASKS[call.trump])
            priority += _LENGTH * np.bitwise_count(of_suit).astype(np.int64)
        better = holds_many(meaning, hands, rules) & (priority > best)
        best[better], chosen[better] = priority[better], len(calls)
        calls.append(call)
    return calls, chosen


def _enter(reached: ReachedContracts, rows: npt.NDArray[np.intp], auction: Auction) -> None:
    """Write down what an auction ended in."""
    reached.calls[rows] = " ".join(format_call(call) for call in auction.calls)
    contract: Contract | None = auction.contract
    if contract is None:
        return
    reached.trump[rows] = contract.bid.trump
    reached.level[rows] = contract.bid.level
    reached.declarer[rows] = contract.declarer
    reached.multiplier[rows] = contract.multiplier
