"""The findings on bidding are written anew from any dataset and two rules."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pilotta_solver import load_ruleset
from pilotta_solver.bidding_table.head_rule import report
from pilotta_solver.bidding_table.head_rule.against_solver import BesideSolver, WayBesideSolver
from pilotta_solver.bidding_table.head_rule.study import study
from pilotta_solver.bidding_table.shipped import shipped_table
from pilotta_solver.bidding_table.sources import solved_deals
from pilotta_solver.datasets.simulation import Simulation, simulate
from pilotta_solver.tables import open_table

DOCS = Path(__file__).parents[2] / "docs"
BEGIN, END = "<!-- bidding: begin -->", "<!-- bidding: end -->"

BESIDE = BesideSolver(
    n_worlds=500,
    seed=1,
    sheet=9.5,
    p_agrees=0.8,
    ways=(WayBesideSolver("this rule", 30, 0.7, 0.25, 0.1, 0.3, 0.05),),
)


def write(*args):
    command = [sys.executable, DOCS / "findings_bidding.py", *args]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A dataset, two rules fitted to it, and the page written from them."""
    folder = tmp_path_factory.mktemp("findings")
    simulate(folder / "d", Simulation(2, load_ruleset(), (0, 1, 2, 3)), 300, jobs=1)
    rules = []
    for name in ("tsaka", "classic"):
        found, _ = study(solved_deals(open_table(str(folder / "d")), load_ruleset(name)))
        rules.append(folder / f"{name}.json")
        beside = BESIDE if name == "tsaka" else None
        rules[-1].write_text(json.dumps(report.as_dict(found, beside)), encoding="utf-8")
    page = Path(shutil.copy(DOCS / "findings.md", folder))
    done = write(folder / "d", *rules, "--page", page)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return folder, rules, page


def test_the_section_is_replaced_and_the_rest_is_kept(made):
    _, _, page = made
    before, after = (DOCS / "findings.md").read_text("utf-8"), page.read_text("utf-8")
    assert after.partition(BEGIN)[0] == before.partition(BEGIN)[0]
    assert after.partition(END)[2] == before.partition(END)[2]
    text = after.partition(BEGIN)[2].partition(END)[0]
    assert "Figures from 300 random deals of seed 2, 4,800 hands" in " ".join(text.split())
    assert text.count("```sh\npilotta table") == text.count("### ") == 6


def test_points_are_those_of_the_rules(made):
    _, rules, page = made
    told = [json.loads(rule.read_text("utf-8"))["points"]["jack"] for rule in rules]
    row = re.search(r"^\| J of trumps +\| +(\d+) \| +(\d+) \|$", page.read_text("utf-8"), re.M)
    assert row is not None
    assert [int(points) for points in row.groups()] == told


def test_the_trial_beside_the_solver_is_told_where_there_was_one(made):
    words = " ".join(made[2].read_text("utf-8").split())
    assert "Under tsaka: 30 hands, 500 worlds to choose" in words
    assert "the solver itself calls the same in 80 % of the hands." in words
    assert "| this rule | 25 % | 0.30 ± 0.05 |" in words
    assert (
        "--rules tsaka --solver-hands 30 pilotta table --from million --fit --rules classic"
        in words
    )


def test_what_80_needs_is_read_from_the_shipped_table(made):
    """J and two more trumps, the lead on the own side."""
    table = shipped_table(load_ruleset("tsaka"))
    column = table.levels.index(80)
    chances = {
        one.values[1:]: table.p_made[place, column]
        for place, one in enumerate(table.classes)
        if one.values[0] == "J+2"
    }
    needed = [
        str(min(aces for aces in range(4) if chances.get((aces, lead), 0) >= 0.75))
        for lead in ("own", "other")
    ]
    assert re.search(rf"^\| `J\+2` +\| {' / '.join(needed)} \|", made[2].read_text("utf-8"), re.M)


def test_rules_in_the_wrong_order_are_refused(made):
    folder, rules, page = made
    done = write(folder / "d", *reversed(rules), "--page", page)
    assert done.returncode == 2
    assert "for tsaka and classic" in done.stderr
