"""The chance of winning the game by its score: what a point on the sheet is worth near the end.

The scores of simulated deals say how a game goes on; the chance of winning at every score follows
from them exactly, backwards from the end. Who declares what in a simulated deal is a stated model,
not a claim about players:

- Both sides judge the total that they would reach in each trump: the double dummy total with an
  error, normal with a standard deviation of 20 points, which is about what double dummy and play
  differ by in one deal.
- Being careful, a side bids at most its greatest judgement less 20, in steps of the ruleset. If
  neither reaches the lowest bid, the deal is passed out.
- The side that would bid more declares, the first to speak if both would bid the same. It bids
  that much where the bid is scored, otherwise just enough to outbid the others.
- Nobody doubles, and the result is the double dummy result.

The scores of the presets come with the program (``games/``); for other rules they are simulated.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from pilotta_solver.advice.worth import Floats, Ints, Played, played
from pilotta_solver.cards import ALL_TRUMP, N_SUITS, NO_TRUMP
from pilotta_solver.double_dummy import solve_many
from pilotta_solver.errors import ConstraintError, RulesetError
from pilotta_solver.knowledge.sampling import worlds
from pilotta_solver.ruleset import Ruleset, preset_names
from pilotta_solver.scoring_many import score_many
from pilotta_solver.workers import Progress

ERROR = 20.0
"""Standard deviation of a side's judgement of its total, in points."""

CAUTION = 20
"""How far below its judgement a side stops bidding, in points."""

N_DEALS = 2000
"""Deals simulated for rules whose scores do not come with the program."""

SEED = 1
"""The seed of the simulated deals."""

_FIRST = 0  # the seat that speaks first and leads, and its side


@dataclass(frozen=True)
class DealScores:
    """What simulated deals are written as.

    Attributes
    ----------
    n_deals : int
        The number of deals.
    n_passed : int
        Deals in which nobody bid.
    n_made : int
        Deals in which the contract was made.
    pairs : numpy.ndarray
        int64 of shape (k, 2): what the side that leads and the other side write, in units of the
        score. Every pair that came up, once.
    counts : numpy.ndarray
        int64 of shape (k,): how often.
    """

    n_deals: int
    n_passed: int
    n_made: int
    pairs: Ints
    counts: Ints

    def as_dict(self) -> dict[str, Any]:
        """Return what a file of ``games/`` holds of the scores."""
        return {
            "n_deals": self.n_deals,
            "n_passed": self.n_passed,
            "n_made": self.n_made,
            "scores": [
                [int(lead), int(other), int(count)]
                for (lead, other), count in zip(self.pairs, self.counts, strict=True)
            ],
        }

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> DealScores:
        """Read what `as_dict` returns."""
        scores = np.array(table["scores"], np.int64).reshape(-1, 3)
        return cls(
            table["n_deals"], table["n_passed"], table["n_made"], scores[:, :2], scores[:, 2]
        )


def unit(rules: Ruleset) -> int:
    """Points of the score that count as one step here: a raw score is counted in tens."""
    return 1 if rules.game_counts == "sheet" else 10


def shipped_scores(rules: Ruleset) -> DealScores | None:
    """Return the scores that come with the program for these rules; None if they differ.

    The name and the target of the game do not matter.
    """
    for name in preset_names():
        file = files("pilotta_solver") / "advice" / "games" / f"{name}.json"
        table = json.loads(file.read_text("utf-8"))
        if _relevant(table["rules"]) == _relevant(rules.as_dict()):
            return DealScores.of(table)
    return None


def _relevant(rules: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in rules.items() if key not in ("name", "game_target")}


