"""Names for the types that kernels work on; numba infers them, the names are for the reader."""

from __future__ import annotations

from typing import Any

Int = Any
"""An int64: a card or card set (turned: see ``contract.py``), points, an index or a count."""

Word = Any
"""A uint64."""

Workspace = Any
"""A record of ``workspace.WORKSPACE``."""

Question = Any
"""A record of ``solve.QUESTION``."""
