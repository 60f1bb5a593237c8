"""Compiled kernels on the disk: the next process loads them, and they work.

A recursive kernel once compiled and ran, and crashed when another process loaded it from the
cache; only a second process can show that.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SOLVE = """
import json, sys, time
before = time.perf_counter()
from pilotta_solver import parse_deal, perft, solve, solve_cards, solve_many, worlds
from pilotta_solver.engine.jit import cache_folder, compile_all, is_compiled

was_compiled = is_compiled()
compile_all()
deal = parse_deal("N:7.QJ8.AQ8.A J.A.KJ.KQ98 AQT8.7.T7.J K9.KT9.9.T7")
from pilotta_solver.engine import perft as counting, sampling, solve as solving

kernels = [solving.answer, counting.count_sequences, sampling.deal_worlds]
hands = worlds(0, 0, 30, 1)
print(json.dumps({
    "was_compiled": was_compiled,
    "is_compiled": is_compiled(),
    "folder": str(cache_folder()),
    "from_disk": [sum(kernel.stats.cache_hits.values()) for kernel in kernels],
    "compiled": [sum(kernel.stats.cache_misses.values()) for kernel in kernels],
    "card_points": solve(deal, 0, 0).card_points,
    "cards": sorted(solve_cards(deal, 0, 0).values()),
    "perft": perft(deal, 0, 0, depth=6),
    "values": [solve_many(hands, trump, 1, jobs=2).tolist() for trump in range(6)],
    "seconds": time.perf_counter() - before,
}))
"""

DEAL_WORLDS = """
import json
from pilotta_solver import worlds
from pilotta_solver.engine.jit import cache_folder, is_compiled

hands = worlds(0, 0, 3, 1)
print(json.dumps({
    "folder": str(cache_folder()), "is_compiled": is_compiled(), "shape": hands.shape
}))
"""


def run(folder: Path, home: Path, program: str = SOLVE) -> dict[str, Any]:
    environment = {key: value for key, value in os.environ.items() if "NUMBA" not in key}
    environment |= {"HOME": str(home), "NUMBA_CACHE_DIR": str(folder)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        cwd=home,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr}"
    assert not done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, Any]]:
    """A first process that must compile, and a second one."""
    home = tmp_path_factory.mktemp("home")
    folder = tmp_path_factory.mktemp("kernels")
    return run(folder, home), run(folder, home)


def test_the_first_process_compiles(two_runs: tuple[dict[str, Any], dict[str, Any]]) -> None:
    first, _ = two_runs
    assert not first["was_compiled"]
    assert first["is_compiled"]
    assert first["from_disk"] == [0, 0, 0]
    assert first["compiled"] == [1, 1, 1]


def test_the_second_process_loads(two_runs: tuple[dict[str, Any], dict[str, Any]]) -> None:
    first, second = two_runs
    assert second["was_compiled"]
    assert second["from_disk"] == [1, 1, 1]
    assert second["compiled"] == [0, 0, 0]
    assert second["seconds"] < first["seconds"] / 2


def test_both_solve_alike_and_right(two_runs: tuple[dict[str, Any], dict[str, Any]]) -> None:
    first, second = two_runs
    for key in ("card_points", "cards", "perft", "values", "folder"):
        assert first[key] == second[key], key
    assert second["card_points"] == [99, 63]


def test_the_cache_lies_where_it_was_told(
    two_runs: tuple[dict[str, Any], dict[str, Any]],
) -> None:
    folder = Path(two_runs[0]["folder"])
    assert folder.name.startswith("engine-")
    assert list(folder.rglob("*.nbc"))


def test_without_a_cache_folder_it_still_works(tmp_path: Path) -> None:
    """The place for the cache is a file: nothing can be written there, and nothing is said."""
    nowhere = tmp_path / "a file"
    nowhere.touch()
    answer = run(nowhere, tmp_path, DEAL_WORLDS)
    assert answer == {"folder": "None", "is_compiled": False, "shape": [3, 4]}
