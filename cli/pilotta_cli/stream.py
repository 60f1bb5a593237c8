"""Many positions from CSV: read, solve and write as a stream.

Memory stays constant whatever the length of the file, results come in order, and the first one
is out long before the last line is read, even from a pipe that fills slowly.
"""

from __future__ import annotations

import csv
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from queue import Empty, Full, Queue
from typing import TypeVar

from pilotta_solver.errors import PilottaError

T = TypeVar("T")
R = TypeVar("R")

REQUIRED = ("deal", "trump", "leader")
OPTIONAL = ("played",)

_STDIN = 0
_CHUNK = 1 << 16


@dataclass(frozen=True)
class Row:
    """One line of a CSV of positions, not yet parsed.

    Attributes
    ----------
    where : str
        File and line, for messages.
    deal, trump, leader, played : str
        The fields; `played` is empty where the file has no such column.
    """

    where: str
    deal: str
    trump: str
    leader: str
    played: str


def read_rows(path: str) -> Iterator[Row]:
    """Read the rows of a CSV of positions as they come.

    Parameters
    ----------
    path : str
        The file, or ``-`` for stdin.

    Yields
    ------
    Row
        One for each line that is not blank.

    Raises
    ------
    PilottaError
        If the file cannot be read, is empty, lacks a column or has a malformed line; the message
        names file and line.
    """
    name = "stdin" if path == "-" else path
    with _open(path) as file:
        reader = csv.reader(_text(_lines(file), name), strict=True)
        try:
            filled = (fields for fields in reader if any(map(str.strip, fields)))
            header = [field.strip().lower() for field in next(filled, [])]
            places = _places(header, name, reader.line_num)
            n_rows = 0
            for fields in filled:
                where = f"{name}, line {reader.line_num}"
                if len(fields) != len(header):
                    raise PilottaError(
                        f"{where}: {len(fields)} fields under a header of {len(header)}; "
                        "quote a field that holds commas"
                    )
                n_rows += 1
                yield Row(where, *(fields[place] if place >= 0 else "" for place in places))
        except csv.Error as error:
            raise PilottaError(
                f"{name}, line {reader.line_num}: malformed CSV ({error}); mend the line"
            ) from error
        if n_rows == 0:
            raise PilottaError(
                f"{name}, line {reader.line_num}: no position follows the header; add a line for "
                "each"
            )


def count_rows(path: str) -> int | None:
    """Number of lines after the header, for progress; None where counting would consume them."""
    if not Path(path).is_file():
        return None
    with open(path, "rb") as file:
        return max(0, sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(_CHUNK), b"")) - 1)


def ordered_map(function: Callable[[T], R], items: Iterable[T], jobs: int) -> Iterator[R]:
    """Apply a function to a stream of items in threads, and yield the results in order.

    At most a few items a thread are read ahead. A result is yielded as soon as it and all before
    it are there, also while the next item is still awaited. An error in an item, or in the stream
    itself, is raised in its turn.

    Parameters
    ----------
    function : callable
        Takes an item; should release the GIL for most of its time.
    items : iterable
        Read in a thread of its own.
    jobs : int
        Number of threads that apply the function.

    Yields
    ------
    object
        ``function(item)`` for each item.
    """
    pending: Queue[Future[R] | None] = Queue(maxsize=8 * jobs)
    stopped = threading.Event()
    pool = ThreadPoolExecutor(jobs)

    def put(future: Future[R] | None) -> None:
        while not stopped.is_set():
            try:
                return pending.put(future, timeout=0.1)
            except Full:
                continue

    def feed() -> None:
        try:
            for item in items:
                if stopped.is_set():
                    return
                put(pool.submit(function, item))
        except BaseException as error:  # handed to the consumer, in its turn
            failed: Future[R] = Future()
            failed.set_exception(error)
            put(failed)
        else:
            put(None)

    # A daemon, since a read of stdin cannot be interrupted when the consumer gives up.
    threading.Thread(target=feed, daemon=True).start()
    try:
        while True:
            try:
                # With a timeout Ctrl-C gets through on every system.
                future = pending.get(timeout=1.0)
            except Empty:
                continue
            if future is None:
                return
            yield future.result()
    finally:
        stopped.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _places(header: list[str], name: str, line: int) -> list[int]:
    """Where each field of a `Row` stands in a line; -1 for one that is not there."""
    if not header:
        raise PilottaError(
            f"{name}, line 1: empty file; the first line names the columns {','.join(REQUIRED)}"
        )
    for column in REQUIRED:
        if column not in header:
            raise PilottaError(
                f"{name}, line {line}: no column '{column}'; the first line names the columns "
                f"{','.join(REQUIRED)} and optionally {','.join(OPTIONAL)}, with commas between "
                "them"
            )
    for column in header:
        if column and header.count(column) > 1:
            raise PilottaError(f"{name}, line {line}: two columns '{column}'; rename one")
    return [header.index(c) if c in header else -1 for c in (*REQUIRED, *OPTIONAL)]


@contextmanager
def _open(path: str) -> Iterator[FileIO]:
    """Open a file, or stdin, without a buffer that would wait to be filled."""
    if path == "-":
        yield FileIO(_STDIN, closefd=False)
        return
    if Path(path).is_dir():
        raise PilottaError(f"{path}: a folder; name a CSV file in it")
    try:
        file = FileIO(path)
    except OSError as error:
        raise PilottaError(
            f"{path}: cannot be read ({error.strerror}); name a CSV file, or - for stdin"
        ) from error
    with file:
        yield file


def _lines(file: FileIO) -> Iterator[bytes]:
    rest = b""
    while chunk := file.read(_CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line + b"\n"
    if rest:
        yield rest


def _text(lines: Iterable[bytes], name: str) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise PilottaError(
                f"{name}, line {number}: not UTF-8 text; save the file as UTF-8"
            ) from error
