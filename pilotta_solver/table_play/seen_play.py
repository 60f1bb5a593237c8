"""What everybody at the table has seen of the play, and what it tells of the hidden hands.

A player who plays card c while he holds card x has broken no law only if c is legal in his whole
hand. The law of play is pairwise: a card is legal in a hand exactly if it is legal in each hand of
two, itself and one other card of that hand. So each card that is played tells, for every card x by
itself, whether the player may hold x besides: voids, overruffs and overtrumps not made, and trumps
not laid under another's all follow from `rules.legal_cards`, for every law of play, and no case is
written down a second time. A property test holds the law to being pairwise.
"""

from __future__ import annotations

from pilotta_solver.cards import FULL_DECK, LAST_TRICK_POINTS, N_CARDS, cards_of
from pilotta_solver.deal import SEATS, side_of
from pilotta_solver.rules import legal_cards, trick_points, trick_winner
from pilotta_solver.ruleset import Law


def cannot_hold(card: int, trick: list[int], trump: int, law: Law, among: int) -> int:
    """Return which cards a player cannot hold who plays a card to a trick.

    Parameters
    ----------
    card
        The card that he plays.
    trick
        The cards that lay on the table before, from the leader on; none when he leads.
    trump
        The contract: 0 to 3 a suit, 4 no trump, 5 all trump.
    law
        The law of play.
    among
        The cards to look at, a card set.
    """
    if not trick:
        return 0
    played = 1 << card
    return sum(
        1 << other
        for other in cards_of(among & ~played)
        if not legal_cards(played | 1 << other, trick, trump, law) & played
    )


class SeenPlay:
    """The play so far, as all four players have seen it.

    Cards are trusted to be legal; `Information` checks them.

    Attributes
    ----------
    trump, law
        The contract and the law of play.
    first_leader
        The seat that led to the first trick.
    leader
        The seat that led the trick in progress, or leads the next one.
    trick
        The cards on the table, from the leader on; at most three.
    unplayed
        The cards that nobody has played yet, a card set.
    played
        For each seat from N the cards that it has played, card sets.
    lacks
        For each seat the cards that its plays have shown it not to hold, card sets; cards that had
        been played before do not matter and are not in them.
    points, tricks
        Card points and tricks that NS and EW have taken so far.
    n_played
        The number of cards played so far.
    """

    __slots__ = (
        "first_leader",
        "lacks",
        "law",
        "leader",
        "n_played",
        "played",
        "points",
        "trick",
        "tricks",
        "trump",
        "unplayed",
    )

    def __init__(self, trump: int, leader: int, law: Law) -> None:
        self.trump, self.law = trump, law
        self.first_leader = self.leader = leader
        self.trick: list[int] = []
        self.unplayed = FULL_DECK
        self.played = [0] * len(SEATS)
        self.lacks = [0] * len(SEATS)
        self.points = [0, 0]
        self.tricks = [0, 0]
        self.n_played = 0

    @property
    def to_move(self) -> int:
        """The seat that plays the next card."""
        return (self.leader + len(self.trick)) & 3

    def legal(self, hand: int) -> int:
        """Return the cards that the seat to move may play from the hand that it was dealt."""
        left = hand & ~self.played[self.to_move]
        return legal_cards(left, self.trick, self.trump, self.law)

    def play(self, card: int) -> None:
        """Take down a card that the seat to move has played."""
        seat = self.to_move
        self.unplayed &= ~(1 << card)
        self.played[seat] |= 1 << card
        self.lacks[seat] |= cannot_hold(card, self.trick, self.trump, self.law, self.unplayed)
        self.trick.append(card)
        self.n_played += 1
        if len(self.trick) == len(SEATS):
            self._take_trick()

    def _take_trick(self) -> None:
        winner = (self.leader + trick_winner(self.trick, self.trump)) & 3
        side = side_of(winner)
        self.points[side] += trick_points(self.trick, self.trump)
        if self.n_played == N_CARDS:
            self.points[side] += LAST_TRICK_POINTS
        self.tricks[side] += 1
        self.leader = winner
        self.trick.clear()
