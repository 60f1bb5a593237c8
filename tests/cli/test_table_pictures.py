"""The pictures of ``pilotta table``: what is drawn, and what is refused before anything is made."""

from __future__ import annotations

import pytest

CURVES = ("--classes", "J9A+1,1", "--classes", "j9+2,0,own")


def test_the_table_that_comes_with_the_program_is_drawn(run, tmp_path):
    calls, curves, page = (tmp_path / name for name in ("calls.png", "curves.svg", "t.html"))
    result = run("table", "--plot", calls, "--curves", curves, *CURVES, "-o", page)
    assert (result.code, result.out) == (0, "")
    assert result.err.splitlines() == [f"Wrote {path}." for path in (calls, curves, page)]
    assert calls.read_bytes().startswith(b"\x89PNG")
    drawn = curves.read_text(encoding="utf-8")
    for label in (
        "J9A+1 · 1 side ace · own side leads",
        "J9A+1 · 1 side ace · others lead",
        "J9+2 · 0 side aces · own side leads",
    ):
        assert f"{label} (n = " in drawn
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_picture_is_replaced_only_on_demand(run, tmp_path):
    path = tmp_path / "curves.svg"
    assert run("table", "--curves", path, *CURVES, "-q").code == 0
    before = path.read_bytes()
    refused = run("table", "--curves", path, *CURVES)
    assert refused.code == 1
    assert "exists; name another, or replace it with --force" in refused.err
    assert run("table", "--curves", path, *CURVES, "--force", "-q").code == 0
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--curves", "c.svg"), 2, "--curves needs --classes"),
        (
            ("--plot", "c.svg", "--curves", "./c.svg", "--classes", "J", "--force"),
            2,
            "--plot and --curves name the same file",
        ),
        (("--classes", "J9"), 2, "--classes needs --curves FILE"),
        (("--curves", "c.gif", *CURVES), 2, "ends in none of .png, .svg"),
        (("--plot", "c.html"), 2, "ends in none of .png, .svg"),
        (("--curves", "no/c.svg", *CURVES), 1, "the folder 'no' does not exist"),
        (("--curves", "c.svg", "--classes", "J9A+1,7"), 1, "no class of hands 'J9A+1,7'"),
        (("--fit", "-n", "9", "--curves", "c.svg", *CURVES), 2, "--fit makes no classes"),
    ],
)
def test_what_cannot_be_drawn_is_refused_and_leaves_nothing(
    run, tmp_path, monkeypatch, options, code, said
):
    monkeypatch.chdir(tmp_path)
    result = run("table", *options)
    assert (result.code, result.out) == (code, "")
    assert said in result.err
    assert list(tmp_path.iterdir()) == []


def test_where_one_of_two_pictures_fails_neither_is_written(run, tmp_path):
    calls, curves = tmp_path / "calls.png", tmp_path / "curves.png"
    result = run("table", "--plot", calls, "--curves", curves, "--classes", "J8")
    assert result.code == 1
    assert list(tmp_path.iterdir()) == []
