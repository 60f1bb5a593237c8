"""The one text grammar: cards, hands, deals, seats, trumps, bids and calls.

A hand is ``spades.hearts.diamonds.clubs`` with ``T`` for ten, as in ``AKJ9.T8.A7.``; a deal is a
seat and the four hands in order of play from it, ``N:hand hand hand hand``. Output is always in
this form, or with suit symbols for a terminal. Input also takes ``10``, lower case, suit symbols
(``♠J9AK ♥108 ♦A7``), ``S:J9AK H:T8 D:A7``, single cards (``JS 9S`` or ``SJ S9``), and the letters
of other tongues (`tongues`). Where the hands of a deal contain blanks, ``|`` goes between them.

Every ``parse_*`` function raises `NotationError` for a text that it cannot read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from pilotta_solver.cards import (
    N_RANKS,
    RANKS,
    SUITS,
    TRUMPS,
    cards_of,
    make_card,
    rank_of,
    suit_of,
)
from pilotta_solver.deal import SEATS, Deal
from pilotta_solver.errors import NotationError
from pilotta_solver.tongues import SUIT_SYMBOLS, Tongue, fold, tongue

if TYPE_CHECKING:
    from pilotta_solver.ruleset import Ruleset

# What both rule texts have: bids from 80 in steps of 10.
_FIRST_BID, _BID_STEP = 80, 10
# No deal is worth a bid of more digits.
_MAX_DIGITS = 4

_SEAT_NAMES = ("north", "west", "south", "east")
_BETWEEN_CARDS = re.compile(r"[\s,;]+")
_BETWEEN_HANDS = re.compile(r"\s*[|;\n]\s*")

_CALL_NAMES: dict[str, Literal["P", "X", "XX"]] = {
    **dict.fromkeys(("p", "-", "pass", "passe"), "P"),
    **dict.fromkeys(("x", "double", "contre", "close"), "X"),
    **dict.fromkeys(("xx", "redouble", "surcontre", "open"), "XX"),
}


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid: the points to reach, and the trump (0 to 3 a suit, 4 no trump, 5 all trump)."""

    level: int
    trump: int

    def __str__(self) -> str:
        return format_bid(self)


Call = Bid | Literal["P", "X", "XX"]
"""What a player says in the auction: a bid, a pass, a double or a redouble."""


def parse_hand(text: str, cards: str = "en") -> int:
    """Read a hand of eight cards as a card set.

    Parameters
    ----------
    text
        The hand, in any form of the grammar.
    cards
        The tongue of the letters: en, fr, nl, pt, es or el.

    Examples
    --------
    >>> parse_hand("♠J9AK ♥108 ♦A7") == parse_hand("AKJ9.T8.A7.")
    True
    >>> parse_hand("♠V9AR ♥108 ♦A7", "fr") == parse_hand("AKJ9.T8.A7.")
    True
    """
    found = _read_hand(text, tongue(cards))
    if len(found) != N_RANKS:
        more = N_RANKS - len(found)
        raise NotationError(
            f"hand '{text.strip()}' has {_number(len(found), 'card')}; a hand has {N_RANKS}: "
            + (f"add {more}" if more > 0 else f"take {-more} away")
        )
    return _card_set(found)


def parse_cards(text: str, cards: str = "en") -> tuple[int, ...]:
    """Read a list of cards, in order, such as the cards played so far; it may be empty."""
    if "." in text:
        raise NotationError(
            f"cards '{text.strip()}': give them one by one in order, as in S9 SJ H7, without dots"
        )
    return tuple(_read_cards(text, text, tongue(cards)))


def parse_deal(text: str, cards: str = "en") -> Deal:
    """Read a deal: ``N:`` or another seat, then the four hands from it, in order of play.

    The hands may have fewer than eight cards, all four the same number.

    Raises
    ------
    NotationError
        If the text cannot be read.
    DealError
        If hands share a card or differ in size.
    """
    head, colon, tail = text.partition(":")
    if not colon or fold(head.strip()) not in _seat_names():
        raise NotationError(
            f"deal '{text.strip()}': begin with the seat of the first hand, as in "
            "N:hand hand hand hand"
        )
    first = parse_seat(head)
    body = tail.strip()
    parts = _BETWEEN_HANDS.split(body) if _BETWEEN_HANDS.search(body) else body.split()
    if len(parts) != len(SEATS):
        raise NotationError(
            f"deal '{text.strip()}' has {_number(len(parts), 'hand')}, not 4: put blanks between "
            "hands such as AKJ9.T8.A7., or | between hands that contain blanks"
        )
    hands = [0, 0, 0, 0]
    for place, part in enumerate(parts):
        hands[(first + place) % 4] = _card_set(_read_hand(part, tongue(cards)))
    return Deal((hands[0], hands[1], hands[2], hands[3]))


