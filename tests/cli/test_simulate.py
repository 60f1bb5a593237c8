"""``pilotta simulate``: what is said where, what is refused, and how a dataset is checked."""

from __future__ import annotations

import json
import os

import pytest

from pilotta_solver.parquet import read

SMALL = ("--part-size", "10", "--contracts", "S", "-j", "1")


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


def test_a_dataset_is_made_and_told_on_stderr(run, tmp_path):
    result = run("simulate", "-n", 25, "-o", tmp_path / "d", "--seed", 1, *SMALL)
    assert (result.code, result.out) == (0, "")
    assert result.err.startswith(f"{tmp_path}/d: 25 deals in 3 parts, 0.")
    assert "bytes a deal), rules tsaka, seed 1; 25 made at " in result.err
    assert sorted(contents(tmp_path / "d")) == [
        "_manifest.json", "part-000000.parquet", "part-000001.parquet", "part-000002.parquet",
    ]  # fmt: skip
    table, metadata = read(tmp_path / "d")
    assert (len(table), metadata["seed"], metadata["rules"]["name"]) == (25, 1, "tsaka")


def test_quiet_is_quiet(run, tmp_path):
    args = ("simulate", "-n", 5, "-o", tmp_path / "d", "--seed", 1, "-q", *SMALL)
    assert run(*args).err == ""


def test_the_same_command_goes_on_also_where_no_seed_was_given(run, tmp_path):
    args = ("simulate", "-n", 25, "-o", tmp_path / "d", *SMALL)
    run(*args)
    before = contents(tmp_path / "d")
    again = run(*args)
    assert again.code == 0
    assert "made at" not in again.err
    assert contents(tmp_path / "d") == before
    assert run("simulate", "-n", 45, "-o", tmp_path / "d", *SMALL).code == 0
    assert {name: contents(tmp_path / "d")[name] for name in list(before)[:2]}
    assert len(read(tmp_path / "d")[0]) == 45


def test_json_says_what_there_is(run, tmp_path):
    args = ("simulate", "-n", 25, "-o", tmp_path / "d", "--seed", 1, *SMALL, "--json")
    told = json.loads(run(*args).out)
    assert told.pop("n_bytes") == sum(
        path.stat().st_size for path in (tmp_path / "d").glob("*.parquet")
    )
    assert told.pop("version")
    assert told == {
        "path": f"{tmp_path}/d", "rules": "tsaka", "seed": 1, "contracts": "S", "leader": "N",
        "bid_by": None, "model": "dd", "decision_worlds": None, "aim": None, "n_deals": 25,
        "n_parts": 3, "n_deals_made": 25,
    }  # fmt: skip


def test_contracts_leader_and_hand_are_heeded(run, tmp_path):
    result = run(
        "simulate", "-n", 12, "-o", tmp_path / "d", "--contracts", "♣, a s", "--leader", "W",
        "--hand", "♠J9AK ♥108 ♦A7", "--seat", "2", "--rules", "classic", "--seed", "3",
    )  # fmt: skip
    assert result.code == 0
    table, metadata = read(tmp_path / "d")
    assert [metadata[key] for key in ("contracts", "leader", "hand", "seat")] == [
        "SCA", "W", "AKJ9.T8.A7.", 2,
    ]  # fmt: skip
    assert set(table.hand_s) == {"AKJ9.T8.A7."}
    assert [name for name in table.columns if name.startswith("value")] == [
        "value_ns_spades", "value_ns_clubs", "value_ns_all_trump",
    ]  # fmt: skip
    assert metadata["rules"]["name"] == "classic"


def test_worlds_around_a_hand_are_those_of_bid(run, tmp_path):
    hand = "AKJ9.T8.A7."
    run("simulate", "-n", 50, "-o", tmp_path / "d", "--hand", hand, "--seed", "4", "-q")
    told = json.loads(run("bid", hand, "-n", 50, "--seed", "4", "--json").out)
    table, _ = read(tmp_path / "d")
    spades = table.value_ns_spades.clip(0, 162)
    assert spades.mean() == pytest.approx(told["contracts"][0]["mean_card_points"])
    total = (
        table.value_ns_spades
        + table.declarations_ns_spades
        + 20 * (table.belote_spades.isin(["N", "S"]))
    )
    assert total.mean() == pytest.approx(told["contracts"][0]["mean_total"])


