"""What each contract is worth against what else could be done, from the worlds of a survey.

What counts is the difference on the sheet, or, where the score of a game is given, the chance of
winning it. Both are compared world by world, on the same worlds, and then averaged. Where there is
a calibration of play at the table, a world counts as the mean of what may come of it there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
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
    swing,
)
from pilotta_solver.advice.game_chance import GameChance
from pilotta_solver.advice.stopping import Z95, Certainty
from pilotta_solver.advice.survey import Survey
from pilotta_solver.advice.worth import Floats, Ints, Played, Sample, Scored, break_even, scored
from pilotta_solver.auction import Contract as Standing
from pilotta_solver.cards import CARD_POINTS_TOTAL
from pilotta_solver.deal import side_of
from pilotta_solver.notation import format_bid
from pilotta_solver.ruleset import Ruleset

# The highest level shown where the auction has none, as the classic text's own table does.
HIGHEST_SHOWN = 400

# Scores held at a time, so that memory grows with the number of worlds only as the worlds do.
_MOST_AT_A_TIME = 1 << 20

_MULTIPLIERS = {"": 1, " doubled": 2, " redoubled": 4}


@dataclass(frozen=True)
class Stakes:
    """What a score of the game is worth to the own side.

    Attributes
    ----------
    game : GameChance
        The chance of winning at every score.
    score : tuple of int
        The score now, ours and theirs.
    own : int
        The own side, 0 NS or 1 EW; N leads in this deal.
    next_dealer : bool
        Whether the deal goes on to the next dealer when all pass.
    """

    game: GameChance
    score: tuple[int, int]
    own: int
    next_dealer: bool

    def after(self, ours: Ints, theirs: Ints) -> Floats:
        """Return the chance of winning after a deal in which so much is written."""
        us, them = self.score
        return self.game.chance(us + ours, them + theirs, we_lead=self.own != 0)

    def passed_out(self) -> float:
        """Return the chance of winning after a deal that is passed out."""
        leads = (self.own != 0) == self.next_dealer
        return float(self.game.chance(*self.score, we_lead=leads))


@dataclass(frozen=True)
class Choice:
    """Something that can be done, and what comes of it in each world.

    Attributes
    ----------
    call, meaning : str
        As in `answers.Alternative`.
    raw, sheet : numpy.ndarray
        The differences, (n,); at the table, the means of what may come of each world.
    chance : numpy.ndarray or None
        The chance of winning the game after it, (n,).
    """

    call: str
    meaning: str
    raw: npt.NDArray[Any]
    sheet: npt.NDArray[Any]
    chance: Floats | None

    def utility(self) -> npt.NDArray[Any]:
        """Return what counts: the chance of winning the game if a score is given, or the sheet."""
        return self.sheet if self.chance is None else self.chance


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
            found.append(Choice(call, meaning, raw, sheet, chance))
        return found

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
        made = deals.total >= np.array(levels)[:, None]
        p_made = sample.mean(made)
        p_table = self._at_table_chances(deals, levels, sample, certainty)
        sheet = self._of_worlds(once.sheet, n)
        worth = sheet - alternative.sheet[:n]
        gain = self._of_worlds(_utility(once), n) - alternative.utility()[:n]
        reach = certainty.z(n) * sample.error(worth)
        means = {
            name: sample.mean(self._of_worlds(values, n))
            for name, values in (
                ("raw", once.raw),
                ("raw_doubled", twice.raw),
                ("raw_redoubled", four.raw),
                ("sheet_doubled", twice.sheet),
                ("sheet_redoubled", four.sheet),
            )
        }
        means |= {"sheet": sample.mean(sheet), "worth": sample.mean(worth)}
        mean_gain, gain_error = sample.mean(gain), sample.error(gain)
        wins = None if once.chance is None else sample.mean(self._of_worlds(once.chance, n))
        each = once.sheet.shape[1] // n
        rows = []
        for i, level in enumerate(levels):
            p = min(1.0, float(p_made[i]))
            low, high = certainty.chance(int(made[i].sum()), n)
            numbers = {name: float(mean[i]) for name, mean in means.items()}
            against = once.sheet[i] - np.repeat(alternative.sheet[:n], each)
            if p_table is not None:
                model = float(p_table.model_error[i])
                reach[i] = math.hypot(reach[i], Z95 * model * swing(once.made[i], against))
                won = _utility(once)[i]
                gain_error[i] = math.hypot(gain_error[i], model * swing(once.made[i], won))
            at_table, table_low, table_high = _of_level(p_table, i)
            rows.append(
                Level(
                    bid=level,
                    p_made=p,
                    ci_low=min(low, p),
                    ci_high=max(high, p),
                    p_table=at_table,
                    table_low=table_low,
                    table_high=table_high,
                    worth_low=_finite(numbers["worth"] - reach[i]),
                    worth_high=_finite(numbers["worth"] + reach[i]),
                    break_even=break_even(once.made[i], against),
                    p_win=None if wins is None else float(wins[i]),
                    p_win_gain=None if wins is None else float(mean_gain[i]),
                    **numbers,
                )
            )
        return rows, mean_gain, gain_error

    def describe(self, choice: Choice, sample: Sample, certainty: Certainty) -> Alternative:
        """Average an alternative over the worlds of a sample."""
        sheet = float(sample.mean(choice.sheet))
        reach = certainty.z(sample.n) * float(sample.error(choice.sheet))
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


def _of_level(chances: TableChances | None, i: int) -> tuple[float | None, ...]:
    """Return the chance at the table of one level and the ends of its interval."""
    if chances is None:
        return None, None, None
    return float(chances.p[i]), float(chances.low[i]), float(chances.high[i])


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
    )
