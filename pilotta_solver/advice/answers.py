"""What `advice.advise` answers: the numbers and their names, the same here, in JSON and in tables.

Differences are the own side's score less the others', in raw points or on the sheet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from pilotta_solver.advice.reasons import Example, Reason
from pilotta_solver.notation import Bid, format_bid, format_hand, format_trump
from pilotta_solver.ruleset import Ruleset


@dataclass(frozen=True)
class Level:
    """One level of a contract: how often it is made, and what it is worth.

    Attributes
    ----------
    bid : int
        The level, in points.
    p_made : float
        The chance that the total reaches the level, double dummy.
    ci_low, ci_high : float
        The 95 % interval of `p_made`.
    p_table, table_low, table_high : float or None
        The chance at the table, where nobody sees the others' cards, and its 95 % interval, the
        uncertainty of the calibration in it; None if there is no calibration for the contract, or
        none was wanted. If it is there, all that follows is counted at the table.
    raw, raw_doubled, raw_redoubled : float
        Mean difference in raw points, played undoubled, doubled and redoubled.
    sheet, sheet_doubled, sheet_redoubled : float
        The same on the sheet.
    worth, worth_low, worth_high : float
        How much more than the best alternative the contract is worth, undoubled, on the sheet:
        mean and 95 % interval; for one world the interval is the whole line, and its ends are
        None.
    break_even : float or None
        The chance of making it (`p_table` where it is there, else `p_made`) at which it is worth as
        much as the best alternative; None if the worlds do not tell.
    p_win, p_win_gain : float or None
        The chance of winning the game after it, and how much more that is than after the best
        alternative; None if no score of the game was given.
    """

    bid: int
    p_made: float
    ci_low: float
    ci_high: float
    p_table: float | None
    table_low: float | None
    table_high: float | None
    raw: float
    raw_doubled: float
    raw_redoubled: float
    sheet: float
    sheet_doubled: float
    sheet_redoubled: float
    worth: float
    worth_low: float | None
    worth_high: float | None
    break_even: float | None
    p_win: float | None
    p_win_gain: float | None


@dataclass(frozen=True)
class Contract:
    """What the own side makes of one trump.

    Attributes
    ----------
    trump : int
        0 to 3 for S H D C, 4 no trump, 5 all trump.
    n_worlds : int
        Worlds solved. A trump that can no longer be the answer has fewer than others.
    mean_card_points : float
        Mean card points with the last trick, 0 to 162.
    sd_card_points : float or None
        Their standard deviation from world to world; None for one world.
    mean_total : float
        Mean total: points (a sweep counts ``capot_points``), scoring declarations and belote.
    mean_total_table : float or None
        The same at the table; None where `Level.p_table` is.
    p_capot : float or None
        Share of the worlds in which the own side takes every trick; None where
        ``capot_points`` is 162, since sweeps are then not looked for.
    highest : int or None
        The highest level that may be bid and is worth more than the best alternative.
    levels : tuple of Level
        Every level of the ruleset, up to 400 where the auction has no highest bid.
    """

    trump: int
    n_worlds: int
    mean_card_points: float
    sd_card_points: float | None
    mean_total: float
    mean_total_table: float | None
    p_capot: float | None
    highest: int | None
    levels: tuple[Level, ...]


@dataclass(frozen=True)
class Alternative:
    """What can be done instead of bidding.

    Attributes
    ----------
    call : str
        The call: ``P``, ``X`` or ``XX``.
    meaning : str
        What then counts: ``passed out``, or the contract that is played, such as ``80H doubled``.
    raw, sheet : float
        Mean difference in raw points and on the sheet.
    sheet_low, sheet_high : float or None
        The 95 % interval of `sheet`; None for one world.
    p_win : float or None
        The chance of winning the game after it, if a score was given.
    """

    call: str
    meaning: str
    raw: float
    sheet: float
    sheet_low: float | None
    sheet_high: float | None
    p_win: float | None


@dataclass(frozen=True)
class Call:
    """The best call, with what it is worth.

    Attributes
    ----------
    call : str
        A bid such as ``100S``, or ``P``, ``X``, ``XX``.
    sheet : float
        Mean difference on the sheet.
    worth : float
        How much more that is than the best alternative; 0 if it is the best alternative.
    p_win : float or None
        The chance of winning the game after it, if a score was given.
    """

    call: str
    sheet: float
    worth: float
    p_win: float | None


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
        ``"yes"`` if the bid is worth more than the best alternative, ``"no"`` if it is worth less,
        ``"close"`` if the interval leaves both open. With a score of the game, worth is counted in
        chances of winning it.
    n_worlds : int
        Worlds in which it was decided whether the contract is made: those solved, and more in
        which only that was asked.
    level : Level
        All that is known of the bid.
    highest : int or None
        The highest level of the trump that is worth more than the best alternative.
    alternative : str
        The call of the best alternative.
    reasons : tuple of Reason
        What it hangs on.
    examples : tuple of Example
        Some worlds, written out.
    """

    bid: Bid
    p_made: float
    ci_low: float
    ci_high: float
    verdict: str
    n_worlds: int
    level: Level
    highest: int | None
    alternative: str
    reasons: tuple[Reason, ...]
    examples: tuple[Example, ...]

    def as_dict(self) -> dict[str, Any]:
        """The answer as JSON has it."""
        level = asdict(self.level)
        return {
            "bid": format_bid(self.bid),
            "p_made": self.p_made,
            "ci_low": self.ci_low,
            "ci_high": self.ci_high,
            "verdict": self.verdict,
            "n_worlds": self.n_worlds,
            **{key: value for key, value in level.items() if key not in _IN_QUESTION},
            "highest": self.highest,
            "alternative": self.alternative,
            "reasons": [asdict(reason) for reason in self.reasons],
            "worlds": [asdict(example) for example in self.examples],
        }


