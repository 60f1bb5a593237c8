"""How sure an average over worlds is: intervals that hold however often they are looked at.

Whoever samples until an answer is sure looks at it again and again, and an interval made for a
fixed number of worlds then misses the truth more often than it says. The intervals of `Looking`
are *confidence sequences*: with 95 % confidence all of them, at every number of worlds, cover the
truth together, so that any rule may stop the sampling. Those of `UpTo` hold at every number of
worlds up to the greatest there will be, which a precision decides, and need half as many worlds for
chances near 50 %. Those of `Fixed` are the usual ones, for a number of worlds that was chosen
beforehand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

ALPHA = 0.05
"""One less the confidence."""

Z95 = 1.959963984540054
"""The 0.975 quantile of the normal distribution."""

# The 0.9875 quantile: two sides, and each counted twice for all the looks before the last.
_Z_UP_TO = 2.241402727604947

# The pseudo-observations of the mixture, as a share of the worlds at which the interval is to be
# narrowest: the minimum of (1 + m) (log(1 / ALPHA**2) + log((1 + 1 / m))).
_MIXTURE = 0.125

# How far the ends of an interval are pinned down, as a probability.
_TOLERANCE = 1e-7


class OfChance(Protocol):
    """How intervals of a probability are made."""

    def chance(self, successes: int, n: int) -> tuple[float, float]:
        """The 95 % interval of a probability after so many successes in n worlds."""


class Certainty(OfChance, Protocol):
    """How intervals of probabilities and of means are made."""

    @property
    def method(self) -> str:
        """The name of the method, for the output."""

    def z(self, n: int) -> float:
        """How many standard errors a 95 % interval of a mean reaches to each side."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """Intervals for a number of worlds that was chosen before the first one was seen."""

    @property
    def method(self) -> str:
        """The name of the method, for the output."""
        return "wilson"

    def chance(self, successes: int, n: int) -> tuple[float, float]:
        """The 95 % Wilson score interval."""
        return wilson_interval(successes, n)

    def z(self, n: int) -> float:
        """The 0.975 quantile of the normal distribution, whatever the number of worlds."""
        return Z95


@dataclass(frozen=True, slots=True)
class Looking:
    """Intervals that hold at every number of worlds at once.

    Attributes
    ----------
    narrowest_at : int
        The number of worlds at which they are narrowest for what they are. They hold at any other
        number too. It must be chosen before sampling.
    """

    narrowest_at: int

    @property
    def method(self) -> str:
        """The name of the method, for the output."""
        return "confidence sequence"

    def chance(self, successes: int, n: int) -> tuple[float, float]:
        """The 95 % confidence sequence of a probability, from a beta-binomial mixture.

        For each candidate p the likelihood ratio of the worlds, averaged over a beta distribution
        with mean p, is a martingale of mean 1 if p is true. By Ville's inequality it ever reaches
        1 / 0.05 with a probability of at most 0.05; the candidates for which it has not are the
        interval. (H. Robbins, Ann. Math. Statist. 41 (1970) 1397-1409; the mixture around each
        candidate: S. R. Howard, A. Ramdas, J. McAuliffe and J. Sekhon, Probability Surveys 17
        (2020) 257-317, proposition 7.)
        """
        return _mixture_interval(successes, n, max(1.0, _MIXTURE * self.narrowest_at))

    def z(self, n: int) -> float:
        """The asymptotic confidence sequence of a mean, in standard errors.

        It holds as the number of worlds grows (I. Waudby-Smith, D. Arbour, R. Sinha,
        E. H. Kennedy and A. Ramdas, Annals of Statistics 52 (2024) 2613-2640, theorem 2.2).
        """
        m = max(1.0, _MIXTURE * self.narrowest_at) / n
        return math.sqrt((1 + m) * (2 * math.log(1 / ALPHA) + math.log1p(1 / m)))


@dataclass(frozen=True, slots=True)
class UpTo:
    """Intervals of a probability that hold at every number of worlds up to a greatest one.

    The truth is missed to one side at some look if the successes run ahead of it by more than
    ``reach``. From there the last world is as likely to end ahead as behind, so that this happens
    at most twice as often as that the last look misses (P. Levy's inequality; a binomial's median
    is less than 1 below its mean, hence the 1 in `reach`). The chance of that is taken from the
    normal distribution; the tests count it exactly.

    Attributes
    ----------
    n_most : int
        The greatest number of worlds, chosen before sampling.
    """

    n_most: int

    @classmethod
    def precise_to(cls, precision: float, at_least: int = 1) -> UpTo:
        """Return the intervals that reach a half-width, as a probability, at their last world.

        ``at_least`` is a number of worlds that will be looked at in any case.
        """
        half = _Z_UP_TO / 2
        root = (half + math.sqrt(half * half + 4 * precision)) / (2 * precision)
        return cls(max(at_least, math.ceil(root * root)))

    def reach(self, p: float) -> float:
        """By how many successes the count may differ from its mean, at any look."""
        return _Z_UP_TO * math.sqrt(self.n_most * p * (1 - p)) + 1

    def chance(self, successes: int, n: int) -> tuple[float, float]:
        """The candidates p with ``|successes - n p| <= reach(p)``; n is at most ``n_most``."""
        return self._lowest(successes, n), 1 - self._lowest(n - successes, n)

    def worlds_for(self, p: float, precision: float) -> int:
        """Return the worlds after which a chance of about p is known to a half-width."""
        return min(self.n_most, math.ceil(self.reach(p) / precision))

    def _lowest(self, successes: int, n: int) -> float:
        """The smaller root of ``(successes - 1 - n p)^2 = z^2 n_most p (1 - p)``."""
        ahead = successes - 1
        if ahead <= 0:
            return 0.0
        spread = _Z_UP_TO**2 * self.n_most
        a, b = n * n + spread, 2 * n * ahead + spread
        return (b - math.sqrt(b * b - 4 * a * ahead * ahead)) / (2 * a)


def wilson_interval(successes: int, n: int) -> tuple[float, float]:
    """The 95 % Wilson score interval of a proportion.

    Parameters
    ----------
    successes : int
        Number of successes, 0 to `n`.
    n : int
        Number of independent trials, at least 1.

    Returns
    -------
    tuple of float
        Its lower and upper end, within 0 to 1 (E. B. Wilson, 1927).
    """
    p = successes / n
    spread = Z95 * math.sqrt(p * (1 - p) / n + Z95**2 / (4 * n * n))
    centre, scale = p + Z95**2 / (2 * n), 1 + Z95**2 / n
    # At the ends the formula gives 0 and 1 but for rounding.
    low = 0.0 if successes == 0 else (centre - spread) / scale
    high = 1.0 if successes == n else (centre + spread) / scale
    return low, high


def mean_interval(p: Floats, error: Floats, n: int, z: float) -> tuple[Floats, Floats]:
    """Intervals of means of chances, of which each world has one.

    Standard errors alone make the interval a point where all worlds seen are alike, though the next
    one may differ. So it also holds what Wilson's interval would with these standard errors.

    Parameters
    ----------
    p, error : numpy.ndarray
        Means, 0 to 1, and their standard errors, of one shape.
    n : int
        The number of worlds.
    z : float
        How many standard errors the interval reaches to each side.

    Returns
    -------
    tuple of numpy.ndarray
        Their lower and upper ends, on both sides of ``p``; they may lie outside 0 to 1.
    """
    one_world = z * z / n
    centre, scale = p + one_world / 2, 1 + one_world
    reach = z * error
    spread = np.hypot(reach, one_world / 2)
    low, high = (centre - spread) / scale, (centre + spread) / scale
    return np.minimum(low, p - reach), np.maximum(high, p + reach)


@lru_cache(maxsize=4096)
def _mixture_interval(successes: int, n: int, weight: float) -> tuple[float, float]:
    """The candidates p whose mixture martingale is below 1 / ALPHA: between two of its roots."""
    p = successes / n
    low = 0.0 if successes == 0 else _root(successes, n, weight, p, 0.0)
    high = 1.0 if successes == n else _root(successes, n, weight, p, 1.0)
    return low, high


def _root(successes: int, n: int, weight: float, inside: float, outside: float) -> float:
    """Bisect between the share seen, which is within, and an end that is not."""
    limit = math.log(1 / ALPHA)
    # The share itself may be 0 or 1, where the martingale has no value; it is within all the same.
    while abs(outside - inside) > _TOLERANCE:
        middle = (inside + outside) / 2
        if _log_martingale(successes, n, weight, middle) < limit:
            inside = middle
        else:
            outside = middle
    return outside


def _log_martingale(successes: int, n: int, weight: float, p: float) -> float:
    """Log of the likelihood ratio averaged over Beta(weight p, weight (1 - p)), against p."""
    failures = n - successes
    a, b = weight * p, weight * (1 - p)
    return (
        math.lgamma(a + successes)
        - math.lgamma(a)
        + math.lgamma(b + failures)
        - math.lgamma(b)
        + math.lgamma(weight)
        - math.lgamma(weight + n)
        - successes * math.log(p)
        - failures * math.log1p(-p)
    )
