"""The table of ``pilotta table``: a row a class of hands and a level."""

from __future__ import annotations

from collections.abc import Iterable

from pilotta_solver.schemas.column import DIFFERENCE, ORIGIN, Column, Schema

CLASS_COLUMNS = (
    Column(
        "pattern",
        "string",
        "",
        "J, 9 and A of trumps held, then KQ if both are, then how many other trumps: J9A+1; none "
        "of these and two others are +2, no trump is 0; J9+any 3 are rare holdings of five trumps "
        "with J and 9, put together.",
    ),
    Column(
        "honours",
        "string",
        "",
        "Trumps held among J 9 A T K Q, each by name, then how many of 8 and 7: J9AK+1; rare ones "
        "as in pattern.",
    ),
    Column("length", "int8", "cards", "Trumps held."),
    Column("jack", "int8", "cards", "Jack of trumps held: 1 or 0."),
    Column("nine", "int8", "cards", "Nine of trumps held: 1 or 0."),
    Column("ace", "int8", "cards", "Ace of trumps held: 1 or 0."),
    Column("ten", "int8", "cards", "Ten of trumps held: 1 or 0."),
    Column("belote", "int8", "", "King and queen of trumps held together: 1 or 0."),
    Column("side_aces", "int8", "cards", "Aces held outside trumps."),
    Column("side_tens", "int8", "cards", "Tens held outside trumps."),
    Column(
        "guarded_tens",
        "int8",
        "cards",
        "Tens held outside trumps with at least one other card of their suit.",
    ),
    Column("voids", "int8", "suits", "Suits other than trumps of which no card is held."),
    Column("singletons", "int8", "suits", "Suits other than trumps of which one card is held."),
    Column("aces", "int8", "cards", "Aces held in all suits."),
    Column("tens", "int8", "cards", "Tens held in all suits."),
    Column("jacks", "int8", "cards", "Jacks held in all suits."),
    Column("nines", "int8", "cards", "Nines held in all suits."),
    Column(
        "declarations",
        "int16",
        "points",
        "Worth of the own hand's declarations, without belote, whoever wins the contest.",
    ),
    Column("lead", "string", "", "Side that leads to the first trick: own or other."),
    Column("place", "int8", "", "Place in the order of play, 1 to 4; 1 leads."),
)
"""What may make a class of hands in a bidding table: a column for each quantity."""


def table_schema(by: Iterable[str]) -> Schema:
    """The bidding table whose classes are made by some quantities.

    Parameters
    ----------
    by : iterable of str
        Names of `CLASS_COLUMNS`, in the order of the columns.
    """
    of_class = {column.name: column for column in CLASS_COLUMNS}
    return Schema(
        name="table",
        version=1,
        row="a hand class and a level, declared by the hand's own side, undoubled",
        columns=(
            *ORIGIN,
            Column("seed", "uint64", "", "Seed of the deals."),
            Column("trumps", "string", "", "The contracts looked at: letters of S, H, D, C, N, A."),
            Column("n_deals_in_all", "int64", "deals", "Deals behind the whole table."),
            Column("by", "string", "", "What makes a class: names of columns, with commas."),
            Column("hand_class", "string", "", "The class, in a player's words."),
            *(of_class[name] for name in by),
            Column("merged", "int8", "", "1 if rare classes were put together to make it, else 0."),
            Column("rare", "int8", "", "1 if its observations are too few all the same, else 0."),
            Column("n", "int64", "observations", "Hands with their trump in the class."),
            Column("n_deals", "int64", "deals", "Deals that they come from."),
            Column(
                "mean_total",
                "float64",
                "points",
                "Mean of the own side's total: points (a sweep counts capot_points), scoring "
                "declarations and belote, double dummy.",
            ),
            Column(
                "best",
                "int16",
                "points",
                "Level of greatest mean sheet difference; 0, to pass, if none is above 0.",
            ),
            Column(
                "highest",
                "int16",
                "points",
                "Highest level whose mean sheet difference is above 0, and with it every lower "
                "one's; 0 if none is.",
            ),
            Column("bid", "int16", "points", "Level of the bid."),
            Column("p_made", "float64", "probability", "Share of the hands whose total >= bid."),
            Column("ci_low", "float64", "probability", "Lower end of its 95 % interval."),
            Column("ci_high", "float64", "probability", "Upper end of its 95 % interval."),
            Column(
                "sheet",
                "float64",
                "tens",
                f"Mean difference on the sheet, undoubled: {DIFFERENCE}.",
            ),
            Column(
                "sheet_low",
                "float64",
                "tens",
                "Lower end of its 95 % interval; missing for a class from one deal.",
                nullable=True,
            ),
            Column(
                "sheet_high",
                "float64",
                "tens",
                "Upper end of its 95 % interval; missing for a class from one deal.",
                nullable=True,
            ),
        ),
    )


TABLE = table_schema(column.name for column in CLASS_COLUMNS)
