"""A run may be killed at any moment: the same command goes on, and no byte tells of it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from interrupts import heed_ctrl_c

from pilotta_cli.main import main

PILOTTA = str(Path(sys.executable).with_name("pilotta"))


def command(folder: Path, n: int, *more: str) -> list[str]:
    return [
        "simulate", "-n", str(n), "-o", str(folder), "--seed", "5", "--contracts", "S",
        "--part-size", "20", "-q", *more,
    ]  # fmt: skip


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


def manifest_size(folder: Path) -> int:
    manifest = folder / "_manifest.json"
    return manifest.stat().st_size if manifest.exists() else 0


@pytest.fixture
def whole(tmp_path):
    """Give the bytes that an unbroken run writes."""

    def make(n: int) -> dict[str, bytes]:
        with pytest.raises(SystemExit) as ended:
            main(command(tmp_path / "whole", n))
        assert ended.value.code == 0
        return contents(tmp_path / "whole")

    return make


def kill_and_go_on(folder: Path, n: int, n_kills: int) -> list[int]:
    """Kill runs at random moments after their first part; return the size of each manifest."""
    draw, sizes = random.Random(n_kills), []
    for _ in range(n_kills):
        before = manifest_size(folder)
        with subprocess.Popen([PILOTTA, *command(folder, n, "-j", "1")]) as run:
            deadline = time.monotonic() + 60
            while manifest_size(folder) == before and run.poll() is None:
                assert time.monotonic() < deadline
                time.sleep(0.001)
            time.sleep(draw.uniform(0, 0.1))
            run.send_signal(signal.SIGKILL)
            assert run.wait() == -signal.SIGKILL, "the run was over before it was killed"
        sizes.append(manifest_size(folder))
    assert subprocess.run([PILOTTA, *command(folder, n)], check=False).returncode == 0
    return sizes


@pytest.mark.parametrize(
    ("n_kills", "n"), [(3, 900), pytest.param(20, 5000, marks=pytest.mark.slow)]
)
def test_a_run_that_is_killed_goes_on_and_the_bytes_are_those_of_an_unbroken_one(
    tmp_path, whole, n_kills, n
):
    sizes = kill_and_go_on(tmp_path / "killed", n, n_kills)
    assert sizes == sorted(set(sizes)), "every run added to what was there"
    assert contents(tmp_path / "killed") == whole(n)


def test_two_runs_into_one_folder_the_second_is_refused(tmp_path, whole, run):
    folder = tmp_path / "d"
    with subprocess.Popen([PILOTTA, *command(folder, 1000, "-j", "1")]) as first:
        while not manifest_size(folder):
            time.sleep(0.001)
        second = run(*command(folder, 1000))
        assert second.code == 1
        assert second.err == (
            f"Error: {folder}: another run is writing into this folder; wait for it, or name "
            "another\n"
        )
        assert first.wait() == 0
    assert contents(folder) == whole(1000)


def test_ctrl_c_ends_at_once_and_leaves_nothing_half_written(tmp_path):
    folder = tmp_path / "d"
    with subprocess.Popen(
        [PILOTTA, *command(folder, 10**6)],
        preexec_fn=heed_ctrl_c,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as run:
        while manifest_size(folder) < 2000:
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        assert run.wait(timeout=30) == 130
        assert [told.strip() for told in run.communicate()] == [b"", b""]
    assert not [name for name in os.listdir(folder) if name.endswith(".tmp")]