def test_what_is_known_of_the_others_is_heeded_and_kept(run, tmp_path):
    known = ("--hand", "AKJ9.T8.A7.", "--partner", "SQ and H>=2", "--auction", "P 80H P")
    args = ("simulate", "-n", 15, "-o", tmp_path / "d", "--seed", 1, *SMALL)
    assert run(*args, *known).code == 0
    table, metadata = read(tmp_path / "d")
    # The auction has come to the fourth to speak, whose partner is the second.
    assert set(table.hand_e) == {"AKJ9.T8.A7."}
    assert all("Q" in hand.split(".")[0] for hand in table.hand_w)
    assert all(len(hand.split(".")[1]) >= 2 for hand in table.hand_w)
    assert {"seat": 2, "says": "SQ"} in metadata["known"]
    assert run("simulate", "-o", tmp_path / "d", "--verify").code == 0
    shown = " ".join(run("show", tmp_path / "d").out.split())
    assert "known SQ of seat 2, H>=2 of seat 2" in shown
    other = run(*args, *known[:3], "SQ")
    assert other.code == 1
    assert "known is [" in other.err


def test_a_sound_dataset_is_verified(run, tmp_path):
    run("simulate", "-n", 25, "-o", tmp_path / "d", "--seed", 1, *SMALL)
    result = run("simulate", "-o", tmp_path / "d", "--verify")
    assert (result.code, result.err) == (0, "")
    assert result.out == f"{tmp_path}/d: sound; 25 deals in 3 parts, 25 deals solved again\n"
    told = json.loads(run("simulate", "-o", tmp_path / "d", "--verify", "--json").out)
    assert (told["damages"], told["n_parts_missing"], told["n_solved_again"]) == ([], 0, 25)


def test_damage_is_named_and_mended(run, tmp_path):
    run("simulate", "-n", 25, "-o", tmp_path / "d", "--seed", 1, *SMALL)
    whole = contents(tmp_path / "d")
    (tmp_path / "d" / "part-000000.parquet").write_bytes(whole["part-000000.parquet"][:-7])
    (tmp_path / "d" / "part-000002.parquet").unlink()
    found = run("simulate", "-o", tmp_path / "d", "--verify")
    assert found.code == 1
    lines = found.out.splitlines()
    assert lines[0].startswith(f"{tmp_path}/d/part-000000.parquet: damaged: ")
    assert lines[1] == f"{tmp_path}/d/part-000002.parquet: missing"
    assert found.err == (
        f"Error: {tmp_path}/d: 2 of 3 parts are damaged or missing; make them again with --repair\n"
    )
    told = json.loads(run("simulate", "-o", tmp_path / "d", "--verify", "--json").out)
    assert [damage["file"] for damage in told["damages"]] == [
        "part-000000.parquet", "part-000002.parquet",
    ]  # fmt: skip
    mended = run("simulate", "-o", tmp_path / "d", "--repair", "-j", "1")
    assert mended.code == 0
    assert mended.out.splitlines()[:2] == lines
    assert "sound; 25 deals in 3 parts" in mended.out
    assert contents(tmp_path / "d") == whole


def test_a_file_that_is_no_part_of_it_is_named(run, tmp_path):
    run("simulate", "-n", 25, "-o", tmp_path / "d", "--seed", 1, *SMALL)
    (tmp_path / "d" / "part-000003.parquet").touch()
    result = run("simulate", "-o", tmp_path / "d", "--verify")
    assert result.code == 1
    assert result.out.endswith("part-000003.parquet: none of this dataset: move it away\n")
    assert result.err.endswith("1 files are none of this dataset's; move them away\n")


def test_a_full_disk_ends_the_run_with_a_clear_line_and_no_half_part(run, tmp_path, monkeypatch):
    fsync, n_synced = os.fsync, 0

    def full(file: int) -> None:
        nonlocal n_synced
        n_synced += 1
        if n_synced > 9:
            raise OSError(28, "No space left on device")
        fsync(file)

    monkeypatch.setattr(os, "fsync", full)
    args = ("simulate", "-n", 95, "-o", tmp_path / "d", "--seed", 1, *SMALL)
    result = run(*args)
    assert result.code == 1
    assert result.err.count("\n") == 1
    assert ": the disk is full; make room and give the same command again" in result.err
    monkeypatch.undo()
    assert not [name for name in contents(tmp_path / "d") if name.startswith(".")]
    assert run("simulate", "-o", tmp_path / "d", "--verify").err.startswith("Error: ")
    assert run(*args).code == 0
    assert run("simulate", "-o", tmp_path / "d", "--verify").code == 0


def test_the_sizes_of_parts_are_those_of_the_library():
    from pilotta_cli.commands.simulate import simulate
    from pilotta_solver.datasets.simulation import MAX_PART_SIZE, PART_SIZE, TABLE_PART_SIZE

    (option,) = (one for one in simulate.params if one.name == "part_size")
    assert option.show_default == f"{PART_SIZE}, or {TABLE_PART_SIZE} with --model table"
    assert option.type.max == MAX_PART_SIZE


