"""What contracts are worth on many worlds: scored as the ruleset says, then averaged.

A pair is declarers, defence; a difference is the declarers' score less the defence's. Every
contract is scored on each world first and averaged over the worlds afterwards.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import CARD_POINTS_TOTAL, N_SUITS, SUIT_MASKS
from pilotta_solver.declarations import belote_points_many, declaration_points_many
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.scoring_many import score_many
from pilotta_solver.table_play.winners import winners_many

Ints = npt.NDArray[np.integer[Any]]
Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]

Chances = Callable[[Ints, Ints], Floats]
"""From what both sides write in a deal, ours and theirs, to our chance of winning the game."""

# Deals scored at a time, so that memory stays constant.
_BATCH = 1 << 17


@dataclass(frozen=True, slots=True)
class Played:
    """One trump, played double dummy by one side on n worlds.

    Attributes
    ----------
    trump : int
        0 to 3 for S H D C, 4 no trump, 5 all trump.
    points, declarations, belote : numpy.ndarray
        Card points, scoring declarations and belote, ``(n, 2)``: declarers, defence.
    capot : numpy.ndarray
        Who took all tricks, ``(n,)``: 0 the declarers, 1 the defence, -1 nobody.
    total : numpy.ndarray
        The declarers' total, ``(n,)``.
    n_trumps : numpy.ndarray
        Trumps that the declarers hold, ``(n,)``; 0 where there is no trump suit.
    n_winners : numpy.ndarray
        Winners in the better of their hands, ``(n,)`` (`winners.winners_many`); 0 likewise.
    """

    trump: int
    points: Ints
    declarations: Ints
    belote: Ints
    capot: Ints
    total: Ints
    n_trumps: Ints
    n_winners: Ints

    def __len__(self) -> int:
        return len(self.total)


def bonuses(
    hands: npt.NDArray[np.uint32], trump: int, side: int, leader: int, rules: Ruleset
) -> tuple[Ints, Ints]:
    """Return the scoring declarations and the belote, each ``(n, 2)``, the declarers' side first.

    They do not depend on the play.
    """
    order = [side, 1 - side]
    declared = declaration_points_many(hands, trump, leader, rules)
    return declared[:, order], belote_points_many(hands, trump, rules)[:, order]


def played(
    hands: npt.NDArray[np.uint32],
    trump: int,
    side: int,
    leader: int,
    values: Ints,
    rules: Ruleset,
) -> Played:
    """Say what comes of worlds whose NS values `double_dummy.solve_many` has found.

    Parameters
    ----------
    hands
        The worlds, ``(n, 4)``.
    trump, side, leader
        The contract, the side that declares it (0 NS, 1 EW), and the seat that leads.
    values
        The NS values, ``(n,)``; a sweep counts ``capot_points``.
    rules
        The ruleset.
    """
    own = values if side == 0 else CARD_POINTS_TOTAL - values
    declared, belote = bonuses(hands, trump, side, leader, rules)
    n_trumps = n_winners = np.zeros(len(hands), np.int8)
    if trump < N_SUITS:
        one, other = hands[:, side], hands[:, side + 2]
        n_trumps = np.bitwise_count((one | other) & np.uint32(SUIT_MASKS[trump])).astype(np.int8)
        n_winners = np.maximum(*(winners_many(hand, trump) for hand in (one, other)))
    return of_values(trump, own, declared, belote, n_trumps, n_winners)


def of_values(
    trump: int, own: Ints, declarations: Ints, belote: Ints, n_trumps: Ints, n_winners: Ints
) -> Played:
    """Say what comes of worlds from the declarers' values and what else `Played` has.

    Values, trumps and winners are (n,), the bonuses (n, 2). A value above 162 is a sweep by the
    declarers, one below 0 a sweep by the defence.
    """
    capot = np.where(own > CARD_POINTS_TOTAL, 0, np.where(own < 0, 1, -1)).astype(np.int8)
    held = np.clip(own, 0, CARD_POINTS_TOTAL)
    total = np.clip(own, 0, None) + declarations[:, 0] + belote[:, 0]
    points = np.stack([held, CARD_POINTS_TOTAL - held], axis=1)
    total = total.astype(np.int32)
    return Played(trump, points, declarations, belote, capot, total, n_trumps, n_winners)


def joined(parts: Sequence[Played]) -> Played:
    """Return several batches of one contract as one."""
    if len(parts) == 1:
        return parts[0]
    fields = ("points", "declarations", "belote", "capot", "total", "n_trumps", "n_winners")
    return Played(
        parts[0].trump,
        *(np.concatenate([getattr(part, name) for part in parts]) for name in fields),
    )


@dataclass(frozen=True, slots=True)
class Scored:
    """Contracts of one trump, scored on n worlds for one multiplier.

    Attributes
    ----------
    made : numpy.ndarray
        bool of shape (levels, n).
    raw, sheet : numpy.ndarray
        The differences, (levels, n).
    chance : numpy.ndarray or None
        The declarers' chance of winning the game after the deal, (levels, n), if one was asked.
    """

    made: Truths
    raw: Ints
    sheet: Ints
    chance: Floats | None


def scored(
    deals: Played,
    levels: Iterable[int],
    rules: Ruleset,
    multiplier: int = 1,
    chances: Chances | None = None,
) -> Scored:
    """Score worlds in every level of a trump at once.

    Parameters
    ----------
    deals
        The worlds as they were played.
    levels
        The levels of the contract.
    rules
        The ruleset.
    multiplier
        1, or 2 for doubled and 4 for redoubled contracts.
    chances
        What both sides write, as chances of winning the game.
    """
    bids = np.fromiter(levels, np.int32)
    # A score hangs on a few numbers, which many worlds share.
    kinds, which = _alike(deals)
    n = len(kinds)
    made = np.empty((len(bids), n), np.bool_)
    raw = np.empty((len(bids), n), np.int32)
    sheet = np.empty_like(raw)
    chance = None if chances is None else np.empty((len(bids), n))
    step = max(1, _BATCH // n)
    for first in range(0, len(bids), step):
        rows = slice(first, min(first + step, len(bids)))
        many = rows.stop - rows.start
        result = score_many(
            np.repeat(bids[rows], n),
            deals.trump,
            np.tile(deals.points[kinds], (many, 1)),
            np.tile(deals.declarations[kinds], (many, 1)),
            np.tile(deals.belote[kinds], (many, 1)),
            rules,
            capot=np.tile(deals.capot[kinds], many),
            multiplier=multiplier,
        )
        made[rows] = result.made.reshape(many, n)
        raw[rows] = (result.raw[:, 0] - result.raw[:, 1]).reshape(many, n)
        sheet[rows] = (result.sheet[:, 0] - result.sheet[:, 1]).reshape(many, n)
        if chances is not None and chance is not None:
            written = result.sheet if rules.game_counts == "sheet" else result.raw
            chance[rows] = chances(written[:, 0], written[:, 1]).reshape(many, n)
    return Scored(
        made[:, which],
        raw[:, which],
        sheet[:, which],
        None if chance is None else chance[:, which],
    )


def _alike(deals: Played) -> tuple[Ints, Ints]:
    """Return one world of each kind that scores alike, and for each world the number of its kind.

    The four bonuses and the points are packed into one number: none is above 4,095.
    """
    numbers = (deals.points[:, 0], deals.capot + 1, *deals.declarations.T, *deals.belote.T)
    packed = np.zeros(len(deals), np.int64)
    for number, bits in zip(numbers, (8, 2, 12, 12, 12, 12), strict=True):
        packed = packed << bits | number.astype(np.int64)
    _, kinds, which = np.unique(packed, return_index=True, return_inverse=True)
    return kinds, which


@dataclass(frozen=True)
class Sample:
    """How to average over n worlds.

    Where one contract was decided on many more worlds, to ask only whether it is made, the n
    worlds are weighted so that the same share of them makes it. That keeps a mean as it is and
    takes out of its error what comes from that share (J. Neyman, J. Amer. Statist. Assoc. 33 (1938)
    101-116, double sampling).

    Attributes
    ----------
    n : int
        The number of worlds.
    decided : numpy.ndarray or None
        bool of shape (n,): in which of them that contract is made.
    n_made, n_decided : int
        In how many of how many worlds it is made, the n among them.
    """

    n: int
    decided: Truths | None = None
    n_made: int = 0
    n_decided: int = 0

    @cached_property
    def _is_weighted(self) -> bool:
        """Whether more worlds were decided, and among these n some are made and some fail."""
        if self.decided is None or self.n_decided <= self.n:
            return False
        return 0 < int(self.decided.sum()) < self.n

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """The weight of each world in a mean, (n,); their sum is 1."""
        if not self._is_weighted or self.decided is None:
            return np.full(self.n, 1 / self.n)
        share, n_made = self.n_made / self.n_decided, int(self.decided.sum())
        return np.where(self.decided, share / n_made, (1 - share) / (self.n - n_made))

    def mean(self, values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Average over the last axis."""
        if not self._is_weighted or self.decided is None:
            return np.asarray(values.mean(axis=-1))
        share = self.n_made / self.n_decided
        made = values[..., self.decided].mean(axis=-1)
        failed = values[..., ~self.decided].mean(axis=-1)
        return np.asarray(share * made + (1 - share) * failed)

    def error(self, values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """The standard error of `mean`; infinite for one world."""
        if self.n < 2:
            return np.full(values.shape[:-1], np.inf)
        if not self._is_weighted or self.decided is None:
            return np.asarray(values.std(axis=-1, ddof=1) / math.sqrt(self.n))
        share = self.n_made / self.n_decided
        parts = (values[..., self.decided], values[..., ~self.decided])
        means = [part.mean(axis=-1) for part in parts]
        variance = (means[0] - means[1]) ** 2 * share * (1 - share) / self.n_decided
        for part, weight in zip(parts, (share, 1 - share), strict=True):
            # One world tells nothing of the spread in its part: take that of all.
            spread = part.var(axis=-1, ddof=1) if part.shape[-1] > 1 else values.var(axis=-1)
            variance = variance + weight**2 * spread / part.shape[-1]
        return np.asarray(np.sqrt(variance))


def break_even(made: Truths, worth: npt.NDArray[Any]) -> float | None:
    """Return the chance of making a contract at which it is worth as much as its alternative.

    Parameters
    ----------
    made
        In which worlds it is made, (n,).
    worth
        How much more than the alternative it is worth in each, (n,).

    Returns
    -------
    float or None
        Between 0 and 1; None if it is made in every world or in none, or if making it is worth
        less than the alternative, or failing it more.
    """
    if not made.any() or made.all():
        return None
    gain, loss = float(worth[made].mean()), -float(worth[~made].mean())
    return loss / (gain + loss) if gain > 0 and loss > 0 else None
