"""What one player knows: its own hand, what was played, and what that tells; impossible input."""

from __future__ import annotations

import pytest

from pilotta_solver import DealError, PlayError, load_ruleset
from pilotta_solver.cards import cards_of
from pilotta_solver.knowledge.constraints import Knowledge
from pilotta_solver.notation import format_cards, parse_cards, parse_hand, parse_trump
from pilotta_solver.table_play.information import Goal, Information

HAND = parse_hand("J9A.T8.A7.K")
CONTREE = Knowledge(rules=load_ruleset("contree"))


def known(played="", seat=0, leader=0, trump="S", hand=HAND, **more):
    return Information(seat, hand, parse_trump(trump), leader, parse_cards(played), **more)


def lacks(played, trump="S", knowledge=None):
    """For each seat what its plays have shown it not to hold; N leads."""
    cards = parse_cards(played)
    seat = len(cards) % 4
    information = Information(
        seat,
        hand_of(seat, cards),
        parse_trump(trump),
        0,
        cards,
        knowledge=knowledge or Knowledge(),
    )
    return [format_cards(cards_of(mask)) for mask in information.replay().lacks]


def hand_of(seat, played):
    """Eight cards that a seat could have: those it has played, filled up with clubs."""
    mine = [card for place, card in enumerate(played) if place % 4 == seat]
    spare = [card for card in range(31, -1, -1) if card not in played]
    return sum(1 << card for card in (mine + spare)[:8])


@pytest.mark.parametrize(
    ("played", "trump", "seat", "told"),
    [
        # follows a plain suit: nothing; a discard: neither the suit nor trumps
        ("H8 HA", "S", 1, ""),
        ("H8 D7", "S", 1, "S7 S8 S9 ST SJ SQ SK SA H7 H9 HT HJ HQ HK HA"),
        # a ruff: not the suit
        ("H8 S7", "S", 1, "H7 H9 HT HJ HQ HK HA"),
        # trumps led and not beaten: none above the best; 9 and J are above the ace
        ("SA S7", "S", 1, "S9 SJ"),
        # an undertrump: none above the ruff, and not the suit
        ("H8 ST S7", "S", 2, "S9 SJ SA H7 H9 HT HJ HQ HK HA"),
        # no trump: the suit alone
        ("H8 D7", "N", 1, "H7 H9 HT HJ HQ HK HA"),
        # all trump: follow and beat
        ("HT HK", "A", 1, "H9 HJ HA"),
    ],
)
def test_what_a_card_tells(played, trump, seat, told):
    assert lacks(played, trump)[seat] == told


def test_where_partner_is_exempt_a_discard_on_his_trick_denies_the_suit_alone():
    assert lacks("H8 HA D7", knowledge=CONTREE)[2].startswith("S7")
    assert lacks("HA H8 D7", knowledge=CONTREE)[2] == "H7 H9 HT HJ HQ HK"


def test_what_each_seat_may_have_been_dealt():
    ten, queen = 1 << 3, 1 << 5
    information = known("DA DT H7 DQ", shown=(0, ten, 0, 0), denied=(0, 0, queen, 0))
    may = list(information.may_hold(information.replay()))
    assert may[0] == HAND
    assert format_cards(cards_of(may[1])) == (
        "S7 S8 ST SQ SK H9 HJ HQ HK HA D8 D9 DT DJ DK C7 C8 C9 CT CJ CQ CA"
    )
    # S plays a heart to a diamond led, and has neither diamonds nor trumps.
    assert format_cards(cards_of(may[2])) == "H7 H9 HJ HQ HK HA C7 C8 C9 CT CJ CQ CA"
    assert may[3] == may[1] & ~ten & ~(1 << 19) | 1 << 21
    assert may[2] & queen == 0


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"hand": HAND & HAND - 1}, DealError, "a hand of 7 cards"),
        ({"seat": 4}, DealError, "seat 4"),
        ({"trump": "S", "leader": 5}, DealError, "leader 5"),
        ({"leader": 1}, PlayError, "after 0 cards W is to play, not N"),
        ({"played": "SJ SQ"}, PlayError, "after 2 cards S is to play, not N"),
        ({"played": "S7"}, PlayError, "card 1: S7 by N: the card is not in the hand"),
        ({"played": "SJ S9"}, PlayError, "card 2: S9 by W: it is in the hand of N"),
        ({"played": "H7 HK SJ", "leader": 1}, PlayError, "card 3: SJ by E: it is in the hand of N"),
        (
            {"played": "HA HK HJ D7", "leader": 1},
            PlayError,
            "card 4: D7 by N: must follow the suit led, H",
        ),
        (
            {"played": "DA C7 DK DQ D7 DT"},
            PlayError,
            "card 6: DT by W: W cannot hold it, by the cards that W played before",
        ),
    ],
)
def test_what_cannot_be(changes, error, message):
    with pytest.raises(error, match=message):
        known(**changes)


def test_a_card_played_twice():
    twice = (*parse_cards("DA DK DQ"), *parse_cards("DK"))
    with pytest.raises(PlayError, match="card 4: DK by E: it has been played before"):
        Information(0, HAND, 0, 0, twice)


def test_a_play_that_is_over():
    everything = tuple(range(32))
    with pytest.raises(PlayError, match="32 cards played: none is left to play"):
        Information(0, 255, 4, 0, everything)


@pytest.mark.parametrize(("declarer", "level"), [(4, 80), (-1, 80), (0, -10)])
def test_goals_that_are_none(declarer, level):
    with pytest.raises(DealError, match="give a seat, 0 to 3, and the points bid"):
        Goal(declarer, level)
