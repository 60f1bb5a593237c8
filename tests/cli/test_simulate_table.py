"""``pilotta simulate --model table`` and ``--bid-by``: bytes, refusals, and what is said."""

from __future__ import annotations

import json
import os

import pytest

from pilotta_solver.parquet import read

WAYS = {
    "asked": ("--contracts", "SA"),
    "bid": ("--bid-by", "cyprus-basic", "--aim", "contract"),
}


def command(folder, *more, n=6):
    return (
        "simulate", "-n", n, "-o", folder, "--seed", 3, "--model", "table", "--decision-worlds", 2,
        "--part-size", 2, *more,
    )  # fmt: skip


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
def test_neither_threads_nor_a_run_that_was_cut_short_are_seen_in_the_bytes(
    run, tmp_path, monkeypatch, way
):
    assert run(*command(tmp_path / "one", *way), "-j", 1, "-q").code == 0
    whole = contents(tmp_path / "one")
    assert run(*command(tmp_path / "two", *way), "-j", 2, "-q").code == 0
    assert contents(tmp_path / "two") == whole
    fsync, n_synced = os.fsync, 0

    def full(file: int) -> None:
        nonlocal n_synced
        n_synced += 1
        if n_synced > 7:
            raise OSError(28, "No space left on device")
        fsync(file)

    monkeypatch.setattr(os, "fsync", full)
    assert run(*command(tmp_path / "cut", *way), "-j", 1, "-q").code == 1
    monkeypatch.setattr(os, "fsync", fsync)
    assert 1 < len(contents(tmp_path / "cut")) < len(whole)
    result = run(*command(tmp_path / "cut", *way), "-j", 1)
    assert result.code == 0
    assert contents(tmp_path / "cut") == whole
    verified = run("simulate", "-o", tmp_path / "cut", "--verify")
    assert verified.out.endswith("sound; 6 deals in 3 parts, 6 deals solved again\n")


def test_workers_of_a_cluster_write_the_same_bytes(run, tmp_path):
    way = WAYS["bid"]
    assert run(*command(tmp_path / "one", *way), "-j", 1, "-q").code == 0
    local = run(*command(tmp_path / "local", *way), "--cluster", "local", "-j", 1, "-q")
    assert (local.code, local.err) == (0, "")
    assert contents(tmp_path / "local") == contents(tmp_path / "one")


def test_what_was_made_is_told(run, tmp_path):
    result = run(*command(tmp_path / "d", *WAYS["bid"], "--json"))
    told = json.loads(result.out)
    assert [told[key] for key in ("bid_by", "model", "decision_worlds", "aim", "contracts")] == [
        "cyprus-basic", "table", 2, "contract", None,
    ]  # fmt: skip
    assert "seed 3, bid by cyprus-basic, played with 2 worlds a card; 6 made at" in result.err
    out = " ".join(run("show", tmp_path / "d").out.split())
    n_passed_out = int(read(tmp_path / "d")[0].contract_trump.isna().sum())
    for said in ("bid by cyprus-basic", "model table", "decision worlds 2", "aim contract",
                 f"passed out {n_passed_out}", "declarers' card points", "at the table",
                 "made at the table, %", "at the table: as four players play it"):  # fmt: skip
        assert said in out
    shown = json.loads(run("show", tmp_path / "d", "--json").out)
    assert (shown["bid_by"], shown["n_passed_out"]) == ("cyprus-basic", n_passed_out)
    plot = run("show", tmp_path / "d", "--plot", tmp_path / "a.png")
    assert (plot.code, plot.out) == (1, "")
    assert "of which there is no picture; leave out --plot" in plot.err


def test_results_stand_beside_the_values(run, tmp_path):
    run(*command(tmp_path / "d", *WAYS["asked"], n=2), "-q")
    out = run("show", tmp_path / "d").out
    lines = [line.split()[:3] for line in out.splitlines()]
    place = lines.index(["at", "the", "table"])
    assert lines[place - 1][:2] == ["NS", "card"]
    table = read(tmp_path / "d")[0]
    mean = table.table_ns_spades.clip(0, 162).mean()
    assert f"at the table   {mean:.1f}" in out


