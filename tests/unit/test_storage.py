"""A file is whole or not there, and a folder has one writer."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest
from pyarrow import fs

from pilotta_solver.datasets import storage
from pilotta_solver.datasets.storage import LocalFolder, RemoteFolder, open_folder
from pilotta_solver.errors import PilottaError

HOLD = """
import sys
from pilotta_solver.datasets.storage import open_folder
with open_folder(sys.argv[1]).lock():
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def remote(tmp_path: Path) -> RemoteFolder:
    """A folder behind pyarrow's filesystems, where a file is renamed into its place."""
    return RemoteFolder(
        fs.SubTreeFileSystem(str(tmp_path), fs.LocalFileSystem()), PurePosixPath("d"), "sub://d"
    )


@pytest.mark.parametrize("kind", ["local", "uri", "remote"])
def test_files_come_and_go(tmp_path, kind, request):
    folder = (
        request.getfixturevalue("remote")
        if kind == "remote"
        else open_folder(f"file://{tmp_path}/d" if kind == "uri" else tmp_path / "d")
    )
    assert (folder.names(), folder.read("a")) == ([], None)
    with folder.lock():
        folder.write("b", b"old")
        folder.write("b", b"new")
        folder.write("a", b"")
        folder.remove("none")
        assert {"a", "b"} <= set(folder.names())
        assert (folder.read("a"), folder.read("b")) == (b"", b"new")
        folder.remove("a")
    assert [name for name in folder.names() if name != ".lock"] == ["b"]


def test_a_path_is_no_uri(tmp_path):
    assert isinstance(open_folder(tmp_path), LocalFolder)
    assert isinstance(open_folder(f"file://{tmp_path}"), LocalFolder)
    assert open_folder(f"file://{tmp_path}").name == str(tmp_path)


@pytest.mark.parametrize(
    ("uri", "told"),
    [
        ("ftp://there/d", "ftp://there/d: not a folder"),
        ("s3://", "names no folder"),
        ("what://", "what"),
    ],
)
def test_what_cannot_be_opened_is_told(uri, told):
    with pytest.raises(PilottaError, match=told):
        open_folder(uri)


def test_no_password_is_shown():
    folder = open_folder("s3://me:secret@bucket/d?endpoint_override=127.0.0.1:1&scheme=http")
    assert folder.name == "s3://bucket/d"


def test_a_folder_has_one_writer(tmp_path):
    folder = open_folder(tmp_path / "d")
    with folder.lock(), pytest.raises(PilottaError, match=r"d: another run is writing"):
        open_folder(tmp_path / "d").lock().__enter__()
    with folder.lock():
        pass


def test_the_lock_of_a_killed_run_bars_nobody(tmp_path):
    folder = open_folder(tmp_path / "d")
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "d")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        with pytest.raises(PilottaError, match="another run"):
            folder.lock().__enter__()
        process.kill()
    with folder.lock():
        pass


def test_a_lock_that_is_renewed_is_respected_and_a_dead_one_is_not(remote, monkeypatch):
    monkeypatch.setattr(storage, "BEAT_SECONDS", 0.05)
    said: list[str] = []
    with remote.lock(), pytest.raises(PilottaError, match="another run"):
        remote.lock(said.append).__enter__()
    assert len(said) == 1
    assert remote.read(".lock") is None
    remote.write(".lock", b'{"run": "of a run that was killed", "beat": 7}')
    with remote.lock(said.append):
        pass
    assert said[1] == "sub://d is locked; looking for 0 s whether its run lives."


def test_of_two_runs_at_once_the_later_write_wins(remote, monkeypatch):
    monkeypatch.setattr(storage, "BEAT_SECONDS", 0.05)
    renew = remote._renew

    def overtaken(run: str, beat: int) -> None:
        renew(run, beat)
        remote.write(".lock", b'{"run": "another", "beat": 0}')

    monkeypatch.setattr(remote, "_renew", overtaken)
    with pytest.raises(PilottaError, match="another run"):
        remote.lock().__enter__()


def test_leftovers_are_removed_and_nothing_else(tmp_path):
    folder = open_folder(tmp_path)
    for name in (".a.parquet.1f2e.tmp", "a.parquet", "a.tmp", ".hidden"):
        (tmp_path / name).touch()
    folder.remove_leftovers()
    assert folder.names() == [".hidden", "a.parquet", "a.tmp"]


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    folder = open_folder(tmp_path)
    folder.write("a", b"old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PilottaError, match=r"/a: the disk is full; make room"):
        folder.write("a", b"new")
    monkeypatch.undo()
    assert (folder.names(), folder.read("a")) == (["a"], b"old")


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(PilottaError, match="a file, not a folder"):
        open_folder(tmp_path / "file").lock().__enter__()
    with pytest.raises(PilottaError, match=r"the folder '.*none' does not exist"):
        open_folder(tmp_path / "none" / "d").lock().__enter__()
