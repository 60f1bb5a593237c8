"""Datasets in an object store: a real S3 protocol to a server of this machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from moto.server import ThreadedMotoServer
from pyarrow import fs

from pilotta_solver.datasets import storage

PILOTTA = str(Path(sys.executable).with_name("pilotta"))
SMALL = ("--contracts", "S", "--part-size", "20", "--seed", "5", "-q")


@pytest.fixture(scope="module")
def server():
    """The query of a URI that leads to a server with a bucket."""
    moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    moto.start()
    host, port = moto.get_host_and_port()
    query = f"scheme=http&endpoint_override={host}:{port}&region=us-east-1"
    store, _ = fs.FileSystem.from_uri(f"s3://me:secret@bucket?{query}&allow_bucket_creation=true")
    store.create_dir("bucket")
    yield query
    moto.stop()


@pytest.fixture
def uri(server, request):
    return f"s3://me:secret@bucket/{request.node.name.partition('[')[0]}?{server}"


def stored(uri: str) -> dict[str, bytes]:
    folder = storage.open_folder(uri)
    return {name: folder.read(name) or b"" for name in folder.names() if name != ".lock"}


def local(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


def test_the_bytes_are_those_of_a_local_run(run, uri, tmp_path):
    assert run("simulate", "-n", 70, "-o", uri, *SMALL).code == 0
    assert run("simulate", "-n", 70, "-o", f"file://{tmp_path}/d", *SMALL).code == 0
    assert len(stored(uri)) == 5
    assert stored(uri) == local(tmp_path / "d")
    assert ".lock" not in storage.open_folder(uri).names()
    shown = run("show", uri)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith("Random deals with their exact values: 70 deals, rules tsaka")
    assert "secret" not in run("show", uri, "--json").out


def test_a_run_goes_on_is_checked_and_mended(run, uri):
    run("simulate", "-n", 30, "-o", uri, *SMALL)
    run("simulate", "-n", 70, "-o", uri, *SMALL)
    whole = stored(uri)
    folder = storage.open_folder(uri)
    folder.remove("part-000001.parquet")
    folder.write("part-000002.parquet", b"no more")
    found = run("simulate", "-o", uri, "--verify")
    assert found.code == 1
    assert "part-000001.parquet: missing" in found.out
    assert "part-000002.parquet: damaged" in found.out
    assert "secret" not in found.out + found.err
    assert run("simulate", "-o", uri, "--repair").code == 0
    assert stored(uri) == whole


def test_other_settings_are_refused_without_the_password(run, uri):
    run("simulate", "-n", 30, "-o", uri, *SMALL)
    result = run("simulate", "-n", 30, "-o", uri, *SMALL, "--seed", 6)
    assert result.code == 1
    assert result.err.startswith("Error: s3://bucket/test_other_settings_are_refused_without")
    assert "seed is 5 there and 6 here" in result.err
    assert "secret" not in result.err


def test_a_run_that_is_killed_goes_on_once_its_lock_has_proved_dead(
    run, uri, tmp_path, monkeypatch
):
    command = ("simulate", "-n", "1000", "-o", uri, *SMALL)
    folder = storage.open_folder(uri)
    with subprocess.Popen([PILOTTA, *command], stderr=subprocess.PIPE) as first:
        while len(folder.names()) < 6:
            assert first.poll() is None
            time.sleep(0.01)
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
    assert ".lock" in folder.names()
    monkeypatch.setattr(storage, "BEAT_SECONDS", 0.2)
    assert run(*command).code == 0
    assert run("simulate", "-n", 1000, "-o", tmp_path / "d", *SMALL).code == 0
    assert stored(uri) == local(tmp_path / "d")


def test_two_runs_into_one_folder_the_second_is_refused(run, uri, monkeypatch):
    monkeypatch.setattr(storage, "BEAT_SECONDS", 0.2)
    with storage.open_folder(uri).lock():
        result = run("simulate", "-n", 30, "-o", uri, *SMALL)
    assert result.code == 1
    assert "another run is writing into this folder" in result.err
    assert run("simulate", "-n", 30, "-o", uri, *SMALL).code == 0


def test_workers_of_a_cluster_write_their_parts_themselves(run, uri, tmp_path):
    args = ("simulate", "-n", 70, *SMALL)
    assert run(*args, "-o", uri, "--cluster", "local", "-j", 2).code == 0
    assert run(*args, "-o", tmp_path / "d").code == 0
    assert stored(uri) == local(tmp_path / "d")


def test_a_missing_bucket_is_told(run, server):
    result = run("simulate", "-n", 30, "-o", f"s3://me:secret@none/d?{server}", *SMALL)
    assert result.code == 1
    assert result.err.startswith("Error: s3://none/d")
    assert result.err.count("\n") == 1
    assert "secret" not in result.err
