"""Interrupting a program that a test has started."""

from __future__ import annotations

import signal


def heed_ctrl_c() -> None:
    """Let the process to come be interrupted, also where these tests run in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
