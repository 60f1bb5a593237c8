"""What makes a class of hands: the quantities that a player can count in his hand.

Every quantity is a small whole number, the *code*, of each observation, with a text that a player
reads. Quantities of trumps need a trump suit; the others go with every contract.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.bidding_table.observations import Observations
from pilotta_solver.cards import KING, N_RANKS, N_SUITS, QUEEN, RANKS
from pilotta_solver.errors import PilottaError
from pilotta_solver.schemas import CLASS_COLUMNS

Codes = npt.NDArray[np.int64]

DEFAULT_BY = ("pattern", "side_aces", "lead")
"""What makes a class where nothing else is asked for and the contracts are suits."""

DEFAULT_BY_WITHOUT_TRUMPS = {4: ("aces", "guarded_tens", "lead"), 5: ("jacks", "nines", "lead")}
"""The same for no trump and for all trump."""

_PLAIN_SUITS = np.uint32(0xFF)
_DECLARATIONS_TO = 500  # more than any hand can declare


@dataclass(frozen=True)
class Quantity:
    """Something that a player counts in his hand.

    Attributes
    ----------
    name : str
        Its name for ``--by``, and that of its column (`schemas.CLASS_COLUMNS`).
    description : str
        What is counted, in one sentence.
    n_codes : int
        Codes are 0 to ``n_codes - 1``.
    values : callable
        From observations to their codes, int64 of shape (m,).
    value : callable
        From a code to what the column holds.
    label : callable
        From a code to what a player calls it, as in ``1 side ace``.
    needs_trumps : bool
        Whether it has a meaning in a trump suit only.
    coarser : callable or None
        From a code to a rougher value for classes that are rare on their own, as in
        ``other 5 trumps with J9``; None where there is none.
    """

    name: str
    description: str
    n_codes: int
    values: Callable[[Observations], Codes]
    value: Callable[[int], str | int]
    label: Callable[[int], str]
    needs_trumps: bool = False
    coarser: Callable[[int], str] | None = None


def parse_by(text: str) -> tuple[str, ...]:
    """Read the names of quantities, as in ``pattern,side_aces,lead``.

    Raises
    ------
    PilottaError
        If a name is unknown, comes twice, or none is given.
    """
    names = tuple(name for name in text.replace("-", "_").replace(",", " ").split() if name)
    check_by(names)
    return names


def check_by(names: Sequence[str], trumps: Iterable[int] = ()) -> None:
    """Refuse names that make no classes of hands with some contracts.

    Raises
    ------
    PilottaError
        If a name is unknown or comes twice, none is given, or one needs trumps and a contract has
        none.
    """
    if not names:
        raise PilottaError(f"no quantity to make classes by: name some of {_listed()}")
    for name in names:
        if name not in QUANTITIES:
            raise PilottaError(f"no quantity '{name}': name some of {_listed()}")
    if len(set(names)) < len(names):
        raise PilottaError(f"'{','.join(names)}': name each quantity once")
    if any(trump >= N_SUITS for trump in trumps):
        wrong = [name for name in names if QUANTITIES[name].needs_trumps]
        if wrong:
            fit = (name for name, one in QUANTITIES.items() if not one.needs_trumps)
            raise PilottaError(
                f"'{wrong[0]}' needs a trump suit, which no trump and all trump have not: "
                f"name some of {', '.join(fit)}"
            )


def default_by(trumps: Sequence[int]) -> tuple[str, ...]:
    """The quantities that make classes for some contracts where none are named."""
    return DEFAULT_BY_WITHOUT_TRUMPS.get(trumps[0], DEFAULT_BY)


def _listed() -> str:
    return ", ".join(QUANTITIES)


def _trumps(seen: Observations) -> npt.NDArray[np.uint32]:
    """The ranks held in the trump suit, as a set of eight bits."""
    return seen.hand >> (np.uint32(N_RANKS) * seen.trump.astype(np.uint32)) & _PLAIN_SUITS


def _plain(seen: Observations) -> npt.NDArray[np.uint32]:
    """The cards held outside trumps; all of them where there is no trump suit."""
    suits = np.array([0xFF << N_RANKS * suit for suit in range(N_SUITS)] + [0, 0], np.uint32)
    return seen.hand & ~suits[seen.trump]


def _card_of_trumps(rank: str) -> Callable[[Observations], Codes]:
    bit = RANKS.index(rank)
    return lambda seen: (_trumps(seen) >> np.uint32(bit) & np.uint32(1)).astype(np.int64)


def _of_rank(
    rank: str, cards: Callable[[Observations], npt.NDArray[np.uint32]]
) -> Callable[[Observations], Codes]:
    bits = np.uint32(sum(1 << N_RANKS * suit + RANKS.index(rank) for suit in range(N_SUITS)))
    return lambda seen: np.bitwise_count(cards(seen) & bits).astype(np.int64)


def _all_cards(seen: Observations) -> npt.NDArray[np.uint32]:
    return seen.hand


def _plain_suits(seen: Observations) -> npt.NDArray[np.uint32]:
    """The ranks held in each suit, (m, 4); of the trump suit none."""
    return _plain(seen)[:, None] >> np.arange(0, 32, N_RANKS, dtype=np.uint32) & _PLAIN_SUITS


def _suits_of_length(length: int) -> Callable[[Observations], Codes]:
    def count(seen: Observations) -> Codes:
        is_plain = seen.trump[:, None] != np.arange(N_SUITS)
        has = np.bitwise_count(_plain_suits(seen)) == length
        found: Codes = (has & is_plain).sum(axis=1, dtype=np.int64)
        return found

    return count


def _guarded_tens(seen: Observations) -> Codes:
    suits = _plain_suits(seen)
    has = suits >> np.uint32(RANKS.index("T")) & np.uint32(1) == 1
    found: Codes = (has & (np.bitwise_count(suits) > 1)).sum(axis=1, dtype=np.int64)
    return found


@dataclass(frozen=True)
class _TrumpWords:
    """Names for the trumps held, by their set of ranks."""

    codes: npt.NDArray[np.int64]
    words: tuple[str, ...]
    coarse: tuple[str, ...]

    @classmethod
    def of(cls, word: Callable[[int], str]) -> _TrumpWords:
        """Number the words of all sets: long suits first, then those with the better honours."""
        said = {ranks: word(ranks) for ranks in range(1 << N_RANKS)}
        ordered = sorted(said, key=lambda ranks: (-ranks.bit_count(), _order(ranks)))
        words = tuple(dict.fromkeys(said[ranks] for ranks in ordered))
        codes = np.array([words.index(said[ranks]) for ranks in range(1 << N_RANKS)])
        rough = {said[ranks]: _coarse(ranks) for ranks in ordered}
        return cls(codes, words, tuple(rough[one] for one in words))

    def quantity(self, name: str) -> Quantity:
        """The quantity of this name."""
        return Quantity(
            name,
            _DESCRIPTIONS[name],
            len(self.words),
            lambda seen: self.codes[_trumps(seen)],
            self.words.__getitem__,
            self.words.__getitem__,
            needs_trumps=True,
            coarser=self.coarse.__getitem__,
        )


def _order(ranks: int) -> tuple[int, ...]:
    """What puts J before 9 before A, and KQ together before K or Q alone."""
    held = [ranks >> RANKS.index(letter) & 1 for letter in "J9AKQT"]
    return (-held[0], -held[1], -held[2], -min(held[3:5]), *(-one for one in held[3:]))


def _held(ranks: int, letters: str) -> str:
    return "".join(letter for letter in letters if ranks >> RANKS.index(letter) & 1)


def _pattern(ranks: int) -> str:
    """``J9A+1``, ``J9KQ+1``: the three best trumps and a belote by name, the others counted."""
    named = _held(ranks, "J9A")
    if ranks >> KING & 1 and ranks >> QUEEN & 1:
        named += "KQ"
    return _counted(named, ranks)


def _honours(ranks: int) -> str:
    """``J9AK+1``: all trumps but 8 and 7 by name."""
    return _counted(_held(ranks, "J9ATKQ"), ranks)


def _counted(named: str, ranks: int) -> str:
    others = ranks.bit_count() - len(named)
    if not ranks:
        return "0"
    return f"{named}+{others}" if others else named


def _coarse(ranks: int) -> str:
    """``J9+any 3``: what is said of rare holdings."""
    named = _held(ranks, "J9")
    others = ranks.bit_count() - len(named)
    return f"{named}+any {others}" if others else named or "0"


def _number(one: str, many: str = "") -> Callable[[int], str]:
    """Say how many there are."""
    plural = many or f"{one}s"
    return lambda code: f"{code} {one if code == 1 else plural}"


def _yes_no(name: str) -> Callable[[int], str]:
    return lambda code: name if code else f"no {name}"


_DESCRIPTIONS = {column.name: column.description for column in CLASS_COLUMNS}


def _counting(
    name: str,
    most: int,
    values: Callable[[Observations], Codes],
    label: Callable[[int], str],
    *,
    needs_trumps: bool = False,
) -> Quantity:
    """A quantity whose code is its value."""
    return Quantity(name, _DESCRIPTIONS[name], most + 1, values, int, label, needs_trumps)


def _belote(seen: Observations) -> Codes:
    both = np.uint32(1 << KING | 1 << QUEEN)
    has: Codes = (_trumps(seen) & both == both).astype(np.int64)
    return has


def _quantities() -> dict[str, Quantity]:
    of_trumps: dict[str, Any] = {"needs_trumps": True}
    every = (
        _TrumpWords.of(_pattern).quantity("pattern"),
        _TrumpWords.of(_honours).quantity("honours"),
        _counting(
            "length",
            8,
            lambda seen: np.bitwise_count(_trumps(seen)).astype(np.int64),
            _number("trump"),
            **of_trumps,
        ),
        _counting("jack", 1, _card_of_trumps("J"), _yes_no("J of trumps"), **of_trumps),
        _counting("nine", 1, _card_of_trumps("9"), _yes_no("9 of trumps"), **of_trumps),
        _counting("ace", 1, _card_of_trumps("A"), _yes_no("A of trumps"), **of_trumps),
        _counting("ten", 1, _card_of_trumps("T"), _yes_no("10 of trumps"), **of_trumps),
        _counting("belote", 1, _belote, _yes_no("belote"), **of_trumps),
        _counting("side_aces", 3, _of_rank("A", _plain), _number("side ace"), **of_trumps),
        _counting("side_tens", 3, _of_rank("T", _plain), _number("side ten"), **of_trumps),
        _counting("guarded_tens", 4, _guarded_tens, _number("guarded ten")),
        _counting("voids", 3, _suits_of_length(0), _number("void")),
        _counting("singletons", 4, _suits_of_length(1), _number("singleton")),
        _counting("aces", 4, _of_rank("A", _all_cards), _number("ace")),
        _counting("tens", 4, _of_rank("T", _all_cards), _number("ten")),
        _counting("jacks", 4, _of_rank("J", _all_cards), _number("jack")),
        _counting("nines", 4, _of_rank("9", _all_cards), _number("nine")),
        Quantity(
            "declarations",
            _DESCRIPTIONS["declarations"],
            _DECLARATIONS_TO // 10 + 1,
            lambda seen: seen.declared.astype(np.int64) // 10,
            lambda code: 10 * code,
            lambda code: f"{10 * code} declared",
        ),
        Quantity(
            "lead",
            _DESCRIPTIONS["lead"],
            2,
            lambda seen: seen.place.astype(np.int64) % 2,
            ("own", "other").__getitem__,
            ("own side leads", "others lead").__getitem__,
        ),
        Quantity(
            "place",
            _DESCRIPTIONS["place"],
            N_SUITS,
            lambda seen: seen.place.astype(np.int64),
            lambda code: code + 1,
            lambda code: f"place {code + 1}",
        ),
    )
    return {quantity.name: quantity for quantity in every}


QUANTITIES: dict[str, Quantity] = _quantities()
"""Everything that may make a class, by name."""