def simulate_scores(
    rules: Ruleset,
    n_deals: int = N_DEALS,
    seed: int = SEED,
    *,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> DealScores:
    """Simulate deals by the model of this module and count their scores.

    Parameters
    ----------
    rules
        The ruleset.
    n_deals
        How many deals.
    seed
        Seed of the deals and of the judgements.
    jobs
        Threads; the result does not depend on it.
    progress
        Called with the number of deals solved since the last call, a deal once for each trump.
    """
    hands = worlds(0, 0, n_deals, seed)
    trumps = [*range(N_SUITS)]
    trumps += [NO_TRUMP] if rules.no_trump_bids else []
    trumps += [ALL_TRUMP] if rules.all_trump_bids else []
    deals: dict[tuple[int, int], Played] = {}
    for trump in trumps:
        values = solve_many(hands, trump, _FIRST, rules, jobs, progress=progress)
        for side in range(2):
            deals[side, trump] = played(hands, trump, side, _FIRST, values, rules)
    sides, suits, levels = _contracts(deals, trumps, rules, seed)
    counts: Counter[tuple[int, int]] = Counter()
    n_made = 0
    for (declarers, trump), every in deals.items():
        chosen = (sides == declarers) & (suits == trump)
        if not chosen.any():
            continue
        result = score_many(
            levels[chosen],
            trump,
            every.points[chosen],
            every.declarations[chosen],
            every.belote[chosen],
            rules,
            capot=every.capot[chosen],
        )
        n_made += int(result.made.sum())
        written = result.sheet if rules.game_counts == "sheet" else result.raw
        # The side that leads comes first.
        ordered = np.rint(written[:, [declarers, 1 - declarers]] / unit(rules)).astype(int)
        counts.update(map(tuple, ordered.tolist()))
    ranked = sorted(counts.items())
    return DealScores(
        n_deals,
        int((sides < 0).sum()),
        n_made,
        np.array([pair for pair, _ in ranked], np.int64).reshape(-1, 2),
        np.array([count for _, count in ranked], np.int64),
    )


def _contracts(
    deals: Mapping[tuple[int, int], Played], trumps: list[int], rules: Ruleset, seed: int
) -> tuple[Ints, Ints, Ints]:
    """Return who declares (-1 nobody), the trump and the level of each deal, by the model."""
    totals = np.array([[deals[side, trump].total for trump in trumps] for side in range(2)])
    judged = totals + np.random.default_rng(seed).normal(0, ERROR, totals.shape)
    step, highest = rules.bid_step, rules.highest_bid or np.inf
    best = judged.max(axis=1) - CAUTION
    limit = rules.first_bid + step * np.floor((best - rules.first_bid) / step)
    limit = np.minimum(limit, highest).astype(np.int64)
    side = np.where(limit[1] > limit[0], 1, 0)
    rows = np.arange(len(side))
    own, other = limit[side, rows], limit[1 - side, rows]
    # The first to speak need not go beyond what the others would bid, the others must.
    enough = np.maximum(rules.first_bid, np.minimum(own, other + np.where(side == 0, 0, step)))
    level = own if rules.bid_scores else enough
    trump = np.array(trumps)[judged.argmax(axis=1)[side, rows]]
    return np.where(own >= rules.first_bid, side, -1), trump, level


class GameChance:
    """The chance of winning a game at every score.

    Parameters
    ----------
    scores
        How deals are scored.
    rules
        The ruleset; ``all_pass`` says who leads after a deal that is passed out.
    target
        The score that wins, by default the ruleset's.

    Attributes
    ----------
    target : int
        The score that wins.
    """

    def __init__(self, scores: DealScores, rules: Ruleset, target: int | None = None) -> None:
        self.target = rules.game_target if target is None else target
        self._unit = unit(rules)
        if scores.n_passed == scores.n_deals:
            raise RulesetError(
                f"ruleset {rules.name}: nobody bids in the simulated deals, so no game can be "
                "valued; lower first_bid, or leave --score out"
            )
        self._table = _table(scores, rules, -(-self.target // self._unit))

    def chance(self, us: Ints | int, them: Ints | int, *, we_lead: bool) -> Floats:
        """Return our chance of winning, before a deal in which we lead or the others do.

        Parameters
        ----------
        us, them
            The scores; at or above the target the higher one has won.
        we_lead
            Whether our side leads in the next deal.
        """
        mine, theirs = (self._steps(np.asarray(score)) for score in (us, them))
        if we_lead:
            return np.asarray(self._table[mine, theirs])
        return np.asarray(1 - self._table[theirs, mine])

    def _steps(self, score: Ints) -> Ints:
        # Far beyond the target only the order of the two scores matters, and that is kept.
        steps = np.rint(score / self._unit).astype(np.int64)
        return np.clip(steps, 0, len(self._table) - 1)

    def check(self, score: tuple[int, int]) -> None:
        """Refuse scores at which there is nothing left to play for.

        Raises
        ------
        ConstraintError
            If a score is negative or reaches the target.
        """
        for points in score:
            if not 0 <= points < self.target:
                raise ConstraintError(
                    f"score {score[0]}-{score[1]}: in a game to {self.target} both are 0 to "
                    f"{self.target - 1}; give another score or target"
                )


def _table(scores: DealScores, rules: Ruleset, target: int) -> Floats:
    """Return the chance of the side that leads next, by its own score and the other's.

    From the highest sum of scores downwards: every deal that is not passed out raises the sum. The
    table goes on beyond the target, where the game is over; level there, another deal is played,
    which counts as even.
    """
    size = target + int(scores.pairs.max(initial=0)) + 1
    mine, theirs = np.indices((size, size))
    table = np.where(mine == theirs, 0.5, (mine > theirs).astype(float))
    shares = scores.counts / scores.n_deals
    passed = scores.n_passed / scores.n_deals
    lead, other = scores.pairs[:, 0], scores.pairs[:, 1]
    for total in range(2 * (target - 1), -1, -1):
        own = np.arange(max(0, total - target + 1), min(target - 1, total) + 1)
        rest = total - own
        # The other side leads in the next deal: from its chance to ours.
        after = 1 - table[rest[:, None] + other, own[:, None] + lead]
        bid = after @ shares
        if rules.all_pass == "same_dealer":
            chance = bid / (1 - passed)
        else:
            # With v = bid + passed (1 - w), w the same for the two scores exchanged.
            exchanged = bid[::-1]
            chance = (bid + passed - passed * (exchanged + passed)) / (1 - passed**2)
        table[own, rest] = chance
    return table
