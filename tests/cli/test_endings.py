"""How a run ends when it is interrupted, when the disk says no, and what a terminal sees."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from interrupts import heed_ctrl_c

PILOTTA = str(Path(sys.executable).with_name("pilotta"))
HAND = "AKJ9.T8.A7."
DEAL = "N:7.QJ8.AQ8.A J.A.KJ.KQ98 AQT8.7.T7.J K9.KT9.9.T7"
COLOUR = re.compile(r"\x1b\[[0-9;]*(3[0-7]|9[0-7])m")


def on_a_terminal(*args: str, **variables: str) -> str:
    """Run the command with a terminal as stdout and stderr, and return what it shows."""
    ours, theirs = os.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "80", **variables}
    environment = {name: value for name, value in environment.items() if value}
    with subprocess.Popen(
        [PILOTTA, *args], stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, env=environment
    ):
        os.close(theirs)
        shown = b""
        # Reading from a terminal whose other end is closed is an error on Linux.
        try:
            while chunk := os.read(ours, 1 << 16):
                shown += chunk
        except OSError:
            pass
    os.close(ours)
    return shown.decode()


def test_a_terminal_gets_symbols_and_colour():
    shown = on_a_terminal("bid", HAND, "100S", "-n", "30", "--seed", "1", NO_COLOR="")
    assert "♠AKJ9 ♥108 ♦A7" in shown
    assert "Yes: 100♠" in shown
    assert COLOUR.search(shown)


def test_the_meaning_of_a_key_fits_the_terminal():
    shown = on_a_terminal("rules", "tsaka")
    assert max(map(len, shown.splitlines())) <= 80
    assert "      Doubled, the winner scores twice the bid (four times when redoubled)" in shown


def test_no_color_is_heeded():
    shown = on_a_terminal("bid", HAND, "100S", "-n", "30", "--seed", "1", NO_COLOR="1")
    assert "Yes: 100♠" in shown
    assert not COLOUR.search(shown)


def test_progress_is_for_terminals_and_for_those_who_want_it(run):
    args = ("bid", HAND, "-n", "100", "--seed", "1")
    assert "Solving worlds" in on_a_terminal(*args)
    assert "Solving worlds" not in on_a_terminal(*args, "--quiet")
    assert run(*args).err == ""


def test_a_long_simulation_tells_how_many_deals_a_second(tmp_path):
    args = ("simulate", "-n", "900", "-o", str(tmp_path / "d"), "--contracts", "S", "-j", "1")
    shown = on_a_terminal(*args)
    assert "Simulating" in shown
    assert re.search(r"\d deals/s", shown)
    assert re.search(r"\d+/900", shown)
    quiet = on_a_terminal(*args[:4], str(tmp_path / "e"), *args[5:], "--quiet")
    assert quiet == ""


def test_a_pipe_gets_no_escape_and_no_symbol(run):
    out = run("bid", HAND, "100S", "-n", 30).out
    assert "\x1b" not in out
    assert "♠" not in out


def test_a_pipe_that_knows_only_ascii(run_process):
    for args in (
        ["bid", HAND, "100S", "-n", 30],
        ["solve", "N:J. A. T. K.".replace(".", "..."), "--table"],
    ):
        result = run_process(*args, env={"PYTHONIOENCODING": "ascii"})
        assert (result.code, result.err) == (0, "")
        assert result.out.isascii()


def test_the_first_run_ever_says_that_it_compiles(run, monkeypatch):
    monkeypatch.setattr("pilotta_solver.engine.jit.is_compiled", lambda: False)
    first = run("bid", HAND, "-n", 5)
    assert first.code == 0
    assert first.err.startswith("Compiling the engine for this machine, once")
    assert run("bid", HAND, "-n", 5, "--quiet").err == ""


def test_interrupt_ends_with_130_and_leaves_nothing(run, tmp_path, monkeypatch):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pilotta_solver.parquet.write", interrupted)
    result = run("bid", HAND, "-n", 5, "-o", tmp_path / "a.parquet")
    assert (result.code, result.out) == (130, "")
    assert "Traceback" not in result.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "args",
    [
        ["bid", HAND, "-n", "1000000", "-o", "a.parquet"],
        ["solve", "--file", "-", "-o", "a.parquet"],
        ["perft", DEAL, "-t", "S", "-l", "N", "-d", "32"],
    ],
    ids=lambda args: args[0],
)
def test_ctrl_c_stops_a_long_run_at_once(args, tmp_path):
    process = subprocess.Popen(
        [PILOTTA, *args],
        cwd=tmp_path,
        preexec_fn=heed_ctrl_c,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        time.sleep(3)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 130
        out, err = process.communicate()
    finally:
        process.kill()
    assert (out, err.strip()) == (b"", b"")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("args", [["rules", "tsaka"], ["solve", DEAL, "--table"]])
def test_a_reader_that_leaves_is_no_error_to_tell(args):
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run([PILOTTA, *args], stdout=theirs, stderr=subprocess.PIPE, timeout=60)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("args", [["rules", "tsaka"], ["solve", DEAL, "--table"]])
def test_stdout_may_be_closed(args):
    done = subprocess.run(
        [PILOTTA, *args], preexec_fn=lambda: os.close(1), stderr=subprocess.PIPE, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_full_disk_is_told_in_one_line(run, tmp_path, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "a.parquet")

    monkeypatch.setattr("pilotta_solver.parquet.write", full)
    result = run("bid", HAND, "-n", 5, "-o", tmp_path / "a.parquet")
    assert (result.code, result.out) == (1, "")
    assert result.err == "Error: a.parquet: No space left on device\n"
    assert list(tmp_path.iterdir()) == []
