"""What an auction tells of the hidden hands, and all that a player knows at his turn.

Every call of another player is read by a bidding system (`bidding_system`): a bid means what the
system says, a pass denies the bids that could have been made. The auction also says whose turn it
is and which contract stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pilotta_solver.auction import Auction, Contract
from pilotta_solver.deal import SEATS
from pilotta_solver.errors import ConstraintError
from pilotta_solver.knowledge.bidding_system import BiddingSystem, load_system
from pilotta_solver.knowledge.constraints import Knowledge, Statement
from pilotta_solver.knowledge.expression import And, Expression, Not
from pilotta_solver.knowledge.turn import Turn
from pilotta_solver.notation import Bid, Call, format_call, parse_calls
from pilotta_solver.ruleset import Ruleset

# N speaks first and leads, as everywhere in advice; so E deals.
DEALER = 3

ROLES = ("you", "right", "partner", "left")
"""What the others are to a player, in the order of play from himself: play goes to the right."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one call of another player is taken to mean.

    Attributes
    ----------
    seat
        Who made the call.
    role
        What he is to the player who reads it: ``right``, ``partner`` or ``left``.
    call
        The call.
    statement
        What it says of his hand; None if nothing.
    words
        The same in a player's words.
    """

    seat: int
    role: str
    call: Call
    statement: Statement | None
    words: str

    def sentence(self, *, symbols: bool = False) -> str:
        """Say what the call is taken to mean, as in ``Left's pass: no 80 or 90 in any suit``."""
        whose = _whose(self.role, self.call, symbols=symbols)
        return f"{whose[0].upper()}{whose[1:]}: {self.words}"


@dataclass(frozen=True, slots=True)
class AuctionKnowledge:
    """What an auction tells the player at a seat.

    Attributes
    ----------
    knowledge
        What it says of the other hands.
    readings
        Every call of the others, in order, with what it is taken to mean.
    standing
        The contract as it stands; None if nobody has bid.
    """

    knowledge: Knowledge
    readings: tuple[Reading, ...]
    standing: Contract | None


