"""Tables on disk: writing them, and reading them back.

The only module that imports pandas, and with `storage` the only one that imports pyarrow, and only
once a file is written or read. What the columns mean stands in `schemas`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pilotta_solver.errors import PilottaError
from pilotta_solver.schemas import (
    BID as BID,
    SCHEMAS as SCHEMAS,
    SOLVE as SOLVE,
    Schema as Schema,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    import pandas as pd
    import pyarrow as pa

ROWS_PER_GROUP = 16_384

_PREFIX = "pilotta."

# Higher levels take longer and save next to nothing.
_ZSTD_LEVEL = 9

# The encoding of columns whose values hardly ever repeat; the others have a dictionary.
_ENCODINGS = {
    "string": "DELTA_LENGTH_BYTE_ARRAY",
    "int64": "DELTA_BINARY_PACKED",
    "uint32": "PLAIN",
}


class Coded(NamedTuple):
    """A column of type ``dictionary``.

    Attributes
    ----------
    codes : numpy.ndarray
        int8 of shape (n,): places in `words`, -1 where the value is missing.
    words : tuple of str
        What the codes stand for.
    """

    codes: npt.NDArray[np.int8]
    words: tuple[str, ...]


ColumnValues = Any
"""The values of one column: an array of numbers or of text, or a `Coded`."""


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


def encode(
    schema: Schema, columns: Mapping[str, ColumnValues], metadata: Mapping[str, Any]
) -> bytes:
    """Encode whole columns as a Parquet file of one row group; the same input, the same bytes.

    Parameters
    ----------
    schema : Schema
        What the columns hold.
    columns : mapping
        From column name to an array, or to a `Coded` where the type is ``dictionary``.
    metadata : mapping
        As for `write`.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrow = _arrow_schema(schema, metadata)
    arrays = [_arrow_array(columns[field.name], field.type) for field in arrow]
    types = {column.name: column.type for column in schema.columns}
    buffer = pa.BufferOutputStream()
    pq.write_table(
        pa.Table.from_arrays(arrays, schema=arrow),
        buffer,
        row_group_size=max(1, len(arrays[0])),
        compression="zstd",
        compression_level=_ZSTD_LEVEL,
        use_dictionary=[name for name in types if types[name] not in _ENCODINGS],
        column_encoding={
            name: _ENCODINGS[types[name]] for name in types if types[name] in _ENCODINGS
        },
    )
    encoded: bytes = buffer.getvalue().to_pybytes()
    return encoded


def writer_version() -> str:
    """The program that encodes: another version of it may write other bytes for the same rows."""
    import pyarrow as pa

    return f"pyarrow {pa.__version__}"


def read_columns(
    file: bytes | Path, names: Iterable[str] | None = None, *, where: str
) -> tuple[dict[str, ColumnValues], dict[str, Any]]:
    """Read columns of one Parquet file into arrays.

    Parameters
    ----------
    file : bytes or Path
        What the file holds, or where it lies.
    names : iterable of str, optional
        The columns wanted, those not there being left out; by default all.
    where : str
        What messages call the file.

    Returns
    -------
    tuple of dict and dict
        From column name to an array, or a `Coded` where the type is ``dictionary``; and the
        metadata as `read` returns it.

    Raises
    ------
    PilottaError
        As `read`, and if the file is no Parquet file or damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        source = pq.ParquetFile(pa.BufferReader(file) if isinstance(file, bytes) else file)
        wanted = None if names is None else [n for n in names if n in source.schema_arrow.names]
        table = source.read(columns=wanted)
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        why = str(error).strip().splitlines()[0]
        raise PilottaError(f"{where}: not a whole Parquet file ({why}); write it again") from error
    metadata = _metadata(table.schema, where)
    return {name: _values(table[name]) for name in table.column_names}, metadata


def read(path: Path) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Read a file that `write` has written, or all parts of a dataset of `simulation`.

    Parameters
    ----------
    path : Path
        The file, or the folder of the dataset.

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
    return table.to_pandas(), _metadata(table.schema, path)


def _metadata(schema: pa.Schema, where: object) -> dict[str, Any]:
    """The metadata of this package in a file, whose schema must be known."""
    stored = schema.metadata or {}
    metadata = {
        key.decode().removeprefix(_PREFIX): json.loads(value)
        for key, value in stored.items()
        if key.decode().startswith(_PREFIX)
    }
    known = {schema.name: schema.version for schema in SCHEMAS}
    name, version = metadata.get("schema"), metadata.get("schema_version")
    if name not in known or not isinstance(version, int):
        raise PilottaError(
            f"{where}: not a table of pilotta-solver; write one with 'pilotta bid -o FILE.parquet'"
        )
    if version > known[name]:
        raise PilottaError(
            f"{where}: version {version} of the table '{name}' is newer than this program reads "
            f"({known[name]}); upgrade pilotta-solver"
        )
    return metadata


def _arrow_array(values: ColumnValues, arrow_type: pa.DataType) -> pa.Array:
    import pyarrow as pa

    if isinstance(values, Coded):
        codes = pa.array(values.codes, mask=values.codes < 0)
        return pa.DictionaryArray.from_arrays(codes, pa.array(values.words))
    return pa.array(values, type=arrow_type)


def _values(column: pa.ChunkedArray) -> ColumnValues:
    """The values of a column that has been read, as `encode` takes them."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        return column.to_numpy()
    array = column.unify_dictionaries().combine_chunks()
    array = array.chunk(0) if isinstance(array, pa.ChunkedArray) else array
    codes = array.indices.fill_null(-1).to_numpy()
    return Coded(codes, tuple(array.dictionary.to_pylist()))


def _arrow_schema(schema: Schema, metadata: Mapping[str, Any]) -> pa.Schema:
    """Translate a schema, with units and descriptions beside each column."""
    import pyarrow as pa

    fields = [
        pa.field(
            column.name,
            _arrow_type(column.type),
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


def _arrow_type(name: str) -> pa.DataType:
    import pyarrow as pa

    if name == "dictionary":
        return pa.dictionary(pa.int8(), pa.string())
    return pa.type_for_alias(name)


def _groups(records: Iterable[Mapping[str, Any]], size: int) -> Iterator[list[Mapping[str, Any]]]:
    """Cut an iterable into lists of at most `size`."""
    iterator = iter(records)
    while group := list(islice(iterator, size)):
        yield group
