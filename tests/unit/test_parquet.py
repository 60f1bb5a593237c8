from __future__ import annotations

import dataclasses
import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pilotta_solver import advise, parquet as module, parse_hand
from pilotta_solver.errors import PilottaError
from pilotta_solver.parquet import BID, SCHEMAS, SOLVE, Coded, encode, read, read_columns, write
from pilotta_solver.schemas import simulate_schema


@pytest.fixture
def rows():
    return [
        {
            "rules": "tsaka", "version": "0.1.0", "deal": "N:♠ not checked here", "trump": "S",
            "leader": "N", "played": "", "card_points_ns": n, "card_points_ew": 162 - n,
            "value_ns": 250, "value_ew": -88, "capot": "ns" if n % 2 else None,
        }
        for n in range(100)
    ]  # fmt: skip


def test_round_trip(tmp_path, rows):
    path = tmp_path / "a.parquet"
    assert write(path, SOLVE, iter(rows), {"seed": 2**64 - 1, "rules": {"name": "tsaka"}}) == 100
    table, metadata = read(path)
    assert metadata == {
        "schema": "solve", "schema_version": 1, "seed": 2**64 - 1, "rules": {"name": "tsaka"},
    }  # fmt: skip
    assert tuple(table.columns) == SOLVE.names
    assert list(table.card_points_ns) == list(range(100))
    assert list(table.value_ew) == [-88] * 100
    assert list(table.capot.isna()) == [n % 2 == 0 for n in range(100)]
    assert table.cards.isna().all()


def test_advice_goes_to_disk_and_back(tmp_path):
    advice = advise(parse_hand("AKJ9.T8.A7."), n_worlds=1, seed=2**64 - 1)
    write(tmp_path / "a.parquet", BID, advice.records(), {})
    table, _ = read(tmp_path / "a.parquet")
    records = list(advice.records())
    for name in BID.names:
        expected = [record[name] for record in records]
        got = [None if value != value else value for value in table[name].tolist()]
        assert got == expected, name


def test_groups_bound_what_is_held_at_a_time(tmp_path, rows, monkeypatch):
    monkeypatch.setattr(module, "ROWS_PER_GROUP", 30)
    write(tmp_path / "a.parquet", SOLVE, rows, {})
    assert pq.ParquetFile(tmp_path / "a.parquet").metadata.num_row_groups == 4
    assert len(read(tmp_path / "a.parquet")[0]) == 100


def test_the_same_rows_give_the_same_bytes(tmp_path, rows):
    for name in ("a.parquet", "b.parquet"):
        write(tmp_path / name, SOLVE, rows, {"seed": 1})
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_every_column_says_what_it_is(tmp_path, rows):
    for schema in SCHEMAS:
        assert len(set(schema.names)) == len(schema.names)
        for column in schema.columns:
            assert column.description.endswith("."), column.name
    write(tmp_path / "a.parquet", SOLVE, rows, {})
    field = pq.read_schema(tmp_path / "a.parquet").field("value_ns")
    assert field.metadata[b"unit"] == b"points"
    assert b"capot_points" in field.metadata[b"description"]


def test_a_file_of_another_program_is_refused(tmp_path):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"bid": [80]}), path)
    with pytest.raises(PilottaError, match="not a table of pilotta-solver"):
        read(path)


def test_a_later_version_is_refused(tmp_path, rows):
    path = tmp_path / "a.parquet"
    write(path, dataclasses.replace(SOLVE, version=SOLVE.version + 1), rows, {})
    with pytest.raises(PilottaError, match="upgrade pilotta-solver"):
        read(path)


def test_a_missing_value_in_a_full_column_is_an_error(tmp_path, rows):
    del rows[50]["trump"]
    with pytest.raises(ValueError, match="trump"):
        write(tmp_path / "a.parquet", SOLVE, rows, {})


TABLE = simulate_schema([0])
COLUMNS = {
    column.name: Coded(np.array([0, -1, 1, 0], np.int8), ("ns", "ew"))
    if column.type == "dictionary"
    else np.array(["KQ8...", "A...", "", "7..."])
    if column.type == "string"
    else np.arange(4).astype(column.type)
    for column in TABLE.columns
}


def test_whole_columns_go_to_bytes_and_back():
    file = encode(TABLE, COLUMNS, {"seed": 2**64 - 1})
    assert file == encode(TABLE, COLUMNS, {"seed": 2**64 - 1})
    columns, metadata = read_columns(file, where="here")
    assert metadata == {"schema": "simulate", "schema_version": 1, "seed": 2**64 - 1}
    assert tuple(columns) == TABLE.names
    for column in TABLE.columns:
        if column.type == "dictionary":
            codes, words = columns[column.name]
            assert (codes.tolist(), words) == ([0, -1, 1, 0], ("ns", "ew"))
        else:
            assert columns[column.name].tolist() == COLUMNS[column.name].tolist()
        if "int" in column.type:
            assert columns[column.name].dtype == column.type


def test_only_the_columns_asked_for_are_read():
    file = encode(TABLE, COLUMNS, {})
    assert list(read_columns(file, ["value_ns_spades", "value_ns_clubs"], where="")[0]) == [
        "value_ns_spades"
    ]


def test_other_readers_see_text_and_missing_values():
    frame = pq.read_table(io.BytesIO(encode(TABLE, COLUMNS, {}))).to_pandas()
    assert frame.capot_spades.tolist()[0] == "ns"
    assert frame.capot_spades.isna().tolist() == [False, True, False, False]
    assert frame.hand_w.tolist()[0] == "KQ8..."


@pytest.mark.parametrize("damage", ["end", "start", "page"])
def test_a_damaged_file_is_told(damage):
    file = bytearray(encode(TABLE, COLUMNS, {}))
    if damage == "page":
        file[60:200] = bytes(140)
    damaged = bytes(file if damage == "page" else file[:-9] if damage == "end" else b"hello")
    with pytest.raises(PilottaError, match=r"^there: not a whole Parquet file"):
        read_columns(damaged, where="there")


def test_a_missing_file_keeps_its_own_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_columns(tmp_path / "none.parquet", where="there")
