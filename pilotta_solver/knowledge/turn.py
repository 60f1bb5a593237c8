"""A player's turn to speak: what has been called, and what a bidding system has for him to call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from pilotta_solver.auction import Auction, Contract
from pilotta_solver.deal import SEATS, next_seat
from pilotta_solver.knowledge.bidding_system import BiddingSystem, Convention, Situation
from pilotta_solver.knowledge.expression import Expression
from pilotta_solver.notation import Bid, Call
from pilotta_solver.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Turn:
    """A player's turn to speak.

    Attributes
    ----------
    auction
        The auction before his call.
    seat
        The player.
    bids
        The last bid of each seat that has bid.
    standing
        The contract that stands, if any.
    """

    auction: Auction
    seat: int
    bids: Mapping[int, Bid] = field(default_factory=dict)
    standing: Contract | None = None

    @classmethod
    def first(cls, rules: Ruleset, dealer: int) -> Turn:
        """Return the turn of the player after the dealer."""
        return cls(Auction(rules, dealer), next_seat(dealer))

    def after(self, call: Call) -> Turn | None:
        """Return the turn that follows a call; None when the auction is over.

        Raises
        ------
        PlayError
            If the call is not legal.
        """
        auction = self.auction.call(call)
        seat = auction.to_speak
        if seat is None:
            return None
        bids = {**self.bids, self.seat: call} if isinstance(call, Bid) else self.bids
        return Turn(auction, seat, bids, self.standing_after(call))

    def standing_after(self, call: Call) -> Contract | None:
        """Return the contract that stands after a call."""
        if isinstance(call, Bid):
            return Contract(call, self.seat, next_seat(self.auction.dealer))
        if self.standing is None or call == "P":
            return self.standing
        multiplier: Literal[2, 4] = 2 if call == "X" else 4
        standing = self.standing
        return Contract(standing.bid, standing.declarer, standing.leader, multiplier)

    def situation(self, trump: int) -> Situation:
        """Return the situation in which the player would name a trump."""
        if self.seat in self.bids:
            return "rebid"
        partner = self.partners_bid
        if partner is not None:
            return "reply" if trump == partner.trump else "new suit"
        return "overcall" if self.bids else "opening"

    def steps(self, bid: Bid) -> int:
        """Return how many steps a bid is above partner's in the same trump; 0 if it is not."""
        partner = self.partners_bid
        if partner is None or partner.trump != bid.trump:
            return 0
        return (bid.level - partner.level) // self.auction.rules.bid_step

    @property
    def partners_bid(self) -> Bid | None:
        """The last bid of the player's partner."""
        return self.bids.get((self.seat + 2) % len(SEATS))

    def meanings(self, system: BiddingSystem) -> Iterator[tuple[Bid, Convention, Expression]]:
        """Iterate over the bids of a system that the player could make, with what they mean."""
        for bid in self.auction.legal_calls():
            if isinstance(bid, Bid):
                steps = self.steps(bid)
                found = system.convention(bid.level, self.situation(bid.trump), bid.trump, steps)
                if found is not None:
                    yield bid, found, found.expression(bid.trump, steps)
