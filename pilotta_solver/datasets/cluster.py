"""Work shared out between many machines by Dask: the only module that imports it."""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from itertools import islice
from typing import Any, TypeVar

from pilotta_solver.errors import PilottaError
from pilotta_solver.workers import n_jobs

T = TypeVar("T")
R = TypeVar("R")

LOCAL = "local"
"""Instead of an address: a scheduler and workers of this machine, for this run only."""

WAIT_SECONDS = 60
"""How long to wait for a scheduler to answer, and for its first worker."""


def completed(
    function: Callable[[T], R], items: Iterable[T], address: str, *, n_workers: int | None = None
) -> Generator[R]:
    """Call a function for each item on the workers of a cluster; yield results as they come.

    The items of a worker that is lost go to others; the function may therefore be called more
    than once for an item. Workers that join later get their share.

    Parameters
    ----------
    function : callable
        A function that the workers can import; it runs on one thread of a worker.
    items : iterable
        Its arguments; each is sent when a worker is about to be free for it.
    address : str
        The address of a scheduler, such as ``tcp://10.0.0.1:8786``, or `LOCAL`.
    n_workers : int, optional
        Worker processes of `LOCAL`; by default one a core.

    Raises
    ------
    PilottaError
        If Dask is not installed, the scheduler or a worker does not answer, the workers lack this
        package, or workers are lost again and again over the same item.
    """
    try:
        from dask.distributed import as_completed
        from distributed.comm.core import CommClosedError
        from distributed.scheduler import KilledWorker
    except ImportError as error:
        raise PilottaError(
            "a cluster needs dask.distributed; install it with: "
            "pip install 'pilotta-solver[cluster]'"
        ) from error
    with _client(address, n_workers) as client:
        waiting = iter(items)
        running = as_completed()

        def top_up() -> None:
            n_threads = sum(client.nthreads().values())
            # Two an idle thread, so that no worker waits for the next one to be sent.
            for item in islice(waiting, max(1, 2 * n_threads - running.count())):
                running.add(client.submit(function, item, pure=False))

        try:
            top_up()
            for future in running:
                yield future.result()
                future.release()
                top_up()
        except KilledWorker as error:
            raise PilottaError(
                f"cluster {address}: workers were lost again and again over one part; look into "
                "their logs (memory?) and give the same command again"
            ) from error
        except (CancelledError, CommClosedError) as error:
            raise PilottaError(
                f"cluster {address}: the scheduler is lost; start it again and give the same "
                "command, what is whole is kept"
            ) from error
        except ModuleNotFoundError as error:
            raise PilottaError(
                f"cluster {address}: a worker has no module '{error.name}'; install "
                "pilotta-solver there"
            ) from error


@contextmanager
def _client(address: str, n_workers: int | None) -> Iterator[Any]:
    """Connect to a scheduler that has a worker, and leave it, or end it if it is our own."""
    from dask.distributed import LocalCluster

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    if address != LOCAL:
        with _connect(address, address) as client:
            yield client
        return
    with (
        LocalCluster(
            n_workers=n_jobs(n_workers),
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
            memory_limit=0,
        ) as cluster,
        _connect(address, cluster) as client,
    ):
        client.register_plugin(_uninterrupted())
        yield client


def _connect(address: str, target: Any) -> Any:
    """A client of a scheduler that has a worker."""
    from dask.distributed import Client

    try:
        client = Client(target, timeout=WAIT_SECONDS)
    except OSError as error:
        raise PilottaError(
            f"cluster {address}: no scheduler answers ({error}); start one with 'dask scheduler'"
        ) from error
    except ValueError as error:
        raise PilottaError(
            f"cluster {address}: {error}; give an address as in tcp://10.0.0.1:8786, or 'local'"
        ) from error
    try:
        client.wait_for_workers(1, timeout=WAIT_SECONDS)
    except TimeoutError as error:
        client.close()
        raise PilottaError(
            f"cluster {address}: the scheduler has no worker; start one with 'dask worker "
            f"{address}'"
        ) from error
    return client


def _uninterrupted() -> Any:
    """A plugin for workers that share a terminal with us: Ctrl-C is for us, and we end them."""
    from dask.distributed import WorkerPlugin

    class Uninterrupted(WorkerPlugin):  # type: ignore[misc,unused-ignore]
        def setup(self, worker: Any) -> None:
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    return Uninterrupted()
