"""Damage of every kind is found, named, and mended so that no trace of it is left."""

from __future__ import annotations

import json

import numpy as np
import pytest

from pilotta_solver import load_ruleset
from pilotta_solver.datasets.dataset import MANIFEST, Dataset, checksum
from pilotta_solver.datasets.simulation import Simulation, simulate
from pilotta_solver.datasets.storage import open_folder
from pilotta_solver.datasets.verification import repair, verify
from pilotta_solver.errors import PilottaError
from pilotta_solver.parquet import encode, read_columns

SIMULATION = Simulation(3, load_ruleset(), (0,))
NAME = "part-000001.parquet"


@pytest.fixture
def folder(tmp_path):
    simulate(tmp_path / "d", SIMULATION, 30, part_size=10, jobs=1)
    return tmp_path / "d"


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


def forge(folder, column, value):
    """Change one value of a part, and the manifest so that it agrees."""
    columns, metadata = read_columns(folder / NAME, where=NAME)
    columns[column] = columns[column].copy()
    columns[column][:] = value
    for key in ("schema", "schema_version"):
        del metadata[key]
    content = encode(SIMULATION.schema, columns, metadata)
    (folder / NAME).write_bytes(content)
    dataset = Dataset.open(open_folder(folder))
    entry = json.loads((folder / MANIFEST).read_bytes())
    entry["parts"][1].update(n_bytes=len(content), sha256=checksum(content))
    (folder / MANIFEST).write_text(json.dumps(entry))
    assert dataset is not None


def truncate(folder):
    (folder / NAME).write_bytes((folder / NAME).read_bytes()[:-1])


def flip(folder):
    content = bytearray((folder / NAME).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / NAME).write_bytes(bytes(content))


def replace(folder):
    """Put another part of the same dataset in its place, and the manifest with it."""
    content = (folder / "part-000000.parquet").read_bytes()
    (folder / NAME).write_bytes(content)
    manifest = json.loads((folder / MANIFEST).read_bytes())
    manifest["parts"][1].update(n_bytes=len(content), sha256=checksum(content))
    (folder / MANIFEST).write_text(json.dumps(manifest))


DAMAGES = {
    "missing": (lambda folder: (folder / NAME).unlink(), "missing"),
    "cut short": (truncate, "bytes, and the manifest says"),
    "a bit flipped": (flip, "checksum"),
    "another range": (replace, "its deals are not 10 to 19"),
    "a wrong value": (lambda f: forge(f, "value_ns_spades", 81), "value_ns_spades of deal 1"),
    "a wrong card": (lambda f: forge(f, "cards_w", 255), "cards_w of deal 1"),
    "a wrong text": (lambda f: forge(f, "hand_e", "AKQ..."), "hand_e of deal 1"),
    "a wrong belote": (
        lambda f: forge(f, "declarations_ns_spades", 150),
        "declarations_ns_spades of deal 1",
    ),
}


def test_a_sound_dataset_is_sound(folder):
    seen: list[tuple[int, int]] = []
    found = verify(folder, n_samples=6, progress=lambda *n: seen.append(n))
    assert (found.is_sound, found.damages, found.n_parts, found.n_solved_again) == (True, (), 3, 6)
    assert seen == [(10, 30), (20, 30), (30, 30)]
    assert verify(folder, n_samples=1).n_solved_again == 3
    assert verify(folder, n_samples=10**6).n_solved_again == 30


@pytest.mark.parametrize(("damage", "told"), DAMAGES.values(), ids=DAMAGES.keys())
def test_damage_is_found_and_mended(folder, damage, told):
    whole = contents(folder)
    damage(folder)
    found = verify(folder)
    assert not found.is_sound
    assert [name for name, _ in found.damages] == [NAME]
    assert told in found.damages[0][1]
    assert found.n_parts_missing == 1
    heard = []
    mended = repair(folder, jobs=1, told=heard.append)
    assert (mended.damages, heard[0].damages) == (found.damages, found.damages)
    assert contents(folder) == whole
    assert verify(folder).is_sound


def test_only_the_damaged_part_is_made_again(folder, monkeypatch):
    flip(folder)
    solved = []
    results = Simulation.results

    def counted(self, numbers, *args):
        solved.append(len(numbers))
        return results(self, numbers, *args)

    monkeypatch.setattr(Simulation, "results", counted)
    repair(folder, n_samples=2, jobs=1)
    assert solved == [1, 1, 10]


def test_a_dataset_that_is_not_whole_is_told_and_finished(tmp_path):
    whole = simulate(tmp_path / "whole", SIMULATION, 30, part_size=10, jobs=1)
    simulate(tmp_path / "d", SIMULATION, 10, part_size=10, jobs=1)
    dataset = Dataset.begin(open_folder(tmp_path / "d"), SIMULATION.settings(), 30, 10)
    found = verify(tmp_path / "d")
    assert (found.n_parts, found.damages, found.n_parts_missing) == (1, (), 2)
    assert not found.is_sound
    assert dataset.n_parts == whole.n_parts
    repair(tmp_path / "d", jobs=1)
    assert contents(tmp_path / "d") == contents(tmp_path / "whole")


def test_a_part_of_no_range_is_named_and_left_alone(folder):
    (folder / "part-000007.parquet").write_bytes(b"mine")
    found = repair(folder, jobs=1)
    assert found.damages == (("part-000007.parquet", "none of this dataset: move it away"),)
    assert (folder / "part-000007.parquet").read_bytes() == b"mine"


def test_a_dataset_of_another_version_is_checked_but_not_mended(folder, monkeypatch):
    monkeypatch.setattr("pilotta_solver.__version__", "99.0")
    assert verify(folder).is_sound
    flip(folder)
    with pytest.raises(PilottaError, match=r"version is .* there and 99\.0 here"):
        repair(folder, jobs=1)


def test_a_folder_without_a_manifest_is_no_dataset(tmp_path):
    for check in (verify, repair):
        with pytest.raises(PilottaError, match=r"no dataset, it has no _manifest\.json"):
            check(tmp_path)


def test_the_sample_differs_from_time_to_time_unless_seeded(folder, monkeypatch):
    drawn = []
    results = Simulation.results

    def noted(self, numbers, *args):
        drawn.append(numbers.copy())
        return results(self, numbers, *args)

    monkeypatch.setattr(Simulation, "results", noted)
    for seed in (1, 1, 2):
        verify(folder, n_samples=3, seed=seed)
    assert np.array_equal(np.concatenate(drawn[:3]), np.concatenate(drawn[3:6]))
    assert not np.array_equal(np.concatenate(drawn[:3]), np.concatenate(drawn[6:]))
