from __future__ import annotations

import pytest

from pilotta_solver.cards import ALL_TRUMP, LAST_TRICK_POINTS, NO_TRUMP, cards_of
from pilotta_solver.errors import PlayError
from pilotta_solver.notation import format_cards, parse_cards, parse_deal, parse_trump
from pilotta_solver.rules import (
    legal_cards,
    play,
    replay,
    start,
    trick_points,
    trick_winner,
    why_illegal,
)
from pilotta_solver.ruleset import Law

PILOTTA = Law()
BELOTE = Law(partner_exempt=True)
CONTREE = Law(partner_exempt=True, undertrump="may")
AMSTERDAM = Law(partner_exempt=True, undertrump="forbidden")
MAY = Law(undertrump="may")
FORBIDDEN = Law(undertrump="forbidden")
FREE_LEAD = Law(beat_trump_lead=False)

ANYWAY = "trump (partner_exempt = false)"
NO_UNDERTRUMP = 'must not undertrump SA (undertrump = "forbidden")'


def mask(text):
    return sum(1 << card for card in parse_cards(text))


def legal(hand, trick, trump, law):
    found = legal_cards(mask(hand), parse_cards(trick), parse_trump(trump), law)
    return format_cards(cards_of(found))


@pytest.mark.parametrize(
    ("law", "trump", "trick", "hand", "expected"),
    [
        # The leader plays what he likes.
        (PILOTTA, "S", "", "S7 HA", "S7 HA"),
        # Follow suit; no duty to beat in a plain suit, not even after a ruff.
        (PILOTTA, "S", "H9", "H7 HA S7", "H7 HA"),
        (PILOTTA, "S", "H9 S7", "H7 HA S8", "H7 HA"),
        # Trump led: beat the best if able, even the partner's.
        (PILOTTA, "S", "SA", "S7 S9 SJ HA", "S9 SJ"),
        (PILOTTA, "S", "SA S7", "S9 S8", "S9"),
        (PILOTTA, "S", "SJ", "S7 S9 HA", "S7 S9"),
        (FREE_LEAD, "S", "SA", "S7 S9 HA", "S7 S9"),
        # Void: trump, even when the partner wins.
        (PILOTTA, "S", "H9", "S7 SJ DA", "S7 SJ"),
        (PILOTTA, "S", "HA H7", "S7 SJ DA", "S7 SJ"),
        (BELOTE, "S", "HA H7", "S7 SJ DA", "S7 SJ DA"),
        (BELOTE, "S", "H7 HA", "S7 SJ DA", "S7 SJ"),
        # A trump in the trick: overtrump, even the partner's.
        (PILOTTA, "S", "H9 SA", "S7 SJ DA", "SJ"),
        (PILOTTA, "S", "H9 SA H7", "S7 SJ DA", "SJ"),
        (BELOTE, "S", "H9 SA H7", "S7 SJ DA", "S7 SJ DA"),
        # Only lower trumps: undertrump, or not.
        (PILOTTA, "S", "H9 SA", "S7 SQ DA", "S7 SQ"),
        (MAY, "S", "H9 SA", "S7 SQ DA", "S7 SQ DA"),
        (FORBIDDEN, "S", "H9 SA", "S7 SQ DA", "DA"),
        (FORBIDDEN, "S", "H9 SA", "S7 SQ", "S7 SQ"),
        (FORBIDDEN, "S", "H9 SA", "S7 SJ DA", "SJ"),
        (CONTREE, "S", "H9 SA", "S7 SQ DA", "S7 SQ DA"),
        (BELOTE, "S", "H9 SA H7", "S7 SQ DA", "S7 SQ DA"),
        (AMSTERDAM, "S", "H9 SA H7", "S7 SJ DA", "SJ DA"),
        (AMSTERDAM, "S", "H9 SA H7", "S7 SJ", "SJ"),
        (AMSTERDAM, "S", "H9 SA H7", "S7 SQ", "S7 SQ"),
        # Void in both: any card.
        (PILOTTA, "S", "H9 SA", "D7 CA", "D7 CA"),
        # No trump: only follow. All trump: follow and beat; void, any card.
        (PILOTTA, "N", "H9", "H7 HA SJ", "H7 HA"),
        (PILOTTA, "N", "H9", "S7 DA", "S7 DA"),
        (PILOTTA, "A", "HA", "H7 HJ S9", "HJ"),
        (PILOTTA, "A", "HJ", "H7 H9 S9", "H7 H9"),
        (PILOTTA, "A", "HA", "S7 SJ DA", "S7 SJ DA"),
        (FREE_LEAD, "A", "HA", "H7 HJ S9", "H7 HJ"),
    ],
)
def test_the_law(law, trump, trick, hand, expected):
    assert legal(hand, trick, trump, law) == expected