OTHERS = {
    "another seed": (("--seed", "2"), "seed is 1 there and 2 here"),
    "another ruleset": (("--rules", "classic"), "rules.capot_points is 250 there and 252 here"),
    "another key": (("--set", "capot_points=162"), "rules.capot_points is 250 there and 162 here"),
    "other contracts": (("--contracts", "SH"), "contracts is S there and SH here"),
    "another leader": (("--leader", "E"), "leader is N there and E here"),
    "a hand": (("--hand", "AKJ9.T8.A7."), "hand is null there and AKJ9.T8.A7. here"),
    "another size of part": (("--part-size", "20"), "has parts of 10 deals, and 20 are asked for"),
    "fewer deals": (("-n", "15"), "holds a dataset of 25 deals, and 15 are asked for"),
}


@pytest.mark.parametrize(("change", "told"), OTHERS.values(), ids=OTHERS.keys())
def test_a_folder_of_other_settings_is_refused_with_what_differs(run, tmp_path, change, told):
    args = ("simulate", "-n", 25, "-o", tmp_path / "d", "--seed", 1, *SMALL)
    run(*args)
    before = contents(tmp_path / "d")
    result = run(*args, *change)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(f"Error: {tmp_path}/d: ")
    assert result.err.count("\n") == 1
    assert told in result.err
    assert contents(tmp_path / "d") == before


def test_a_folder_of_another_version_is_refused(run, tmp_path, monkeypatch):
    args = ("simulate", "-n", 25, "-o", tmp_path / "d", "--seed", 1, *SMALL)
    run(*args)
    monkeypatch.setattr("pilotta_solver.__version__", "99.0")
    result = run(*args)
    assert result.code == 1
    assert "there and 99.0 here" in result.err


BAD = {
    "no output": (("simulate", "-n", "5"), "Missing option '-o' / '--output'"),
    "no number": (("simulate", "-o", "d"), "Missing option '-n' / '--deals'"),
    "no deals": (("simulate", "-o", "d", "-n", "0"), "'-n' / '--deals'"),
    "no contract": (("simulate", "-o", "d", "-n", "5", "--contracts", ""), "'--contracts'"),
    "a contract twice": (("simulate", "-o", "d", "-n", "5", "--contracts", "SHS"), "each once"),
    "an unknown contract": (("simulate", "-o", "d", "-n", "5", "--contracts", "SX"), "trump 'X'"),
    "an unknown leader": (("simulate", "-o", "d", "-n", "5", "-l", "Q"), "unknown seat 'Q'"),
    "seven cards": (("simulate", "-o", "d", "-n", "5", "--hand", "AKJ9.T8.A."), "7 cards"),
    "a seat and no hand": (("simulate", "-o", "d", "-n", "5", "--seat", "2"), "give --hand too"),
    "a partner and no hand": (
        ("simulate", "-o", "d", "-n", "5", "--partner", "SJ"), "--partner is about the deals",
    ),
    "an expression that is none": (
        ("simulate", "-o", "d", "-n", "5", "--hand", "AKJ9.T8.A7.", "--left", "SJ and"), "'--left'",
    ),
    "what no deal agrees with": (
        ("simulate", "-o", "d", "-n", "5", "--hand", "AKJ9.T8.A7.", "--left", "SA"), "left: SA",
    ),
    "verify and a partner": (
        ("simulate", "-o", "d", "--verify", "--partner", "SJ"), "--partner does not go with",
    ),
    "parts of none": (("simulate", "-o", "d", "-n", "5", "--part-size", "0"), "'--part-size'"),
    "parts too large": (("simulate", "-o", "d", "-n", "5", "--part-size", "200001"), "200000"),
    "a seed too large": (("simulate", "-o", "d", "-n", "5", "--seed", str(2**64)), "seed 1844"),
    "a missing folder": (("simulate", "-o", "no/such/d", "-n", "5"), "folder 'no/such' does not"),
    "a file": (("simulate", "-o", "file", "-n", "5"), "file: a file, not a folder"),
    "a folder of something": (("simulate", "-o", "full", "-n", "5"), "holds photo.jpg and no"),
    "an unknown URI": (("simulate", "-o", "ftp://x/d", "-n", "5"), "ftp://x/d: not a folder"),
    "nothing to verify": (("simulate", "-o", "empty", "--verify"), "empty: no dataset"),
    "nothing to repair": (("simulate", "-o", "none", "--repair"), "none: no dataset"),
    "verify and a seed": (("simulate", "-o", "d", "--verify", "--seed", "1"), "--seed does not go"),
    "repair and a number": (("simulate", "-o", "d", "--repair", "-n", "5"), "-n does not go with"),
    "verify and rules": (("simulate", "-o", "d", "--verify", "--rules", "tsaka"), "--rules does"),
}  # fmt: skip


@pytest.mark.parametrize(("args", "told"), BAD.values(), ids=BAD.keys())
def test_bad_input_is_one_line_and_writes_nothing(run, tmp_path, monkeypatch, args, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "photo.jpg").touch()
    result = run(*args)
    assert result.code in (1, 2)
    assert result.out == ""
    assert result.err.startswith("Error: ")
    assert result.err.count("\n") == 1
    assert told in result.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "file", "full"]
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["photo.jpg"]
