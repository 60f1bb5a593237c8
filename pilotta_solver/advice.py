"""Should I bid it? The chance of making each contract with one hand, by sampling and solving.

The hidden hands are completed at random (a completion is a *world*), each world is solved double
dummy for each trump, and the declarations and the belote of all four hands are counted as the
ruleset says. One contract is averaged over all worlds before contracts are compared.
"""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import pilotta_solver
from pilotta_solver.cards import ALL_TRUMP, CARD_POINTS_TOTAL, N_RANKS, NO_TRUMP
from pilotta_solver.deal import side_of
from pilotta_solver.double_dummy import solve_many
from pilotta_solver.errors import ConstraintError, DealError, NotationError
from pilotta_solver.notation import Bid, format_bid, format_hand, format_trump, parse_bid
from pilotta_solver.ruleset import Ruleset, load_ruleset
from pilotta_solver.sampling import worlds
from pilotta_solver.scoring import totals_many

Array = npt.NDArray[np.integer[Any]]
Progress = Callable[[int, int], None]

# The highest level shown where the auction has none, as the classic text's own table does.
HIGHEST_SHOWN = 400

# N speaks first and leads, whoever wins the auction.
LEADER = 0

# Worlds held at a time, so that memory stays constant.
_BATCH = 4096

# The 0.975 quantile of the normal distribution.
_Z95 = 1.959963984540054


@dataclass(frozen=True)
class Level:
    """The chance of making one level of a contract.

    Attributes
    ----------
    bid : int
        The level, in points.
    p_made : float
        Share of the worlds in which the total reaches the level.
    ci_low, ci_high : float
        The 95 % Wilson interval of `p_made`.
    """

    bid: int
    p_made: float
    ci_low: float
    ci_high: float


@dataclass(frozen=True)
class Contract:
    """What the own side makes of one trump.

    Attributes
    ----------
    trump : int
        0 to 3 for S H D C, 4 no trump, 5 all trump.
    n_worlds : int
        Worlds solved.
    mean_card_points : float
        Mean card points with the last trick, 0 to 162.
    sd_card_points : float or None
        Their standard deviation from world to world; None for one world.
    mean_total : float
        Mean total: points (a sweep counts ``capot_points``), scoring declarations and belote.
    p_capot : float or None
        Share of the worlds in which the own side takes every trick; None where
        ``capot_points`` is 162, since sweeps are then not looked for.
    levels : tuple of Level
        Every level that can be bid, up to 400 where the auction has no highest bid.
    """

    trump: int
    n_worlds: int
    mean_card_points: float
    sd_card_points: float | None
    mean_total: float
    p_capot: float | None
    levels: tuple[Level, ...]


@dataclass(frozen=True)
class Question:
    """The answer to "should I bid it?".

    Attributes
    ----------
    bid : Bid
        The bid asked about.
    p_made, ci_low, ci_high : float
        As in `Level`.
    verdict : str
        ``"yes"`` if the contract is more often made than not, ``"no"`` if it is more often
        failed, ``"close"`` if one half lies within the interval.
    """

    bid: Bid
    p_made: float
    ci_low: float
    ci_high: float
    verdict: str