def parse_trump(text: str, cards: str = "en") -> int:
    """Read a trump: S, H, D, C, N (no trump), A (all trump), a suit symbol or a name."""
    names = tongue(cards).trump_names()
    word = "".join(fold(text).split())
    if word not in names:
        raise NotationError(
            f"unknown trump '{text.strip()}': give {_suit_letters(cards)}, N for no trump or A for "
            "all trump"
        )
    return names[word]


def parse_seat(text: str) -> int:
    """Read a seat: N, W, S or E, or its English name."""
    word = fold(text.strip())
    if word not in _seat_names():
        raise NotationError(f"unknown seat '{text.strip()}': give one of {', '.join(SEATS)}")
    return _seat_names()[word]


def parse_bid(text: str, rules: Ruleset | None = None, cards: str = "en") -> Bid:
    """Read a bid, such as ``100S`` or ``100♠``.

    Parameters
    ----------
    text
        The level and the trump.
    rules
        The ruleset whose lowest bid, step and highest bid hold; without one, 80 and 10, which the
        rule texts share, and no highest.
    cards
        The tongue of the suit's name.
    """
    match = re.fullmatch(r"\s*([0-9]+)\s*(.*?)\s*", text)
    if match is None:
        raise NotationError(f"'{text.strip()}' is not a bid: write a level and a trump, as in 100S")
    level, trump = int(match[1][-_MAX_DIGITS:]), match[2]
    first = rules.first_bid if rules else _FIRST_BID
    step = rules.bid_step if rules else _BID_STEP
    highest = rules.highest_bid if rules else 0
    too_high = len(match[1]) > _MAX_DIGITS or (highest and level > highest)
    if level < first or (level - first) % step or too_high:
        up_to = f" up to {highest}" if highest else ""
        raise NotationError(
            f"there is no bid of {match[1]}: bids begin at {first} and go in steps of {step}{up_to}"
        )
    if not trump:
        raise NotationError(
            f"bid '{text.strip()}' names no trump: add {_suit_letters(cards)}, N or A, as in "
            f"{level}{_suit_letters(cards)[0]}"
        )
    return Bid(level, parse_trump(trump, cards))


def parse_call(text: str, rules: Ruleset | None = None, cards: str = "en") -> Call:
    """Read a call: a bid, ``P`` for a pass, ``X`` for a double or ``XX`` for a redouble."""
    word = fold(text.strip())
    if word in _CALL_NAMES:
        return _CALL_NAMES[word]
    if not word[:1].isdecimal():
        raise NotationError(
            f"'{text.strip()}' is not a call: give a bid such as 100S, P (pass), X (double) or XX "
            "(redouble)"
        )
    return parse_bid(text, rules, cards)


def parse_calls(text: str, rules: Ruleset | None = None, cards: str = "en") -> tuple[Call, ...]:
    """Read calls in order, with blanks or commas between them."""
    return tuple(parse_call(word, rules, cards) for word in re.split(r"[\s,;]+", text) if word)


def format_card(card: int, *, symbols: bool = False) -> str:
    """Write a card, suit first: ``SJ``, or ``♠J`` with symbols."""
    return _suit_text(suit_of(card), symbols) + _rank_text(rank_of(card), symbols)


def format_cards(cards: Iterable[int], *, symbols: bool = False) -> str:
    """Write cards in their order: ``SJ S9 HT``."""
    return " ".join(format_card(card, symbols=symbols) for card in cards)


def format_hand(hand: int, *, symbols: bool = False) -> str:
    """Write a card set: ``AKJ9.T8.A7.``, or ``♠AKJ9 ♥108 ♦A7`` with symbols.

    Within a suit the cards run A K Q J T 9 8 7.
    """
    suits = [""] * len(SUITS)
    for card in cards_of(hand):
        suits[suit_of(card)] = _rank_text(rank_of(card), symbols) + suits[suit_of(card)]
    if not symbols:
        return ".".join(suits)
    return " ".join(SUIT_SYMBOLS[suit] + ranks for suit, ranks in enumerate(suits) if ranks)


def format_deal(deal: Deal, *, symbols: bool = False) -> str:
    """Write a deal from N: ``N:hand hand hand hand``; with symbols, ``|`` between the hands."""
    hands = (format_hand(hand, symbols=symbols) for hand in deal.hands)
    return f"{SEATS[0]}:" + (" | " if symbols else " ").join(hands)


def format_trump(trump: int, *, symbols: bool = False) -> str:
    """Write a trump: one of S H D C N A, or with symbols ♠ ♥ ♦ ♣ SA (no trump) TA (all trump)."""
    return (*SUIT_SYMBOLS, "SA", "TA")[trump] if symbols else TRUMPS[trump]


def format_bid(bid: Bid, *, symbols: bool = False) -> str:
    """Write a bid: ``100S``, or ``100♠`` with symbols."""
    return f"{bid.level}{format_trump(bid.trump, symbols=symbols)}"


def format_call(call: Call, *, symbols: bool = False) -> str:
    """Write a call: a bid, ``P``, ``X`` or ``XX``."""
    return format_bid(call, symbols=symbols) if isinstance(call, Bid) else call


