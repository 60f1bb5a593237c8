"""The one place that says how kernels are compiled, and where the machine code is kept.

Numba's own disk cache looks at the file that defines a kernel, not at the files of the functions
it calls, and so serves stale code after an edit elsewhere. The cache used here lies in a folder
named by a hash of all the engine's sources: another engine, another folder.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
from llvmlite.binding import get_host_cpu_name
from numba.core import config
from platformdirs import user_cache_path

_FINISHED = "finished"
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False}


def _source_hash() -> str:
    """Hash the sources, their place (numba keeps code by path), and what compiles them."""
    made_by = (numba.__version__, sys.version, get_host_cpu_name(), str(Path(__file__).parent))
    digest = hashlib.sha256("\n".join(made_by).encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path | None:
    """Return the folder for compiled kernels, or None when no folder can be written.

    It lies in ``NUMBA_CACHE_DIR`` where Numba was given one, else in the user's cache folder.
    """
    base = Path(config.CACHE_DIR) if config.CACHE_DIR else user_cache_path("pilotta-solver")
    folder = base / f"engine-{_source_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".writable"
        probe.touch()
    except OSError:
        return None
    return folder


def kernel(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile an entry point of the engine: explicit signature, GIL released, cached on disk."""

    def compile_now(function: Callable[..., Any]) -> Any:
        folder = cache_folder()
        previous = config.CACHE_DIR
        try:
            if folder is not None:
                config.CACHE_DIR = str(folder)
            return numba.njit(signature, cache=folder is not None, **_OPTIONS)(function)
        finally:
            config.CACHE_DIR = previous

    return compile_now


def inner(function: Callable[..., Any]) -> Any:
    """Mark a function that kernels call; it is compiled into each of them, never on its own."""
    # Nobody calls it from Python or C, and the wrappers for that are a sixth of the compile time.
    return numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)(function)


def is_compiled() -> bool:
    """Tell whether a finished `compile_all` left its machine code in the cache folder."""
    folder = cache_folder()
    return folder is not None and (folder / _FINISHED).exists()


def compile_all() -> None:
    """Compile every kernel, or load it from the cache folder."""
    for module in ("solve", "perft", "sampling", "completions"):
        import_module(f"pilotta_solver.engine.{module}")
    folder = cache_folder()
    if folder is not None:
        (folder / _FINISHED).touch()
