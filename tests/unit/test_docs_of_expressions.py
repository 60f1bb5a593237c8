"""What the pages on expressions and systems show is what the program reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pilotta_solver import load_ruleset, load_system, parse_expression, player_view
from pilotta_solver.knowledge.bidding_system import SITUATIONS
from pilotta_solver.knowledge.constraints import normal_form

DOCS = Path(__file__).parents[2] / "docs"


def section(page: str, heading: str) -> str:
    text = (DOCS / page).read_text(encoding="utf-8").partition(f"## {heading}\n")[2]
    return text.partition("\n## ")[0]


def in_table(text: str) -> list[str]:
    """What stands in code in the first column of the tables."""
    rows = re.findall(r"^\| (`.*?`) \|", text, re.MULTILINE)
    return [code for row in rows for code in re.findall(r"`(.+?)`", row)]


GRAMMAR = section("notation.md", "What is said of a hand")


@pytest.mark.parametrize("text", in_table(GRAMMAR))
def test_every_example_of_the_grammar_is_read(text: str) -> None:
    parse_expression(text)


def test_which_statements_cost_nothing() -> None:
    found = re.search(r"(`SJ or S9`) is such a test,\s+while (.*?) are not", GRAMMAR, re.DOTALL)
    assert found is not None
    rejected, exact = found.groups()
    for text in re.findall(r"`(.+?)`", rejected):
        assert normal_form(parse_expression(text)).rest
    free = re.findall(r"`(.+?)`", exact)
    assert len(free) == 7
    for text in free:
        assert not normal_form(parse_expression(text)).rest


def test_the_example_of_a_system(tmp_path: Path) -> None:
    text = section("systems.md", "A system of your own")
    path = tmp_path / "ours.toml"
    path.write_text(text.partition("```toml\n")[2].partition("```")[0], encoding="utf-8")
    system = load_system(path)
    assert [one.call for one in system.conventions] == [80, "raise"]
    assert system.conventions[1].when == ("reply",)
    for situation, meaning in SITUATIONS.items():
        assert f"| `{situation}` | {meaning} |" in text


def test_the_example_of_an_auction() -> None:
    page = (DOCS / "systems.md").read_text(encoding="utf-8")
    view = player_view(load_ruleset(), auction="P 80H P")
    for one in view.readings:
        assert f"    {one.sentence(symbols=True)}\n" in page
