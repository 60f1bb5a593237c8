"""``pilotta rules``: list, explain, compare and check rulesets."""

from __future__ import annotations

import shutil
import sys
from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from pilotta_cli.options import examples, json_option
from pilotta_cli.output import json_line

if TYPE_CHECKING:
    from pilotta_solver.ruleset import Ruleset

_INDENT = " " * 6


@click.command(
    short_help="List, explain, compare and check rulesets.",
    epilog=examples(
        "pilotta rules",
        "pilotta rules tsaka",
        "pilotta rules tsaka classic",
        "pilotta rules --check house.toml",
        "pilotta rules classic --toml > house.toml",
    ),
)
@click.argument("names", nargs=-1, metavar="[NAME|FILE [NAME|FILE]]")
@click.option("--check", metavar="FILE", help="Check a ruleset file; say what it changes.")
@click.option("--toml", "as_toml", is_flag=True, help="Write NAME as a complete ruleset file.")
@json_option
def rules(*, names: tuple[str, ...], check: str | None, as_toml: bool, as_json: bool) -> None:
    """List the rulesets; explain one, key by key; or show where two differ.

    Every rule that players disagree about is a key, and a ruleset gives each key a value. A ruleset
    file of your own is TOML: it names a preset as its base and gives the keys it changes, such as
    base = "tsaka" on one line and capot_points = 262 on the next.
    """
    if len(names) > 2:
        raise click.UsageError("Name one ruleset to explain it, or two to compare them.")
    if check is not None and names:
        raise click.UsageError("--check takes one FILE and goes with no other; leave NAME out.")
    if as_toml and (as_json or len(names) != 1):
        raise click.UsageError("--toml writes one ruleset: name one, and leave --json out.")
    from pilotta_solver.ruleset import load_ruleset

    if check is not None:
        _check(check, as_json)
        return
    found = [load_ruleset(name) for name in names]
    if as_toml:
        click.echo(found[0].as_toml(), nl=False)
    elif not found:
        _list(as_json)
    elif len(found) == 1:
        _explain(found[0], as_json)
    else:
        _compare(found[0], found[1], as_json)


def _list(as_json: bool) -> None:
    """Say which rulesets come with the program."""
    from pilotta_solver.ruleset import PRESETS

    if as_json:
        for name, about in PRESETS.items():
            click.echo(json_line({"rules": name, "about": about}))
        return
    width = max(map(len, PRESETS))
    for name, about in PRESETS.items():
        click.echo(f"{name:{width}}  {about}")
    click.echo("\n'pilotta rules NAME' explains one, 'pilotta rules A B' shows where two differ.")


def _explain(rules: Ruleset, as_json: bool) -> None:
    """Say what each key of a ruleset means at the table."""
    from pilotta_solver.ruleset_keys import KEYS, value_text

    values = rules.as_dict()
    if as_json:
        keys = {
            key: {"group": spec.group, "value": values[key], "meaning": spec.sentence(values[key])}
            for key, spec in KEYS.items()
        }
        click.echo(json_line({"rules": rules.name, "keys": keys}))
        return
    _head(rules.name)
    for group, keys_of_group in groupby(KEYS.items(), key=lambda item: item[1].group):
        click.echo(f"\n{group}")
        for key, spec in keys_of_group:
            click.echo(f"  {key} = {value_text(values[key])}")
            click.echo(_indented(spec.sentence(values[key])))


def _compare(first: Ruleset, second: Ruleset, as_json: bool) -> None:
    """Show the keys in which two rulesets differ, and what they mean in each."""
    from pilotta_solver.ruleset_keys import KEYS, value_text

    differences = _differences(first, second)
    if as_json:
        answer = {
            "rules": [first.name, second.name],
            "differences": {key: list(values) for key, values in differences.items()},
        }
        click.echo(json_line(answer))
        return
    _head(f"{first.name} and {second.name}")
    click.echo(f"They differ in {len(differences)} of {len(KEYS)} keys.")
    width = max(len(first.name), len(second.name))
    for key, values in differences.items():
        click.echo(f"\n{key}: {KEYS[key].about}")
        for one, value in zip((first, second), values, strict=True):
            click.echo(f"  {one.name:{width}}  {value_text(value)}")
            click.echo(_indented(KEYS[key].sentence(value)))


def _check(path: str, as_json: bool) -> None:
    """Load a ruleset file, which raises if anything is wrong with it, and say what it changes."""
    from pilotta_solver.ruleset import load_ruleset, preset_names
    from pilotta_solver.ruleset_keys import KEYS, value_text

    found = load_ruleset(path)
    presets = [load_ruleset(name) for name in preset_names()]
    nearest = min(presets, key=lambda preset: len(_differences(preset, found)))
    changed = _differences(nearest, found)
    if as_json:
        changes = {key: new for key, (_, new) in changed.items()}
        click.echo(json_line({"rules": found.name, "nearest": nearest.name, "changes": changes}))
        return
    click.echo(f"{path}: good; ruleset {found.name}, nearest to {nearest.name}.")
    for key, (old, new) in changed.items():
        click.echo(f"  {key} = {value_text(new)}, not {value_text(old)}")
        click.echo(_indented(KEYS[key].sentence(new)))


def _differences(first: Ruleset, second: Ruleset) -> dict[str, tuple[Any, Any]]:
    from pilotta_solver.ruleset_keys import KEYS

    one, other = first.as_dict(), second.as_dict()
    return {key: (one[key], other[key]) for key in KEYS if one[key] != other[key]}


def _indented(sentence: str) -> str:
    """A sentence under its key; on a terminal in lines that fit."""
    if not sys.stdout.isatty():
        return _INDENT + sentence
    width = shutil.get_terminal_size().columns
    return click.wrap_text(sentence, width, _INDENT, _INDENT)


def _head(names: str) -> None:
    from pilotta_solver import __version__

    click.echo(f"Rules {names}; pilotta {__version__}")
