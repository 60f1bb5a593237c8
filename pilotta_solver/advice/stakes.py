"""What a call can lead to, and what that is worth where the score of a game is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from pilotta_solver.advice.game_chance import GameChance
from pilotta_solver.advice.worth import Floats, Ints


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
    sheet_error, utility_error : float
        The standard errors of the means of the sheet and of `utility` that come from the
        calibration alone; 0 double dummy.
    """

    call: str
    meaning: str
    raw: npt.NDArray[Any]
    sheet: npt.NDArray[Any]
    chance: Floats | None
    sheet_error: float = 0.0
    utility_error: float = 0.0

    def utility(self) -> npt.NDArray[Any]:
        """Return what counts: the chance of winning the game if a score is given, or the sheet."""
        return self.sheet if self.chance is None else self.chance
