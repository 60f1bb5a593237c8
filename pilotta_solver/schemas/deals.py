"""The tables of deals: ``pilotta deal`` and ``pilotta simulate``."""

from __future__ import annotations

from collections.abc import Iterable

from pilotta_solver.cards import ALL_TRUMP, N_SUITS, NO_TRUMP, TRUMPS
from pilotta_solver.schemas.column import ORIGIN, SEAT_WORDS, TRUMP_WORDS, Column, Schema

_DEAL_NUMBER = Column(
    "deal_number", "int64", "", "Number of the deal: with the seed it decides every card."
)

_HANDS = (
    *(
        Column(f"cards_{seat}", "uint32", "", f"Hand of {letter}: bit 8 * suit + rank.")
        for seat, letter in SEAT_WORDS.items()
    ),
    *(
        Column(f"hand_{seat}", "string", "", f"Hand of {letter}, spades.hearts.diamonds.clubs.")
        for seat, letter in SEAT_WORDS.items()
    ),
)

DEAL = Schema(
    name="deal",
    version=1,
    row="a deal, not solved",
    columns=(
        ORIGIN[1],
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
