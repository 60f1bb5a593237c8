"""Scoring one deal: totals, made or failed, raw score and sheet.

The rules are those of "Scoring" in ``docs/rules.md``. Pairs are in the order declarers, defence,
unless they say otherwise. `scoring_many` does the same for arrays of deals; tests hold the two
together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import ALL_TRUMP, CARD_POINTS_TOTAL, NO_TRUMP
from pilotta_solver.declarations import (
    BELOTE_POINTS,
    belote_points_many,
    declaration_points_many,
)
from pilotta_solver.errors import DealError
from pilotta_solver.notation import Bid, format_bid
from pilotta_solver.ruleset import Ruleset

Party = Literal["declarers", "defence"]
PARTIES: tuple[Party, Party] = ("declarers", "defence")
Pair = tuple[int, int]

# Four carrés in the sixteen cards of a side: jacks, nines, and two of 100.
MOST_DECLARED = 550


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the play of a deal; every pair is declarers, defence.

    Attributes
    ----------
    points
        Card points with the last trick; they sum to 162. A capot is told apart, and its points
        are 162 and 0 here.
    declarations
        The declaration points that score: those of one side only.
    belote
        The belote points.
    capot
        Who took all eight tricks, if anyone did.
    missed_belote
        Who announced a belote and did not complete it, if anyone.

    Raises
    ------
    DealError
        If no deal can end like that.
    """

    points: Pair
    declarations: Pair = (0, 0)
    belote: Pair = (0, 0)
    capot: Party | None = None
    missed_belote: Party | None = None

    def __post_init__(self) -> None:
        if min(self.points) < 0 or sum(self.points) != CARD_POINTS_TOTAL:
            raise DealError(
                f"points {_dash(self.points)}: the card points of both sides are 0 to "
                f"{CARD_POINTS_TOTAL} and sum to {CARD_POINTS_TOTAL}, as in 100-62"
            )
        if self.capot and self.points[PARTIES.index(self.capot)] != CARD_POINTS_TOTAL:
            raise DealError(
                f"capot by the {self.capot} with points {_dash(self.points)}: who takes all eight "
                f"tricks has {CARD_POINTS_TOTAL}"
            )
        if not all(_is_declarable(points) for points in self.declarations):
            raise DealError(
                f"declarations {_dash(self.declarations)}: they are worth 20, 50, 100, 150 or 200 "
                f"each, and at most {MOST_DECLARED} together"
            )
        if all(self.declarations):
            raise DealError(
                f"declarations {_dash(self.declarations)}: only the side with the best one "
                "scores its own; give 0 for the other"
            )
        if min(self.belote) < 0 or any(points % BELOTE_POINTS for points in self.belote):
            raise DealError(f"belote {_dash(self.belote)}: a belote is worth {BELOTE_POINTS}")


def _is_declarable(points: int) -> bool:
    return 0 <= points <= MOST_DECLARED and points % 10 == 0 and points not in (10, 30)


class Term(NamedTuple):
    """One number of a score, with what it is and the ruleset key that put it there."""

    value: int
    label: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a deal; every pair is declarers, defence.

    Attributes
    ----------
    bid
        The contract.
    made
        Whether the declarers' total reaches the bid.
    total
        Points, scoring declarations and belote of each side; a capot counts ``capot_points``.
    raw
        The points that each side scores.
    sheet
        The same in tens, as the sheet shows them.
    own
        For each side, the numbers whose sum is its total.
    terms
        For each side, the numbers whose sum is the raw score before it is multiplied.
    factor
        What a double multiplies the whole result of both sides by; 1 if it does not.
    extras
        For each side, bonus and penalty, which nothing multiplies.
    """

    bid: Bid
    made: bool
    total: Pair
    raw: Pair
    sheet: Pair
    own: tuple[tuple[Term, ...], tuple[Term, ...]]
    terms: tuple[tuple[Term, ...], tuple[Term, ...]]
    factor: int
    extras: tuple[tuple[Term, ...], tuple[Term, ...]]

    def arithmetic(self, *, symbols: bool = False) -> list[str]:
        """Tell how the score came about, a line each, with the keys that decided."""
        lines = [
            f"total of the {party}: {_sum(self.own[side])} = {self.total[side]}"
            for side, party in enumerate(PARTIES)
        ]
        bid = format_bid(self.bid, symbols=symbols)
        if self.made:
            lines.append(f"made: {self.total[0]} reaches the bid of {bid}")
        else:
            lines.append(f"failed: {self.total[0]} does not reach the bid of {bid}")
        for side, party in enumerate(PARTIES):
            line = _sum(self.terms[side])
            if self.factor > 1 and self.terms[side]:
                line = f"({line}) × {self.factor} [doubled]"
            for term in self.extras[side]:
                line += f" {'+' if term.value > 0 else '-'} {_term(term)}"
            lines.append(f"{party}: {line} = {self.raw[side]}, on the sheet {self.sheet[side]}")
        return lines


def _sum(terms: tuple[Term, ...]) -> str:
    return " + ".join(map(_term, terms)) or "nothing"


def _term(term: Term) -> str:
    return f"{abs(term.value)} {term.label}" + (f" [{term.key}]" if term.key else "")


def _dash(pair: Pair) -> str:
    return f"{pair[0]}-{pair[1]}"


def points_won(outcome: Outcome, rules: Ruleset) -> Pair:
    """Return the points of each side, where a capot counts ``capot_points`` against nothing."""
    if outcome.capot is None:
        return outcome.points
    return (rules.capot_points, 0) if outcome.capot == "declarers" else (0, rules.capot_points)


def totals(outcome: Outcome, rules: Ruleset) -> Pair:
    """Return each side's total: its points, its scoring declarations and its belote."""
    parts = (points_won(outcome, rules), outcome.declarations, outcome.belote)
    declarers, defence = map(sum, zip(*parts, strict=True))
    return declarers, defence


