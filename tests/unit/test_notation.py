from __future__ import annotations

import pytest

from pilotta_solver.deal import Deal
from pilotta_solver.errors import DealError, NotationError
from pilotta_solver.notation import (
    Bid,
    format_bid,
    format_call,
    format_card,
    format_cards,
    format_deal,
    format_hand,
    format_trump,
    parse_bid,
    parse_call,
    parse_calls,
    parse_cards,
    parse_deal,
    parse_hand,
    parse_seat,
    parse_trump,
)
from pilotta_solver.ruleset import load_ruleset

HAND = "AKJ9.T8.A7."
DEAL = "N:AKJ9.T8.A7. QT8.AK.K8.A .QJ97.QJT.9 7..9.KQJT87"


@pytest.mark.parametrize(
    "text",
    [
        "AKJ9.T8.A7.",
        "J9AK.T8.A7.",
        "j9ak.108.a7.",
        " J9AK . T8 . A7 . ",
        "J9AK.T8.A7.-",
        "♠J9AK ♥108 ♦A7",
        "♠️J9AK ♥️108 ♦️A7",
        "♠J9AK♥108♦A7♣-",
        "♤J9AK ♡108 ♢A7",
        "♠ J 9 A K ♥ 10 8 ♦ A 7",
        "S:J9AK H:T8 D:A7",
        "S: J9AK, H: T8, D: A7, C:",
        "D:A7 h:t8 s:jak9",
        "spades J9AK hearts T8 diamonds A7",
        "JS 9S AS KS TH 8H AD 7D",
        "SJ S9 SA SK H10 H8 DA D7",
        "J♠ 9♠ A♠ K♠ 10♥ 8♥ A♦ 7♦",
        "J9AKS 108H A7D",
        "AKJ9S108HA7D",
    ],
)
def test_every_form_of_a_hand(text):
    assert format_hand(parse_hand(text)) == HAND


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("J9AK.T8.A.", "has 7 cards; a hand has 8: add 1"),
        ("J9AK.T8.A7.Q", "has 9 cards; a hand has 8: take 1 away"),
        ("", "has 0 cards"),
        ("JJAK.T8.A7.", "SJ stands twice"),
        ("X9AK.T8.A7.", "unknown card or suit 'X'"),
        ("♠J9AK ♥108 ♦A1", "unknown card or suit '1'"),
        ("JS 9S AS KS TH 8H AD 7Z", "unknown card or suit 'Z'"),
        ("J9AK.T8.A7", "has 3 suits between dots, not 4"),
        ("H:J9AK.T8.A7.", "'H:J9AK' in 'H:J9AK.T8.A7.' names HJ where ♠ stands"),
        ("J9AK.T8.AS 7D.", "'AS 7D' in .* names SA where ♦ stands"),
        ("J9AK T8 A7", "names no suit"),
        ("JS 9", "names no suit"),
        ("SJ9H 8", "ends in a suit without a card"),
        ("JS9", "9 in 'JS9' names no suit"),
    ],
)
def test_what_is_no_hand(text, message):
    with pytest.raises(NotationError, match=message) as error:
        parse_hand(text)
    assert "\n" not in str(error.value)


def test_output_with_symbols_reads_back():
    hand = parse_hand(HAND)
    assert format_hand(hand, symbols=True) == "♠AKJ9 ♥108 ♦A7"
    assert parse_hand(format_hand(hand, symbols=True)) == hand
    deal = parse_deal(DEAL)
    assert parse_deal(format_deal(deal, symbols=True)) == deal
    assert format_card(3, symbols=True) == "♠10"
    assert [format_trump(trump) for trump in range(6)] == list("SHDCNA")
    assert [format_trump(trump, symbols=True) for trump in range(6)] == [*"♠♥♦♣", "SA", "TA"]


def test_cards_keep_their_order():
    played = parse_cards("D8,D7,DQ,SA")
    assert format_cards(played) == "D8 D7 DQ SA"
    assert parse_cards("8D 7D QD AS") == played
    assert parse_cards("♦87Q ♠A") == played
    assert parse_cards(" ") == ()
    with pytest.raises(NotationError, match="D8 stands twice"):
        parse_cards("D8 D7 8D")
    with pytest.raises(NotationError, match="one by one"):
        parse_cards("J9..A.")


