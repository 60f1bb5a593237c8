"""In what rounds worlds are solved, which contracts drop out between them, and when it ends.

All decisions are taken at fixed numbers of worlds, so that the same seed gives the same answer on
any number of threads; only a time limit makes the answer depend on the machine.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from pilotta_solver.advice.survey import Key, Survey
from pilotta_solver.advice.valuation import Valuation
from pilotta_solver.errors import ConstraintError
from pilotta_solver.notation import Bid
from pilotta_solver.stopping import Certainty, Fixed, Looking, OfChance, UpTo

DEFAULT_PRECISION = 1.5
"""Half-width of the 95 % interval, in percentage points."""

# Worlds of the first round, with a question and without one, after which their number doubles.
_FIRST_ROUND_ASKED = 64
_FIRST_ROUND = 128

# The fewest and, where it is not known how many will do, the usual number of worlds in which one
# contract is then only decided.
_LEAST_ROUND = 128
_ROUND = 1024

# Worlds solved exactly at the default precision: with a question, and without one, where more
# contracts are in the running.
_SOLVED_ASKED = 384
_SOLVED_OPEN = 1024

# More worlds than these are never solved and never decided.
_MOST_SOLVED = 1 << 16
_MOST_DECIDED = 1 << 23

# The share of a time limit after which no further round of exact solves begins.
_SOLVING_SHARE = 0.4


@dataclass(frozen=True)
class Plan:
    """When sampling ends, and how intervals are made.

    Attributes
    ----------
    asked : bool
        Whether there is a contract in question.
    n_worlds : int or None
        A fixed number of worlds for every contract.
    precision : float or None
        Half-width at which the chance in question is known well enough, as a probability; None if
        only time ends it.
    seconds : float or None
        The time limit.
    n_solved : int
        Worlds to be solved exactly.
    solving, deciding : Certainty, OfChance
        How intervals are made from worlds that are solved, and from all that are decided.
    started : float
        When the clock began to run.
    """

    asked: bool
    n_worlds: int | None
    precision: float | None
    seconds: float | None
    n_solved: int
    solving: Certainty
    deciding: OfChance
    started: float = field(default_factory=time.monotonic)

    @classmethod
    def of(
        cls, n_worlds: int | None, precision: float | None, seconds: float | None, *, asked: bool
    ) -> Plan:
        """Make a plan of what the user wants; ``precision`` is in percentage points.

        Raises
        ------
        ConstraintError
            If a number is out of range, or a number of worlds is given with a stopping rule.
        """
        if n_worlds is not None:
            if precision is not None or seconds is not None:
                raise ConstraintError(
                    "a number of worlds leaves nothing to stop: give it, or a precision or a time"
                )
            if n_worlds < 1:
                raise ConstraintError(f"{n_worlds} worlds: give at least 1")
            return cls(asked, n_worlds, None, None, n_worlds, Fixed(), Fixed())
        if precision is not None and not 0.05 <= precision <= 50:
            raise ConstraintError(f"precision {precision:g}: give 0.05 to 50 percentage points")
        if seconds is not None and not (0 < seconds < math.inf):
            raise ConstraintError(f"time {seconds:g} s: give more than 0 seconds")
        aim = DEFAULT_PRECISION if precision is None else precision
        n_solved = _SOLVED_ASKED if asked else _SOLVED_OPEN
        n_solved = round(n_solved * (DEFAULT_PRECISION / aim) ** 2)
        n_solved = max(_FIRST_ROUND, min(_MOST_SOLVED, n_solved))
        no_aim = precision is None and seconds is not None
        return cls(
            asked,
            None,
            None if no_aim else aim / 100,
            seconds,
            _MOST_SOLVED if no_aim else n_solved,
            Looking(n_solved),
            Looking(_ROUND) if no_aim else UpTo.precise_to(aim / 100, at_least=n_solved),
        )

    @property
    def is_fixed(self) -> bool:
        """Whether the number of worlds was given."""
        return self.n_worlds is not None

    def is_late(self, share: float = 1.0) -> bool:
        """Whether so much of the time limit is over, if there is one."""
        return self.seconds is not None and (
            time.monotonic() - self.started >= share * self.seconds
        )


def solve_rounds(
    survey: Survey, valuation: Valuation, plan: Plan, keys: list[Key], needed: list[Key]
) -> None:
    """Solve contracts on the same worlds, dropping those that can no longer be the best bid.

    Parameters
    ----------
    survey, valuation
        The worlds, and what contracts are worth in them.
    plan
        How many worlds.
    keys
        The contracts that could be bid.
    needed
        Contracts that are solved in every world whatever they are worth.
    """
    first = _FIRST_ROUND_ASKED if plan.asked else _FIRST_ROUND
    n = plan.n_solved if plan.is_fixed else min(first, plan.n_solved)
    running = list(dict.fromkeys([*needed, *keys]))
    while True:
        for key in running:
            survey.solve(key, n)
        if n >= plan.n_solved or plan.is_late(_SOLVING_SHARE):
            return
        running = _still_running(survey, valuation, plan, keys, needed, running)
        if plan.asked and 2 * n >= plan.n_solved:
            # The last doubling is for the question: it would cost its rivals as much again.
            running = list(dict.fromkeys(needed))
        n = min(2 * n, plan.n_solved)


def _still_running(
    survey: Survey,
    valuation: Valuation,
    plan: Plan,
    keys: list[Key],
    needed: list[Key],
    running: list[Key],
) -> list[Key]:
    """Leave out every contract that all intervals place below another one, or below passing.

    Among contracts that are all worth less than passing the best one stays. Once no other can be
    the best, it too is known well enough where another contract is the one in question.
    """
    if valuation.lowest is None:
        return list(dict.fromkeys([*needed, *running[:1]]))
    rivals = [key for key in keys if key in running]
    n = survey.n_solved(rivals[0])
    alternative = valuation.best_alternative(n)
    z = plan.solving.z(n)
    worst, best = {}, {}
    for key in rivals:
        gain, error = valuation.gains(key[1], alternative)
        worst[key] = float((gain - z * error).max(initial=-math.inf))
        best[key] = float((gain + z * error).max(initial=-math.inf))
    leader = max(best, key=lambda key: best[key])
    bar = max(0.0, *worst.values())
    stay = {key for key in rivals if best[key] >= bar} | {leader}
    if plan.asked and stay == {leader}:
        stay = set()
    return [key for key in running if key in stay | set(needed)]


def best_bid(valuation: Valuation, survey: Survey, keys: list[Key]) -> Bid | None:
    """Return the bid of the greatest gain among contracts solved in all worlds; None if none is."""
    n = max(map(survey.n_solved, keys))
    alternative = valuation.best_alternative(n)
    legal = [level for level in valuation.levels if valuation.may_be_bid(level)]
    if not legal:
        return None
    found: list[tuple[float, Bid]] = []
    for key in keys:
        if survey.n_solved(key) == n:
            gain, _ = valuation.gains(key[1], alternative)
            place = int(gain.argmax())
            found.append((float(gain[place]), Bid(legal[place], key[1])))
    return max(found, key=lambda one: one[0])[1]


def decide_rounds(survey: Survey, side: int, bid: Bid, plan: Plan) -> tuple[int, int, str]:
    """Decide a contract in more worlds until its chance is known well enough.

    Returns
    -------
    tuple
        In how many worlds it is made, of how many, and what ended the sampling: ``worlds``,
        ``precision`` or ``time``.
    """
    n = survey.n_solved((side, bid.trump))
    while True:
        n_made = int(survey.decide(side, bid, n).sum())
        if plan.is_fixed:
            return n_made, n, "worlds"
        low, high = plan.deciding.chance(n_made, n)
        if plan.precision is not None and high - low <= 2 * plan.precision:
            return n_made, n, "precision"
        if plan.is_late():
            return n_made, n, "time"
        if n >= _MOST_DECIDED:
            return n_made, n, "worlds"
        n = min(_next_look(plan, n_made, n), _MOST_DECIDED)


def _next_look(plan: Plan, n_made: int, n: int) -> int:
    """Return how many worlds will probably do, if what was found so far is right."""
    if plan.precision is None or not isinstance(plan.deciding, UpTo):
        return n + _ROUND
    needed = plan.deciding.worlds_for(n_made / n, plan.precision)
    return min(max(needed, n + _LEAST_ROUND), plan.deciding.n_most)
