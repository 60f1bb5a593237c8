"""Deals that chance hardly ever makes: one function a family, each from a random generator."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from benchmarks.deals import N_CARDS, N_SEATS
from pilotta_solver.cards import N_RANKS, SUITS, TRUMPS

Deal = tuple[int, int, int, int]
Freak = tuple[Deal, int]
"""Four hands from N in order of play, and the trump."""

_ALL_TRUMPS, _ONE_SHORT, _LONG = 8, 7, 5


def eight_trumps(rng: np.random.Generator) -> Freak:
    """One hand holds every trump."""
    return _trumps_in_one_hand(rng, _ALL_TRUMPS)


def seven_trumps(rng: np.random.Generator) -> Freak:
    """One hand holds all trumps but one."""
    return _trumps_in_one_hand(rng, _ONE_SHORT)


def trumps_on_one_side(rng: np.random.Generator) -> Freak:
    """Two partners share all trumps: each must ruff the other's tricks where void."""
    trump, side = int(rng.integers(len(SUITS))), int(rng.integers(2))
    first = int(rng.integers(1, N_RANKS))
    cards = _suit(rng, trump)
    held: list[list[int]] = [[] for _ in range(N_SEATS)]
    held[side], held[side + 2] = cards[:first], cards[first:]
    return _filled(rng, held), trump


def long_suits(rng: np.random.Generator) -> Freak:
    """Every hand has five to eight cards of a suit of its own."""
    suits = rng.permutation(len(SUITS))
    lengths = rng.integers(_LONG, N_RANKS + 1, size=N_SEATS)
    held = [_suit(rng, int(suits[seat]))[: lengths[seat]] for seat in range(N_SEATS)]
    return _filled(rng, held), _any_trump(rng)


def two_suits(rng: np.random.Generator) -> Freak:
    """Every hand has four cards in each of two suits, and shares each suit with one other hand."""
    seats = rng.permutation(N_SEATS)
    held: list[list[int]] = [[] for _ in range(N_SEATS)]
    for place, suit in enumerate(rng.permutation(len(SUITS))):
        cards = _suit(rng, int(suit))
        held[seats[place]] += cards[: N_RANKS // 2]
        held[seats[(place + 1) % N_SEATS]] += cards[N_RANKS // 2 :]
    return _filled(rng, held), _any_trump(rng)


def flat_hands(rng: np.random.Generator) -> Freak:
    """Every hand has two cards of each suit."""
    held: list[list[int]] = [[] for _ in range(N_SEATS)]
    for suit in range(len(SUITS)):
        cards = _suit(rng, suit)
        for seat in range(N_SEATS):
            held[seat] += cards[2 * seat : 2 * seat + 2]
    return _filled(rng, held), _any_trump(rng)


FAMILIES: dict[str, Callable[[np.random.Generator], Freak]] = {
    "eight trumps": eight_trumps,
    "seven trumps": seven_trumps,
    "trumps on one side": trumps_on_one_side,
    "long suits": long_suits,
    "two suits": two_suits,
    "flat hands": flat_hands,
}


def swapped(rng: np.random.Generator, hands: Sequence[int]) -> list[int]:
    """Return the deal with one card of one hand changed for one of another."""
    one, other = rng.choice(N_SEATS, size=2, replace=False)
    given, taken = _any_card(rng, hands[one]), _any_card(rng, hands[other])
    changed = list(hands)
    changed[one] ^= given | taken
    changed[other] ^= given | taken
    return changed


def _trumps_in_one_hand(rng: np.random.Generator, n: int) -> Freak:
    trump, seat = int(rng.integers(len(SUITS))), int(rng.integers(N_SEATS))
    held: list[list[int]] = [[] for _ in range(N_SEATS)]
    held[seat] = _suit(rng, trump)[:n]
    return _filled(rng, held), trump


def _any_trump(rng: np.random.Generator) -> int:
    return int(rng.integers(len(TRUMPS)))


def _suit(rng: np.random.Generator, suit: int) -> list[int]:
    """Return the cards of a suit in random order."""
    cards: list[int] = (N_RANKS * suit + rng.permutation(N_RANKS)).tolist()
    return cards


def _filled(rng: np.random.Generator, held: list[list[int]]) -> Deal:
    """Deal out the cards that nobody holds yet."""
    taken = {card for cards in held for card in cards}
    rest: list[int] = rng.permutation([c for c in range(N_CARDS) if c not in taken]).tolist()
    hands = []
    for cards in held:
        missing = N_CARDS // N_SEATS - len(cards)
        hands.append(sum(1 << card for card in cards + rest[:missing]))
        rest = rest[missing:]
    return hands[0], hands[1], hands[2], hands[3]


def _any_card(rng: np.random.Generator, hand: int) -> int:
    cards = [1 << card for card in range(N_CARDS) if hand >> card & 1]
    return cards[rng.integers(len(cards))]


def drawn(
    family: str, n: int, rng: np.random.Generator
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.int8]]:
    """Return ``n`` deals of a family, shape (n, 4), and their trumps."""
    freaks = [FAMILIES[family](rng) for _ in range(n)]
    return (
        np.array([hands for hands, _ in freaks], dtype=np.uint32).reshape(n, N_SEATS),
        np.array([trump for _, trump in freaks], dtype=np.int8),
    )
