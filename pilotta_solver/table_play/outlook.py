"""What each card came to in each world: the choice, and what is reported of it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import SUIT_MASKS, card_points, card_strength, cards_of, suit_of
from pilotta_solver.stopping import Z95, wilson_interval

Aim = Literal["points", "contract"]
"""What a player wants most: points on average, or the contract made or broken, and then points."""

AIMS: tuple[Aim, ...] = ("points", "contract")

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class CardValue:
    """What a card promises, as far as the player can tell.

    Attributes
    ----------
    card
        The card.
    mean
        Mean of the own side's points over the whole deal, those taken so far among them; a sweep of
        all eight tricks counts ``capot_points``, one by the other side 162 less that.
    mean_interval
        A 95 % interval of this mean, for the draw of the worlds.
    behind
        Mean of the points by which the card chosen does better in the same world; below 0 where
        the choice heeds the contract first.
    behind_interval
        A 95 % interval of it. The worlds are the same for all cards, so it tells two of them apart
        better than the means do.
    p_made
        Chance that the declarers make the contract, whichever side the player is on; None where no
        contract is known.
    p_made_interval
        A 95 % interval of this chance (Wilson's); None with it.
    """

    card: int
    mean: float
    mean_interval: Interval
    behind: float
    behind_interval: Interval
    p_made: float | None
    p_made_interval: Interval | None


@dataclass(frozen=True)
class Outlook:
    """What the cards that may be played come to, world by world.

    Attributes
    ----------
    cards
        The cards, ascending.
    values : numpy.ndarray
        Shape (n_worlds, n_cards), int16: the own side's points if the card is played and all
        players then play best with all cards seen.
    made : numpy.ndarray or None
        The same shape, bool: whether the declarers then make the contract; None without one.
    is_declaring
        Whether the player is on the declarers' side.
    trump
        The contract: 0 to 3 a suit, 4 no trump, 5 all trump.
    """

    cards: tuple[int, ...]
    values: npt.NDArray[np.int16]
    made: npt.NDArray[np.bool_] | None
    is_declaring: bool
    trump: int

    def ranked(self, aim: Aim) -> list[int]:
        """Return the cards, the best first, as `player.decide` says."""
        points = self.values.sum(axis=0, dtype=np.int64).tolist()
        wins = [0] * len(points)
        if aim == "contract" and self.made is not None:
            won = self.made if self.is_declaring else ~self.made
            wins = won.sum(axis=0).tolist()
        order = sorted(
            range(len(points)),
            key=lambda k: (-wins[k], -points[k], _cheapness(self.cards[k], self.trump)),
        )
        return [self.cards[k] for k in order]

    def value_of(self, card: int, chosen: int) -> CardValue:
        """Return what one card promises, beside the card chosen."""
        column, best = self.cards.index(card), self.cards.index(chosen)
        values = self.values[:, column].astype(np.float64)
        p_made = interval = None
        if self.made is not None:
            n, n_made = len(values), int(self.made[:, column].sum())
            p_made, interval = n_made / n, wilson_interval(n_made, n)
        mean = _mean_and_interval(values)
        behind = _mean_and_interval(self.values[:, best] - values)
        return CardValue(card, *mean, *behind, p_made, interval)


def _mean_and_interval(values: npt.NDArray[np.float64]) -> tuple[float, Interval]:
    """Return the mean of draws and its 95 % interval; of one draw nothing is known but itself."""
    n, mean = len(values), float(values.mean())
    reach = Z95 * float(values.std(ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    return mean, (mean - reach, mean + reach)


def choices(legal: int, unseen: int, best: int | None, trump: int) -> list[int]:
    """Return one card of each kind among those that may be played, the cheapest.

    Two cards of a suit are of one kind if they are worth the same and no card lies between them in
    strength that another player may still hold, or that wins the trick so far: they then win and
    lose alike in every world.

    Parameters
    ----------
    legal
        The cards that may be played, a card set.
    unseen
        The cards that the other players hold between them, a card set.
    best
        The card that wins the trick so far; None for a lead.
    trump
        The contract: 0 to 3 a suit, 4 no trump, 5 all trump.
    """
    others = unseen if best is None else unseen | 1 << best
    found: list[int] = []
    for mask in SUIT_MASKS:
        last: int | None = None
        if not legal & mask:
            continue
        cards = cards_of((legal | others) & mask)
        for card in sorted(cards, key=lambda card: card_strength(card, trump)):
            if others >> card & 1:
                last = None
            elif last is None or card_points(last, trump) != card_points(card, trump):
                found.append(card)
                last = card
    return found


def cheapest(cards: Iterable[int], trump: int) -> int:
    """Return the card worth least; then the lowest in strength; then the first by suit."""
    return min(cards, key=lambda card: _cheapness(card, trump))


def _cheapness(card: int, trump: int) -> tuple[int, int, int]:
    return card_points(card, trump), card_strength(card, trump), suit_of(card)
