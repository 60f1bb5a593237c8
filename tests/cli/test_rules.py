from __future__ import annotations

import json

import pytest

from pilotta_solver.ruleset import load_ruleset, preset_names
from pilotta_solver.ruleset_keys import KEYS, value_text


def test_the_list(run):
    result = run("rules")
    assert (result.code, result.err) == (0, "")
    assert [line.split()[0] for line in result.out.splitlines()[:3]] == list(preset_names())
    lines = [json.loads(line) for line in run("rules", "--json").out.splitlines()]
    assert [line["rules"] for line in lines] == list(preset_names())


@pytest.mark.parametrize("name", preset_names())
def test_one_explained_key_by_key(run, name):
    result = run("rules", name)
    assert (result.code, result.err) == (0, "")
    values = load_ruleset(name).as_dict()
    for key, spec in KEYS.items():
        told = f"  {key} = {value_text(values[key])}\n      {spec.sentence(values[key])}\n"
        assert told in result.out
    answer = json.loads(run("rules", name, "--json").out)
    assert answer["rules"] == name
    assert {key: one["value"] for key, one in answer["keys"].items()} == {
        key: values[key] for key in KEYS
    }


def test_where_two_differ(run):
    result = run("rules", "tsaka", "classic")
    assert (result.code, result.err) == (0, "")
    assert "They differ in 11 of 28 keys." in result.out
    assert "  tsaka    natural\n      Sequences run A K Q J 10 9 8 7.\n" in result.out
    assert "undertrump" not in result.out
    answer = json.loads(run("rules", "tsaka", "classic", "--json").out)
    assert answer["rules"] == ["tsaka", "classic"]
    assert answer["differences"]["capot_points"] == [250, 252]
    assert run("rules", "tsaka", "tsaka").out.endswith("They differ in 0 of 28 keys.\n")


def test_a_file_is_checked(run, tmp_path):
    house = tmp_path / "house.toml"
    house.write_text('base = "classic"\ncapot_points = 262\n', "utf-8")
    result = run("rules", "--check", house)
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines() == [
        f"{house}: good; ruleset house, nearest to classic.",
        "  capot_points = 262, not 252",
        "      All eight tricks (capot) count 262 instead of 162.",
    ]
    assert json.loads(run("rules", "--check", house, "--json").out) == {
        "rules": "house",
        "nearest": "classic",
        "changes": {"capot_points": 262},
    }
    assert "house" in run("rules", house).out
    assert "They differ in 1 of 28 keys." in run("rules", house, "classic").out


def test_a_ruleset_is_written_whole_and_reads_back(run, tmp_path):
    house = tmp_path / "contree.toml"
    house.write_text(run("rules", "contree", "--toml").out, "utf-8")
    assert load_ruleset(house) == load_ruleset("contree")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("tsakka",), "no ruleset 'tsakka'"),
        (("tsaka", "no.toml"), "no ruleset 'no.toml'"),
        (("tsaka", "classic", "contree"), "Name one ruleset to explain it, or two"),
        (("--check", "no.toml"), "no ruleset 'no.toml'"),
        (("--check", "bad.toml"), "bad.toml: unknown ruleset key 'capot'; did you mean"),
        (("--check", "bad.toml", "tsaka"), "--check takes one FILE"),
        (("--check",), "'--check' requires an argument"),
        (("--toml",), "--toml writes one ruleset"),
        (("tsaka", "--toml", "--json"), "--toml writes one ruleset"),
    ],
)
def test_bad_input(run, tmp_path, monkeypatch, args, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.toml").write_text('base = "tsaka"\ncapot = 1\n', "utf-8")
    result = run("rules", *args)
    assert result.code in (1, 2)
    assert result.out == ""
    assert result.err.startswith("Error: ")
    assert result.err.count("\n") == 1
    assert told in result.err
