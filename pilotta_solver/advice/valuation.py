"""What each contract is worth against what else could be done, from the worlds of a survey.

What counts is the difference on the sheet, or, where the score of a game is given, the chance of
winning it. Both are compared world by world, on the same worlds, and then averaged. Where there is
a calibration of play at the table, a world counts as the mean of what may come of it there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.advice.answers import Alternative, Contract, Level
from pilotta_solver.advice.at_table import (
    AtTable,
    TableChances,
    has_calibration,
    per_world,
    swings,
)
from pilotta_solver.advice.stakes import Choice, Stakes
from pilotta_solver.advice.survey import Survey
from pilotta_solver.advice.worth import Floats, Ints, Played, Sample, Scored, break_even, scored
from pilotta_solver.auction import Contract as Standing
from pilotta_solver.cards import CARD_POINTS_TOTAL
from pilotta_solver.deal import side_of
from pilotta_solver.notation import format_bid
from pilotta_solver.ruleset import Ruleset
from pilotta_solver.stopping import Z95, Certainty

# The highest level shown where the auction has none, as the classic text's own table does.
HIGHEST_SHOWN = 400

# Scores held at a time, so that memory grows with the number of worlds only as the worlds do.
_MOST_AT_A_TIME = 1 << 20

_MULTIPLIERS = {"": 1, " doubled": 2, " redoubled": 4}


@dataclass(frozen=True)
class Valued:
    """One trump with its levels valued.

    Attributes
    ----------
    contract : Contract
        The numbers.
    gain, gain_error : numpy.ndarray
        By how much each level beats the best alternative in what counts, and its standard error.
    """

    contract: Contract
    gain: Floats
    gain_error: Floats


class Valuation:
    """Values the contracts of a survey.

    Parameters
    ----------
    survey : Survey
        The worlds.
    seat : int
        The own seat.
    rules : Ruleset
        The ruleset.
    standing : auction.Contract, optional
        The contract as it stands.
    stakes : Stakes, optional
        What the score of the game is worth.
    bidding_is_over : bool
        Whether only doubles are left to call.
    at_table : AtTable, optional
        What worlds come to at the table; without it, contracts are valued double dummy.

    Attributes
    ----------
    own : int
        The own side.
    levels : range
        Every level shown.
    """

    def __init__(
        self,
        survey: Survey,
        seat: int,
        rules: Ruleset,
        standing: Standing | None = None,
        stakes: Stakes | None = None,
        *,
        bidding_is_over: bool = False,
        at_table: AtTable | None = None,
    ) -> None:
        self.own = side_of(seat)
        self._seat = seat
        self._at_table = at_table
        self._bidding_is_over = bidding_is_over
        self.levels = range(
            rules.first_bid, (rules.highest_bid or HIGHEST_SHOWN) + 1, rules.bid_step
        )
        self._survey = survey
        self._rules = rules
        self._standing = standing
        self._stakes = stakes

    @property
    def lowest(self) -> int | None:
        """The lowest level that may be bid; None if no bid may follow."""
        if self._standing is None:
            return self._rules.first_bid
        if self._bidding_is_over or self._standing.multiplier > 1:
            return None
        return self._standing.bid.level + self._rules.bid_step

    def alternatives(self, n: int) -> list[Choice]:
        """Return what can be done instead of bidding, in the first n worlds."""
        standing = self._standing
        if standing is None:
            nothing = np.zeros(n, np.int64)
            chance = None if self._stakes is None else np.full(n, self._stakes.passed_out())
            return [Choice("P", "passed out", nothing, nothing, chance)]
        side, times = side_of(standing.declarer), standing.multiplier
        choices = [("P", times)]
        if times == 1 and side != self.own:
            choices.append(("X", 2))
        if times == 2 and side == self.own:
            choices.append(("XX", 4))
        deals = _first(self._survey.played((side, standing.bid.trump)), n)
        words = {multiplier: word for word, multiplier in _MULTIPLIERS.items()}
        found = []
        for call, multiplier in choices:
            result = self._score(deals, [standing.bid.level], multiplier, standing.declarer)
            meaning = format_bid(standing.bid) + words[multiplier]
            raw, sheet = (self._of_worlds(one[0], n) for one in (result.raw, result.sheet))
            chance = None if result.chance is None else self._of_worlds(result.chance[0], n)
            errors = self._model_errors(deals, standing, result)
            found.append(Choice(call, meaning, raw, sheet, chance, *errors))
        return found

    def _model_errors(
        self, deals: Played, standing: Standing, result: Scored
    ) -> tuple[float, float]:
        """Return what the calibration adds to the errors of a standing contract's worth."""
        if self._at_table is None or not has_calibration(deals.trump):
            return 0.0, 0.0
        level = np.array([standing.bid.level])
        told = self._at_table.chances(deals, standing.declarer, level, Sample(len(deals)), Z95)
        error = float(told.model_error[0])
        on_sheet, on_utility = (
            float(swings(result.made, values)[0]) for values in (result.sheet, _utility(result))
        )
        return error * on_sheet, error * on_utility

    def best_alternative(self, n: int, sample: Sample | None = None) -> Choice:
        """Return the alternative of the greatest mean in the first n worlds; level, the first."""
        sample = Sample(n) if sample is None else sample
        return max(self.alternatives(n), key=lambda choice: float(sample.mean(choice.utility())))

    def gains(self, trump: int, alternative: Choice) -> tuple[Floats, Floats]:
        """Return how much each level beats an alternative in what counts, and standard errors.

        The levels are those that may be bid; there may be none.
        """
        deals = self._survey.played((self.own, trump))
        levels = [level for level in self.levels if self.may_be_bid(level)]
        n = len(deals)
        result = self._score(deals, levels, 1, self._seat)
        gain = self._of_worlds(_utility(result), n) - alternative.utility()[:n]
        sample = Sample(n)
        return sample.mean(gain), sample.error(gain)

    def may_be_bid(self, level: int) -> bool:
        """Tell whether the auction lets a level be bid."""
        return self.lowest is not None and level >= self.lowest

    def value(
        self,
        trump: int,
        alternative: Choice,
        sample: Sample,
        certainty: Certainty,
        levels: Sequence[int] = (),
    ) -> Valued:
        """Value a trump in every level, or in the levels given.

        Parameters
        ----------
        trump
            The trump.
        alternative
            The best alternative, in as many worlds as the trump is solved in, or more.
        sample
            How to average over these worlds.
        certainty
            How intervals are made.
        levels
            The levels; by default all that are shown.
        """
        levels = levels or self.levels
        deals = self._survey.played((self.own, trump))
        n = len(deals)
        step = max(1, _MOST_AT_A_TIME // n)
        rows: list[Level] = []
        gains, errors = [], []
        for first in range(0, len(levels), step):
            some, gain, error = self._value_levels(
                deals, levels[first : first + step], alternative, sample, certainty
            )
            rows += some
            gains.append(gain)
            errors.append(error)
        gain = np.concatenate(gains)
        paying = [
            level
            for level, gained in zip(levels, gain, strict=True)
            if gained > 0 and self.may_be_bid(level)
        ]
        points = deals.points[:, 0]
        sweeps = self._rules.capot_points > CARD_POINTS_TOTAL
        contract = Contract(
            trump=trump,
            n_worlds=n,
            mean_card_points=float(sample.mean(points)),
            sd_card_points=float(points.std(ddof=1)) if n > 1 else None,
            mean_total=float(sample.mean(deals.total)),
            mean_total_table=self._mean_at_table(deals, sample),
            p_capot=float(sample.mean(deals.capot == 0)) if sweeps else None,
            highest=max(paying, default=None),
            levels=tuple(rows),
        )
        return Valued(contract, gain, np.concatenate(errors))

    def _value_levels(
        self,
        deals: Played,
        levels: Sequence[int],
        alternative: Choice,
        sample: Sample,
        certainty: Certainty,
    ) -> tuple[list[Level], Floats, Floats]:
        """Return levels, their mean gains and the standard errors of these."""
        n = len(deals)
        once, twice, four = (
            self._score(deals, levels, times, self._seat) for times in _MULTIPLIERS.values()
        )
        sheet = self._of_worlds(once.sheet, n)
        worth = sheet - alternative.sheet[:n]
        gain = self._of_worlds(_utility(once), n) - alternative.utility()[:n]
        reach, gain_error = certainty.z(n) * sample.error(worth), sample.error(gain)
        against = once.sheet - np.repeat(alternative.sheet[:n], once.sheet.shape[1] // n)
        # The alternative hangs on the calibration too, if it is another contract.
        reach = np.hypot(reach, Z95 * alternative.sheet_error)
        gain_error = np.hypot(gain_error, alternative.utility_error)
        at_table = self._at_table_chances(deals, levels, sample, certainty)
        if at_table is not None:
            # A contract of the calibration more or less moves the worth by what hangs on it.
            model = at_table.model_error
            reach = np.hypot(reach, Z95 * model * swings(once.made, against))
            gain_error = np.hypot(gain_error, model * swings(once.made, _utility(once)))
        mean_worth, mean_gain = sample.mean(worth), sample.mean(gain)
        wins = None if once.chance is None else sample.mean(self._of_worlds(once.chance, n))
        columns = {
            **_made(deals, levels, sample, certainty),
            "p_table": None if at_table is None else at_table.p,
            "table_low": None if at_table is None else at_table.low,
            "table_high": None if at_table is None else at_table.high,
            "raw": sample.mean(self._of_worlds(once.raw, n)),
            "raw_doubled": sample.mean(self._of_worlds(twice.raw, n)),
            "raw_redoubled": sample.mean(self._of_worlds(four.raw, n)),
            "sheet": sample.mean(sheet),
            "sheet_doubled": sample.mean(self._of_worlds(twice.sheet, n)),
            "sheet_redoubled": sample.mean(self._of_worlds(four.sheet, n)),
            "worth": mean_worth,
            "worth_low": mean_worth - reach,
            "worth_high": mean_worth + reach,
            "break_even": [break_even(*row) for row in zip(once.made, against, strict=True)],
            "p_win": wins,
            "p_win_gain": None if wins is None else mean_gain,
        }
        return _rows(levels, columns), mean_gain, gain_error

    def describe(self, choice: Choice, sample: Sample, certainty: Certainty) -> Alternative:
        """Average an alternative over the worlds of a sample."""
        sheet = float(sample.mean(choice.sheet))
        worlds = certainty.z(sample.n) * float(sample.error(choice.sheet))
        reach = math.hypot(worlds, Z95 * choice.sheet_error)
        return Alternative(
            call=choice.call,
            meaning=choice.meaning,
            raw=float(sample.mean(choice.raw)),
            sheet=sheet,
            sheet_low=_finite(sheet - reach),
            sheet_high=_finite(sheet + reach),
            p_win=None if choice.chance is None else float(sample.mean(choice.chance)),
        )

    def _score(
        self, deals: Played, levels: Sequence[int], multiplier: int, declarer: int
    ) -> Scored:
        """Score contracts of a declarer; differences and chances are the own side's.

        At the table there are several results for each world: see `_of_worlds`.
        """
        stakes = self._stakes
        own = side_of(declarer) == self.own
        chances = None
        if stakes is not None:
            after = stakes.after

            def chances(declarers: Ints, defence: Ints) -> Floats:
                return after(declarers, defence) if own else after(defence, declarers)

        if self._at_table is not None and has_calibration(deals.trump):
            deals = self._at_table.spread(deals, declarer)
        result = scored(deals, levels, self._rules, multiplier, chances)
        if own:
            return result
        return Scored(result.made, -result.raw, -result.sheet, result.chance)

    def _of_worlds(self, values: npt.NDArray[Any], n: int) -> npt.NDArray[Any]:
        """Return what `_score` has found as one number for each of n worlds."""
        return values if values.shape[-1] == n else per_world(values)

    def _mean_at_table(self, deals: Played, sample: Sample) -> float | None:
        """Return the mean of the own side's total at the table."""
        if self._at_table is None or not has_calibration(deals.trump):
            return None
        return float(sample.mean(per_world(self._at_table.spread(deals, self._seat).total)))

    def _at_table_chances(
        self, deals: Played, levels: Sequence[int], sample: Sample, certainty: Certainty
    ) -> TableChances | None:
        """Return the chances to make some levels at the table, if they can be told."""
        if self._at_table is None or not has_calibration(deals.trump):
            return None
        bids = np.array(levels, np.int64)
        return self._at_table.chances(deals, self._seat, bids, sample, certainty.z(len(deals)))


def _made(
    deals: Played, levels: Sequence[int], sample: Sample, certainty: Certainty
) -> dict[str, Floats]:
    """Return the chances to make levels double dummy, and their intervals."""
    made = deals.total >= np.array(levels)[:, None]
    p = np.minimum(sample.mean(made), 1.0)
    ends = np.array([certainty.chance(int(n), len(deals)) for n in made.sum(axis=1)])
    low, high = ends.reshape(-1, 2).T
    return {"p_made": p, "ci_low": np.minimum(low, p), "ci_high": np.maximum(high, p)}


def _rows(levels: Sequence[int], columns: Mapping[str, Any]) -> list[Level]:
    """Return the levels with their numbers, column by column; None for what is not there."""
    rows = []
    for i, level in enumerate(levels):
        numbers: dict[str, Any] = {
            name: None if column is None or column[i] is None else _finite(column[i])
            for name, column in columns.items()
        }
        rows.append(Level(bid=level, **numbers))
    return rows


def _utility(result: Scored) -> npt.NDArray[Any]:
    return result.sheet if result.chance is None else result.chance


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _first(deals: Played, n: int) -> Played:
    """Return the first n worlds."""
    return Played(
        deals.trump,
        deals.points[:n],
        deals.declarations[:n],
        deals.belote[:n],
        deals.capot[:n],
        deals.total[:n],
        deals.n_trumps[:n],
        deals.n_winners[:n],
    )
