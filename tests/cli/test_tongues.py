from __future__ import annotations

import pytest

from pilotta_cli.options import TONGUES
from pilotta_solver import tongues

DEAL = "N:7.DV8.AD8.A V.A.RV.RD98 AD108.7.107.V R9.R109.9.107"


def test_the_choices_are_the_table():
    assert tuple(tongues.TONGUES) == TONGUES


@pytest.mark.parametrize("option", ["--cards", "--tongue"])
def test_a_hand_and_a_bid(run, option):
    french = run(
        "bid",
        "pique V9AR cœur 108 carreau A7",
        "100 pique",
        option,
        "fr",
        "-n20",
        "--seed=1",
        "--json",
    )
    english = run("bid", "AKJ9.T8.A7.", "100S", "-n", 20, "--seed", 1, "--json")
    assert french.code == 0
    assert french.out == english.out


def test_a_deal_and_its_cards(run, monkeypatch, tmp_path):
    english = run(
        "solve", "N:7.QJ8.AQ8.A J.A.KJ.KQ98 AQT8.7.T7.J K9.KT9.9.T7", "-tS", "-lN",
        "--played", "DA DK", "--json",
    )  # fmt: skip
    args = ("solve", DEAL, "-t", "pique", "-l", "N", "--played", "♦A ♦R", "--json")
    assert run(*args, "--tongue", "fr").out == english.out
    monkeypatch.setenv("PILOTTA_CARDS", "fr")
    assert run(*args).out == english.out
    table = tmp_path / "deals.csv"
    table.write_text(f"deal,trump,leader,played\n{DEAL},P,N,AK RK\n", "utf-8")
    assert run("solve", "--file", table, "--json").out == english.out
    assert run("perft", DEAL, "-t", "P", "-l", "N", "-d", 3).out == "23\n"


def test_an_unknown_tongue_and_letter(run):
    unknown = run("bid", "AKJ9.T8.A7.", "--cards", "de")
    assert (unknown.code, unknown.out, unknown.err.count("\n")) == (2, "", 1)
    assert "'--cards' / '--tongue'" in unknown.err
    letter = run("bid", "AKJ9.T8.A7.", "--cards", "fr")
    assert letter.code == 2
    assert "ranks are 7 8 9 10 V D R A" in letter.err
