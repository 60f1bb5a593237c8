"""The wheel as it is built from the sources: what it puts where."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pilotta_solver import __version__, preset_names
from pilotta_solver.bidding_table.shipped import SHIPPED

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        yield archive


def test_top_level_names(wheel):
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    info = f"pilotta_solver-{__version__}.dist-info"
    assert tops == {"pilotta_solver", "pilotta_cli", info}


def test_it_has_the_rulesets_and_the_type_markers(wheel):
    names = set(wheel.namelist())
    assert {f"pilotta_solver/rulesets/{name}.toml" for name in preset_names()} <= names
    assert {"pilotta_solver/py.typed", "pilotta_cli/py.typed"} <= names


def test_it_has_the_bidding_tables(wheel):
    folder = "pilotta_solver/bidding_table/shipped"
    assert {f"{folder}/{name}.json.gz" for name in SHIPPED} <= set(wheel.namelist())


def test_it_has_every_module_and_nothing_else(wheel):
    packaged = {name for name in wheel.namelist() if ".dist-info/" not in name}
    sources = {
        str(path.relative_to(base))
        for base, package in ((ROOT, "pilotta_solver"), (ROOT / "cli", "pilotta_cli"))
        for path in (base / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert packaged == sources


def test_console_script_and_metadata(wheel):
    info = f"pilotta_solver-{__version__}.dist-info"
    scripts = wheel.read(f"{info}/entry_points.txt").decode()
    assert scripts.split() == ["[console_scripts]", "pilotta", "=", "pilotta_cli.main:main"]
    assert "License-Expression: MIT" in wheel.read(f"{info}/METADATA").decode()


def test_the_console_script_runs():
    script = Path(sys.executable).with_name("pilotta")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"pilotta {__version__}\n"


def test_the_lock_fits_the_project_and_names_one_public_index():
    lock = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (mine,) = (package for package in lock["package"] if package["name"] == project["name"])
    assert mine["version"] == project["version"] == __version__
    assert mine["source"] == {"editable": "."}
    others = [package for package in lock["package"] if package is not mine]
    assert len({package["source"]["registry"] for package in others}) == 1
    files = [file for package in others for file in package.get("wheels", [])]
    files += [package["sdist"] for package in others if "sdist" in package]
    places = {urlsplit(file["url"])[:2] for file in files}
    assert len(places) == 1
    assert {scheme for scheme, _ in places} == {"https"}
