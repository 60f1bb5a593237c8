"""Observations grouped by hand class: how often each level is made, and what it is worth."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class HandClass:
    """One kind of hand.

    Attributes
    ----------
    label : str
        What a player calls it, as in ``J9A+1 · 1 side ace · own side leads``.
    values : tuple of str or int
        The value of each quantity of the table's `BiddingTable.by`.
    n : int
        Observations.
    n_deals : int
        Deals that they come from.
    mean_total : float
        Mean total of the own side.
    merged : bool
        Whether rare classes were put together to make it.
    is_rare : bool
        Whether it has fewer observations than the table asks for all the same.
    """

    label: str
    values: tuple[str | int, ...]
    n: int
    n_deals: int
    mean_total: float
    merged: bool = False
    is_rare: bool = False


@dataclass(frozen=True)
class BiddingTable:
    """What each kind of hand makes of each level, its own side declaring, undoubled.

    A sheet difference is the own side's sheet score less the other side's.

    Attributes
    ----------
    by : tuple of str
        The quantities that make a class (`hand_class.QUANTITIES`).
    levels : tuple of int
        The levels, ascending.
    classes : tuple of HandClass
        In the order of the values' codes.
    p_made : numpy.ndarray
        Share of the observations that make the level, (classes, levels).
    ci_low, ci_high : numpy.ndarray
        Its 95 % interval, which heeds that observations of one deal hang together.
    sheet, sheet_low, sheet_high : numpy.ndarray
        Mean sheet difference and its 95 % interval, (classes, levels).
    best : numpy.ndarray
        int16 of shape (classes,): the level of greatest mean sheet difference; 0, to pass, if that
        is not above 0.
    metadata : dict
        Where it comes from: ``rules`` (the whole ruleset), ``seed``, ``n_deals``, ``version``,
        ``model``, ``contracts`` and more.
    """

    by: tuple[str, ...]
    levels: tuple[int, ...]
    classes: tuple[HandClass, ...]
    p_made: Floats
    ci_low: Floats
    ci_high: Floats
    sheet: Floats
    sheet_low: Floats
    sheet_high: Floats
    best: npt.NDArray[np.int16]
    metadata: dict[str, Any] = field(default_factory=dict)
