"""Running the command line: in this process for speed, or in another to see what a shell sees."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from pilotta_cli.main import main
from pilotta_solver.engine.jit import compile_all

PILOTTA = str(Path(sys.executable).with_name("pilotta"))

HAND = "AKJ9.T8.A7."
DEAL = "N:7.QJ8.AQ8.A J.A.KJ.KQ98 AQT8.7.T7.J K9.KT9.9.T7"


@dataclass(frozen=True)
class Result:
    """What a command has left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """Compile beforehand: only the first run ever says so, and that has a test of its own."""
    compile_all()


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep the tester's own settings out of the results."""
    for name in [name for name in os.environ if name.startswith("PILOTTA_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("COLUMNS", "80")
    return


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process."""

    def run_here(*args: object) -> Result:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        captured = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return Result(ended.value.code, captured.out, captured.err)

    return run_here


@pytest.fixture
def run_process() -> Run:
    """Run the command line in a process of its own, with `stdin` if given."""

    def run_there(*args: object, stdin: str = "", env: dict[str, str] | None = None) -> Result:
        done = subprocess.run(
            [PILOTTA, *map(str, args)],
            input=stdin.encode(),
            capture_output=True,
            env={**os.environ, **(env or {})},
            timeout=300,
            check=False,
        )
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run_there
