"""Intervals of means over observations that hang together within a deal.

The error is that of a cluster sample: the ratio estimator of a mean over clusters of unequal size,
the deals (W. G. Cochran, Sampling Techniques, 3rd ed., 1977, sections 6.3 and 9A.1). How many times
its square is that of independent observations is the *design effect* (L. Kish, Survey Sampling,
1965).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pilotta_solver.stopping import Z95

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Sums:
    """Sums over deals, each (classes, levels).

    Attributes
    ----------
    y, yy, yn : numpy.ndarray
        Of y_d, of its square, and of y_d n_d.
    """

    y: Ints
    yy: Ints
    yn: Ints

    @classmethod
    def zero(cls, shape: tuple[int, int]) -> Sums:
        """Sums of nothing, to be added to in place."""
        return cls(*(np.zeros(shape, np.int64) for _ in range(3)))


@dataclass(frozen=True)
class Means:
    """Means with their errors, each (classes, levels).

    Attributes
    ----------
    mean : numpy.ndarray
        The mean of an observation.
    variance : numpy.ndarray
        The square of its standard error; nan for a class from one deal.
    """

    mean: Floats
    variance: Floats

    @property
    def reach(self) -> Floats:
        """How far the 95 % interval reaches to each side."""
        return Z95 * np.sqrt(self.variance)


def cluster_means(n: Ints, n_deals: Ints, squares_of_n: Ints, sums: Sums) -> Means:
    """Means over the observations of each class, and their errors, robust to dependence in a deal.

    Parameters
    ----------
    n, n_deals, squares_of_n : numpy.ndarray
        Of each class the observations, the deals they come from, and the sum over these of n_d².
    sums : Sums
        Sums over deals.
    """
    size, deals = n[:, None].astype(np.float64), n_deals[:, None].astype(np.float64)
    mean = sums.y / size
    # The sum over deals of (y_d - mean n_d)².
    spread = sums.yy - 2 * mean * sums.yn + mean**2 * squares_of_n[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.maximum(spread, 0) / size**2 * (deals / (deals - 1))
    return Means(mean, np.where(deals > 1, variance, np.nan))


def wilson_intervals(shares: Means, n: Ints, squares_of_n: Ints) -> tuple[Floats, Floats, Floats]:
    """95 % Wilson intervals of shares, as if there were n / design effect observations.

    A design effect below 1 counts as 1. Where a share is 0 or 1 it cannot be seen, and counts as
    if all observations of a deal were the same.

    Returns
    -------
    tuple of numpy.ndarray
        Lower ends, upper ends and design effects, each (classes, levels).
    """
    p, size = shares.mean, n[:, None].astype(np.float64)
    at_most = np.broadcast_to(squares_of_n[:, None] / size, p.shape)
    independent = p * (1 - p) / size
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = shares.variance / independent
    effect = np.where(np.isfinite(effect), np.maximum(effect, 1), at_most)
    m = size / effect
    centre = p + Z95**2 / (2 * m)
    spread = Z95 * np.sqrt(p * (1 - p) / m + Z95**2 / (4 * m * m))
    low = np.where(p == 0, 0.0, (centre - spread) / (1 + Z95**2 / m))
    high = np.where(p == 1, 1.0, (centre + spread) / (1 + Z95**2 / m))
    return low, high, effect
