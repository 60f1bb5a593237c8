"""The options that say what is known, on a command that only shows what it got."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner, Result

from pilotta_cli.knowledge import Told, knowledge_options
from pilotta_cli.options import rules_options, tongue_option
from pilotta_solver.ruleset import Ruleset


@click.command()
@click.option("--seat", type=int)
@tongue_option("--cards")
@knowledge_options
@rules_options
def show(*, seat: int | None, told: Told, rules: Ruleset) -> None:
    """Show what a player knows."""
    view = told.view(rules, seat)
    click.echo(f"seat {view.seat + 1}")
    for one in view.knowledge.statements:
        click.echo(str(one))
    if view.standing is not None:
        click.echo(f"standing {view.standing.bid}")


def run(*args: str) -> Result:
    return CliRunner().invoke(show, args)


def test_nothing_told() -> None:
    assert run().output == "seat 1\n"


def test_all_told() -> None:
    result = run(
        "--partner", "SJ and S>=3", "--left", "!HA", "--auction", "P 80H", "--right", "C=0"
    )
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "seat 3",
        "partner: SJ",
        "partner: S>=3",
        "right: C=0",
        "left: !HA",
        "partner's pass: no 80 or 90 in any suit",
        "left's 80H: J or 9 with 3 or more of the suit, or 5 or more without them, and a side ace; "
        "not 90",
        "standing 80H",
    ]


def test_no_system() -> None:
    assert run("--auction", "P 80H", "--system", "none").output == "seat 3\nstanding 80H\n"


def test_another_tongue() -> None:
    result = run("--partner", "PV and coeur>=3", "--auction", "80P", "--cards", "fr", "--seat", "2")
    assert result.output.splitlines()[:3] == ["seat 2", "partner: PV", "partner: coeur>=3"]


@pytest.mark.parametrize(
    ("args", "option", "says"),
    [
        (("--partner", "S>="), "--partner", "expression 'S>=', column 4: the text ends"),
        (("--left", ""), "--left", "an empty expression"),
        (("--right", "SJ SQ"), "--right", "'SQ' cannot follow 'SJ'"),
        (("--auction", "80H 80S"), "--auction", "call 2: 80S by W is not legal"),
        (("--auction", "85H"), "--auction", "there is no bid of 85"),
        (("--auction", "P P P P"), "--auction", "is over"),
        (("--auction", "P 80H P", "--seat", "2"), "--auction", "it is the turn of seat 4, not 2"),
        (("--system", "acol"), "--system", "no bidding system 'acol'"),
    ],
)
def test_errors_name_the_option(args: tuple[str, ...], option: str, says: str) -> None:
    result = run(*args)
    assert result.exit_code == 2
    last = result.output.splitlines()[-1]
    assert f"'{option}'" in last
    assert says in last


def test_every_option_is_on_the_help_page() -> None:
    page = run("--help").output
    for option in ("--partner", "--right", "--left", "--auction", "--system", "PILOTTA_SYSTEM"):
        assert option in page
