"""A real scheduler with worker processes: the bytes of a local run, also when a worker dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from dask.distributed import LocalCluster

from pilotta_solver import load_ruleset
from pilotta_solver.datasets.simulation import Simulation, simulate
from pilotta_solver.errors import PilottaError

SIMULATION = Simulation(5, load_ruleset(), (0, 1))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


@pytest.fixture(scope="module")
def cluster():
    """A scheduler and two worker processes."""
    with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        memory_limit=0,
    ) as cluster:
        yield cluster


def test_a_worker_is_killed_and_its_parts_go_to_others(cluster, tmp_path):
    killed: list[int] = []

    def kill_one(done: int, total: int) -> None:
        if done > total // 3 and not killed:
            worker = next(iter(cluster.workers.values()))
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    dataset = simulate(
        tmp_path / "cluster",
        SIMULATION,
        600,
        part_size=20,
        cluster=cluster.scheduler_address,
        progress=kill_one,
    )
    assert len(killed) == 1
    assert dataset.n_deals_made == 600
    simulate(tmp_path / "here", SIMULATION, 600, part_size=20, jobs=1)
    assert contents(tmp_path / "cluster") == contents(tmp_path / "here")


def test_the_command_with_local_workers_writes_the_same_bytes(run, tmp_path):
    args = ("simulate", "-n", 300, "--seed", 5, "--contracts", "SH", "--part-size", "40", "-q")
    result = run(*args, "-o", tmp_path / "local", "--cluster", "local", "-j", "2")
    assert (result.code, result.out, result.err) == (0, "", "")
    assert run(*args, "-o", tmp_path / "one", "-j", "1").code == 0
    assert run(*args, "-o", tmp_path / "two", "-j", "2").code == 0
    assert contents(tmp_path / "local") == contents(tmp_path / "one")
    assert contents(tmp_path / "two") == contents(tmp_path / "one")


def test_a_relative_folder_is_the_clients_own(cluster, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    address = cluster.scheduler_address
    args = ("simulate", "-n", 30, "--seed", 5, "--contracts", "S", "--part-size", "10", "-q")
    assert run(*args, "-o", "d", "--cluster", address).code == 0
    assert len(contents(tmp_path / "d")) == 4


def test_an_error_of_a_worker_is_told_in_one_line(cluster, run, tmp_path):
    """The folder is removed under the workers' hands."""
    import shutil

    folder = tmp_path / "d"

    def remove() -> None:
        while not (folder / "_manifest.json").exists():
            time.sleep(0.001)
        shutil.rmtree(folder)

    thread = threading.Thread(target=remove)
    thread.start()
    args = ("simulate", "-n", 400, "--seed", 5, "--contracts", "SH", "--part-size", "200", "-q")
    result = run(*args, "-o", folder, "--cluster", cluster.scheduler_address)
    thread.join()
    assert result.code == 1
    assert result.err.count("\n") == 1
    assert "No such file or directory" in result.err


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("tcp://127.0.0.1:9", "cluster tcp://127.0.0.1:9: no scheduler answers"),
        ("what://x", "cluster what://x: unknown address scheme"),
    ],
)
def test_a_scheduler_that_does_not_answer_is_told(run, tmp_path, monkeypatch, address, told):
    monkeypatch.setattr("pilotta_solver.datasets.cluster.WAIT_SECONDS", 1)
    result = run("simulate", "-n", 5, "-o", tmp_path / "d", "--cluster", address, "-q")
    assert result.code == 1
    assert result.err.startswith(f"Error: {told}")
    assert result.err.count("\n") == 1


def test_a_scheduler_without_workers_is_told(run, tmp_path, monkeypatch):
    monkeypatch.setattr("pilotta_solver.datasets.cluster.WAIT_SECONDS", 1)
    with LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0") as cluster:
        address = cluster.scheduler_address
        result = run("simulate", "-n", 5, "-o", tmp_path / "d", "--cluster", address, "-q")
    assert result.code == 1
    assert result.err.startswith(f"Error: cluster {address}: the scheduler has no worker; start")
    assert result.err.count("\n") == 1


def test_a_scheduler_that_is_lost_is_told_and_what_is_whole_is_kept(tmp_path):
    code = """
import sys
from dask.distributed import LocalCluster
if __name__ == "__main__":
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0")
    print(cluster.scheduler_address, flush=True)
    sys.stdin.read()
"""
    (tmp_path / "scheduler.py").write_text(code)
    with subprocess.Popen(
        [sys.executable, tmp_path / "scheduler.py"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().decode().strip()

        def kill(done: int, _: int) -> None:
            if done:
                process.kill()

        with pytest.raises(PilottaError, match=f"cluster {address}: the scheduler is lost"):
            simulate(tmp_path / "d", SIMULATION, 4000, part_size=20, cluster=address, progress=kill)
    assert len(contents(tmp_path / "d")) >= 2


def test_without_dask_the_extra_is_named(tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] in ("dask", "distributed")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "dask.distributed", None)
    with pytest.raises(PilottaError, match=r"pip install 'pilotta-solver\[cluster\]'"):
        simulate(tmp_path / "d", SIMULATION, 5, cluster="local")
