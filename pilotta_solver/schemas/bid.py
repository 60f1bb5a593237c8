"""The table of ``pilotta bid``: a row a contract."""

from __future__ import annotations

from pilotta_solver.schemas.column import CONTRACT, DIFFERENCE, ORIGIN, Column, Schema


def _mean_columns() -> tuple[Column, ...]:
    """What a contract scores, undoubled, doubled and redoubled."""
    return tuple(
        Column(
            f"{name}{suffix}",
            "float64",
            f"{unit}",
            f"Mean difference {where}, played {how}: {DIFFERENCE}.",
        )
        for name, unit, where in (
            ("raw", "points", "in raw points"),
            ("sheet", "tens", "on the sheet"),
        )
        for suffix, how in (
            ("", "undoubled"),
            ("_doubled", "doubled"),
            ("_redoubled", "redoubled"),
        )
    )


BID = Schema(
    name="bid",
    version=3,
    row="a contract: one trump and one level, declared by the hand's own side",
    columns=(
        *ORIGIN,
        Column("seed", "uint64", "", "Seed of the worlds."),
        Column("hand", "string", "", "The hand, spades.hearts.diamonds.clubs."),
        Column("seat", "int8", "", "Place in the order of speaking, 1 to 4; 1 leads."),
        Column("play", "string", "", "How worlds are solved: double dummy, all cards seen."),
        Column(
            "model",
            "string",
            "",
            "What contracts are valued by: table, results as they come at the table, or dd, double "
            "dummy results.",
        ),
        Column("leads", "string", "", "Who leads to the first trick: you, right, partner or left."),
        Column(
            "line",
            "int64",
            "",
            "With --file: the line in which it was asked; missing otherwise.",
            nullable=True,
        ),
        Column("asked", "string", "", "The bid asked about; missing if none was.", nullable=True),
        Column("best", "string", "", "The best call: a bid, or P, X, XX."),
        Column("alternative", "string", "", "The best call but for bids: P, X or XX."),
        Column(
            "n_worlds",
            "int64",
            "worlds",
            "Sampled completions of the three hidden hands, solved for this trump; fewer where the "
            "trump could no longer be the best.",
        ),
        CONTRACT,
        Column(
            "mean_card_points",
            "float64",
            "card points",
            "Mean of the own side's card points with the last trick, 0 to 162, double dummy.",
        ),
        Column(
            "sd_card_points",
            "float64",
            "card points",
            "Standard deviation of these card points from world to world; missing for one world.",
            nullable=True,
        ),
        Column(
            "mean_total",
            "float64",
            "points",
            "Mean of the own side's total: points (a sweep counts capot_points), scoring "
            "declarations and belote.",
        ),
        Column(
            "mean_total_table",
            "float64",
            "points",
            "The same at the table; missing where p_table is.",
            nullable=True,
        ),
        Column(
            "p_capot",
            "float64",
            "probability",
            "Share of the worlds in which the own side takes all eight tricks; missing where "
            "capot_points is 162, since sweeps are then not looked for.",
            nullable=True,
        ),
        Column(
            "highest",
            "int16",
            "points",
            "Highest level of the trump that may be bid and is worth more than the best "
            "alternative; missing if none is.",
            nullable=True,
        ),
        Column("bid", "int16", "points", "Level of the bid."),
        Column(
            "p_made",
            "float64",
            "probability",
            "Chance that total >= bid: the share of the worlds, or, for the trump in question, of "
            "all worlds in which it was decided.",
        ),
        Column("ci_low", "float64", "probability", "Lower end of the 95 % interval of p_made."),
        Column("ci_high", "float64", "probability", "Upper end of the 95 % interval of p_made."),
        Column(
            "p_table",
            "float64",
            "probability",
            "Chance of the same at the table, where nobody sees the others' cards: what the worth "
            "is counted by. Missing with --model dd, under a law of play without calibration, and "
            "for no trump and all trump.",
            nullable=True,
        ),
        Column(
            "table_low",
            "float64",
            "probability",
            "Lower end of the 95 % interval of p_table, the calibration's uncertainty in it.",
            nullable=True,
        ),
        Column(
            "table_high", "float64", "probability", "Upper end of that interval.", nullable=True
        ),
        *_mean_columns(),
        Column(
            "worth",
            "float64",
            "tens",
            "How much more than the best alternative the contract is worth, undoubled, on the "
            "sheet.",
        ),
        Column(
            "worth_low",
            "float64",
            "tens",
            "Lower end of the 95 % interval of worth; missing for one world.",
            nullable=True,
        ),
        Column(
            "worth_high",
            "float64",
            "tens",
            "Upper end of the 95 % interval of worth; missing for one world.",
            nullable=True,
        ),
        Column(
            "break_even",
            "float64",
            "probability",
            "The p_made at which the contract is worth as much as the best alternative; missing if "
            "the worlds do not tell.",
            nullable=True,
        ),
        Column(
            "p_win",
            "float64",
            "probability",
            "Chance of winning the game after the contract; missing without --score.",
            nullable=True,
        ),
        Column(
            "p_win_gain",
            "float64",
            "probability",
            "How much more that is than after the best alternative; missing without --score.",
            nullable=True,
        ),
    ),
)
