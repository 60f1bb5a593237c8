"""Opening whatever the program has written: Parquet, CSV and JSON files, and datasets of parts."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pilotta_solver.datasets.dataset import Dataset
from pilotta_solver.datasets.storage import open_folder
from pilotta_solver.errors import PilottaError
from pilotta_solver.parquet import ColumnValues, read_columns
from pilotta_solver.schemas import BID, PLAY, SCHEMAS, SOLVE, TABLE, ColumnType, Schema

Columns = dict[str, ColumnValues]

# What tells a row of `pilotta bid`, whose JSON has more and other keys than the table.
_OF_A_LEVEL = ("trump", "bid", "p_made", "n_worlds", "mean_card_points")

# Suffixes of what is written for people only.
_FOR_READING = (".html", ".md")

# What all rows of a file may have in common: metadata in a Parquet file, columns in the others.
_COMMON = ("rules", "version", "seed", "hand", "seat", "n_worlds")


@dataclass(frozen=True)
class Table:
    """A table that the program has written.

    Attributes
    ----------
    where : str
        Its file or folder.
    form : str
        ``"Parquet file"``, ``"CSV file"``, ``"JSON file"`` or ``"dataset"``.
    schema : Schema
        What its rows are.
    metadata : dict
        What its rows have in common; ``rules`` is the whole ruleset, or its name where the file
        has no more.
    n_rows : int
        How many rows there are.
    n_rows_in_all : int
        How many there will be once a dataset is whole; else ``n_rows``.
    batches : callable
        Gives the wanted columns, part by part, so that memory stays flat.
    """

    where: str
    form: str
    schema: Schema
    metadata: dict[str, Any]
    n_rows: int
    n_rows_in_all: int
    batches: Callable[[Iterable[str]], Iterator[Columns]]


def open_table(where: str) -> Table:
    """Open a file or a dataset, whatever its form.

    Parameters
    ----------
    where : str
        A path, or a URI of a dataset (`storage.open_folder`).

    Raises
    ------
    PilottaError
        If there is no such file, or this program has not written it, or not all of it.
    """
    path = Path(where)
    if "://" in where or path.is_dir():
        return _open_dataset(where)
    if not path.exists():
        raise PilottaError(f"{where}: no such file or folder; name one that pilotta has written")
    with path.open("rb") as file:
        is_parquet = file.read(4) == b"PAR1"
    if is_parquet:
        return _open_parquet(path)
    try:
        return _open_text(path)
    except UnicodeDecodeError as error:
        raise PilottaError(
            f"{where}: neither Parquet nor text; name a file that pilotta has written"
        ) from error


def _open_dataset(where: str) -> Table:
    folder = open_folder(where)
    dataset = Dataset.existing(folder)
    metadata = dict(dataset.settings)
    schema = _schema(metadata.pop("schema", None), metadata.pop("schema_version", None), where)

    def batches(names: Iterable[str]) -> Iterator[Columns]:
        wanted = tuple(names)
        for made in sorted(dataset.made.values(), key=lambda made: made.part.number):
            content = folder.read(made.part.name)
            told = dataset.damage(made, content)
            if told is not None or content is None:
                raise PilottaError(
                    f"{folder.where(made.part.name)}: {told}; make it again with "
                    f"'pilotta simulate -o {folder.name} --repair'"
                )
            yield read_columns(content, wanted, where=made.part.name)[0]

    return Table(
        folder.name,
        "dataset",
        schema,
        metadata,
        dataset.n_deals_made,
        dataset.n_deals,
        batches,
    )


def _open_parquet(path: Path) -> Table:
    columns, metadata = read_columns(path, where=str(path))
    schema = _schema(metadata.pop("schema"), metadata.pop("schema_version"), str(path))
    return _in_memory(path, "Parquet file", schema, metadata, columns)


def _open_text(path: Path) -> Table:
    """A CSV file by its head, or a JSON file by the keys of its first object."""
    text = path.read_text(encoding="utf-8")
    if path.suffix.lower() in _FOR_READING:
        raise PilottaError(
            f"{path}: a page is for people to read; name a .parquet, .csv or .json file that "
            "pilotta has written"
        )
    if not text.strip():
        raise PilottaError(f"{path}: empty; name a file that pilotta has written")
    try:
        if text.lstrip()[0] in "{[":
            form = "JSON file"
            objects = [json.loads(line) for line in text.splitlines() if line.strip()]
            records = [record for one in objects for record in _records(one)]
        else:
            form = "CSV file"
            records = list(csv.DictReader(text.splitlines(), strict=True))
        schema = next(one for one in SCHEMAS if _fits(one, records[0]))
        columns = {
            column.name: _array([record.get(column.name) for record in records], column.type)
            for column in schema.columns
            if column.name in records[0]
        }
    except (ValueError, TypeError, LookupError, AttributeError, csv.Error, StopIteration) as error:
        raise PilottaError(
            f"{path}: not a table that pilotta writes; name a file or a folder that it has written"
        ) from error
    metadata = {name: columns[name][0] for name in _COMMON if name in columns}
    return _in_memory(path, form, schema, metadata, columns)


def _in_memory(
    path: Path, form: str, schema: Schema, metadata: dict[str, Any], columns: Columns
) -> Table:
    def batches(names: Iterable[str]) -> Iterator[Columns]:
        yield {name: columns[name] for name in names if name in columns}

    n_rows = len(next(iter(columns.values())))
    return Table(str(path), form, schema, metadata, n_rows, n_rows, batches)


def _records(one: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The rows of a JSON object, named as the columns are."""
    if "contracts" in one:
        common = {key: one[key] for key in one if key not in ("contracts", "question")}
        for contract in one["contracts"]:
            levels = contract["levels"]
            of_contract = {key: contract[key] for key in contract if key != "levels"}
            yield from ({**common, **of_contract, **level} for level in levels)
        return
    if "choice" in one:
        common = {key: one[key] for key in one if key in PLAY.names}
        yield from ({**common, **card} for card in one["cards"])
        return
    if "classes" in one:
        yield from _levels_of_classes(one)
        return
    row = dict(one)
    for key in ("card_points", "value"):
        for side, points in row.pop(key, {}).items():
            row[f"{key}_{side}"] = points
    yield row


