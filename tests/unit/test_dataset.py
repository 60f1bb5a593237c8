"""The manifest: what is whole, and what else a folder may hold."""

from __future__ import annotations

import json

import pytest

from pilotta_solver.datasets.dataset import MANIFEST, Dataset, Part, checksum, write_part
from pilotta_solver.datasets.storage import open_folder
from pilotta_solver.errors import PilottaError

SETTINGS = {"seed": 1, "rules": {"name": "tsaka", "capot_points": 250}, "hand": None}


@pytest.fixture
def folder(tmp_path):
    return open_folder(tmp_path)


def filled(folder, n_deals=25, part_size=10):
    dataset = Dataset.begin(folder, SETTINGS, n_deals, part_size)
    for part in list(dataset.missing()):
        dataset.add(write_part(folder, part, b"deals from %d on" % part.first))
    return dataset


def test_parts_are_fixed_ranges(folder):
    dataset = Dataset.begin(folder, SETTINGS, 25, 10)
    assert list(dataset.missing()) == [Part(0, 0, 10), Part(1, 10, 10), Part(2, 20, 5)]
    assert (dataset.n_parts, dataset.n_deals_made, dataset.n_bytes) == (3, 0, 0)
    assert [part.name for part in dataset.missing()][2] == "part-000002.parquet"


def test_what_was_made_is_known_again(folder):
    made = filled(folder)
    again = Dataset.begin(folder, SETTINGS, 25, 10)
    assert again == made
    assert not list(again.missing())
    assert again.n_deals_made == 25
    assert again.made[2].sha256 == checksum(b"deals from 20 on")


def test_the_order_in_which_parts_come_leaves_no_trace(tmp_path):
    contents = []
    for order in ([0, 1, 2], [2, 0, 1]):
        (tmp_path / str(order)).mkdir()
        folder = open_folder(tmp_path / str(order))
        dataset = Dataset.begin(folder, SETTINGS, 25, 10)
        for number in order:
            dataset.add(write_part(folder, dataset.part(number), b"x%d" % number))
        contents.append(folder.read(MANIFEST))
    assert contents[0] == contents[1]


def test_a_part_that_is_not_in_the_manifest_is_missing(folder):
    dataset = Dataset.begin(folder, SETTINGS, 25, 10)
    write_part(folder, dataset.part(0), b"whole, but its run was killed")
    assert len(list(Dataset.begin(folder, SETTINGS, 25, 10).missing())) == 3


def test_a_dataset_grows_and_its_short_part_is_made_again(folder):
    filled(folder)
    dataset = Dataset.begin(folder, SETTINGS, 40, 10)
    assert [part.number for part in dataset.missing()] == [2, 3]
    assert Dataset.open(folder) == dataset


def test_fewer_deals_are_refused(folder):
    filled(folder)
    with pytest.raises(PilottaError, match="holds a dataset of 25 deals, and 24 are asked for"):
        Dataset.begin(folder, SETTINGS, 24, 10)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"seed": 2}, ["seed is 1 there and 2 here"]),
        ({"hand": "AKJ9.T8.A7."}, ["hand is null there and AKJ9.T8.A7. here"]),
        (
            {"rules": {"name": "classic", "capot_points": 252}},
            ["rules.name is tsaka there and classic", "rules.capot_points is 250 there and 252"],
        ),
        ({"more": 1}, ["more is null there and 1 here"]),
    ],
)
def test_other_settings_are_refused_and_named(folder, change, told):
    before = filled(folder)
    with pytest.raises(PilottaError) as error:
        Dataset.begin(folder, {**SETTINGS, **change}, 25, 10)
    assert all(one in str(error.value) for one in told)
    assert str(error.value).count(" there and ") == len(told)
    assert Dataset.open(folder) == before


def test_another_size_of_part_is_refused(folder):
    filled(folder)
    with pytest.raises(PilottaError, match="has parts of 10 deals, and 20 are asked for"):
        Dataset.begin(folder, SETTINGS, 25, 20)


def test_a_folder_of_something_else_is_refused(folder):
    folder.write("holiday.jpg", b"")
    with pytest.raises(PilottaError, match=r"holds holiday\.jpg and no _manifest\.json"):
        Dataset.begin(folder, SETTINGS, 25, 10)
    assert folder.names() == ["holiday.jpg"]


def test_a_run_killed_before_its_first_manifest_leaves_an_empty_folder(folder):
    folder.write(".lock", b"")
    folder.write("._manifest.json.12ab34cd.tmp", b"{")
    Dataset.begin(folder, SETTINGS, 25, 10)
    assert folder.names() == [".lock", MANIFEST]


@pytest.mark.parametrize("damage", ["", "{", "[]", "{}", "range"])
def test_a_damaged_manifest_is_told(folder, damage):
    filled(folder)
    if damage == "range":
        manifest = json.loads(folder.read(MANIFEST))
        manifest["parts"][1]["first"] = 11
        damage = json.dumps(manifest)
    folder.write(MANIFEST, damage.encode())
    with pytest.raises(PilottaError, match=r"_manifest\.json: damaged, no manifest"):
        Dataset.open(folder)


def test_damage_is_told(folder):
    dataset = filled(folder)
    made = dataset.made[1]
    assert dataset.damage(made, b"deals from 10 on") is None
    assert dataset.damage(made, None) == "missing"
    assert "15 bytes, and the manifest says 16" in str(dataset.damage(made, b"deals from 10 o"))
    assert "checksum" in str(dataset.damage(made, b"deals from 10 oN"))


def test_parts_of_no_range_are_strangers(folder):
    dataset = filled(folder)
    folder.write("part-000003.parquet", b"")
    folder.write("notes.txt", b"")
    assert dataset.strangers() == ["part-000003.parquet"]
