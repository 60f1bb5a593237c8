"""What an import or a help page may load, and what the package exports."""

from __future__ import annotations

import subprocess
import sys

import pytest

import pilotta_solver

HEAVY = {
    "numba", "llvmlite", "numpy", "pandas", "pyarrow", "rich", "matplotlib", "scipy", "distributed",
    "sklearn",
}  # fmt: skip

SHOW = "import sys; print('\\n'.join({name.partition('.')[0] for name in sys.modules}))"

HELP = """
import sys
from pilotta_cli.main import main
sys.stdout, stdout = sys.stderr, sys.stdout
try:
    main({arguments!r})
except SystemExit as ended:
    assert ended.code == 0, ended.code
sys.stdout = stdout
"""


def loaded(code: str) -> set[str]:
    """Return the packages that a new process has loaded after running some code."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{SHOW}"], capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["bid", "--help"],
        ["solve", "--help"],
        ["perft", "-h"],
        ["score", "-h"],
        ["rules", "-h"],
        ["simulate", "-h"],
        ["show", "-h"],
        ["deal", "-h"],
        ["rules", "tsaka", "classic"],
    ],
    ids=" ".join,
)
def test_help_loads_nothing_heavy(arguments):
    assert not loaded(HELP.format(arguments=arguments)) & HEAVY


@pytest.mark.parametrize(
    "code",
    [
        "import pilotta_solver",
        "from pilotta_solver import parse_deal, parse_hand, parse_bid, load_ruleset, replay",
        "import pilotta_solver.parquet",
    ],
)
def test_light_parts_of_the_library_load_nothing_heavy(code):
    assert not loaded(code) & HEAVY


def test_solving_loads_neither_pandas_nor_pyarrow():
    code = "from pilotta_solver import advise, solve, solve_many, worlds"
    assert not loaded(code) & {"pandas", "pyarrow", "rich", "matplotlib", "scipy"}


def test_scoring_loads_no_engine():
    command = HELP.format(arguments=["score", "80S", "--points", "100-62", "--json"])
    assert not loaded(command) & (HEAVY - {"numpy"})


def test_every_public_name_is_there():
    for name in pilotta_solver.__all__:
        assert getattr(pilotta_solver, name) is not None
    assert set(pilotta_solver.__all__) <= set(dir(pilotta_solver))
    assert len(set(pilotta_solver.__all__)) == len(pilotta_solver.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'slove'"):
        _ = pilotta_solver.slove  # type: ignore[attr-defined]
