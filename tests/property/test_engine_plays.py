"""The law of play is written twice, on bits and in plain Python: the two say the same.

Positions come from random legal play, so they are those that a search meets.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from asking import LAWS, workspace_of
from numba import int8, int64, types, uint32

from pilotta_solver import Law, format_cards, legal_cards, trick_winner
from pilotta_solver.cards import N_CARDS, N_SUITS, SUIT_MASKS, TRUMPS, cards_of
from pilotta_solver.engine.contract import set_contract, turn
from pilotta_solver.engine.jit import kernel
from pilotta_solver.engine.plays import legal_plays, suit_of, wins_over
from pilotta_solver.engine.workspace import WORKSPACE_TYPE

EMPTY = -1


@kernel(types.void(WORKSPACE_TYPE[::1], uint32[::1], int8[:, ::1], int64, uint32[::1], int8[::1]))
def legal_many(
    workspace: Any, hands: Any, tricks: Any, trump: int, legal: Any, winners: Any
) -> None:
    """Fill in the legal cards of each hand, and the place of the card that wins the trick so far.

    A trick has -1 for each card not yet played.
    """
    ws = workspace[0]
    set_contract(ws, trump)
    for i in range(hands.size):
        hand = turn(int64(hands[i]), trump)
        led = int64(0)
        best = int64(0)
        winner = int64(0)
        n = int64(0)
        while n < 3 and tricks[i, n] >= 0:
            card = turn(int64(1) << int64(tricks[i, n]), trump)
            if n == 0:
                led = suit_of(card)
                best = card
            elif wins_over(card, best, led, ws.trumps):
                best = card
                winner = n
            n += 1
        turned = hand if n == 0 else legal_plays(ws, hand, led, best, winner == n - 2)
        plays = int64(0)
        for number in range(32):
            card = int64(1) << int64(number)
            if turned & turn(card, trump) != 0:
                plays |= card
        legal[i] = uint32(plays)
        winners[i] = int8(winner)


class Walk:
    """Positions gathered from random play, with what ``rules.py`` says of each."""

    def __init__(self, law: Law, trump: int) -> None:
        self.law = law
        self.trump = trump
        self.hands: list[int] = []
        self.tricks: list[tuple[int, ...]] = []
        self.legal: list[int] = []
        self.winners: list[int] = []

    def play(self, rng: random.Random, hands: list[int], leader: int) -> None:
        """Play a deal to its end with random legal cards."""
        while any(hands):
            trick: tuple[int, ...] = ()
            for place in range(4):
                seat = (leader + place) % 4
                legal = legal_cards(hands[seat], trick, self.trump, self.law)
                self.hands.append(hands[seat])
                self.tricks.append(trick)
                self.legal.append(legal)
                self.winners.append(trick_winner(trick, self.trump))
                card = rng.choice(list(cards_of(legal)))
                hands[seat] ^= 1 << card
                trick = (*trick, card)
            leader = (leader + trick_winner(trick, self.trump)) % 4

    def check(self) -> int:
        """Have the engine say the same of every position; return how many there were."""
        n = len(self.hands)
        tricks = np.full((n, 3), EMPTY, dtype=np.int8)
        for row, trick in zip(tricks, self.tricks, strict=True):
            row[: len(trick)] = trick
        legal = np.zeros(n, dtype=np.uint32)
        winners = np.zeros(n, dtype=np.int8)
        hands = np.array(self.hands, dtype=np.uint32)
        legal_many(workspace_of(self.law), hands, tricks, self.trump, legal, winners)
        self._same(legal, np.array(self.legal), "legal cards")
        self._same(winners, np.array(self.winners), "winner")
        return n

    def _same(self, engine: npt.NDArray[Any], rules: npt.NDArray[Any], what: str) -> None:
        for i in np.flatnonzero(engine != rules)[:1]:
            pytest.fail(
                f"{what} of {format_cards(cards_of(self.hands[i]))} to the trick "
                f"{format_cards(self.tricks[i]) or '-'} in {TRUMPS[self.trump]} under {self.law}: "
                f"engine {engine[i]:#x}, rules {rules[i]:#x}"
            )


def even_deal(rng: random.Random) -> list[int]:
    """Every deal is as likely as every other."""
    deck = rng.sample(range(N_CARDS), N_CARDS)
    return [sum(1 << card for card in deck[seat::4]) for seat in range(4)]


def long_suits(rng: random.Random) -> list[int]:
    """A deal in which hands have long suits and voids: cards change hands only now and then."""
    deck = list(range(N_CARDS))
    for _ in range(rng.randrange(4, 24)):
        a, b = rng.randrange(N_CARDS), rng.randrange(N_CARDS)
        deck[a], deck[b] = deck[b], deck[a]
    return [sum(1 << card for card in deck[8 * seat : 8 * seat + 8]) for seat in range(4)]


def check_deals(law: Law, trump: int, n_deals: int) -> int:
    rng = random.Random(f"{law} {trump}")
    walk = Walk(law, trump)
    for i in range(n_deals):
        walk.play(rng, (even_deal if i % 2 else long_suits)(rng), rng.randrange(4))
    return walk.check()


@pytest.mark.parametrize("law", LAWS, ids=str)
def test_same_legal_cards(law: Law) -> None:
    assert sum(check_deals(law, trump, 60) for trump in range(6)) == 6 * 60 * 32


@pytest.mark.slow
@pytest.mark.parametrize("law", LAWS, ids=str)
def test_same_legal_cards_in_millions(law: Law) -> None:
    """Over all laws 11.5 million positions."""
    assert sum(check_deals(law, trump, 5000) for trump in range(6)) == 6 * 5000 * 32


def test_the_positions_meet_every_rule() -> None:
    """The sample is worth nothing unless the rules that differ between the laws come up in it."""
    met: Counter[str] = Counter()
    for law in LAWS:
        rng = random.Random(f"{law} 0")
        walk = Walk(law, 0)
        for i in range(18):
            walk.play(rng, (even_deal if i % 2 else long_suits)(rng), rng.randrange(4))
        for hand, trick, winner in zip(walk.hands, walk.tricks, walk.winners, strict=True):
            if not trick:
                continue
            led = SUIT_MASKS[trick[0] // 8]
            best_is_trump = trick[winner] // 8 == 0
            partner = "partner" if winner == len(trick) - 2 else "opponent"
            has = "trumps" if hand & SUIT_MASKS[0] else "no trumps"
            if hand & led:
                met["trump led" if led == SUIT_MASKS[0] else "plain suit led"] += 1
            elif best_is_trump:
                met[f"void, {partner} wins with a trump, {has}"] += 1
            else:
                met[f"void, {partner} wins with a plain card, {has}"] += 1
    assert len(met) == 2 + 2 * N_SUITS
    assert min(met.values()) >= 30, met
