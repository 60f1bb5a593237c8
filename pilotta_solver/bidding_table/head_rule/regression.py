"""Fits of scikit-learn: the only module that imports it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.errors import PilottaError

Floats = npt.NDArray[np.float64]

# Tight enough that the last figures that are shown do not depend on where the fit stops.
_TOLERANCE = 1e-7
_MOST_STEPS = 200

# A penalty so weak that it changes nothing, and keeps a level that everybody makes finite.
_INVERSE_PENALTY = 1e6


@dataclass(frozen=True)
class LinearFit:
    """A mean as a sum: ``intercept + columns · weights``."""

    intercept: float
    weights: Floats


@dataclass(frozen=True)
class OrdinalFit:
    """Chances to reach each of some levels: log odds ``intercepts[level] + columns · weights``."""

    intercepts: Floats
    weights: Floats


def fit_mean(columns: Floats, mean: Floats, n: Floats) -> LinearFit:
    """Fit a mean by least squares.

    Parameters
    ----------
    columns : numpy.ndarray
        Shape (cells, k): what the observations of each cell have in common.
    mean, n : numpy.ndarray
        Shape (cells,): the mean of its observations, and how many they are.

    Raises
    ------
    PilottaError
        If scikit-learn is not installed.
    """
    with _sklearn() as linear_model:
        model = linear_model.LinearRegression()
        model.fit(columns, mean, sample_weight=n)
    return LinearFit(float(model.intercept_), np.asarray(model.coef_, np.float64))


def fit_levels(columns: Floats, n_reached: Floats, n: Floats) -> OrdinalFit:
    """Fit the chances to reach levels with the same weights for all of them (proportional odds).

    One logistic regression over all levels: a row for each cell and level, with a column that is 1
    for each level.

    Parameters
    ----------
    columns : numpy.ndarray
        Shape (cells, k): what the observations of each cell have in common.
    n_reached : numpy.ndarray
        Shape (cells, levels): how many of its observations reach each level.
    n : numpy.ndarray
        Shape (cells,): how many they are.

    Raises
    ------
    PilottaError
        If scikit-learn is not installed.
    """
    n_cells, n_levels = n_reached.shape
    level = np.tile(np.eye(n_levels), (n_cells, 1))
    rows = np.hstack([np.repeat(columns, n_levels, axis=0), level])
    reached = n_reached.reshape(-1)
    missed = np.repeat(n, n_levels) - reached
    both = np.concatenate([reached, missed])
    is_one = np.repeat([1, 0], len(reached))
    counts = both > 0
    with _sklearn() as linear_model:
        model = linear_model.LogisticRegression(
            C=_INVERSE_PENALTY,
            fit_intercept=False,
            solver="newton-cholesky",  # few columns, many rows: a dozen exact steps
            tol=_TOLERANCE,
            max_iter=_MOST_STEPS,
        )
        model.fit(np.vstack([rows, rows])[counts], is_one[counts], sample_weight=both[counts])
    weights = np.asarray(model.coef_[0], np.float64)
    return OrdinalFit(intercepts=weights[-n_levels:], weights=weights[:-n_levels])


def fit_rising(shares: Floats, n: Floats) -> Floats:
    """Smooth shares that rise with what they are ordered by (isotonic regression).

    Parameters
    ----------
    shares : numpy.ndarray
        Shape (cells,): the share of each cell, cells in ascending order.
    n : numpy.ndarray
        Shape (cells,): how many observations each has.

    Returns
    -------
    numpy.ndarray
        Shape (cells,): the nearest shares that never fall.

    Raises
    ------
    PilottaError
        If scikit-learn is not installed.
    """
    with _sklearn():
        from sklearn.isotonic import isotonic_regression

        return np.asarray(isotonic_regression(shares, sample_weight=n), np.float64)


@contextmanager
def _sklearn() -> Iterator[Any]:
    """Give scikit-learn's linear models on one thread, so that sums are added in one order only.

    On a busy machine the threads of small matrices cost more than they save besides.
    """
    try:
        from sklearn import linear_model
        from threadpoolctl import threadpool_limits
    except ImportError as error:
        raise PilottaError(
            "to fit a rule scikit-learn is needed; install it with: "
            "pip install 'pilotta-solver[fit]'"
        ) from error
    with threadpool_limits(1):
        yield linear_model