def test_bidding_alone_needs_no_players(run, tmp_path):
    args = ("simulate", "-n", 40, "-o", tmp_path / "d", "--seed", 3, "--bid-by", "cyprus-basic")
    assert run(*args, "-q").code == 0
    table, metadata = read(tmp_path / "d")
    assert "table_ns" not in table.columns
    assert "model" not in metadata
    assert table.value_ns.notna().sum() > 20


def test_another_system_is_refused_with_what_differs(run, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    text = '[[call]]\ncall = 80\nmeans = "{trump}J and {trump}>=3"\n'
    (tmp_path / "a" / "own.toml").write_text(text)
    (tmp_path / "b" / "own.toml").write_text(text.replace(">=3", ">=4"))
    args = ("simulate", "-n", 4, "-o", tmp_path / "d", "--seed", 1, "-q")
    assert run(*args, "--bid-by", tmp_path / "a" / "own.toml").code == 0
    other = run(*args, "--bid-by", tmp_path / "b" / "own.toml")
    assert other.code == 1
    assert (
        "holds another dataset: bid_by.calls.1.means is {trump}J and {trump}>=3 there and "
        "{trump}J and {trump}>=4 here" in other.err
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("--decision-worlds", 3), "decision_worlds is 2 there and 3 here"),
        (("--model", "dd"), "model is table there and null here"),
        (("--bid-by", "cyprus-basic"), "bid_by is null there and cyprus-basic here"),
    ],
    ids=["worlds", "no players", "a system"],
)
def test_a_folder_of_other_play_is_refused(run, tmp_path, change, told):
    args = ("simulate", "-n", 2, "-o", tmp_path / "d", "--seed", 3, "--part-size", 2, "-q")
    play = ("--model", "table", "--decision-worlds", 2)
    assert run(*args, *play).code == 0
    before = contents(tmp_path / "d")
    wanted = change if "--model" in change else (*play, *change)
    result = run(*args, *wanted)
    assert (result.code, result.out) == (1, "")
    assert told in result.err
    assert contents(tmp_path / "d") == before


BAD = {
    "worlds and no players": (("--decision-worlds", "5"), "only --model table has any"),
    "an aim and no players": (("--aim", "points"), "only --model table has any"),
    "an aim and no contract": (("--model", "table", "--aim", "contract"), "give --bid-by too"),
    "too many worlds": (("--model", "table", "--decision-worlds", "1000000"), "give 1 to 100,000"),
    "an unknown model": (("--model", "sharp"), "'--model'"),
    "a system and contracts": (
        ("--bid-by", "cyprus-basic", "--contracts", "S"), "--contracts does not go with --bid-by",
    ),
    "a system and calls": (
        ("--bid-by", "cyprus-basic", "--hand", "AKJ9.T8.A7.", "--auction", "P"),
        "--auction does not go with --bid-by",
    ),
    "two systems": (
        ("--bid-by", "cyprus-basic", "--system", "none"), "--system does not go with --bid-by",
    ),
    "an unknown system": (("--bid-by", "acol"), "no bidding system 'acol'"),
    "a system without bids": (("--bid-by", "none"), "'none' has no opening bid"),
    "verify and a model": (("--verify", "--model", "table"), "--model does not go with --verify"),
    "verify and a system": (("--verify", "--bid-by", "none"), "--bid-by does not go with"),
}  # fmt: skip


@pytest.mark.parametrize(("args", "told"), BAD.values(), ids=BAD.keys())
def test_what_does_not_go_together_is_a_usage_error(run, tmp_path, args, told):
    number = () if "--verify" in args else ("-n", 3)
    result = run("simulate", "-o", tmp_path / "d", *number, *args)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("Error: ")
    assert told in result.err
    assert result.err.count("\n") == 1
    assert not (tmp_path / "d").exists()


def test_the_number_of_worlds_is_the_librarys():
    from pilotta_cli.played import DECISION_WORLDS
    from pilotta_solver.table_play import player

    assert DECISION_WORLDS == player.DECISION_WORLDS