def totals_many(
    hands: npt.NDArray[np.uint32],
    trump: int | npt.NDArray[np.integer[Any]],
    leader: int | npt.NDArray[np.integer[Any]],
    values: npt.NDArray[np.integer[Any]],
    rules: Ruleset,
) -> npt.NDArray[np.int16]:
    """Return the totals of both sides for many deals with their double dummy values.

    Parameters
    ----------
    hands
        Card sets of shape ``(n, 4)``, before the play.
    trump, leader
        One index, or one for each deal.
    values
        The NS values as `double_dummy.solve_many` returns them: 0 to 162, or where all eight
        tricks go to NS ``capot_points``, and where they go to EW 162 less ``capot_points``.
    rules
        The ruleset.

    Returns
    -------
    ndarray
        int16 of shape ``(n, 2)``: NS, EW. The side that a capot leaves without a trick keeps its
        scoring declarations and its belote.
    """
    ns = np.clip(values, 0, None)
    ew = np.clip(CARD_POINTS_TOTAL - np.asarray(values), 0, None)
    return (
        np.stack([ns, ew], axis=1).astype(np.int16)
        + declaration_points_many(hands, trump, leader, rules)
        + belote_points_many(hands, trump, rules)
    )


def is_made(total: int, level: int) -> bool:
    """Tell whether a contract is made: the declarers' raw total reaches the bid.

    Neither the defence's total nor rounding has a say.
    """
    return total >= level


def score_deal(bid: Bid, outcome: Outcome, rules: Ruleset, multiplier: int = 1) -> Score:
    """Score one deal.

    Parameters
    ----------
    bid
        The contract.
    outcome
        What came of the play.
    rules
        The ruleset.
    multiplier
        1, or 2 for a doubled and 4 for a redoubled contract.

    Raises
    ------
    DealError
        If there are no such declarations or belote under this contract and ruleset.

    Examples
    --------
    >>> from pilotta_solver import load_ruleset, parse_bid
    >>> outcome = Outcome(points=(126, 36))
    >>> score_deal(parse_bid("120S"), outcome, load_ruleset("tsaka")).sheet
    (25, 3)
    >>> score_deal(parse_bid("120S"), outcome, load_ruleset("classic")).sheet
    (13, 3)
    """
    _check(bid, outcome, rules)
    total = totals(outcome, rules)
    made = is_made(total[0], bid.level)
    everything = multiplier > 1 and rules.doubled == "winner_takes_all"
    if everything:
        terms = _winner_takes_all(bid, outcome, rules, multiplier, made)
    elif made:
        terms = _made(bid, outcome, rules)
    else:
        terms = _failed(bid, outcome, rules)
    factor = 1 if everything else multiplier
    extras = _extras(bid, outcome, rules, made)

    raw, sheet = [0, 0], [0, 0]
    for side in range(2):
        base = sum(term.value for term in terms[side])
        extra = sum(term.value for term in extras[side])
        raw[side] = factor * base + extra
        # A multiplied result is rounded first; bonus and penalty are whole tens.
        sheet[side] = factor * to_tens(base, PARTIES[side], rules) + extra // 10
    return Score(
        bid,
        made,
        total,
        raw=(raw[0], raw[1]),
        sheet=(sheet[0], sheet[1]),
        own=_nonzero((_own(0, outcome, rules), _own(1, outcome, rules))),
        terms=_nonzero(terms),
        factor=factor,
        extras=_nonzero(extras),
    )


