"""Scoring arrays of deals: the batch twin of `scoring.score_deal`.

Every array of pairs has the shape ``(n, 2)`` and holds declarers, defence. The input is trusted:
what `scoring.Outcome` refuses is not looked for here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import ALL_TRUMP, CARD_POINTS_TOTAL, NO_TRUMP
from pilotta_solver.ruleset import Ruleset

Ints = npt.NDArray[np.integer[Any]]
IntOrInts = int | Ints


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of n deals.

    Attributes
    ----------
    made
        bool of shape ``(n,)``.
    total, raw, sheet
        int32 of shape ``(n, 2)``: declarers, defence.
    """

    made: npt.NDArray[np.bool_]
    total: npt.NDArray[np.int32]
    raw: npt.NDArray[np.int32]
    sheet: npt.NDArray[np.int32]


def score_many(
    level: IntOrInts,
    trump: IntOrInts,
    points: Ints,
    declarations: Ints,
    belote: Ints,
    rules: Ruleset,
    *,
    capot: IntOrInts = -1,
    multiplier: IntOrInts = 1,
    missed_belote: IntOrInts = -1,
) -> Scores:
    """Score many deals.

    Parameters
    ----------
    level, trump
        The contract: one, or one for each deal.
    points
        Card points with the last trick, ``(n, 2)``; 162 and 0 in a capot.
    declarations, belote
        Scoring declaration points and belote points, ``(n, 2)``.
    rules
        The ruleset.
    capot
        Who took all eight tricks: 0 the declarers, 1 the defence, -1 nobody.
    multiplier
        1, or 2 for a doubled and 4 for a redoubled contract.
    missed_belote
        Who announced a belote and did not complete it, as for ``capot``.
    """
    n = len(points)
    sides = np.arange(2)
    swept = _column(capot, n) == sides
    won = np.where(swept, rules.capot_points, np.where(swept[:, ::-1], 0, points)).astype(np.int32)
    bonuses = declarations + belote
    total = (won + bonuses).astype(np.int32)
    bid, times = _column(level, n)[:, 0], _column(multiplier, n)[:, 0]
    made = total[:, 0] >= bid

    base = np.where(
        made[:, None], _made(total, bid, rules), _failed(swept, bid, declarations, belote, rules)
    )
    factor = times
    if rules.doubled == "winner_takes_all":
        stake = times * bid + bonuses.sum(axis=1) + _all_points(swept, made, rules)
        winner = np.where(made, 0, 1)[:, None] == sides
        everything = np.where(winner, stake[:, None], 0)
        base = np.where((times > 1)[:, None], everything, base)
        factor = np.ones_like(times)

    extra = np.zeros((n, 2), np.int32)
    kinds = _column(trump, n)[:, 0]
    extra[:, 0] += np.where(made & (kinds == NO_TRUMP), rules.no_trump_bonus, 0)
    extra[:, 0] += np.where(made & (kinds == ALL_TRUMP), rules.all_trump_bonus, 0)
    extra -= np.where(_column(missed_belote, n) == sides, rules.missed_belote_penalty, 0)

    raw = factor[:, None] * base + extra
    sheet = factor[:, None] * to_tens_many(base, rules) + extra // 10
    return Scores(made, total, raw.astype(np.int32), sheet.astype(np.int32))


def _column(value: IntOrInts, n: int) -> npt.NDArray[np.int32]:
    """Return one value, or one for each deal, as a column."""
    return np.broadcast_to(np.asarray(value, np.int32), (n,))[:, None]


def _made(total: Ints, bid: Ints, rules: Ruleset) -> Ints:
    """Each side writes its own total, the declarers also the bid if it scores."""
    base = total.copy()
    if rules.bid_scores:
        base[:, 0] += bid
    return base


def _failed(
    swept: npt.NDArray[np.bool_], bid: Ints, declarations: Ints, belote: Ints, rules: Ruleset
) -> Ints:
    """The defence scores all the points; what the declarers declared goes as the rules say."""
    base = np.zeros(swept.shape, np.int32)
    failed = np.zeros(len(swept), np.bool_)
    base[:, 1] = _all_points(swept, failed, rules) + declarations[:, 1] + belote[:, 1]
    if rules.bid_scores:
        base[:, 1] += bid
    if rules.failed_declarations != "vanish":
        base[:, int(rules.failed_declarations == "defence")] += declarations[:, 0]
    base[:, int(rules.failed_belote == "defence")] += belote[:, 0]
    return base


def _all_points(swept: npt.NDArray[np.bool_], made: npt.NDArray[np.bool_], rules: Ruleset) -> Ints:
    """All the points of each deal: 162, or what failing or a capot makes of them."""
    points = np.where(made, CARD_POINTS_TOTAL, rules.failed_points)
    if rules.capot_points > CARD_POINTS_TOTAL:
        points = np.where(swept.any(axis=1), rules.capot_points, points)
    return points.astype(np.int32)


def to_tens_many(raw: Ints, rules: Ruleset) -> Ints:
    """Return raw scores ``(n, 2)`` in tens, rounded as the sheet shows them."""
    tens, digits = np.divmod(raw, 10)
    least = 5 if rules.rounding == "nearest" else np.array([6, 7])
    return tens + (digits >= least)
