from __future__ import annotations

import json

# A row of data/golden/perft.csv.
DEAL = "N:T.T7.AJ.A98 J.AQ.K9.KQ7 97.J8.87.JT AKQ8.K9.QT."


def test_the_number_alone_on_stdout(run):
    assert run("perft", DEAL, "-t", "S", "-l", "W", "-d", 4).out == "112\n"


def test_json_keys(run):
    answer = json.loads(run("perft", DEAL, "-t", "S", "-l", "W", "-d", 4, "--json").out)
    assert answer == {
        "deal": DEAL, "trump": "S", "leader": "W", "depth": 4, "sequences": 112, "rules": "tsaka",
    }  # fmt: skip


def test_the_law_of_play_counts(run):
    args = ("perft", DEAL, "-t", "S", "-l", "W", "-d", 4)
    free = ("--set", "partner_exempt=true", "--set", "undertrump=may")
    assert int(run(*args, *free).out) > int(run(*args).out)