def knowledge_from_auction(
    auction: Auction, system: BiddingSystem, my_seat: int
) -> AuctionKnowledge:
    """Read the calls of the other players by a bidding system.

    A bid that the system does not know says nothing, and neither does a pass where no bid of the
    system could have been made. My own calls say nothing that my hand does not say.

    Parameters
    ----------
    auction
        The auction so far.
    system
        What calls mean; all players play it.
    my_seat
        The seat that reads, 0 to 3.

    Examples
    --------
    >>> from pilotta_solver import load_ruleset, parse_calls
    >>> auction = Auction(load_ruleset(), dealer=3, calls=parse_calls("P 80H P"))
    >>> read = knowledge_from_auction(auction, load_system("cyprus-basic"), my_seat=3)
    >>> print(read.readings[2].sentence())
    Left's pass: no 90 in any suit
    >>> read.standing
    Contract(bid=Bid(level=80, trump=1), declarer=1, leader=0, multiplier=1)
    """
    readings = []
    turn: Turn | None = Turn.first(auction.rules, auction.dealer)
    standing: Contract | None = None
    for call in auction.calls:
        assert turn is not None  # or the call would not be legal
        if turn.seat != my_seat:
            readings.append(_read(call, turn.seat, my_seat, turn, system))
        standing = turn.standing_after(call)
        turn = turn.after(call)
    statements = tuple(one.statement for one in readings if one.statement is not None)
    return AuctionKnowledge(Knowledge(statements, auction.rules), tuple(readings), standing)


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What a player knows when it is his turn to speak, besides his hand.

    Attributes
    ----------
    seat
        Where he sits, 0 to 3; 0 speaks first and leads.
    knowledge
        What he knows of the other hands: what he is told, and what the auction tells.
    readings
        What each call of the others is taken to mean.
    standing
        The contract as it stands; None if nobody has bid.
    """

    seat: int
    knowledge: Knowledge
    readings: tuple[Reading, ...] = ()
    standing: Contract | None = None


def player_view(
    rules: Ruleset,
    *,
    seat: int | None = None,
    auction: str | None = None,
    system: str | Path | BiddingSystem = "cyprus-basic",
    partner: str | None = None,
    right: str | None = None,
    left: str | None = None,
    cards: str = "en",
    is_playing: bool = False,
) -> PlayerView:
    """Gather what a player knows from the texts in which he tells it.

    Parameters
    ----------
    rules
        The ruleset.
    seat
        His place in the order of speaking, 1 to 4; by default the place that the auction has come
        to, or 1 without an auction.
    auction
        The calls so far, from the first to speak: ``P 80H P``.
    system
        The bidding system by which the calls are read, or its name or path.
    partner, right, left
        Expressions for the hands of the others (`expression_text`). The player on the right speaks
        and plays next.
    cards
        The tongue of the names of cards and suits.
    is_playing
        Whether the cards are being played: the auction then is the whole of it, and leaves the seat
        open.

    Raises
    ------
    NotationError
        If a text cannot be read.
    PlayError
        If a call is not legal.
    ConstraintError
        If the system cannot be read, the auction is over, or it has come to another seat; while
        the cards are played, if it is not over or nobody has bid.

    Examples
    --------
    >>> from pilotta_solver import load_ruleset
    >>> view = player_view(load_ruleset(), auction="P 80H P", partner="aces>=2")
    >>> view.seat, view.standing.bid
    (3, Bid(level=80, trump=1))
    >>> [one.source for one in view.knowledge.statements]
    ['partner', "right's pass", "partner's 80H", "left's pass"]
    """
    if seat is not None and not 1 <= seat <= len(SEATS):
        raise ConstraintError(f"seat {seat}: give 1 to 4, the place in the order of speaking")
    calls = parse_calls(auction or "", rules, cards)
    so_far = Auction(rules, DEALER, calls)
    place = seat - 1 if seat is not None else 0
    if auction is not None and is_playing:
        _refuse_no_contract(so_far, auction)
    elif auction is not None:
        place = _turn_in(so_far, seat, auction)
    said: dict[int, str] = {}
    for role, text in (("partner", partner), ("right", right), ("left", left)):
        if text is not None:
            said[(place + ROLES.index(role)) % len(SEATS)] = text
    sources = {(place + k) % len(SEATS): role for k, role in enumerate(ROLES)}
    told = Knowledge.of(said, rules, sources=sources, cards=cards)
    if not calls:
        return PlayerView(place, told)
    if not isinstance(system, BiddingSystem):
        system = load_system(system)
    heard = knowledge_from_auction(so_far, system, place)
    everything = told.and_also(heard.knowledge.statements)
    return PlayerView(place, everything, heard.readings, heard.standing)


def _turn_in(auction: Auction, seat: int | None, text: str) -> int:
    """Return the seat whose turn it is, which must be the one that was named, if any."""
    turn = auction.to_speak
    if turn is None:
        raise ConstraintError(f"the auction '{text}' is over; give the calls before your turn")
    if seat is not None and seat - 1 != turn:
        raise ConstraintError(
            f"after the auction '{text}' it is the turn of seat {turn + 1}, not {seat}; leave the "
            "seat out, or give the calls before your turn"
        )
    return turn


def _refuse_no_contract(auction: Auction, text: str) -> None:
    if auction.to_speak is not None:
        raise ConstraintError(
            f"the auction '{text}' is not over; give all its calls, with the passes at its end"
        )
    if auction.contract is None:
        raise ConstraintError(f"in the auction '{text}' nobody has bid: there is nothing to play")


def _read(call: Call, seat: int, my_seat: int, turn: Turn, system: BiddingSystem) -> Reading:
    """Read one call."""
    role = ROLES[(seat - my_seat) % len(SEATS)]
    expression, words = _read_pass(turn, system) if call == "P" else _read_bid(call, turn, system)
    statement = None
    if expression is not None:
        statement = Statement(seat, expression, words, _whose(role, call))
    return Reading(seat, role, call, statement, words)


def _read_bid(
    call: Bid | Literal["X", "XX"], turn: Turn, system: BiddingSystem
) -> tuple[Expression | None, str]:
    """Return what a bid, a double or a redouble says, and the same in words."""
    if isinstance(call, Bid):
        trump, steps = call.trump, turn.steps(call)
        found = system.convention(call.level, turn.situation(trump), trump, steps)
    else:
        assert turn.standing is not None
        trump, steps = turn.standing.bid.trump, 0
        found = system.convention(call, turn.situation(trump), trump)
    if found is None:
        return None, "tells nothing of the hand"
    parts = [found.expression(trump, steps)]
    words = found.words(trump, steps)
    if isinstance(call, Bid) and system.bids == "highest":
        higher = [
            (bid, expression)
            for bid, convention, expression in turn.meanings(system)
            if bid.trump == trump and bid.level > call.level and convention is not found
        ]
        parts += [Not(expression) for _, expression in higher]
        if higher:
            words += f"; not {_listed(sorted({bid.level for bid, _ in higher}))}"
    return (And(tuple(parts)) if len(parts) > 1 else parts[0]), words


def _read_pass(turn: Turn, system: BiddingSystem) -> tuple[Expression | None, str]:
    """Return what a pass denies, and the same in words."""
    denied = list(turn.meanings(system)) if system.passes == "deny" else []
    if not denied:
        return None, "tells nothing of the hand"
    words = ["no raise"] if any(one.call == "raise" for _, one, _ in denied) else []
    levels = [bid for bid, one, _ in denied if one.call != "raise"]
    if levels:
        has_suit = any(turn.situation(bid.trump) == "new suit" for bid in levels)
        listed = _listed(sorted({bid.level for bid in levels}))
        words.append(f"no {listed} in {'another' if has_suit else 'any'} suit")
    return And(tuple(Not(expression) for _, _, expression in denied)), ", ".join(words)


def _whose(role: str, call: Call, *, symbols: bool = False) -> str:
    return f"{role}'s {'pass' if call == 'P' else format_call(call, symbols=symbols)}"


def _listed(levels: list[int]) -> str:
    return " or ".join(map(str, levels))
