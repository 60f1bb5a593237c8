"""The page of findings is written anew from any dataset."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pilotta_solver import load_ruleset
from pilotta_solver.datasets.simulation import Simulation, simulate

DOCS = Path(__file__).parents[2] / "docs"


def write(page, dataset, *more):
    return subprocess.run(
        [sys.executable, DOCS / "findings.py", dataset, "--page", page, *more],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def page(tmp_path):
    return Path(shutil.copy(DOCS / "findings.md", tmp_path))


def test_the_section_is_replaced_and_the_rest_is_kept(tmp_path, page):
    before = page.read_text(encoding="utf-8")
    simulate(tmp_path / "d", Simulation(1, load_ruleset(), (0, 1, 5)), 300, jobs=1)
    done = write(page, tmp_path / "d", "--speed", "700", "--memory", "280", "--machine", "a box")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    text = page.read_text(encoding="utf-8")
    assert (
        text.partition("<!-- deals: begin -->")[0] == before.partition("<!-- deals: begin -->")[0]
    )
    assert text.partition("<!-- deals: end -->")[2] == before.partition("<!-- deals: end -->")[2]
    words = " ".join(text.split())
    assert (
        "**From a small run, not from a million deals.** n = 300 deals, each solved in 3" in words
    )
    assert "700 deals (2,100 exact values) a second with --jobs 1 on a box, with 280 MB" in words
    assert "|  | spades | hearts | theirs |" in text
    assert "|  | spades | hearts | all trump |" in text


def test_a_dataset_that_does_not_compare_is_refused(tmp_path, page):
    simulate(tmp_path / "d", Simulation(1, load_ruleset(), (0,), leader=1), 5, jobs=1)
    done = write(page, tmp_path / "d")
    assert done.returncode == 2
    assert "give a dataset in which N leads" in done.stderr
