"""Whatever the program has written is opened, and the same rows come out of every form."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from pilotta_cli.main import main
from pilotta_solver import load_ruleset, parquet
from pilotta_solver.datasets.simulation import Simulation, simulate
from pilotta_solver.errors import PilottaError
from pilotta_solver.schemas import BID
from pilotta_solver.tables import open_table


@pytest.fixture
def dataset(tmp_path):
    simulate(tmp_path / "d", Simulation(1, load_ruleset(), (0,)), 25, part_size=10, jobs=1)
    return tmp_path / "d"


def test_a_dataset_comes_part_by_part(dataset):
    table = open_table(str(dataset))
    assert (table.form, table.schema.name) == ("dataset", "simulate")
    assert (table.n_rows, table.n_rows_in_all) == (25, 25)
    assert (table.metadata["seed"], table.metadata["rules"]["name"]) == (1, "tsaka")
    batches = list(table.batches(["deal_number", "value_ns_spades", "value_ns_hearts"]))
    assert [list(batch) for batch in batches] == 3 * [["deal_number", "value_ns_spades"]]
    assert np.concatenate([batch["deal_number"] for batch in batches]).tolist() == list(range(25))


def test_a_dataset_on_its_way_is_opened_as_far_as_it_is(dataset):
    manifest = json.loads((dataset / "_manifest.json").read_bytes())
    del manifest["parts"][1:]
    (dataset / "_manifest.json").write_text(json.dumps(manifest))
    table = open_table(f"file://{dataset}")
    assert (table.n_rows, table.n_rows_in_all) == (10, 25)


def test_a_damaged_part_is_told(dataset):
    (dataset / "part-000001.parquet").write_bytes(b"PAR1")
    with pytest.raises(PilottaError, match=r"part-000001.parquet: damaged: .* --repair"):
        list(open_table(str(dataset)).batches(["deal_number"]))


def test_a_single_part_is_a_file_like_any_other(dataset):
    table = open_table(str(dataset / "part-000002.parquet"))
    assert (table.form, table.schema.name, table.n_rows) == ("Parquet file", "simulate", 5)


def test_every_form_of_an_answer_gives_the_same_rows(tmp_path):
    tables = []
    for suffix in ("parquet", "csv", "json"):
        path = str(tmp_path / f"bid.{suffix}")
        with pytest.raises(SystemExit) as ended:
            main(["bid", "AKJ9.T8.A7.", "-n", "20", "--seed", "3", "-q", "-o", path])
        assert ended.value.code == 0
        tables.append(open_table(path))
    assert [table.form for table in tables] == ["Parquet file", "CSV file", "JSON file"]
    names = ["trump", "bid", "p_made", "mean_card_points"]
    first, *others = (next(table.batches(names)) for table in tables)
    for other in others:
        for name in names:
            assert first[name].tolist() == other[name].tolist()
    assert {table.n_rows for table in tables} == {tables[0].n_rows}
    for table in tables:
        assert (table.schema, table.metadata["seed"]) == (BID, 3)
        assert table.metadata["hand"] == "AKJ9.T8.A7."


def test_a_later_version_is_refused(tmp_path):
    later = dataclasses.replace(BID, version=99)
    record = dict.fromkeys(BID.names, 0) | {
        column.name: "" for column in BID.columns if column.type == "string"
    }
    parquet.write(tmp_path / "a.parquet", later, [record], {})
    with pytest.raises(PilottaError, match="upgrade pilotta-solver"):
        open_table(str(tmp_path / "a.parquet"))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "empty"),
        (b"\n", "empty"),
        (b"trump,bid\nS,80\n", "not a table that pilotta writes"),
        (b"just a text\n", "not a table that pilotta writes"),
        (b"[1, 2]\n", "not a table that pilotta writes"),
        (b"{broken\n", "not a table that pilotta writes"),
        (b'{"trump": "S"}\n', "not a table that pilotta writes"),
        (b"version,seed,deal_number\n", "not a table that pilotta writes"),
        (b"\xff\xfe\x00", "neither Parquet nor text"),
        (b"PAR1 and no more", "not a whole Parquet file"),
    ],
    ids=str,
)
def test_what_pilotta_has_not_written_is_refused(tmp_path, content, told):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(PilottaError, match=told):
        open_table(str(tmp_path / "file"))


def test_nothing_there_is_told(tmp_path):
    with pytest.raises(PilottaError, match="no such file or folder"):
        open_table(str(tmp_path / "none"))
    with pytest.raises(PilottaError, match="no dataset, it has no _manifest"):
        open_table(str(tmp_path))
