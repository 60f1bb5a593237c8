from __future__ import annotations

import re

import pytest

from pilotta_solver.cards import N_RANKS, N_SUITS
from pilotta_solver.errors import NotationError
from pilotta_solver.notation import Bid, format_hand, parse_bid, parse_deal, parse_hand, parse_trump
from pilotta_solver.tongues import TONGUES, fold

tongues = pytest.mark.parametrize("cards", TONGUES)


@tongues
def test_the_table_is_complete_and_folded(cards):
    tongue = TONGUES[cards]
    assert len(tongue.ranks) == N_RANKS
    assert len(tongue.suits) == N_SUITS
    for name in (*tongue.rank_names(), *tongue.suit_names(), *tongue.trump_names()):
        assert name == fold(name)


@tongues
def test_no_name_has_two_meanings(cards):
    tongue = TONGUES[cards]
    names = [name for group in (*tongue.ranks, *tongue.suits) for name in group]
    assert len(names) == len(set(names))
    suits = [name for group in tongue.suits for name in group]
    others = tongue.trump_names().keys() - tongue.suit_names().keys()
    assert not others & set(suits)


@tongues
def test_no_name_is_a_string_of_others(cards):
    tongue = TONGUES[cards]
    names = tongue.rank_names().keys() | tongue.suit_names().keys()
    for name in names:
        others = "|".join(map(re.escape, names - {name}))
        assert not re.fullmatch(f"({others})+", name), name


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        ("en", "♠J9AK ♥108 ♦A7"),
        ("fr", "♠V9AR ♥108 ♦A7"),
        ("fr", "P:V9AR C:108 K:A7"),
        ("fr", "V9AR.108.A7."),
        ("fr", "pique VA9R cœur 10 8 carreau A 7"),
        ("fr", "valet♠ 9♠ as♠ roi♠ 10♥ 8♥ A♦ 7♦"),
        ("nl", "♠B9AH ♥108 ♦A7"),
        ("nl", "S:B9AH harten:108 R:A7"),
        ("nl", "schoppen: boer 9 A heer harten: 10 8 ruiten: A 7"),
        ("pt", "♠V9AR ♥108 ♦A7"),
        ("pt", "E:V9AR C:108 O:A7"),
        ("es", "♠J9AK ♥108 ♦A7"),
        ("es", "picas: jota 9 as rey corazones: 108 diamantes: A7"),
        ("el", "♠Β9ΑΡ ♥108 ♦Α7"),
        ("el", "♠β9αρ ♥108 ♦α7"),
        ("el", "♠B9AP ♥108 ♦A7"),
        ("el", "Μ:Β9ΑΡ κούπα:108 καρό:Α7"),
        ("el", "μπαστούνια βαλές 9 άσσος ρήγας ΚΟΥΠΕΣ 10 8 ΚΑΡΟ Α 7"),
    ],
)
def test_one_hand_in_every_tongue(cards, text):
    assert format_hand(parse_hand(text, cards)) == "AKJ9.T8.A7."


def test_the_same_letter_in_two_tongues():
    assert format_hand(parse_hand("V987...A987", "fr")) == "J987...A987"
    assert format_hand(parse_hand("V987...A987", "nl")) == "Q987...A987"


def test_trumps_and_bids():
    assert [parse_trump(text, "fr") for text in ("P", "C", "K", "T")] == [0, 1, 2, 3]
    assert parse_trump("trèfle", "fr") == 3
    assert parse_trump("sans atout", "fr") == 4
    assert parse_trump("ΣΠΑΘΙΑ", "el") == 3
    assert parse_trump("χωρίς ατού", "el") == 4
    assert parse_bid("100 pique", cards="fr") == Bid(100, 0)
    assert parse_bid("100C", cards="fr") == Bid(100, 1)
    deal = parse_deal("N:A... R... D... V...", "fr")
    assert format_hand(deal.hands[3]) == "J..."


def test_an_error_names_the_letters_of_the_tongue():
    with pytest.raises(NotationError, match=r"ranks are 7 8 9 10 V D R A .* suits P C K T"):
        parse_hand("J9AK...", "fr")
    with pytest.raises(NotationError, match=r"unknown tongue 'de': .* en, fr, nl, pt, es, el"):
        parse_hand("J9AK...", "de")
