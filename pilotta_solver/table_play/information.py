"""All that one player knows when it is his turn: an information set."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pilotta_solver.cards import FULL_DECK, N_CARDS, N_RANKS
from pilotta_solver.deal import SEATS, Hands, check_contract
from pilotta_solver.errors import DealError, PlayError
from pilotta_solver.knowledge.completions import Completions
from pilotta_solver.knowledge.constraints import Knowledge
from pilotta_solver.notation import format_card
from pilotta_solver.rules import why_illegal
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.table_play.seen_play import SeenPlay

NOTHING: Hands = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Goal:
    """The contract that is played: what one side has to reach.

    Attributes
    ----------
    declarer
        The seat that made the last bid, 0 to 3.
    level
        The points that its side has bid.
    """

    declarer: int
    level: int

    def __post_init__(self) -> None:
        if not 0 <= self.declarer < len(SEATS) or self.level < 0:
            raise DealError(
                f"declarer {self.declarer} and level {self.level}: give a seat, 0 to 3, and the "
                "points bid"
            )


@dataclass(frozen=True, slots=True)
class Information:
    """What one player knows when he is to play a card.

    There is no deal in it: what a player decides on it cannot depend on cards that he does not see.

    Attributes
    ----------
    seat
        His seat, 0 to 3; he is to move.
    hand
        The eight cards that he was dealt, a card set; those he has played are among them.
    trump
        The contract: 0 to 3 a suit, 4 no trump, 5 all trump.
    leader
        The seat that led to the first trick.
    played
        All cards played so far, in order.
    goal
        The contract's declarer and level, if they are known.
    shown
        For each seat from N cards that it was dealt, known to all: the declarations of the side
        that scores them, which are shown at the second trick, and K and Q of trumps once their
        holder has announced his belote.
    denied
        For each seat cards that it was not dealt, known otherwise than by the law of play: the
        other of K and Q of trumps where one was played without a word.
    knowledge
        What is known besides of the hands as they were dealt, and the ruleset.

    Raises
    ------
    DealError
        If the hand has not eight cards, or a number is out of range.
    PlayError
        If a card played is not legal, was played before, is in the hand of another, or cannot be
        held by who is said to have played it; or it is another seat's turn.
    """

    seat: int
    hand: int
    trump: int
    leader: int
    played: tuple[int, ...] = ()
    goal: Goal | None = None
    shown: Hands = NOTHING
    denied: Hands = NOTHING
    knowledge: Knowledge = field(default_factory=Knowledge)

    def __post_init__(self) -> None:
        check_contract(self.trump, self.leader)
        if not 0 <= self.hand <= FULL_DECK or self.hand.bit_count() != N_RANKS:
            raise DealError(
                f"a hand of {self.hand.bit_count()} cards: give the {N_RANKS} that were dealt, "
                "those played among them"
            )
        if not 0 <= self.seat < len(SEATS):
            raise DealError(f"seat {self.seat}: it is 0 to 3, for {', '.join(SEATS)}")
        if len(self.played) >= N_CARDS:
            raise PlayError(f"{len(self.played)} cards played: none is left to play")
        seen = self.replay()
        if seen.to_move != self.seat:
            raise PlayError(
                f"after {len(self.played)} cards {SEATS[seen.to_move]} is to play, not "
                f"{SEATS[self.seat]}: give every card played up to the player's turn"
            )

    @property
    def rules(self) -> Ruleset:
        """The ruleset."""
        return self.knowledge.rules

    def replay(self) -> SeenPlay:
        """Return what everybody has seen of the play.

        Raises
        ------
        PlayError
            If a card cannot have been played.
        """
        seen = SeenPlay(self.trump, self.leader, self.rules.law)
        for place, card in enumerate(self.played, start=1):
            reason = self._why_not(card, seen)
            if reason:
                seat = SEATS[seen.to_move]
                raise PlayError(f"card {place}: {format_card(card)} by {seat}: {reason}")
            seen.play(card)
        return seen

    def may_hold(self, seen: SeenPlay) -> Iterator[int]:
        """Iterate over the cards that each seat from N may have been dealt, card sets."""
        return may_hold(self.seat, self.hand, seen, self.shown, self.denied)

    def count_deals(self) -> int:
        """Count the deals that agree with all that is known of cards and lengths."""
        may = self.may_hold(self.replay())
        return Completions(self.hand, self.seat, self.knowledge, may).n

    def _why_not(self, card: int, seen: SeenPlay) -> str:
        """Say why a card cannot be the next; an empty text if it can."""
        seat = seen.to_move
        if not seen.unplayed >> card & 1:
            return "it has been played before"
        if seat == self.seat:
            left = self.hand & ~seen.played[seat]
            return why_illegal(card, left, seen.trick, self.trump, self.rules.law)
        if self.hand >> card & 1:
            return f"it is in the hand of {SEATS[self.seat]}, who is to play"
        if seen.lacks[seat] >> card & 1:
            return f"{SEATS[seat]} cannot hold it, by the cards that {SEATS[seat]} played before"
        return ""


def may_hold(
    seat: int, hand: int, seen: SeenPlay, shown: Hands | list[int], denied: Hands | list[int]
) -> Iterator[int]:
    """Iterate over the cards that each seat from N may have been dealt, as one player knows it.

    Parameters are those of `Information` of the same names.
    """
    for other in range(len(SEATS)):
        if other == seat:
            yield hand
            continue
        elsewhere = hand | denied[other] | seen.lacks[other]
        for third in range(len(SEATS)):
            if third != other:
                elsewhere |= seen.played[third] | shown[third]
        yield FULL_DECK & ~elsewhere