def _levels_of_classes(one: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The rows of a bidding table, whose classes have a list of each figure."""
    common = {key: one[key] for key in one if key in TABLE.names} | {"by": ",".join(one["by"])}
    for of_class in one["classes"]:
        lists = [key for key in of_class if isinstance(of_class[key], list)]
        alike = {key: of_class[key] for key in of_class if key not in lists}
        for place, bid in enumerate(one["levels"]):
            of_level = {key: of_class[key][place] for key in lists}
            yield {**common, **alike, "bid": bid, **of_level}


def _fits(schema: Schema, record: Mapping[str, Any]) -> bool:
    """Whether a row has the columns of a schema, or as many of them as its JSON has."""
    own = set(schema.names)
    if schema is BID:
        return set(_OF_A_LEVEL) <= set(record)
    if schema is TABLE:
        # A table has the columns of its own quantities only.
        own_by = set(str(record.get("by")).split(","))
        return own >= set(record) >= own_by | {"hand_class", "p_made", "highest"}
    left_out = {"rules", "version", "played", "cards"} if schema is SOLVE else set()
    return own - left_out <= set(record) <= own


def _array(values: list[Any], of_type: ColumnType) -> ColumnValues:
    """The values of a column as a Parquet file gives them: numbers with a gap become floats."""
    missing = [value is None or value == "" for value in values]
    if of_type in ("string", "dictionary"):
        pairs = zip(values, missing, strict=True)
        return np.array([None if gone else value for value, gone in pairs], dtype=object)
    if of_type == "float64" or any(missing):
        pairs = zip(values, missing, strict=True)
        return np.array([math.nan if gone else float(value) for value, gone in pairs])
    return np.array([int(value) for value in values], dtype=of_type)


def _schema(name: Any, version: Any, where: str) -> Schema:
    for schema in SCHEMAS:
        if schema.name == name and isinstance(version, int) and version <= schema.version:
            return schema
    raise PilottaError(
        f"{where}: version {version} of the table '{name}' is not known to this program; upgrade "
        "pilotta-solver"
    )
