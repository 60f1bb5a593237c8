"""What the columns of every table mean: data of its own, for files, their pages and their readers.

``docs/schema.md`` is generated from the schemas below; JSON, CSV and Parquet share their names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pilotta_solver.cards import ALL_TRUMP, N_SUITS, NO_TRUMP, TRUMPS

ColumnType = Literal[
    "string", "dictionary", "int8", "int16", "int64", "uint32", "uint64", "float64"
]

TRUMP_WORDS = ("spades", "hearts", "diamonds", "clubs", "no_trump", "all_trump")
"""The contract in the name of a column, by trump; letters would be taken for seats."""

_SEAT_WORDS = {"n": "N", "w": "W", "s": "S", "e": "E"}


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes
    ----------
    name : str
        Its name, the same in JSON, CSV and Parquet.
    type : str
        Its Arrow type; ``dictionary`` is text that is stored once and pointed to.
    unit : str
        What is counted; empty for what has no unit.
    description : str
        One sentence for the reader of ``docs/schema.md``.
    nullable : bool
        Whether a value may be missing.
    """

    name: str
    type: ColumnType
    unit: str
    description: str
    nullable: bool = False


@dataclass(frozen=True)
class Schema:
    """The columns of one kind of table.

    Attributes
    ----------
    name : str
        The command that writes it, where ``command`` does not say another.
    version : int
        Raised whenever a column is added, removed or changes its meaning.
    row : str
        What one row is.
    columns : tuple of Column
        In the order of the file.
    command : str
        The command that writes it, with the option that makes it do so.
    """

    name: str
    version: int
    row: str
    columns: tuple[Column, ...]
    command: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in the order of the file."""
        return tuple(column.name for column in self.columns)


_ORIGIN = (
    Column("rules", "string", "", "Name of the ruleset."),
    Column("version", "string", "", "Version of pilotta-solver."),
)

_CONTRACT = Column(
    "trump", "string", "", "Trump of the contract: S, H, D, C, N (no trump) or A (all trump)."
)

_DIFFERENCE = "own side's score less the others'"


def _mean_columns() -> tuple[Column, ...]:
    """What a contract scores, undoubled, doubled and redoubled."""
    return tuple(
        Column(
            f"{name}{suffix}",
            "float64",
            f"{unit}",
            f"Mean difference {where}, played {how}: {_DIFFERENCE}.",
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


def _interval_columns(
    name: str, unit: str, meaning: str, *, missing: str = ""
) -> tuple[Column, ...]:
    """A number, and the two ends of its 95 % interval."""
    absent = f"; missing {missing}" if missing else ""
    no_interval = f"missing {missing}" if missing else "missing for one world"
    return (
        Column(name, "float64", unit, f"{meaning}{absent}.", nullable=bool(missing)),
        *(
            Column(
                f"{name}_{end}",
                "float64",
                unit,
                f"{word} end of the 95 % interval of {name}; {no_interval}.",
                nullable=True,
            )
            for end, word in (("low", "Lower"), ("high", "Upper"))
        ),
    )


BID = Schema(
    name="bid",
    version=3,
    row="a contract: one trump and one level, declared by the hand's own side",
    columns=(
        *_ORIGIN,
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
        _CONTRACT,
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
            "is counted by. Missing with --model dd, under a law of play without calibration, and for "
            "no trump and all trump.",
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

SOLVE = Schema(
    name="solve",
    version=1,
    row="a position solved",
    columns=(
        *_ORIGIN,
        Column("deal", "string", "", "The deal, hands in order of play from N."),
        _CONTRACT,
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

_DEAL_NUMBER = Column(
    "deal_number", "int64", "", "Number of the deal: with the seed it decides every card."
)

_HANDS = (
    *(
        Column(f"cards_{seat}", "uint32", "", f"Hand of {letter}: bit 8 * suit + rank.")
        for seat, letter in _SEAT_WORDS.items()
    ),
    *(
        Column(f"hand_{seat}", "string", "", f"Hand of {letter}, spades.hearts.diamonds.clubs.")
        for seat, letter in _SEAT_WORDS.items()
    ),
)

DEAL = Schema(
    name="deal",
    version=1,
    row="a deal, not solved",
    columns=(
        _ORIGIN[1],
        Column("seed", "uint64", "", "Seed of the deals."),
        _DEAL_NUMBER,
        Column("deal", "string", "", "The deal, hands in order of play from N."),
        *_HANDS,
    ),
)


_AT_TABLE = (
    "as four players play it who see only their own cards, each with decision_worlds worlds a "
    "card; a sweep is counted as in {}. Only with --model table{}."
)


def _contract_columns(trump: int, table: bool) -> tuple[Column, ...]:
    """The columns of one contract of a simulated deal, without its belote."""
    word = TRUMP_WORDS[trump]
    name = word.replace("_", " ") + (" as trumps" if trump < N_SUITS else "")
    return (
        Column(
            f"value_ns_{word}",
            "int16",
            "points",
            f"Exact value of {name} for N and S, double dummy: card points with the last trick, "
            "but a sweep counts capot_points, one by W and E 162 - capot_points.",
        ),
        Column(
            f"capot_{word}",
            "dictionary",
            "",
            f"Side that takes all eight tricks in {name}, ns or ew; missing if none does, or "
            "where capot_points is 162, since sweeps are then not looked for.",
            nullable=True,
        ),
        *(
            Column(
                f"declarations_{side}_{word}",
                "int16",
                "points",
                f"Declaration points that {seats} score in {name}, without belote.",
            )
            for side, seats in (("ns", "N and S"), ("ew", "W and E"))
        ),
        *((_table_column(word, name),) if table else ()),
    )


def _table_column(word: str, name: str) -> Column:
    """The result of self-play in one contract."""
    told = _AT_TABLE.format(f"value_ns_{word}", ", which makes version 2 of the table")
    return Column(
        f"table_ns_{word}", "int16", "points", f"Result of {name} for N and S at the table, {told}"
    )


def _belote_column(suit: int) -> Column:
    word = TRUMP_WORDS[suit]
    return Column(
        f"belote_{word}",
        "dictionary",
        "",
        f"Seat with K and Q of {word}: N, W, S or E; missing if no hand has both.",
        nullable=True,
    )


def simulate_schema(
    trumps: Iterable[int], *, all_trump_belote: bool = False, table: bool = False
) -> Schema:
    """The table of simulated deals for some contracts, in the order S H D C N A.

    Parameters
    ----------
    trumps : iterable of int
        The contracts: 0 to 3 a suit, 4 no trump, 5 all trump.
    all_trump_belote : bool
        Whether all trump has a belote in every suit; their columns are then there for all trump
        too.
    table : bool
        Whether the deals are also played by players who see only their own cards. The table then
        is of version 2, which programs that know no such column refuse.
    """
    wanted = set(trumps)
    belotes = wanted - {NO_TRUMP, ALL_TRUMP}
    if ALL_TRUMP in wanted and all_trump_belote:
        belotes = set(range(N_SUITS))
    return Schema(
        name="simulate",
        version=2 if table else 1,
        row="a deal, solved in every contract asked for",
        columns=(
            _DEAL_NUMBER,
            *_HANDS,
            *(column for trump in sorted(wanted) for column in _contract_columns(trump, table)),
            *(_belote_column(suit) for suit in sorted(belotes)),
        ),
    )


SIMULATE = simulate_schema(range(len(TRUMPS)), all_trump_belote=True, table=True)


def bid_out_schema(*, table: bool = False) -> Schema:
    """The table of simulated deals with the contract that a bidding system reaches.

    Parameters
    ----------
    table : bool
        Whether the contract is also played by players who see only their own cards.
    """
    absent = "; missing where all four passed"
    told = _AT_TABLE.format("value_ns", absent)
    return Schema(
        name="bid_out",
        version=1,
        row="a deal that four players bid by a system, with the contract they reached",
        columns=(
            _DEAL_NUMBER,
            *_HANDS,
            Column(
                "calls",
                "string",
                "",
                "The auction, from the seat that leads; the dealer is the seat before it.",
            ),
            Column(
                "contract_trump",
                "dictionary",
                "",
                f"Trump of the contract: S, H, D, C, N or A{absent}.",
                nullable=True,
            ),
            Column(
                "contract_level",
                "int16",
                "points",
                f"Level of the contract{absent}.",
                nullable=True,
            ),
            Column(
                "contract_multiplier",
                "int8",
                "",
                f"1, or 2 for a doubled and 4 for a redoubled contract{absent}.",
                nullable=True,
            ),
            Column(
                "declarer",
                "dictionary",
                "",
                f"Seat that made the last bid: N, W, S or E{absent}.",
                nullable=True,
            ),
            Column(
                "value_ns",
                "int16",
                "points",
                "Exact value of the contract for N and S, double "
                "dummy: card points with the last trick, but a sweep counts capot_points, one "
                f"by W and E 162 - capot_points{absent}.",
                nullable=True,
            ),
            Column(
                "capot",
                "dictionary",
                "",
                "Side that takes all eight tricks, double dummy, ns "
                "or ew; missing if none does, or where capot_points is 162.",
                nullable=True,
            ),
            *(
                Column(
                    f"{what}_{side}",
                    "int16",
                    "points",
                    f"{words} that {seats} score{absent}.",
                    nullable=True,
                )
                for what, words in (
                    ("declarations", "Declaration points, without belote,"),
                    ("belote", "Belote points"),
                )
                for side, seats in (("ns", "N and S"), ("ew", "W and E"))
            ),
            *(
                (
                    Column(
                        "table_ns",
                        "int16",
                        "points",
                        f"Result of the contract for N and S at the table, {told}",
                        nullable=True,
                    ),
                )
                if table
                else ()
            ),
        ),
        command="simulate --bid-by",
    )


BID_OUT = bid_out_schema(table=True)

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
            *_ORIGIN,
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
                f"Mean difference on the sheet, undoubled: {_DIFFERENCE}.",
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

PLAY = Schema(
    name="play",
    version=1,
    row="a card that may be played",
    columns=(
        *_ORIGIN,
        Column("seed", "uint64", "", "Seed of the worlds."),
        Column("hand", "string", "", "The eight cards dealt, spades.hearts.diamonds.clubs."),
        Column("seat", "string", "", "Seat of the player, who is to play: N, W, S or E."),
        _CONTRACT,
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
        *_interval_columns(
            "mean",
            "points",
            "Mean of the own side's points over the whole deal if the card is played and all then "
            "play best with all cards seen; a sweep counts capot_points, one by the other side 162 "
            "less that",
        ),
        *_interval_columns(
            "behind",
            "points",
            "Mean of the points by which the choice does better in the same world",
        ),
        *_interval_columns(
            "p_made",
            "probability",
            "Chance that the declarers make the contract",
            missing="without a bid",
        ),
    ),
)

SCHEMAS = (BID, SOLVE, SIMULATE, BID_OUT, DEAL, TABLE, PLAY)