def _number(n: int, thing: str) -> str:
    return f"{n} {thing}" + ("" if n == 1 else "s")


def _suit_text(suit: int, symbols: bool) -> str:
    return SUIT_SYMBOLS[suit] if symbols else SUITS[suit]


def _rank_text(rank: int, symbols: bool) -> str:
    return "10" if symbols and RANKS[rank] == "T" else RANKS[rank]


@cache
def _seat_names() -> dict[str, int]:
    letters = {letter.lower(): seat for seat, letter in enumerate(SEATS)}
    return letters | {name: seat for seat, name in enumerate(_SEAT_NAMES)}


def _suit_letters(cards: str) -> str:
    return ", ".join(names[0].upper() for names in tongue(cards).suits)


def _card_set(cards: Sequence[int]) -> int:
    return sum(1 << card for card in cards)


def _read_hand(text: str, names: Tongue) -> list[int]:
    """Read the cards of a hand, dotted or with named suits."""
    if "." not in text:
        return _read_cards(text, text, names)
    parts = text.split(".")
    if len(parts) != len(SUITS):
        raise NotationError(
            f"hand '{text.strip()}' has {len(parts)} suits between dots, not {len(SUITS)}: write "
            "spades.hearts.diamonds.clubs, and nothing for a suit without cards"
        )
    cards: list[int] = []
    for suit, part in enumerate(parts):
        found = _read_cards(f"{SUIT_SYMBOLS[suit]} {part}", text, names)
        for card in found:
            if suit_of(card) != suit:
                raise NotationError(
                    f"'{part}' in '{text.strip()}' names {format_card(card)} where "
                    f"{SUIT_SYMBOLS[suit]} stands: write spades.hearts.diamonds.clubs without suits"
                )
        cards += found
    return cards


# One name in a text of cards: whether it is a suit, and which suit or rank.
_Item = tuple[bool, int]


def _read_cards(text: str, shown: str, names: Tongue) -> list[int]:
    """Read cards whose suits are named; errors show the text as it was given."""
    cards: list[int] = []
    suit: int | None = None
    for word in _BETWEEN_CARDS.split(text):
        items = _items(word, shown, names)
        if items and not items[0][0] and any(is_suit for is_suit, _ in items):
            cards += _suit_last(items, shown)
            suit = None
            continue
        if len(items) > 1 and items[-1][0] and word[-1] not in ":-":
            raise NotationError(f"'{word}' in '{shown.strip()}' ends in a suit without a card")
        for is_suit, index in items:
            if is_suit:
                suit = index
            elif suit is None:
                raise NotationError(
                    f"'{word}' in '{shown.strip()}' names no suit: write SJ, S:J9 or ♠J9"
                )
            else:
                cards.append(make_card(suit, index))
    for place, card in enumerate(cards):
        if card in cards[:place]:
            raise NotationError(
                f"{format_card(card)} stands twice in '{shown.strip()}': give every card once"
            )
    return cards


def _suit_last(items: list[_Item], shown: str) -> list[int]:
    """Read ranks that are followed by their suit, as in ``JS`` or ``J9S10H``."""
    cards: list[int] = []
    ranks: list[int] = []
    for is_suit, index in items:
        if not is_suit:
            ranks.append(index)
            continue
        cards += [make_card(index, rank) for rank in ranks]
        ranks = []
    if ranks:
        rank = RANKS[ranks[0]]
        raise NotationError(f"{rank} in '{shown.strip()}' names no suit: write S{rank} or {rank}S")
    return cards


def _items(word: str, shown: str, names: Tongue) -> list[_Item]:
    """Split a word into names of suits and ranks, the longest names first.

    A suit may end in a colon, and a dash may stand for the cards of an empty one.
    """
    pattern, meaning = _lexicon(names)
    rest = fold(word).removeprefix("-")
    items: list[_Item] = []
    while rest:
        match = pattern.match(rest)
        if match is None:
            raise NotationError(
                f"unknown card or suit '{rest[0].upper()}' in '{shown.strip()}': ranks are "
                f"{_first_names(names.ranks)} (10 for ten), suits {_first_names(names.suits)}"
            )
        items.append(meaning[match[1]])
        rest = rest[match.end() :]
    return items


def _first_names(table: tuple[tuple[str, ...], ...]) -> str:
    return " ".join(names[0].upper() for names in table)


@cache
def _lexicon(names: Tongue) -> tuple[re.Pattern[str], dict[str, _Item]]:
    """Return a pattern for one name, and what each name means."""
    meaning: dict[str, _Item] = {name: (False, rank) for name, rank in names.rank_names().items()}
    suits = names.suit_names()
    meaning |= {name: (True, suit) for name, suit in suits.items()}
    words = "|".join(sorted(map(re.escape, meaning), key=len, reverse=True))
    return re.compile(f"({words}):?-?"), meaning
