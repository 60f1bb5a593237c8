from __future__ import annotations

import click
import pytest

from pilotta_cli.main import cli
from pilotta_solver import __version__

COMMANDS = cli.list_commands(click.Context(cli))


def command(name: str) -> click.Command:
    found = cli.get_command(click.Context(cli), name)
    assert found is not None
    return found


def test_version(run):
    result = run("--version")
    assert (result.code, result.out, result.err) == (0, f"pilotta {__version__}\n", "")


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_every_command_has_help_with_examples(run, name, flag):
    result = run(*filter(None, [name]), flag)
    assert result.code == 0
    assert result.err == ""
    assert "Examples:\n    pilotta " in result.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_help(name):
    with click.Context(command(name)) as context:
        for parameter in command(name).get_params(context):
            if isinstance(parameter, click.Option):
                assert parameter.help, parameter.name
                assert parameter.help.endswith("."), parameter.name


@pytest.mark.parametrize("name", COMMANDS)
def test_every_variable_is_shown_in_the_help(run, name):
    page = run(name, "--help").out
    for parameter in command(name).params:
        if isinstance(parameter, click.Option) and parameter.envvar:
            assert f"env var: {parameter.envvar}" in " ".join(page.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_rules_can_be_chosen_and_changed_everywhere(name):
    options = {option for parameter in command(name).params for option in parameter.opts}
    # A file that is shown says itself which rules it is made by.
    if name not in ("rules", "show"):
        assert {"--rules", "--set"} <= options


def test_the_list_of_commands_is_not_cut_short(run):
    page = run("--help").out
    assert "..." not in page[page.index("Commands:") :]


def test_nothing_asked_is_answered_with_help_on_stderr(run):
    result = run()
    assert (result.code, result.out) == (2, "")
    assert result.err == run("--help").out


def test_an_unknown_command_is_a_usage_error(run):
    result = run("bidd")
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith("Error: No such command 'bidd'")
    assert result.err.count("\n") == 1


def test_completion_scripts_and_words(run_process):
    script = run_process(env={"_PILOTTA_COMPLETE": "bash_source"})
    assert (script.code, script.err) == (0, "")
    assert "complete -o nosort" in script.out
    words = run_process(
        env={"_PILOTTA_COMPLETE": "bash_complete", "COMP_WORDS": "pilotta so", "COMP_CWORD": "1"}
    )
    assert words.out == "plain,solve\n"
