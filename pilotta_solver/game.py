"""A deal that was played card by card, and the game: deals added up until a side has won."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pilotta_solver.cards import N_RANKS
from pilotta_solver.deal import SEATS, Deal, Position, side_of
from pilotta_solver.declarations import BELOTE_POINTS, Contest, belote_points, belotes, contest
from pilotta_solver.errors import DealError
from pilotta_solver.rules import replay
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.scoring import PARTIES, Outcome, Pair, Party, Score


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A deal that was played to its end, and what came of it.

    Attributes
    ----------
    position
        The position after the last card.
    contest
        The declarations of the four hands.
    belotes
        The seat and the suit of each belote.
    outcome
        The result, from the declarers' side.
    """

    position: Position
    contest: Contest
    belotes: tuple[tuple[int, int], ...]
    outcome: Outcome


def play_out(
    deal: Deal,
    trump: int,
    declarer: int,
    played: Iterable[int],
    rules: Ruleset,
    missed_belote: Party | None = None,
) -> PlayedDeal:
    """Play a whole deal card by card and find its declarations, belote and capot.

    The seat that holds the first card led. A belote that was missed does not score.

    Raises
    ------
    DealError
        If the deal has not 32 cards, or the cards played do not end it.
    PlayError
        If a card is not legal where it was played.
    """
    cards = tuple(played)
    if deal.n_cards != N_RANKS:
        raise DealError(f"a deal of {deal.n_cards} cards a hand cannot be scored: give all 32")
    if not cards:
        raise DealError("no card was played: give all 32 in order")
    leader = next(seat for seat in range(len(SEATS)) if deal.hands[seat] >> cards[0] & 1)
    position = replay(deal, trump, leader, cards, rules.law)
    if not position.is_over:
        raise DealError(f"{len(cards)} of 32 cards were played: a deal is scored at its end")
    found = contest(deal, trump, rules, leader, cards[0])
    belote = list(belote_points(deal, trump, rules))
    if missed_belote:
        side = side_of(declarer) ^ PARTIES.index(missed_belote)
        if not belote[side]:
            raise DealError(f"the {missed_belote} hold no belote in this deal, so they missed none")
        belote[side] -= BELOTE_POINTS  # announced and not completed, it does not score
    own, other = side_of(declarer), 1 - side_of(declarer)
    swept = [position.tricks[side] == N_RANKS for side in (own, other)]
    outcome = Outcome(
        points=(position.points[own], position.points[other]),
        declarations=(found.points[own], found.points[other]),
        belote=(belote[own], belote[other]),
        capot=PARTIES[swept.index(True)] if any(swept) else None,
        missed_belote=missed_belote,
    )
    return PlayedDeal(position, found, belotes(deal, trump, rules), outcome)


@dataclass(frozen=True, slots=True)
class Game:
    """A game: deals added up until a side reaches the target. Pairs are NS, EW.

    Attributes
    ----------
    rules
        The ruleset; ``game_target`` and ``game_counts`` are its keys.
    deals
        What NS and EW wrote in each deal so far.
    """

    rules: Ruleset
    deals: tuple[Pair, ...] = ()

    @property
    def standing(self) -> Pair:
        """What NS and EW have together."""
        return sum(deal[0] for deal in self.deals), sum(deal[1] for deal in self.deals)

    @property
    def winner(self) -> int | None:
        """The side that has won, 0 or 1; None while the game goes on.

        If both sides reach the target in one deal, the higher wins; level, another deal is played.
        """
        ns, ew = self.standing
        if max(ns, ew) < self.rules.game_target or ns == ew:
            return None
        return 0 if ns > ew else 1

    def add(self, score: Score, declarer: int) -> Game:
        """Return the game after one more deal, whose declarer sat at the seat given.

        Raises
        ------
        DealError
            If the game has been won already.
        """
        if self.winner is not None:
            ns, ew = self.standing
            raise DealError(
                f"the game was won with {ns}-{ew} after {len(self.deals)} deals: begin another"
            )
        pair = score.sheet if self.rules.game_counts == "sheet" else score.raw
        written = pair if side_of(declarer) == 0 else (pair[1], pair[0])
        return Game(self.rules, (*self.deals, written))