@dataclass(frozen=True)
class Advice:
    """Every contract of one hand, and the answer to a question about one of them.

    Attributes
    ----------
    rules : Ruleset
        The ruleset played by.
    version : str
        The version of this package.
    seed : int
        The seed of the worlds; with it the same answer can be had again.
    hand : int
        The hand, a set of eight cards.
    seat : int
        Place in the order of speaking, 1 to 4; 1 leads to the first trick.
    n_worlds : int
        Worlds solved for each contract.
    contracts : tuple of Contract
        The trumps that the ruleset lets be bid, in the order S H D C N A.
    question : Question or None
        The answer about one bid, if one was asked about.
    """

    rules: Ruleset
    version: str
    seed: int
    hand: int
    seat: int
    n_worlds: int
    contracts: tuple[Contract, ...]
    question: Question | None

    def as_dict(self) -> dict[str, Any]:
        """The advice as JSON has it: names for the ruleset, cards and trumps."""
        return {
            "rules": self.rules.name,
            "version": self.version,
            "seed": self.seed,
            "hand": format_hand(self.hand),
            "seat": self.seat,
            "n_worlds": self.n_worlds,
            "contracts": [
                {
                    "trump": format_trump(contract.trump),
                    "n_worlds": contract.n_worlds,
                    "mean_card_points": contract.mean_card_points,
                    "sd_card_points": contract.sd_card_points,
                    "mean_total": contract.mean_total,
                    "p_capot": contract.p_capot,
                    "levels": [asdict(level) for level in contract.levels],
                }
                for contract in self.contracts
            ],
            "question": None
            if self.question is None
            else {**asdict(self.question), "bid": format_bid(self.question.bid)},
        }

    def records(self) -> Iterator[dict[str, Any]]:
        """The rows of the table `parquet.BID`: one for each trump and level."""
        advice = self.as_dict()
        contracts = advice.pop("contracts")
        del advice["question"]
        for contract in contracts:
            for level in contract.pop("levels"):
                yield {**advice, **contract, **level}


