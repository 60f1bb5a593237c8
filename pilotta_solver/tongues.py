"""The names of cards, suits and contracts in the players' tongues: one table, for input only.

Output is always in the letters of `cards`. Text is compared without case and accents, so the
table is written in lower case without accents. Within one tongue no name has two meanings, and
none can be read as a string of others: the tests hold the table to both. So a letter that would
be a rank and a suit at once (the Dutch H, heer or harten) is the rank, and the suit goes by its
whole name or its symbol.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from pilotta_solver.cards import N_RANKS, N_SUITS
from pilotta_solver.errors import NotationError

Names = tuple[str, ...]

SUIT_SYMBOLS = "♠♥♦♣"
_HOLLOW_SYMBOLS = "♤♡♢♧"
_NO_TRUMP: Names = ("n", "nt", "sa")
_ALL_TRUMP: Names = ("a", "at", "ta")


@dataclass(frozen=True, slots=True)
class Tongue:
    """How the players of one language write cards.

    Attributes
    ----------
    language
        The English name of the language.
    ranks
        The names of each rank, in the order of `cards.RANKS`.
    suits
        The names of each suit, in the order of `cards.SUITS`, without the symbols, which every
        tongue has.
    no_trump, all_trump
        The names of the two contracts without a trump suit, beside those that every tongue has.
    """

    language: str
    ranks: tuple[Names, ...]
    suits: tuple[Names, ...]
    no_trump: Names
    all_trump: Names

    def rank_names(self) -> dict[str, int]:
        """Return every name of a rank with the rank."""
        return {name: rank for rank in range(N_RANKS) for name in self.ranks[rank]}

    def suit_names(self) -> dict[str, int]:
        """Return every name of a suit with the suit, the symbols included."""
        names = {name: suit for suit in range(N_SUITS) for name in self.suits[suit]}
        for symbols in (SUIT_SYMBOLS, _HOLLOW_SYMBOLS):
            names |= {symbol: suit for suit, symbol in enumerate(symbols)}
        return names

    def trump_names(self) -> dict[str, int]:
        """Return every name of a contract, without blanks, with its trump index."""
        kinds = (*_NO_TRUMP, *self.no_trump), (*_ALL_TRUMP, *self.all_trump)
        return self.suit_names() | {
            name.replace(" ", ""): N_SUITS + kind for kind in (0, 1) for name in kinds[kind]
        }


def _ranks(ten: Names, jack: Names, queen: Names, king: Names, ace: Names) -> tuple[Names, ...]:
    return ("7",), ("8",), ("9",), (*ten, "10"), jack, queen, king, ace


TONGUES: Mapping[str, Tongue] = {
    "en": Tongue(
        "English",
        _ranks(("t",), ("j",), ("q",), ("k",), ("a",)),
        (
            ("s", "spades"),
            ("h", "hearts"),
            ("d", "diamonds"),
            ("c", "clubs"),
        ),
        ("no trump", "no trumps"),
        ("all trump", "all trumps"),
    ),
    "fr": Tongue(
        "French",
        _ranks((), ("v", "valet"), ("d", "dame"), ("r", "roi"), ("a", "as")),
        (
            ("p", "pique", "piques"),
            ("c", "cœur", "coeur", "cœurs", "coeurs"),
            ("k", "carreau", "carreaux"),
            ("t", "trefle", "trefles"),
        ),
        ("sans atout",),
        ("tout atout",),
    ),
    "nl": Tongue(
        "Dutch",
        _ranks(("t",), ("b", "boer"), ("v", "vrouw"), ("h", "heer"), ("a",)),
        (
            ("s", "schoppen"),
            ("harten",),
            ("r", "ruiten"),
            ("k", "klaver", "klaveren"),
        ),
        ("sans atout", "zonder troef"),
        ("tout atout", "alles troef"),
    ),
    "pt": Tongue(
        "Portuguese",
        _ranks(("t",), ("v", "valete"), ("d", "dama"), ("r", "rei"), ("a",)),
        (("e", "espadas"), ("c", "copas"), ("o", "ouros"), ("p", "paus")),
        ("sem trunfo",),
        ("tudo trunfo",),
    ),
    "es": Tongue(
        "Spanish",
        _ranks((), ("j", "jota"), ("q", "reina"), ("k", "rey"), ("a", "as")),
        (
            ("p", "picas"),
            ("c", "corazones"),
            ("d", "diamantes"),
            ("t", "treboles"),
        ),
        ("sin triunfo",),
        ("todo triunfo",),
    ),
    # The Latin letters stand for the Greek ones that look like them.
    "el": Tongue(
        "Greek",
        _ranks(
            (), ("β", "b", "βαλεσ"), ("ν", "n", "νταμα"), ("ρ", "p", "ρηγασ"), ("α", "a", "ασσοσ")
        ),
        (
            ("μ", "m", "μπαστουνια"),
            ("κουπα", "κουπεσ"),
            ("καρο", "καρα"),
            ("σ", "σπαθια"),
        ),
        ("ν", "χα", "χωρισ ατου"),
        ("α", "οα", "ολα ατου"),
    ),
}


@cache
def tongue(cards: str) -> Tongue:
    """Return a tongue of `TONGUES` by its two-letter code.

    Raises
    ------
    NotationError
        If there is no such tongue.
    """
    if cards not in TONGUES:
        raise NotationError(f"unknown tongue '{cards}': cards are named in {_listed(TONGUES)}")
    return TONGUES[cards]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)


def fold(text: str) -> str:
    """Return text without case, accents and the marks that turn suit symbols into pictures."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(part for part in parts if unicodedata.category(part) != "Mn")
