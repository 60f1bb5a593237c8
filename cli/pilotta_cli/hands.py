"""Many questions from CSV: a hand and a bid a line, with what is known at the table."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pilotta_cli.knowledge import Told
from pilotta_cli.options import current_tongue
from pilotta_solver.errors import PilottaError

if TYPE_CHECKING:
    from pilotta_solver.knowledge.auction_knowledge import PlayerView
    from pilotta_solver.notation import Bid
    from pilotta_solver.ruleset import Ruleset

REQUIRED = ("hand", "bid")
OPTIONAL = ("seat", "auction", "partner", "right", "left", "score", "target")


@dataclass(frozen=True)
class Asked:
    """A question, as `pilotta_solver.advice.advise.advise` takes it."""

    hand: int
    question: Bid | None
    view: PlayerView
    bidding_is_over: bool
    score: tuple[int, int] | None
    target: int | None


def is_bidding_over(auction: str | None, rules: Ruleset) -> bool:
    """Tell whether only doubles are left to call after an auction, given as it was typed."""
    from pilotta_solver.auction import Auction
    from pilotta_solver.knowledge.auction_knowledge import DEALER
    from pilotta_solver.notation import parse_calls

    calls = parse_calls(auction or "", rules, current_tongue())
    return Auction(rules, DEALER, calls).phase != "bidding"


@dataclass(frozen=True)
class Row:
    """A line of the file that is not blank, not yet understood.

    Attributes
    ----------
    name : str
        The file.
    line : int
        The line, 1 for the head.
    fields : list of str
        What stands in it.
    head : tuple of str
        The columns.
    """

    name: str
    line: int
    fields: list[str]
    head: tuple[str, ...]

    @property
    def where(self) -> str:
        """File and line, for messages."""
        return f"{self.name}, line {self.line}"

    def read(
        self,
        rules: Ruleset,
        told: Told,
        seat: int | None,
        score: tuple[int, int] | None,
        target: int | None,
    ) -> Asked:
        """Understand the line; what it leaves empty is taken from the options.

        Raises
        ------
        PilottaError
            If it cannot be understood.
        """
        from pilotta_solver.knowledge.auction_knowledge import player_view
        from pilotta_solver.notation import parse_bid, parse_hand

        if len(self.fields) != len(self.head):
            raise PilottaError(
                f"{len(self.fields)} fields under a head of {len(self.head)}; quote a field that "
                "holds commas"
            )
        told_here = {name: text.strip() for name, text in zip(self.head, self.fields, strict=True)}
        get = told_here.get
        cards = current_tongue()
        view = player_view(
            rules,
            seat=_number(get("seat"), "seat") or seat,
            auction=get("auction") or told.auction,
            system=told.system,
            partner=get("partner") or told.partner,
            right=get("right") or told.right,
            left=get("left") or told.left,
            cards=cards,
        )
        bid = told_here["bid"]
        return Asked(
            parse_hand(told_here["hand"], cards),
            parse_bid(bid, rules, cards) if bid else None,
            view,
            is_bidding_over(get("auction") or told.auction, rules),
            parse_score(get("score") or "") if get("score") else score,
            _number(get("target"), "target") or target,
        )


def parse_score(text: str) -> tuple[int, int]:
    """Read the score of a game, ours and theirs: ``210-180``.

    Raises
    ------
    PilottaError
        If it is not two whole numbers.
    """
    us, dash, them = (part.strip() for part in text.partition("-"))
    if not (dash and us.isdecimal() and them.isdecimal()):
        raise PilottaError(f"'{text}': give our score and theirs, as in 210-180")
    return int(us), int(them)


def _number(text: str | None, what: str) -> int | None:
    if not text:
        return None
    if not text.isdecimal() or int(text) == 0:
        raise PilottaError(f"{what} '{text}': give a whole number from 1 on")
    return int(text)


def read_rows(path: str) -> Iterator[Row]:
    """Read the lines of a file of questions.

    Parameters
    ----------
    path : str
        The file, or ``-`` for stdin.

    Raises
    ------
    PilottaError
        If the file cannot be read, is empty, has a head without the columns ``hand`` and ``bid`` or
        with an unknown one, or is no CSV.
    """
    name = "stdin" if path == "-" else path
    reader = csv.reader(io.StringIO(_text(path, name), newline=""), strict=True)
    try:
        head = tuple(field.strip().lower() for field in next(reader, []))
        _check_head(head, name)
        n_rows = 0
        for fields in reader:
            if any(field.strip() for field in fields):
                n_rows += 1
                yield Row(name, reader.line_num, fields, head)
    except csv.Error as error:
        raise PilottaError(
            f"{name}, line {reader.line_num}: malformed CSV ({error}); mend the line"
        ) from error
    if n_rows == 0:
        raise PilottaError(f"{name}, line 1: no question follows the head; add a line for each")


def _text(path: str, name: str) -> str:
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise PilottaError(
            f"{name}: cannot be read ({error.strerror}); name a CSV file, or - for stdin"
        ) from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise PilottaError(
            f"{name}, line {line}: not UTF-8 text; save the file as UTF-8"
        ) from error


def _check_head(head: tuple[str, ...], name: str) -> None:
    known = ", ".join((*REQUIRED, *OPTIONAL))
    if not any(head):
        raise PilottaError(f"{name}, line 1: empty file; the first line names columns of {known}")
    for column in REQUIRED:
        if column not in head:
            raise PilottaError(
                f"{name}, line 1: no column '{column}'; the first line names columns of {known}"
            )
    for column in head:
        if column not in REQUIRED + OPTIONAL:
            raise PilottaError(f"{name}, line 1: unknown column '{column}'; there are {known}")
        if head.count(column) > 1:
            raise PilottaError(f"{name}, line 1: two columns '{column}'; rename one")
