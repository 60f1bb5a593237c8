"""The tables of single positions: ``pilotta solve`` and ``pilotta play``."""

from __future__ import annotations

from pilotta_solver.schemas.column import CONTRACT, ORIGIN, Column, Schema, interval_columns

SOLVE = Schema(
    name="solve",
    version=1,
    row="a position solved",
    columns=(
        *ORIGIN,
        Column("deal", "string", "", "The deal, hands in order of play from N."),
        CONTRACT,
        Column("leader", "string", "", "Seat that leads to the first trick: N, W, S or E."),
        Column("played", "string", "", "Cards played before the position, in order; may be empty."),
        Column("card_points_ns", "int16", "card points", "Card points of N and S, 0 to 162."),
        Column("card_points_ew", "int16", "card points", "Card points of W and E, 0 to 162."),
        Column(
            "value_ns",
            "int16",
            "points",
            "Value for N and S: as the card points, but a sweep counts capot_points, and the other "
            "side then has 162 - capot_points.",
        ),
        Column("value_ew", "int16", "points", "Value for W and E, counted likewise."),
        Column(
            "capot",
            "string",
            "",
            "Side that takes all the tricks, ns or ew; missing if none does.",
            nullable=True,
        ),
        Column(
            "cards",
            "string",
            "points",
            "With --cards: a JSON object from each legal card to the value for N and S after it.",
            nullable=True,
        ),
    ),
)


PLAY = Schema(
    name="play",
    version=1,
    row="a card that may be played",
    columns=(
        *ORIGIN,
        Column("seed", "uint64", "", "Seed of the worlds."),
        Column("hand", "string", "", "The eight cards dealt, spades.hearts.diamonds.clubs."),
        Column("seat", "string", "", "Seat of the player, who is to play: N, W, S or E."),
        CONTRACT,
        Column("leader", "string", "", "Seat that led to the first trick."),
        Column("played", "string", "", "Cards played so far, in order; may be empty."),
        Column("declarer", "string", "", "Seat that bid; missing without a bid.", nullable=True),
        Column("level", "int16", "points", "The bid; missing without one.", nullable=True),
        Column("aim", "string", "", "What the player wants most: points or contract."),
        Column("n_worlds", "int64", "worlds", "Worlds drawn; every card is solved in each."),
        Column(
            "n_deals",
            "int64",
            "deals",
            "Deals that agree with what is known of cards and lengths; worlds are drawn from them.",
        ),
        Column("choice", "string", "", "The card that the player chooses."),
        Column("card", "string", "", "The card that this row is about; the best come first."),
        *interval_columns(
            "mean",
            "points",
            "Mean of the own side's points over the whole deal if the card is played and all then "
            "play best with all cards seen; a sweep counts capot_points, one by the other side 162 "
            "less that",
        ),
        *interval_columns(
            "behind",
            "points",
            "Mean of the points by which the choice does better in the same world",
        ),
        *interval_columns(
            "p_made",
            "probability",
            "Chance that the declarers make the contract",
            missing="without a bid",
        ),
    ),
)
