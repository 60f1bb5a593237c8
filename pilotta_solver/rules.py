"""The law of play in plain Python: the readable reference.

Each function says one rule of "Play" in ``docs/rules.md``. The engine writes the same law a second
time, on bits; tests hold the two against each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pilotta_solver.cards import (
    ALL_TRUMP,
    LAST_TRICK_POINTS,
    NO_TRUMP,
    SUIT_MASKS,
    TRUMPS,
    card_points,
    card_strength,
    cards_of,
    is_trump,
    suit_of,
)
from pilotta_solver.deal import SEATS, Deal, Position, side_of
from pilotta_solver.errors import PlayError
from pilotta_solver.notation import format_card
from pilotta_solver.ruleset import Law

DEFAULT_LAW = Law()
"""The law of both Pilotta texts: always ruff, overtrump and undertrump, and beat a trump led."""


def legal_cards(hand: int, trick: Sequence[int], trump: int, law: Law = DEFAULT_LAW) -> int:
    """Return the cards of a hand that may be played to a trick.

    Parameters
    ----------
    hand
        The card set of the player to move.
    trick
        The cards on the table, in order from the leader; none when this player leads.
    trump
        The contract: 0 to 3 a suit, 4 no trump, 5 all trump.
    law
        The law of play.

    Returns
    -------
    int
        A card set; never empty unless the hand is.

    Examples
    --------
    Clubs are led, and hearts, the trumps, are in the trick already: overtrump.

    >>> from pilotta_solver import format_hand, parse_cards, parse_hand, parse_trump
    >>> legal = legal_cards(parse_hand("AKQ.J7.AT9."), parse_cards("C7 H9"), parse_trump("H"))
    >>> format_hand(legal)
    '.J..'
    """
    return _decide(hand, trick, trump, law)[0]


def why_illegal(
    card: int, hand: int, trick: Sequence[int], trump: int, law: Law = DEFAULT_LAW
) -> str:
    """Name the rule that forbids a card, or return an empty text for a card that is legal."""
    if not hand >> card & 1:
        return "the card is not in the hand"
    legal, rule = _decide(hand, trick, trump, law)
    if legal >> card & 1:
        return ""
    led = suit_of(trick[0])
    if hand & SUIT_MASKS[led] and suit_of(card) != led:
        return f"must follow the suit led, {TRUMPS[led]}"
    return rule


def _decide(hand: int, trick: Sequence[int], trump: int, law: Law) -> tuple[int, str]:
    """Return the legal cards and, beside the duty to follow suit, the rule that forbids others."""
    if not trick:
        return hand, ""
    led = suit_of(trick[0])
    best = trick[trick_winner(trick, trump)]
    following = hand & SUIT_MASKS[led]

    if following:
        if is_trump(trick[0], trump) and law.beat_trump_lead:
            beating = _those(following, lambda card: _beats(card, best, trump))
            if beating:
                return beating, f"must beat {format_card(best)} (beat_trump_lead = true)"
        return following, ""

    trumps = hand & SUIT_MASKS[trump] if trump < NO_TRUMP else 0
    if not trumps:
        return hand, ""

    partner_wins = len(trick) >= 2 and trick_winner(trick, trump) == len(trick) - 2
    exempt = partner_wins and law.partner_exempt
    anyway = " (partner_exempt = false)" if partner_wins else ""
    if not is_trump(best, trump):
        if exempt:
            return hand, ""
        return trumps, f"is void in the suit led, {TRUMPS[led]}, and must trump{anyway}"

    higher = _those(trumps, lambda card: _beats(card, best, trump))
    if higher and not exempt:
        return higher, f"must overtrump {format_card(best)}{anyway}"
    lower = trumps & ~higher
    if law.undertrump == "forbidden":
        others = hand & ~lower
        if others:
            return others, f'must not undertrump {format_card(best)} (undertrump = "forbidden")'
        return hand, ""
    if exempt or law.undertrump == "may":
        return hand, ""
    return lower, f'must undertrump {format_card(best)} (undertrump = "must")'


def _those(cards: int, test: Callable[[int], bool]) -> int:
    """Return the cards of a set that pass a test."""
    return sum(1 << card for card in cards_of(cards) if test(card))


def _beats(card: int, best: int, trump: int) -> bool:
    """Tell whether a card beats the best card of a trick so far."""
    if suit_of(card) == suit_of(best):
        return card_strength(card, trump) > card_strength(best, trump)
    # Another suit wins only by trumping; under all trump, only the suit led counts.
    return trump != ALL_TRUMP and is_trump(card, trump)


def trick_winner(trick: Sequence[int], trump: int) -> int:
    """Return the place in the trick, 0 to 3, of the card that wins it so far.

    The highest trump wins, else the highest card of the suit led.
    """
    winner = 0
    for place in range(1, len(trick)):
        if _beats(trick[place], trick[winner], trump):
            winner = place
    return winner


def trick_points(trick: Iterable[int], trump: int) -> int:
    """Return the card points in a trick, without the 10 for the last one."""
    return sum(card_points(card, trump) for card in trick)


def start(deal: Deal, trump: int, leader: int) -> Position:
    """Return the position before the first card of a deal."""
    return Position(deal.hands, trump, leader)


def play(position: Position, card: int, law: Law = DEFAULT_LAW) -> Position:
    """Return the position after the player to move has played a card.

    Raises
    ------
    PlayError
        If the law forbids the card, or nothing is left to play; the message names the card, the
        seat and the rule.
    """
    seat = position.to_move
    if position.is_over:
        raise PlayError(f"{format_card(card)} by {SEATS[seat]}: every card has been played already")
    hand = position.hands[seat]
    reason = why_illegal(card, hand, position.trick, position.trump, law)
    if reason:
        legal = legal_cards(hand, position.trick, position.trump, law)
        raise PlayError(
            f"{format_card(card)} by {SEATS[seat]} is not legal: {reason}; legal is "
            + " ".join(format_card(one) for one in cards_of(legal))
        )
    hands = list(position.hands)
    hands[seat] ^= 1 << card
    left = (hands[0], hands[1], hands[2], hands[3])
    trick = (*position.trick, card)
    if len(trick) < len(SEATS):
        return Position(
            left, position.trump, position.leader, trick, position.points, position.tricks
        )
    winner = (position.leader + trick_winner(trick, position.trump)) % len(SEATS)
    gained = trick_points(trick, position.trump)
    if not any(left):
        gained += LAST_TRICK_POINTS
    points, tricks = list(position.points), list(position.tricks)
    points[side_of(winner)] += gained
    tricks[side_of(winner)] += 1
    return Position(
        left, position.trump, winner, (), (points[0], points[1]), (tricks[0], tricks[1])
    )


def replay(
    deal: Deal, trump: int, leader: int, played: Iterable[int], law: Law = DEFAULT_LAW
) -> Position:
    """Return the position after cards have been played in order from the start of a deal.

    Raises
    ------
    PlayError
        If a card is not legal where it was played; the message also gives its place in the list.
    """
    position = start(deal, trump, leader)
    for place, card in enumerate(played, start=1):
        try:
            position = play(position, card, law)
        except PlayError as error:
            raise PlayError(f"card {place}: {error}") from None
    return position
