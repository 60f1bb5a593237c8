"""The figures of a trump, and what is counted for them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import CARD_POINTS_TOTAL, TRUMPS
from pilotta_solver.deal import SIDES

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Chance:
    """The chance to make one level of a contract.

    Attributes
    ----------
    bid : int
        The level.
    p_made : tuple of float
        Double dummy, for N and S, and for W and E, as declarers; for one side alone where only that
        is known.
    p_table : float or None
        The chance of the one side at the table, where it is known.
    """

    bid: int
    p_made: tuple[float, ...]
    p_table: float | None = None

    @property
    def shown(self) -> tuple[float, ...]:
        """What a person is shown: the chances at the table where they are known."""
        return self.p_made if self.p_table is None else (self.p_table,)


@dataclass(frozen=True)
class ContractFigures:
    """The figures of one trump.

    Attributes
    ----------
    trump : int
        0 to 3 a suit, 4 no trump, 5 all trump.
    n : int
        Deals or worlds.
    mean_card_points : float
        Mean card points of N and S, or of the own side.
    sd_card_points : float or None
        Their standard deviation; None for one deal.
    quartiles : tuple of int or None
        The values that a quarter, a half, three quarters of the deals reach at most.
    counts : tuple of int or None
        Deals by card points, 0 to 162.
    p_capot : tuple of float or None
        Shares of the deals in which N and S, and W and E take every trick, or the own side alone.
    p_belote : tuple of float or None
        Shares of the deals in which N and S, and W and E have a belote.
    mean_declarations : tuple of float or None
        Mean declaration points of N and S, and of W and E.
    levels : tuple of Chance
        Every level that somebody makes now and then.
    mean_table : float or None
        Mean of the same card points as the deals were played at the table.
    sd_table_difference : float or None
        Standard deviation of what these differ by from double dummy.
    p_made : float or None
        Where each deal has a contract that somebody bid: the share that are made, double dummy.
    p_made_table : float or None
        The share that are made at the table.
    """

    trump: int
    n: int
    mean_card_points: float
    sd_card_points: float | None
    quartiles: tuple[int, int, int] | None = None
    counts: tuple[int, ...] | None = None
    p_capot: tuple[float, ...] | None = None
    p_belote: tuple[float, float] | None = None
    mean_declarations: tuple[float, float] | None = None
    levels: tuple[Chance, ...] = ()
    mean_table: float | None = None
    sd_table_difference: float | None = None
    p_made: float | None = None
    p_made_table: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """The figures as JSON has them; what is not known is left out."""
        is_own = len(self.levels[0].p_made) == 1 if self.levels else self.p_made is not None
        names = ("own",) if is_own else SIDES

        def pair(values: tuple[Any, ...]) -> dict[str, Any]:
            return dict(zip(names, values, strict=True))

        told: dict[str, Any] = {
            "trump": TRUMPS[self.trump],
            "n": self.n,
            "mean_card_points": self.mean_card_points,
            "sd_card_points": self.sd_card_points,
            "quartiles": None if self.quartiles is None else list(self.quartiles),
            "counts": None if self.counts is None else list(self.counts),
            "p_capot": None if self.p_capot is None else pair(self.p_capot),
            "p_belote": None if self.p_belote is None else pair(self.p_belote),
            "mean_declarations": (
                None if self.mean_declarations is None else pair(self.mean_declarations)
            ),
            "levels": [
                {"bid": level.bid, "p_made": pair(level.p_made)}
                | ({} if level.p_table is None else {"p_table": level.p_table})
                for level in self.levels
            ],
            "mean_table": self.mean_table,
            "sd_table_difference": self.sd_table_difference,
            "p_made": self.p_made,
            "p_made_table": self.p_made_table,
        }
        return {key: value for key, value in told.items() if value is not None and value != []}


class Differences:
    """What results at the table differ by from double dummy, in card points, counted."""

    def __init__(self) -> None:
        self._counts = np.zeros(2 * CARD_POINTS_TOTAL + 1, np.int64)
        self._total = 0

    def add(self, values: npt.NDArray[Any], table: npt.NDArray[Any]) -> None:
        """Count the differences of one side's values."""
        points = [np.clip(one, 0, CARD_POINTS_TOTAL).astype(np.int64) for one in (values, table)]
        found = points[1] - points[0] + CARD_POINTS_TOTAL
        self._total += int(points[1].sum())
        self._counts += np.bincount(found, minlength=len(self._counts))

    def figures(self) -> tuple[float | None, float | None]:
        """The mean at the table, and the spread of the differences; None if nothing was played."""
        n = int(self._counts.sum())
        if not n:
            return None, None
        return self._total / n, mean_and_sd(self._counts)[1]


def mean_and_sd(counts: Counts) -> tuple[float, float | None]:
    """Return mean and standard deviation of values that are counted by value, exactly."""
    values = np.arange(len(counts))
    n = int(counts.sum())
    total, squares = int((counts * values).sum()), int((counts * values**2).sum())
    if n < 2:
        return total / n, None
    return total / n, math.sqrt((n * squares - total * total) / (n * (n - 1)))