_IN_QUESTION = ("bid", "p_made", "ci_low", "ci_high")


@dataclass(frozen=True)
class Method:
    """How the worlds were drawn and solved.

    Attributes
    ----------
    play : str
        How worlds are solved: ``double dummy``, everybody sees all the cards.
    model : str
        What the worth of a contract is counted by: ``table``, double dummy results turned into
        results at the table, or ``dd``, double dummy.
    calibrated : bool
        Whether the law of play is one for which there is a calibration of play at the table.
    leads : str
        Who leads to the first trick: ``you``, ``right``, ``partner`` or ``left``.
    intervals : str
        ``wilson``, for a number of worlds that was given; ``confidence sequence``, which holds
        however often it is looked at.
    stopped_by : str
        What ended the sampling: ``worlds``, ``precision`` or ``time``.
    n_tried : int
        Deals drawn for the worlds, those that did not agree with what is known among them.
    acceptance : float
        The share of them that agreed.
    known : tuple of str
        What is known of the hidden hands, and what the calls of the others are taken to mean.
    """

    play: str
    model: str
    calibrated: bool
    leads: str
    intervals: str
    stopped_by: str
    n_tried: int
    acceptance: float
    known: tuple[str, ...]


@dataclass(frozen=True)
class Advice:
    """Every contract of one hand, its alternatives, and the answer to a question.

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
        Worlds solved for the contract that is solved in most of them.
    contracts : tuple of Contract
        The trumps that the ruleset lets be bid, in the order S H D C N A.
    question : Question or None
        The answer about one bid, if one was asked about.
    alternatives : tuple of Alternative
        What can be done instead of bidding, the best first.
    best : Call
        The best call of all.
    score, target : tuple of int, int or None
        The score of the game, ours and theirs, and what wins it, if given.
    method : Method
        How it was found out.
    """

    rules: Ruleset
    version: str
    seed: int
    hand: int
    seat: int
    n_worlds: int
    contracts: tuple[Contract, ...]
    question: Question | None
    alternatives: tuple[Alternative, ...]
    best: Call
    score: tuple[int, int] | None
    target: int | None
    method: Method

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
                    **asdict(contract),
                    "trump": format_trump(contract.trump),
                    "levels": [asdict(level) for level in contract.levels],
                }
                for contract in self.contracts
            ],
            "question": None if self.question is None else self.question.as_dict(),
            "alternatives": [asdict(alternative) for alternative in self.alternatives],
            "best": asdict(self.best),
            "score": None if self.score is None else list(self.score),
            "target": self.target,
            "method": {**asdict(self.method), "known": list(self.method.known)},
        }

    def records(self) -> Iterator[dict[str, Any]]:
        """The rows of the table `parquet.BID`: one for each trump and level."""
        advice = self.as_dict()
        common = {key: advice[key] for key in ("rules", "version", "seed", "hand", "seat")}
        common |= {name: getattr(self.method, name) for name in ("play", "model", "leads")}
        common["line"] = None  # for who has read the question from a file
        common["asked"] = None if self.question is None else format_bid(self.question.bid)
        common["best"] = self.best.call
        common["alternative"] = self.alternatives[0].call
        for contract in advice["contracts"]:
            levels = contract.pop("levels")
            for level in levels:
                yield {**common, **contract, **level}
