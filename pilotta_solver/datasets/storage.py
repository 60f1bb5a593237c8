"""Folders of files on a disk or in an object store, where a file is whole or not there at all.

A folder is named by a path, or by a URI that pyarrow's filesystems open (``file://``, ``s3://``,
``gs://``, ``abfs://``, ``hdfs://``). Beside `parquet` this is the only module that imports pyarrow.
"""

from __future__ import annotations

import errno
import json
import os
import re
import secrets
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from pilotta_solver.errors import PilottaError

if TYPE_CHECKING:
    from pyarrow import fs

Notice = Callable[[str], None]
"""Called with a sentence that a waiting person wants to read."""

# Readers of datasets pass over names that begin with a dot.
LOCK = ".lock"
_BESIDE = re.compile(r"\..+\.tmp")

# A put into one of these stores is seen whole or not at all; elsewhere a rename makes it so.
_OBJECT_STORES = ("s3", "gcs", "abfs")

BEAT_SECONDS = 5.0
"""How often a run renews its lock in an object store."""

BEATS_TO_LIVE = 4
"""A lock in an object store that was not renewed for so many beats belongs to a dead run."""


class Folder(ABC):
    """A folder; make one with `open_folder`.

    Every failure of the disk or the network is a `PilottaError` that names the file.

    Attributes
    ----------
    name : str
        The folder as messages call it, without any password.
    """

    name: str

    @abstractmethod
    def names(self) -> list[str]:
        """The names of the files in it, sorted; none if there is no such folder."""

    @abstractmethod
    def read(self, name: str) -> bytes | None:
        """What a file holds, or None if there is no such file."""

    @abstractmethod
    def write(self, name: str, content: bytes) -> None:
        """Write a file, replacing any, so that at no moment a part of it can be seen."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""

    @abstractmethod
    def lock(self, notice: Notice | None = None) -> Any:
        """Hold the folder for this run while a ``with`` block runs; it is made if need be.

        The lock of a run that was killed does not bar the next one.

        Raises
        ------
        PilottaError
            If another run holds it.
        """

    def where(self, name: str) -> str:
        """A file of the folder as messages call it."""
        return f"{self.name}/{name}"

    def remove_leftovers(self) -> None:
        """Remove what a run that was killed left half-written."""
        for name in self.names():
            if _BESIDE.fullmatch(name):
                self.remove(name)

    @contextmanager
    def _told(self, name: str = "") -> Iterator[None]:
        """Tell an error of the system in one line."""
        where = self.where(name) if name else self.name
        try:
            yield
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.EDQUOT):
                raise PilottaError(
                    f"{where}: the disk is full; make room and give the same command again, what "
                    "is whole is kept"
                ) from error
            why = " ".join(str(error.strerror or error).split())
            raise PilottaError(
                f"{where}: {why}; mend that and give the same command again"
            ) from error

    def _refuse(self) -> PilottaError:
        return PilottaError(
            f"{self.name}: another run is writing into this folder; wait for it, or name another"
        )


def open_folder(where: str | Path) -> Folder:
    """Return the folder at a path or a URI; it need not exist yet.

    Raises
    ------
    PilottaError
        If it is a URI that pyarrow does not open.
    """
    text = str(where)
    if "://" not in text:
        return LocalFolder(Path(text))
    name = _without_secrets(text)
    import pyarrow as pa
    from pyarrow import fs

    try:
        filesystem, path = fs.FileSystem.from_uri(text)
    except (pa.ArrowException, OSError) as error:
        why = str(error).replace(text, name).splitlines()[0]
        raise PilottaError(f"{name}: not a folder that can be opened ({why}); mend it") from error
    if not path:
        raise PilottaError(f"{name}: names no folder; write it as in s3://bucket/folder")
    if isinstance(filesystem, fs.LocalFileSystem):
        return LocalFolder(Path(path))
    return RemoteFolder(filesystem, PurePosixPath(path), name)


class LocalFolder(Folder):
    """A folder of this machine, or of a network disk that looks like one."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = str(path)

    def names(self) -> list[str]:
        """The names of the files in it, sorted; none if there is no such folder."""
        self._check()
        with self._told():
            return sorted(path.name for path in self.path.glob("*") if path.is_file())

    def read(self, name: str) -> bytes | None:
        """What a file holds, or None if there is no such file."""
        self._check()
        with self._told(name):
            try:
                return (self.path / name).read_bytes()
            except FileNotFoundError:
                return None

    def write(self, name: str, content: bytes) -> None:
        """Write beside, to the disk itself, then rename."""
        beside = self.path / f".{name}.{secrets.token_hex(4)}.tmp"
        with self._told(name):
            try:
                with beside.open("wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                beside.replace(self.path / name)
            finally:
                beside.unlink(missing_ok=True)
            self._sync()

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        with self._told(name):
            (self.path / name).unlink(missing_ok=True)

    @contextmanager
    def lock(self, notice: Notice | None = None) -> Iterator[None]:
        """Hold a lock of the operating system, which ends with the process that holds it."""
        from filelock import FileLock, Timeout

        if not self.path.parent.is_dir():
            raise PilottaError(
                f"{self.name}: the folder '{self.path.parent}' does not exist; make it first"
            )
        self._check()
        with self._told():
            self.path.mkdir(exist_ok=True)
        lock = FileLock(self.path / LOCK)
        with self._told(LOCK):
            try:
                lock.acquire(blocking=False)
            except Timeout:
                raise self._refuse() from None
        try:
            yield
        finally:
            lock.release()

    def _check(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise PilottaError(f"{self.name}: a file, not a folder; name a folder")

    def _sync(self) -> None:
        """Have the rename on the disk too; only POSIX opens a folder."""
        if os.name == "posix":
            folder = os.open(self.path, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


class RemoteFolder(Folder):
    """A folder of another filesystem that pyarrow opens."""

    def __init__(self, filesystem: fs.FileSystem, path: PurePosixPath, name: str) -> None:
        self._filesystem = filesystem
        self._path = path
        self.name = name

    def names(self) -> list[str]:
        """The names of the files in it, sorted; none if there is no such folder."""
        from pyarrow import fs

        selector = fs.FileSelector(str(self._path), allow_not_found=True)
        with self._told():
            found = self._filesystem.get_file_info(selector)
        return sorted(info.base_name for info in found if info.type == fs.FileType.File)

    def read(self, name: str) -> bytes | None:
        """What a file holds, or None if there is no such file."""
        with self._told(name):
            try:
                with self._filesystem.open_input_stream(str(self._path / name)) as file:
                    content: bytes = file.read()
                    return content
            except FileNotFoundError:
                return None

    def write(self, name: str, content: bytes) -> None:
        """Put an object, which is whole or not there; or write beside and rename."""
        target = str(self._path / name)
        is_store = self._filesystem.type_name in _OBJECT_STORES
        beside = target if is_store else str(self._path / f".{name}.{secrets.token_hex(4)}.tmp")
        with self._told(name):
            with self._filesystem.open_output_stream(beside) as file:
                file.write(content)
            if beside != target:
                self._filesystem.move(beside, target)

    def remove(self, name: str) -> None:
        """Remove a file, if it is there."""
        with self._told(name), suppress(FileNotFoundError):
            self._filesystem.delete_file(str(self._path / name))

    @contextmanager
    def lock(self, notice: Notice | None = None) -> Iterator[None]:
        """Hold a file that is renewed all the time; one that is not belongs to a dead run.

        No clock is read but one's own, so those of two machines may differ.
        """
        if self._filesystem.type_name not in _OBJECT_STORES:
            with self._told():
                self._filesystem.create_dir(str(self._path), recursive=True)
        before = self.read(LOCK)
        if before is not None:
            if notice is not None:
                seconds = BEATS_TO_LIVE * BEAT_SECONDS
                notice(f"{self.name} is locked; looking for {seconds:.0f} s whether its run lives.")
            self._watch(before)
        run, ended = secrets.token_hex(8), threading.Event()
        self._renew(run, 0)
        # Of two runs that start at once the later write stays, and the other run sees it.
        if ended.wait(BEAT_SECONDS / 10) or not self._is_ours(run):
            raise self._refuse()

        def keep() -> None:
            beat = 0
            while not ended.wait(BEAT_SECONDS):
                beat += 1
                with suppress(PilottaError):
                    self._renew(run, beat)

        keeper = threading.Thread(target=keep, daemon=True)
        keeper.start()
        try:
            yield
        finally:
            ended.set()
            keeper.join()
            if self._is_ours(run):
                self.remove(LOCK)

    def _watch(self, before: bytes) -> None:
        """Return when a lock has proved dead, that is unchanged for so long."""
        for _ in range(2 * BEATS_TO_LIVE):
            time.sleep(BEAT_SECONDS / 2)
            now = self.read(LOCK)
            if now is None:
                return
            if now != before:
                raise self._refuse()

    def _renew(self, run: str, beat: int) -> None:
        self.write(LOCK, json.dumps({"run": run, "beat": beat}).encode())

    def _is_ours(self, run: str) -> bool:
        content = self.read(LOCK)
        return content is not None and run.encode() in content


def _without_secrets(uri: str) -> str:
    """A URI for messages: no user, no password, no query."""
    return re.sub(r"://[^/@]*@", "://", uri.partition("?")[0]).rstrip("/")