@pytest.mark.parametrize(
    "text",
    [
        DEAL,
        "e: 7..9.KQJT87 AKJ9.T8.A7. QT8.AK.K8.A .QJ97.QJT.9",
        "south:.QJ97.QJT.9 7..9.KQJT87 AKJ9.T8.A7. QT8.AK.K8.A",
        "N:♠J9AK ♥108 ♦A7|♠Q108♥AK♦K8♣A|H:QJ97 D:QJT C:9|♠7 9D ♣KQJT87",
        "N:AKJ9.T8.A7.\nQT8.AK.K8.A\n.QJ97.QJT.9\n7..9.KQJT87",
        "N: ♠J9AK♥108♦A7 ♠Q108♥AK♦K8♣A ♥QJ97♦QJT♣9 ♠7♦9♣KQJT87",
    ],
)
def test_every_form_of_a_deal(text):
    assert format_deal(parse_deal(text)) == DEAL


def test_a_deal_of_few_cards():
    assert parse_deal("N:A... K... Q... J...") == Deal((128, 64, 32, 16))


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("AKJ9.T8.A7. A B C", NotationError, "begin with the seat"),
        ("X:A... K... Q... J...", NotationError, "begin with the seat"),
        ("N:A... K... Q...", NotationError, "has 3 hands, not 4"),
        ("N:", NotationError, "has 0 hands, not 4"),
        ("N:A... K... Q... A...", DealError, "SA is in two hands, N and E"),
        ("N:A... K... Q... JT...", DealError, "unequal"),
        ("N:A... K... Q... X...", NotationError, "unknown card or suit 'X'"),
    ],
)
def test_what_is_no_deal(text, kind, message):
    with pytest.raises(kind, match=message):
        parse_deal(text)


def test_seats_and_trumps():
    assert [parse_seat(text) for text in ("N", "w", "South", " E ")] == [0, 1, 2, 3]
    assert [parse_trump(text) for text in ("S", "h", "♦", "clubs", "N", "A")] == [0, 1, 2, 3, 4, 5]
    assert [parse_trump(text) for text in ("SA", "no trump", "TA", "All Trump")] == [4, 4, 5, 5]
    with pytest.raises(NotationError, match="unknown seat 'Q': give one of N, W, S, E"):
        parse_seat("Q")
    with pytest.raises(NotationError, match="unknown trump 'T'"):
        parse_trump("T")


def test_bids():
    assert parse_bid("100S") == Bid(100, 0) == parse_bid(" 100 ♠ ")
    assert parse_bid("90SA") == Bid(90, 4)
    assert str(parse_bid("90a")) == "90A"
    assert format_bid(Bid(100, 0), symbols=True) == "100♠"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("85S", "there is no bid of 85: bids begin at 80 and go in steps of 10"),
        ("70S", "there is no bid of 70"),
        ("100", "names no trump: add S, H, D, C, N or A, as in 100S"),
        ("100Z", "unknown trump 'Z'"),
        ("S", "is not a bid"),
        ("-80S", "is not a bid"),
        ("9" * 5000 + "S", "there is no bid"),
        ("١٠٠S", "is not a bid"),
    ],
)
def test_what_is_no_bid(text, message):
    with pytest.raises(NotationError, match=message):
        parse_bid(text)


def test_a_ruleset_has_its_own_bids():
    rules = load_ruleset("tsaka", {"first_bid": 90, "highest_bid": 160})
    with pytest.raises(NotationError, match="no bid of 80: bids begin at 90"):
        parse_bid("80S", rules)
    with pytest.raises(NotationError, match=r"no bid of 170: .* up to 160"):
        parse_bid("170S", rules)


def test_calls():
    calls = parse_calls("P 80H, pass 90♠ X xx")
    assert calls == ("P", Bid(80, 1), "P", Bid(90, 0), "X", "XX")
    assert " ".join(format_call(call) for call in calls) == "P 80H P 90S X XX"
    assert parse_call("contre") == parse_call("close") == "X"
    with pytest.raises(NotationError, match="'80' names no trump"):
        parse_call("80")
    with pytest.raises(NotationError, match="'Z' is not a call"):
        parse_call("Z")