def _check(bid: Bid, outcome: Outcome, rules: Ruleset) -> None:
    """Refuse declarations and belotes that there are not under this contract and ruleset."""
    if any(outcome.declarations) and not rules.declarations:
        raise DealError(
            f"declarations {_dash(outcome.declarations)}: {rules.name} has none "
            "(declarations = false); leave them out"
        )
    most = {NO_TRUMP: 0, ALL_TRUMP: 4 if rules.all_trump_belote else 0}.get(bid.trump, 1)
    if sum(outcome.belote) > most * BELOTE_POINTS:
        key = " (all_trump_belote = false)" if bid.trump == ALL_TRUMP and not most else ""
        raise DealError(
            f"belote {_dash(outcome.belote)}: a contract of {format_bid(bid)} has at most "
            f"{most * BELOTE_POINTS} for belote{key}"
        )


_Terms = tuple[list[Term], list[Term]]


def _nonzero(terms: _Terms) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    declarers, defence = (tuple(term for term in side if term.value) for side in terms)
    return declarers, defence


def _own(side: int, outcome: Outcome, rules: Ruleset) -> list[Term]:
    """What a side has won: its points, its scoring declarations, its belote."""
    won = ("capot", "capot_points") if outcome.capot == PARTIES[side] else ("points",)
    return [
        Term(points_won(outcome, rules)[side], *won),
        Term(outcome.declarations[side], "declarations"),
        Term(outcome.belote[side], "belote"),
    ]


def _bid(bid: Bid, rules: Ruleset) -> list[Term]:
    return [Term(bid.level, "bid", "bid_scores")] if rules.bid_scores else []


def _made(bid: Bid, outcome: Outcome, rules: Ruleset) -> _Terms:
    """Each side writes its own total, the declarers also the bid if it scores."""
    return _own(0, outcome, rules) + _bid(bid, rules), _own(1, outcome, rules)


def _failed(bid: Bid, outcome: Outcome, rules: Ruleset) -> _Terms:
    """The defence scores all the points, the bid if it scores, and what is its own.

    Whether the declarers' declarations and belote go to it too is for ``failed_declarations`` and
    ``failed_belote`` to say.
    """
    declarers: list[Term] = []
    defence = [
        _all_points(outcome, rules, made=False),
        *_bid(bid, rules),
        Term(outcome.declarations[1], "declarations"),
        Term(outcome.belote[1], "belote"),
    ]
    lost = Term(outcome.declarations[0], "declarers' declarations", "failed_declarations")
    if rules.failed_declarations == "defence":
        defence.append(lost)
    elif rules.failed_declarations == "kept":
        declarers.append(lost)
    belote = Term(outcome.belote[0], "declarers' belote", "failed_belote")
    (defence if rules.failed_belote == "defence" else declarers).append(belote)
    return declarers, defence


def _winner_takes_all(
    bid: Bid, outcome: Outcome, rules: Ruleset, multiplier: int, made: bool
) -> _Terms:
    """Doubled: the winner scores the bid so many times, all points and everybody's extras."""
    winner = [
        Term(multiplier * bid.level, f"bid × {multiplier}", "doubled"),
        _all_points(outcome, rules, made=made),
        Term(sum(outcome.declarations), "declarations"),
        Term(sum(outcome.belote), "belote"),
    ]
    return (winner, []) if made else ([], winner)


def _all_points(outcome: Outcome, rules: Ruleset, *, made: bool) -> Term:
    """All the points of a deal: 162, or what failing or a capot makes of them."""
    if outcome.capot and rules.capot_points > CARD_POINTS_TOTAL:
        return Term(rules.capot_points, "capot", "capot_points")
    if made:
        return Term(CARD_POINTS_TOTAL, "points")
    return Term(rules.failed_points, "points", "failed_points")


def _extras(bid: Bid, outcome: Outcome, rules: Ruleset, made: bool) -> _Terms:
    """Bonus of a no-trump or all-trump contract that is made; penalty of a missed belote."""
    extras: _Terms = ([], [])
    if made and bid.trump == NO_TRUMP:
        extras[0].append(Term(rules.no_trump_bonus, "bonus", "no_trump_bonus"))
    if made and bid.trump == ALL_TRUMP:
        extras[0].append(Term(rules.all_trump_bonus, "bonus", "all_trump_bonus"))
    if outcome.missed_belote:
        penalty = Term(-rules.missed_belote_penalty, "missed belote", "missed_belote_penalty")
        extras[PARTIES.index(outcome.missed_belote)].append(penalty)
    return extras


def to_tens(raw: int, party: Party, rules: Ruleset) -> int:
    """Return a raw score in tens, rounded as the sheet shows it.

    Under ``rounding = "six"`` a last digit of 1 to 5 goes down and 7 to 9 up; a 6 goes up for the
    declarers and down for the defence, which keeps the sum of both sides.
    """
    tens, digit = divmod(raw, 10)
    if rules.rounding == "nearest":
        return tens + (digit >= 5)
    return tens + (digit >= (6 if party == "declarers" else 7))
