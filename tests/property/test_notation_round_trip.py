"""What is written reads back as the same, in every form."""

from __future__ import annotations

from contextlib import suppress

from hypothesis import given, strategies as st

from pilotta_solver.deal import Deal
from pilotta_solver.errors import PilottaError
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
    parse_calls,
    parse_cards,
    parse_deal,
    parse_hand,
    parse_trump,
)
from pilotta_solver.tongues import SUIT_SYMBOLS, TONGUES

decks = st.permutations(range(32))
symbols = st.booleans()
bids = st.builds(Bid, st.integers(8, 999).map(lambda tens: 10 * tens), st.integers(0, 5))


def mask(cards):
    return sum(1 << card for card in cards)


@st.composite
def deals(draw):
    deck, size = draw(decks), draw(st.integers(1, 8))
    hands = [mask(deck[size * seat : size * (seat + 1)]) for seat in range(4)]
    return Deal((hands[0], hands[1], hands[2], hands[3]))


@given(decks, symbols)
def test_hands(deck, symbols):
    hand = mask(deck[:8])
    assert parse_hand(format_hand(hand, symbols=symbols)) == hand
    assert parse_hand(format_cards(deck[:8], symbols=symbols)) == hand


@given(deals(), symbols)
def test_deals(deal, symbols):
    assert parse_deal(format_deal(deal, symbols=symbols)) == deal


@given(deals(), st.integers(0, 3))
def test_a_deal_may_begin_with_any_seat(deal, first):
    hands = [format_hand(deal.hands[(first + place) % 4]) for place in range(4)]
    assert parse_deal(f"{'NWSE'[first]}:{' '.join(hands)}") == deal


@given(decks, st.integers(0, 32), symbols)
def test_lists_of_cards(deck, n, symbols):
    assert parse_cards(format_cards(deck[:n], symbols=symbols)) == tuple(deck[:n])


@given(bids, symbols)
def test_bids_and_trumps(bid, symbols):
    assert parse_bid(format_bid(bid, symbols=symbols)) == bid
    assert parse_trump(format_trump(bid.trump, symbols=symbols)) == bid.trump


@given(st.lists(bids | st.sampled_from(["P", "X", "XX"])))
def test_calls(calls):
    assert parse_calls(" ".join(map(format_call, calls))) == tuple(calls)


@given(decks, st.sampled_from(sorted(TONGUES)), st.data())
def test_every_tongue_reads_its_own_names(deck, cards, data):
    tongue = TONGUES[cards]
    written = [
        data.draw(st.sampled_from((*tongue.suits[card >> 3], SUIT_SYMBOLS[card >> 3])))
        + data.draw(st.sampled_from(["", ":", " "]))
        + data.draw(st.sampled_from(tongue.ranks[card & 7]))
        for card in deck[:8]
    ]
    assert parse_cards(" ".join(written), cards) == tuple(deck[:8])


@given(st.text(alphabet="SHDC789TJQKA10.:|- ♠N,xé\n"), st.sampled_from(sorted(TONGUES)))
def test_no_text_makes_another_error(text, cards):
    for parse in (parse_hand, parse_cards, parse_deal, parse_trump):
        with suppress(PilottaError):
            parse(text, cards)


@given(st.integers(0, 31))
def test_a_card_is_two_letters(card):
    assert parse_cards(format_card(card)) == (card,)
    assert len(format_card(card)) == 2
