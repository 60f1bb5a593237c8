"""Which observations make a class: those of one holding, or of several that are rare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pilotta_solver.bidding_table.hand_class import QUANTITIES, Codes
from pilotta_solver.bidding_table.observations import Observations

MIN_N = 400
"""Observations below which a class is rare: a chance is then known to about 5 points only."""


def packed_codes(seen: Observations, by: Sequence[str]) -> Codes:
    """The codes of all quantities in one number for each observation, int64 of shape (m,)."""
    packed = np.zeros(len(seen), np.int64)
    for name in by:
        quantity = QUANTITIES[name]
        packed = packed * quantity.n_codes + quantity.values(seen)
    return packed


def unpacked(packed: int, by: Sequence[str]) -> tuple[int, ...]:
    """The codes of each quantity again."""
    codes = []
    for name in reversed(by):
        packed, code = divmod(packed, QUANTITIES[name].n_codes)
        codes.append(code)
    return tuple(reversed(codes))


@dataclass(frozen=True)
class Grouping:
    """The classes of a table.

    Attributes
    ----------
    keys : numpy.ndarray
        int64, ascending: every packed code that occurs.
    places : numpy.ndarray
        int64: for each of them the place of its class.
    labels : tuple of str
        What a player calls each class.
    values : tuple of tuple
        The values of each class.
    merged : tuple of bool
        Whether several rare holdings make it.
    """

    keys: Codes
    places: npt.NDArray[np.int64]
    labels: tuple[str, ...]
    values: tuple[tuple[str | int, ...], ...]
    merged: tuple[bool, ...]

    def place(self, packed: Codes) -> npt.NDArray[np.int64]:
        """The place of the class of each packed code, all of which must occur."""
        places: npt.NDArray[np.int64] = self.places[np.searchsorted(self.keys, packed)]
        return places


def make_grouping(counts: Mapping[int, int], by: Sequence[str], min_n: int) -> Grouping:
    """Make classes, putting rare holdings of trumps together.

    Holdings with fewer than `min_n` observations become one class with those that have the same
    rougher value of the first quantity that knows one (`Quantity.coarser`) and are alike in all
    others. Where no quantity knows one, rare classes stay as they are.

    Parameters
    ----------
    counts : mapping
        Observations by packed code.
    by : sequence of str
        The quantities.
    min_n : int
        How many observations make a class.
    """
    members: dict[tuple[str | int, ...], list[int]] = {}
    for key in sorted(counts):
        values = tuple(_values(unpacked(key, by), by))
        if counts[key] < min_n:
            values = tuple(_values(unpacked(key, by), by, coarse=True))
        members.setdefault(values, []).append(key)
    labels, told, merged, place_of = [], [], [], {}
    for place, (values, keys) in enumerate(members.items()):
        is_merged = len(keys) > 1
        codes = unpacked(keys[0], by)
        told.append(values if is_merged else tuple(_values(codes, by)))
        labels.append(" · ".join(_labels(codes, by, coarse=is_merged)))
        merged.append(is_merged)
        place_of.update(dict.fromkeys(keys, place))
    known = sorted(place_of)
    return Grouping(
        np.array(known, np.int64),
        np.array([place_of[key] for key in known], np.int64),
        tuple(labels),
        tuple(told),
        tuple(merged),
    )


def _rough(by: Sequence[str]) -> str | None:
    """The first quantity that knows rougher values."""
    return next((name for name in by if QUANTITIES[name].coarser is not None), None)


def _values(
    codes: Sequence[int], by: Sequence[str], *, coarse: bool = False
) -> Iterator[str | int]:
    rough = _rough(by) if coarse else None
    for name, code in zip(by, codes, strict=True):
        quantity = QUANTITIES[name]
        if name == rough and quantity.coarser is not None:
            yield quantity.coarser(code)
        else:
            yield quantity.value(code)


def _labels(codes: Sequence[int], by: Sequence[str], *, coarse: bool) -> Iterator[str]:
    rough = _rough(by) if coarse else None
    for name, code in zip(by, codes, strict=True):
        quantity = QUANTITIES[name]
        if name == rough and quantity.coarser is not None:
            yield quantity.coarser(code)
        else:
            yield quantity.label(code)
