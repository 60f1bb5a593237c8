"""The auction: whose turn it is, which calls are legal, when it ends, and the contract.

The rules are those of "The auction" in ``docs/rules.md``. The player after the dealer speaks first,
and leads to the first trick, whoever wins the auction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pilotta_solver.cards import ALL_TRUMP, NO_TRUMP, TRUMPS
from pilotta_solver.deal import SEATS, next_seat, side_of
from pilotta_solver.errors import PlayError
from pilotta_solver.notation import Bid, Call, format_bid, format_call
from pilotta_solver.ruleset import Ruleset

Phase = Literal["bidding", "doubling", "redoubling", "over"]

# Where a ruleset has no highest bid, legal bids are listed up to this one.
LISTED_TO = 400


@dataclass(frozen=True, slots=True)
class Contract:
    """What the auction ends in.

    Attributes
    ----------
    bid
        The last bid.
    declarer
        The seat that made it; its side are the declarers.
    leader
        The seat that leads to the first trick.
    multiplier
        1, or 2 for a doubled and 4 for a redoubled contract.
    """

    bid: Bid
    declarer: int
    leader: int
    multiplier: Literal[1, 2, 4] = 1


class Auction:
    """An auction so far; `call` gives the auction after one more call.

    Parameters
    ----------
    rules
        The ruleset.
    dealer
        The seat that deals.
    calls
        The calls so far, in order.

    Attributes
    ----------
    phase
        ``"bidding"``; then, where ``doubling`` is ``"after_auction"``, ``"doubling"`` while the
        defence may double and ``"redoubling"`` while the declarers may answer; ``"over"``.

    Raises
    ------
    PlayError
        If a call is illegal where it is made; the message names the call, the seat and the rule.

    Examples
    --------
    >>> from pilotta_solver import load_ruleset, parse_calls
    >>> auction = Auction(load_ruleset(), dealer=3, calls=parse_calls("P 80H 90S X P P P"))
    >>> auction.contract
    Contract(bid=Bid(level=90, trump=0), declarer=2, leader=0, multiplier=2)
    """

    def __init__(self, rules: Ruleset, dealer: int, calls: tuple[Call, ...] = ()) -> None:
        self.rules = rules
        self.dealer = dealer
        self.calls: tuple[Call, ...] = ()
        self.phase: Phase = "bidding"
        self._bid: Bid | None = None
        self._bidder = dealer
        self._multiplier: Literal[1, 2, 4] = 1
        # Who has passed for good, who must still speak in this phase, and after whom.
        self._out: set[int] = set()
        self._waiting = set(range(len(SEATS)))
        self._last = dealer
        for one in calls:
            self._take(one)

    @property
    def to_speak(self) -> int | None:
        """The seat whose turn it is; None when the auction is over."""
        if self.phase == "over":
            return None
        return min(self._waiting, key=lambda seat: (seat - self._last - 1) % len(SEATS))

    @property
    def is_over(self) -> bool:
        """Whether nobody has anything left to say."""
        return self.phase == "over"

    @property
    def contract(self) -> Contract | None:
        """The contract, once the bidding is over; None before, and when all four passed."""
        if self.phase == "bidding" or self._bid is None:
            return None
        return Contract(self._bid, self._bidder, next_seat(self.dealer), self._multiplier)

    @property
    def next_dealer(self) -> int:
        """The seat that deals next; after four passes ``all_pass`` says which."""
        all_passed = self.is_over and self._bid is None
        if all_passed and self.rules.all_pass == "same_dealer":
            return self.dealer
        return next_seat(self.dealer)

    def legal_calls(self) -> tuple[Call, ...]:
        """Return every call that the player to speak may make: the pass, bids, doubles.

        Where there is no highest bid, bids are listed up to 400; higher ones are legal too.
        """
        highest = self.rules.highest_bid or LISTED_TO
        levels = range(self.rules.first_bid, highest + 1, self.rules.bid_step)
        bids = [Bid(level, trump) for level in levels for trump in range(len(TRUMPS))]
        calls: tuple[Call, ...] = ("P", *bids, "X", "XX")
        return tuple(one for one in calls if not self.why_illegal(one))

    def call(self, call: Call) -> Auction:
        """Return the auction after one more call.

        Raises
        ------
        PlayError
            If the call is illegal; the message names the call, the seat and the rule.
        """
        return Auction(self.rules, self.dealer, (*self.calls, call))

    def why_illegal(self, call: Call) -> str:
        """Name the rule that forbids a call to the player to speak; empty if it is legal."""
        seat = self.to_speak
        if seat is None:
            return "the auction is over"
        if call == "P":
            return ""
        if isinstance(call, Bid):
            return self._why_no_bid(call)
        if self.rules.doubling == "after_auction" and self.phase == "bidding":
            return 'a double comes after the bidding (doubling = "after_auction")'
        if self._bid is None:
            return "nobody has bid"
        own = side_of(seat) == side_of(self._bidder)
        if call == "X":
            if self._multiplier > 1:
                return "the contract is doubled already"
            return "only the defence doubles" if own else ""
        if self._multiplier != 2:
            return "only a doubled contract is redoubled"
        return "" if own else "only the declarers redouble"

    def _why_no_bid(self, bid: Bid) -> str:
        rules = self.rules
        if self.phase != "bidding":
            return "the bidding is over"
        if self._multiplier > 1:
            return 'no bid follows a double (doubling = "in_turn")'
        if bid.trump == NO_TRUMP and not rules.no_trump_bids:
            return "no-trump bids are not allowed (no_trump_bids = false)"
        if bid.trump == ALL_TRUMP and not rules.all_trump_bids:
            return "all-trump bids are not allowed (all_trump_bids = false)"
        if bid.level < rules.first_bid:
            return f"it is below the lowest bid (first_bid = {rules.first_bid})"
        if (bid.level - rules.first_bid) % rules.bid_step:
            return f"it is between two steps (bid_step = {rules.bid_step})"
        if rules.highest_bid and bid.level > rules.highest_bid:
            return f"it is above the highest bid (highest_bid = {rules.highest_bid})"
        if self._bid is not None and bid.level <= self._bid.level:
            return f"a bid must be higher than {format_bid(self._bid)}"
        return ""

    def _take(self, call: Call) -> None:
        """Make one call."""
        reason, seat = self.why_illegal(call), self.to_speak
        place = f"call {len(self.calls) + 1}: {format_call(call)}"
        if seat is None:
            raise PlayError(f"{place} comes too late: {reason}; leave it out")
        if reason:
            raise PlayError(f"{place} by {SEATS[seat]} is not legal: {reason}")
        self.calls += (call,)
        self._last = seat
        if isinstance(call, Bid):
            self._bid, self._bidder = call, seat
            self._waiting = set(range(len(SEATS))) - self._out - {seat}
        elif call == "X":
            self._multiplier = 2
            self._double(seat)
        elif call == "XX":
            self._multiplier = 4
            self._waiting = set()
        else:
            self._waiting.remove(seat)
            if self.phase == "bidding" and self.rules.pass_is_final:
                self._out.add(seat)
        if not self._waiting:
            self._end_phase()

    def _double(self, doubler: int) -> None:
        """Let the others answer a double: in turn everybody, after the auction the declarers."""
        if self.phase == "bidding":
            self._waiting = set(range(len(SEATS))) - self._out - {doubler}
        else:
            self.phase = "redoubling"
            self._waiting = self._seats_of(side_of(self._bidder))

    def _end_phase(self) -> None:
        """Go on once everybody has spoken: to the doubles after the bidding, or to the end."""
        after = self.rules.doubling == "after_auction"
        if self.phase == "bidding" and after and self._bid is not None:
            self.phase = "doubling"
            self._waiting = self._seats_of(1 - side_of(self._bidder))
            self._last = self._bidder
        else:
            self.phase = "over"

    @staticmethod
    def _seats_of(side: int) -> set[int]:
        return {seat for seat in range(len(SEATS)) if side_of(seat) == side}