def advise(
    hand: int,
    question: Bid | None = None,
    *,
    seat: int = 1,
    n_worlds: int = 1000,
    seed: int | None = None,
    rules: Ruleset | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Advice:
    """Estimate the chance to make every contract that the own side could declare.

    Parameters
    ----------
    hand : int
        The own hand, a set of eight cards (`parse_hand`).
    question : Bid, optional
        A bid to answer about (`parse_bid`).
    seat : int
        Place in the order of speaking, 1 to 4. The first to speak leads to the first trick,
        whoever declares.
    n_worlds : int
        Number of worlds, at least 1. The intervals narrow with its square root.
    seed : int, optional
        Seed of the worlds, 0 to 2**64 - 1; drawn if not given, and reported in the advice.
    rules : Ruleset, optional
        By default ``tsaka``.
    jobs : int, optional
        Threads; by default one for each core. The result does not depend on it.
    progress : callable, optional
        Called now and then with the number of solved deals and their number in all.

    Returns
    -------
    Advice
        Statistics of every contract with the ruleset, the seed and the version behind them.

    Raises
    ------
    DealError
        If the hand has not eight cards.
    NotationError
        If the ruleset has no such bid.
    ConstraintError
        If the seat, the number of worlds or the seed is out of range.
    """
    rules = load_ruleset() if rules is None else rules
    if hand.bit_count() != N_RANKS:
        raise DealError(f"a hand of {hand.bit_count()} cards: give {N_RANKS}")
    if not 1 <= seat <= 4:
        raise ConstraintError(f"seat {seat}: give 1 to 4, the place in the order of speaking")
    if n_worlds < 1:
        raise ConstraintError(f"{n_worlds} worlds: give at least 1")
    if question is not None:
        _check_bid(question, rules)
    seed = secrets.randbits(32) if seed is None else seed

    trumps = _trumps(rules)
    tallies = [_Tally(rules) for _ in trumps]
    side = side_of(seat - 1)
    n_deals, n_solved = n_worlds * len(trumps), 0

    def solved(n: int) -> None:
        nonlocal n_solved
        n_solved += n
        if progress is not None:
            progress(n_solved, n_deals)

    for start in range(0, n_worlds, _BATCH):
        hands = worlds(hand, seat - 1, min(_BATCH, n_worlds - start), seed, start)
        for trump, tally in zip(trumps, tallies, strict=True):
            values = solve_many(hands, trump, LEADER, rules=rules, jobs=jobs, progress=solved)
            totals = totals_many(hands, trump, LEADER, values, rules)[:, side]
            tally.add(values if side == 0 else CARD_POINTS_TOTAL - values, totals)

    return Advice(
        rules=rules,
        version=pilotta_solver.__version__,
        seed=seed,
        hand=hand,
        seat=seat,
        n_worlds=n_worlds,
        contracts=tuple(
            tally.contract(trump) for trump, tally in zip(trumps, tallies, strict=True)
        ),
        question=None
        if question is None
        else _answer(question, tallies[trumps.index(question.trump)]),
    )


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
    spread = _Z95 * math.sqrt(p * (1 - p) / n + _Z95**2 / (4 * n * n))
    centre, scale = p + _Z95**2 / (2 * n), 1 + _Z95**2 / n
    # At the ends the formula gives 0 and 1 but for rounding.
    low = 0.0 if successes == 0 else (centre - spread) / scale
    high = 1.0 if successes == n else (centre + spread) / scale
    return low, high


def _check_bid(bid: Bid, rules: Ruleset) -> None:
    """Refuse a bid that the auction of a ruleset does not have."""
    # The grammar knows which levels there are: let it read the bid again.
    parse_bid(format_bid(bid), rules)
    if bid.trump not in _trumps(rules):
        key = "no_trump_bids" if bid.trump == NO_TRUMP else "all_trump_bids"
        raise NotationError(
            f"no bid {format_bid(bid)} in ruleset {rules.name}: set {key} = true to allow it"
        )


def _trumps(rules: Ruleset) -> tuple[int, ...]:
    extra = ((NO_TRUMP, rules.no_trump_bids), (ALL_TRUMP, rules.all_trump_bids))
    return (0, 1, 2, 3, *(trump for trump, allowed in extra if allowed))


def _level(bid: int, n_made: int, n: int) -> Level:
    low, high = wilson_interval(n_made, n)
    return Level(bid, n_made / n, low, high)


def _answer(bid: Bid, tally: _Tally) -> Question:
    level = _level(bid.level, tally.n_reaching(bid.level), tally.n)
    verdict = "yes" if level.ci_low > 0.5 else "no" if level.ci_high < 0.5 else "close"
    return Question(bid, level.p_made, level.ci_low, level.ci_high, verdict)


class _Tally:
    """Integer sums over the worlds of one contract: exact, and in constant memory.

    Being integers they come out the same whatever the order and the size of the batches.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.n = 0
        self._rules = rules
        self._sum = self._sum_of_squares = self._sum_of_totals = self._n_capot = 0
        self._totals = np.zeros(1, dtype=np.int64)  # worlds by total

    def add(self, values: Array, totals: Array) -> None:
        """Count a batch: the values and the totals of the own side, both of shape (n,)."""
        points = np.clip(values, 0, CARD_POINTS_TOTAL).astype(np.int64)
        self.n += len(points)
        self._sum += int(points.sum())
        self._sum_of_squares += int((points * points).sum())
        self._sum_of_totals += int(totals.sum(dtype=np.int64))
        self._n_capot += int((values > CARD_POINTS_TOTAL).sum())
        seen = np.bincount(totals, minlength=len(self._totals))
        seen[: len(self._totals)] += self._totals
        self._totals = seen

    def n_reaching(self, level: int) -> int:
        """Number of worlds whose total is at least `level`."""
        return int(self._totals[level:].sum())

    def contract(self, trump: int) -> Contract:
        """The statistics so far."""
        n, rules = self.n, self._rules
        scatter = n * self._sum_of_squares - self._sum**2
        top = rules.highest_bid or HIGHEST_SHOWN
        return Contract(
            trump=trump,
            n_worlds=n,
            mean_card_points=self._sum / n,
            sd_card_points=math.sqrt(scatter / (n * (n - 1))) if n > 1 else None,
            mean_total=self._sum_of_totals / n,
            p_capot=self._n_capot / n if rules.capot_points > CARD_POINTS_TOTAL else None,
            levels=tuple(
                _level(bid, self.n_reaching(bid), n)
                for bid in range(rules.first_bid, top + 1, rules.bid_step)
            ),
        )