@pytest.mark.parametrize(
    ("law", "trump", "trick", "hand", "card", "rule"),
    [
        (PILOTTA, "S", "", "S7", "HA", "the card is not in the hand"),
        (PILOTTA, "S", "", "S7", "S7", ""),
        (PILOTTA, "S", "H9", "H7 S7", "S7", "must follow the suit led, H"),
        (PILOTTA, "S", "SA", "S9 S7 HJ", "HJ", "must follow the suit led, S"),
        (PILOTTA, "S", "SA", "S9 S7", "S7", "must beat SA (beat_trump_lead = true)"),
        (PILOTTA, "S", "H9", "S7 D7", "D7", "is void in the suit led, H, and must trump"),
        (PILOTTA, "S", "HA H7", "S7 D7", "D7", f"is void in the suit led, H, and must {ANYWAY}"),
        (PILOTTA, "S", "H9 SA", "SJ S7", "S7", "must overtrump SA"),
        (PILOTTA, "S", "H9 SA H7", "SJ D7", "D7", "must overtrump SA (partner_exempt = false)"),
        (PILOTTA, "S", "H9 SA", "SQ D7", "D7", 'must undertrump SA (undertrump = "must")'),
        (FORBIDDEN, "S", "H9 SA", "SQ D7", "SQ", NO_UNDERTRUMP),
    ],
)  # fmt: skip
def test_the_rule_that_forbids(law, trump, trick, hand, card, rule):
    (one,) = parse_cards(card)
    assert why_illegal(one, mask(hand), parse_cards(trick), parse_trump(trump), law) == rule


@pytest.mark.parametrize(
    ("trick", "trump", "winner"),
    [
        ("H9 HT HA SA", 3, 2),
        ("H9 HT HA S7", 0, 3),
        ("H9 S8 S7 HA", 0, 1),
        ("S9 SJ SA ST", 0, 1),
        ("S9 SJ SA ST", 1, 2),
        ("HT HK HA SJ", NO_TRUMP, 2),
        ("HA H9 SJ DJ", ALL_TRUMP, 1),
        ("D7 SA HA CA", 0, 1),
        ("D7 HA SA CA", NO_TRUMP, 0),
        ("D7 D8", 0, 1),
    ],
)
def test_who_wins_a_trick(trick, trump, winner):
    assert trick_winner(parse_cards(trick), trump) == winner


def test_points_of_a_trick():
    assert trick_points(parse_cards("SJ S9 HA D7"), 0) == 45
    assert trick_points(parse_cards("SJ S9 HA D7"), NO_TRUMP) == 21


def test_worked_deal_c15():
    taken = parse_cards("SA HA DA ST HT SK HK SQ HQ SJ HJ DJ")
    assert trick_points(taken, NO_TRUMP) + LAST_TRICK_POINTS == 107


def test_a_deal_played_to_its_end():
    deal = parse_deal("N:A.A.. K.K.. Q.Q.. J.J..")
    position = start(deal, parse_trump("D"), 0)
    for card in parse_cards("SA SK SQ SJ"):
        position = play(position, card)
    assert (position.leader, position.trick, position.points) == (0, (), (20, 0))
    over = replay(deal, 2, 0, parse_cards("SA SK SQ SJ HA HK HQ HJ"))
    assert over.is_over
    assert (over.points, over.tricks) == ((50, 0), (2, 0))


def test_the_errors_name_card_seat_and_rule():
    deal = parse_deal("N:A.A.. K.K.. Q.Q.. J.J..")
    with pytest.raises(
        PlayError, match=r"^card 2: HK by W is not legal: must follow .* legal is SK"
    ):
        replay(deal, 2, 0, parse_cards("SA HK"))
    with pytest.raises(
        PlayError, match="card 1: SK by N is not legal: the card is not in the hand"
    ):
        replay(deal, 2, 0, parse_cards("SK"))
    over = replay(deal, 2, 0, parse_cards("SA SK SQ SJ HA HK HQ HJ"))
    with pytest.raises(PlayError, match="every card has been played"):
        play(over, 0)
