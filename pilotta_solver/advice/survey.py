"""The worlds of one hand, drawn and solved as far as they are asked for.

World i is the same whoever asks for it and however many are asked for at a time, so that all
contracts stand on the same worlds and no answer depends on the order of the questions.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from pilotta_solver.advice.worth import Played, Truths, bonuses, joined, played
from pilotta_solver.cards import CARD_POINTS_TOTAL
from pilotta_solver.double_dummy import at_least_many, solve_many
from pilotta_solver.knowledge.constraints import Knowledge
from pilotta_solver.knowledge.sampling import worlds_given
from pilotta_solver.notation import Bid
from pilotta_solver.ruleset import Ruleset

# N speaks first and leads, whoever wins the auction.
LEADER = 0

# Worlds solved at a time, so that what a solve needs beside the results stays constant.
_BATCH = 4096

Key = tuple[int, int]
"""A side that declares, 0 NS or 1 EW, and the trump."""


class Survey:
    """Worlds of one hand, and what each contract comes to in them.

    Parameters
    ----------
    hand : int
        The hand, a set of eight cards.
    seat : int
        Its seat, 0 to 3; 0 leads.
    knowledge : Knowledge
        What is known of the other hands.
    seed : int
        Seed of the worlds.
    rules : Ruleset
        The ruleset.
    jobs : int, optional
        Threads; no result depends on it.
    progress : callable, optional
        Called with the number of deals solved since the last call.

    Attributes
    ----------
    n_tried : int
        Deals drawn for the worlds so far, those thrown away among them.
    """

    def __init__(
        self,
        hand: int,
        seat: int,
        knowledge: Knowledge,
        seed: int,
        rules: Ruleset,
        jobs: int | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        self.rules = rules
        self.n_tried = 0
        self._ask = (hand, seat, knowledge)
        self._seed = seed
        self._jobs = jobs
        self._progress = progress
        self._hands = np.empty((0, 4), np.uint32)
        self._played: dict[Key, list[Played]] = {}
        self._decided: dict[tuple[int, Bid], list[Truths]] = {}

    def hands(self, n: int) -> npt.NDArray[np.uint32]:
        """Return the first n worlds, uint32 of shape (n, 4)."""
        n_drawn = len(self._hands)
        if n > n_drawn:
            more = worlds_given(*self._ask, n - n_drawn, self._seed, n_drawn)
            self.n_tried += more.n_tried
            self._hands = np.concatenate([self._hands, more.hands])
        return self._hands[:n]

    @property
    def n_drawn(self) -> int:
        """The number of worlds drawn so far."""
        return len(self._hands)

    def solve(self, key: Key, n: int) -> None:
        """Solve one contract in the first n worlds."""
        side, trump = key
        parts = self._played.setdefault(key, [])
        hands, rules = self.hands(n), self.rules
        for start in range(self.n_solved(key), n, _BATCH):
            batch = hands[start : start + _BATCH]
            values = solve_many(
                batch, trump, LEADER, rules=rules, jobs=self._jobs, progress=self._progress
            )
            parts.append(played(batch, trump, side, LEADER, values, rules))

    def n_solved(self, key: Key) -> int:
        """Return the number of worlds in which a contract is solved."""
        return sum(len(part) for part in self._played.get(key, ()))

    def played(self, key: Key) -> Played:
        """Return what comes of a contract in the worlds in which it is solved."""
        parts = self._played[key]
        parts[:] = [joined(parts)]
        return parts[0]

    def decide(self, side: int, bid: Bid, n: int) -> Truths:
        """Tell of the first n worlds whether a side makes a contract.

        Only that is asked, which costs a fraction of a solve; worlds solved already are looked up.
        """
        parts = self._decided.setdefault((side, bid), [])
        n_decided = sum(map(len, parts))
        key = side, bid.trump
        if n_decided < min(n, self.n_solved(key)):
            parts.append(self.played(key).total[n_decided:n] >= bid.level)
            n_decided += len(parts[-1])
        hands = self.hands(n)
        for start in range(n_decided, n, _BATCH):
            parts.append(self._is_made(side, bid, hands[start : min(start + _BATCH, n)]))
        parts[:] = [np.concatenate(parts)]
        return parts[0][:n]

    def _is_made(self, side: int, bid: Bid, hands: npt.NDArray[np.uint32]) -> Truths:
        """Ask the engine whether the declarers reach what they need beside their bonuses."""
        declared, belote = bonuses(hands, bid.trump, side, LEADER, self.rules)
        needed = bid.level - (declared[:, 0] + belote[:, 0]).astype(np.int64)
        # EW have at least x where NS have not at least 163 - x.
        threshold = needed if side == 0 else CARD_POINTS_TOTAL + 1 - needed
        reached = at_least_many(
            hands, bid.trump, LEADER, threshold, self.rules, self._jobs, progress=self._progress
        )
        # A side that is swept has no points, whatever the sweep is worth to the other.
        made: Truths = (reached == (side == 0)) | (needed <= 0)
        return made
