"""Tables on disk: what their columns mean, writing them, and reading them back.

The only module that imports pyarrow and pandas, and only once a file is written or read. The
schemas below are data of their own: ``docs/schema.md`` is generated from them, and a CSV has the
same columns.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pilotta_solver.errors import PilottaError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

ColumnType = Literal["string", "int8", "int16", "int64", "uint64", "float64"]

ROWS_PER_GROUP = 16_384

_PREFIX = "pilotta."


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes
    ----------
    name : str
        Its name, the same in JSON, CSV and Parquet.
    type : str
        Its Arrow type.
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
        The command that writes it.
    version : int
        Raised whenever a column is added, removed or changes its meaning.
    row : str
        What one row is.
    columns : tuple of Column
        In the order of the file.
    """

    name: str
    version: int
    row: str
    columns: tuple[Column, ...]

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

BID = Schema(
    name="bid",
    version=1,
    row="a contract: one trump and one level, declared by the hand's own side",
    columns=(
        *_ORIGIN,
        Column("seed", "uint64", "", "Seed of the worlds."),
        Column("hand", "string", "", "The hand, spades.hearts.diamonds.clubs."),
        Column("seat", "int8", "", "Place in the order of speaking, 1 to 4; 1 leads."),
        Column("n_worlds", "int64", "worlds", "Sampled completions of the three hidden hands."),
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
            "p_capot",
            "float64",
            "probability",
            "Share of the worlds in which the own side takes all eight tricks; missing where "
            "capot_points is 162, since sweeps are then not looked for.",
            nullable=True,
        ),
        Column("bid", "int16", "points", "Level of the bid."),
        Column("p_made", "float64", "probability", "Share of the worlds where total >= bid."),
        Column(
            "ci_low", "float64", "probability", "Lower end of the 95 % Wilson interval of p_made."
        ),
        Column(
            "ci_high", "float64", "probability", "Upper end of the 95 % Wilson interval of p_made."
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

SCHEMAS = (BID, SOLVE)


def write(
    path: Path,
    schema: Schema,
    records: Iterable[Mapping[str, Any]],
    metadata: Mapping[str, Any],
) -> int:
    """Write records to a Parquet file, group by group, in constant memory.

    Parameters
    ----------
    path : Path
        The file; an existing one is replaced.
    schema : Schema
        What the records hold. A nullable column may be left out of a record.
    records : iterable of mapping
        One mapping from column name to value for each row.
    metadata : mapping
        What the whole file has in common: version, ruleset, seed, hand. Each value is
        written as JSON, under its name after ``pilotta.``, with the schema's name and version.

    Returns
    -------
    int
        The number of rows written.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrow = _arrow_schema(schema, metadata)
    n_rows = 0
    with pq.ParquetWriter(path, arrow, compression="zstd") as writer:
        for group in _groups(records, ROWS_PER_GROUP):
            writer.write_table(pa.Table.from_pylist(group, schema=arrow))
            n_rows += len(group)
    return n_rows


def read(path: Path) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Read a file that `write` has written.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    tuple of pandas.DataFrame and dict
        The rows, and the file's metadata with the JSON values decoded; ``schema`` and
        ``schema_version`` say what the rows are.

    Raises
    ------
    PilottaError
        If the file has not been written by this package, or by a later version of its schema.
    """
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    stored = table.schema.metadata or {}
    metadata = {
        key.decode().removeprefix(_PREFIX): json.loads(value)
        for key, value in stored.items()
        if key.decode().startswith(_PREFIX)
    }
    known = {schema.name: schema.version for schema in SCHEMAS}
    name, version = metadata.get("schema"), metadata.get("schema_version")
    if name not in known or not isinstance(version, int):
        raise PilottaError(
            f"{path}: not a table of pilotta-solver; write one with 'pilotta bid -o FILE.parquet'"
        )
    if version > known[name]:
        raise PilottaError(
            f"{path}: version {version} of the table '{name}' is newer than this program reads "
            f"({known[name]}); upgrade pilotta-solver"
        )
    return table.to_pandas(), metadata


def _arrow_schema(schema: Schema, metadata: Mapping[str, Any]) -> pa.Schema:
    """Translate a schema, with units and descriptions beside each column."""
    import pyarrow as pa

    fields = [
        pa.field(
            column.name,
            pa.type_for_alias(column.type),
            nullable=column.nullable,
            metadata={"unit": column.unit, "description": column.description},
        )
        for column in schema.columns
    ]
    common = {"schema": schema.name, "schema_version": schema.version, **metadata}
    return pa.schema(
        fields,
        metadata={
            f"{_PREFIX}{key}": json.dumps(value, ensure_ascii=False)
            for key, value in common.items()
        },
    )


def _groups(records: Iterable[Mapping[str, Any]], size: int) -> Iterator[list[Mapping[str, Any]]]:
    """Cut an iterable into lists of at most `size`."""
    iterator = iter(records)
    while group := list(islice(iterator, size)):
        yield group
