"""What a column and a table are, and the columns that several tables share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ColumnType = Literal[
    "string", "dictionary", "int8", "int16", "int64", "uint32", "uint64", "float64"
]

TRUMP_WORDS = ("spades", "hearts", "diamonds", "clubs", "no_trump", "all_trump")
"""The contract in the name of a column, by trump; letters would be taken for seats."""

SEAT_WORDS = {"n": "N", "w": "W", "s": "S", "e": "E"}


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


ORIGIN = (
    Column("rules", "string", "", "Name of the ruleset."),
    Column("version", "string", "", "Version of pilotta-solver."),
)

CONTRACT = Column(
    "trump", "string", "", "Trump of the contract: S, H, D, C, N (no trump) or A (all trump)."
)

DIFFERENCE = "own side's score less the others'"


def interval_columns(
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
