"""What the table that comes with the program says of hands like the one asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pilotta_cli.output import percent

if TYPE_CHECKING:
    from pilotta_solver.advice.answers import Advice
    from pilotta_solver.bidding_table.shipped import ClassRow

_PASSED_OUT = "passed out"


def class_of(advice: Advice) -> ClassRow | None:
    """Return the class of the hand in the bid asked about, else in the best bid.

    Where passing is best, in the lowest level of the trump with the greatest mean total.

    Returns
    -------
    ClassRow or None
        None if anything is known of the other hands or somebody has bid, since the table is about
        hands before that; and where no table comes with the program for the ruleset, the trump or
        the level.
    """
    from pilotta_solver.bidding_table.shipped import class_row
    from pilotta_solver.notation import parse_bid

    if advice.method.known or any(one.meaning != _PASSED_OUT for one in advice.alternatives):
        return None
    if advice.question is not None:
        bid = advice.question.bid
        trump, level = bid.trump, bid.level
    elif advice.best.call[0].isdigit():
        best = parse_bid(advice.best.call)
        trump, level = best.trump, best.level
    else:
        trump = max(advice.contracts, key=lambda contract: contract.mean_total).trump
        level = advice.rules.first_bid
    return class_row(advice.hand, trump, advice.seat - 1, level, advice.rules)


def advice_dict(advice: Advice) -> dict[str, Any]:
    """The advice as JSON has it, with the class of its hand."""
    row = class_of(advice)
    return {**advice.as_dict(), "hand_class": None if row is None else row.as_dict()}


def class_sentence(row: ClassRow, *, symbols: bool) -> str:
    """What the table says, in one sentence."""
    from pilotta_solver.notation import Bid, format_bid

    like = f"Double dummy, hands like this ({row.hand_class})"
    if row.rare:
        return f"{like}: only {row.n:,} among {row.n_deals:,} deals, too few to tell."
    bid = format_bid(Bid(row.bid, row.trump), symbols=symbols)
    best = f"best call {row.best}" if row.best else "best to pass"
    return f"{like}: {bid} makes {percent(row.p_made)} % of {row.n:,}; {best}."
