"""Options and argument types that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pilotta_cli.output import OutputFile, Talk
from pilotta_solver.errors import PilottaError

if TYPE_CHECKING:
    from pilotta_solver.ruleset import Ruleset

    ParamType = click.ParamType[object]
else:
    ParamType = click.ParamType  # generic since click 8.2 only

Command = Callable[..., Any]

CONTEXT_SETTINGS: dict[str, Any] = {
    "help_option_names": ["-h", "--help"],
    "max_content_width": 100,
    "show_default": True,
}


def examples(*lines: str) -> str:
    """The epilog of a help page: the example block, kept line by line."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


class Notation(ParamType):
    """A parameter that the library's own grammar reads.

    Parameters
    ----------
    name : str
        The word for it on the help page.
    parser : str
        The name of a function of `pilotta_solver.notation`.
    has_tongues : bool
        Whether that function reads the letters of other tongues.
    """

    def __init__(self, name: str, parser: str, *, has_tongues: bool = True) -> None:
        self.name = name
        self._parser = parser
        self._has_tongues = has_tongues

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """Parse a text; what is parsed already is passed on."""
        if not isinstance(value, str):
            return value
        from pilotta_solver import notation

        tongue = {"cards": current_tongue()} if self._has_tongues else {}
        try:
            return getattr(notation, self._parser)(value, **tongue)
        except PilottaError as error:
            self.fail(str(error), param, ctx)


class Contracts(ParamType):
    """Trumps in a row, with or without commas and spaces: a tuple of indices, ascending."""

    name = "contracts"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """Read each letter or symbol as a trump."""
        if not isinstance(value, str):
            return value
        from pilotta_solver.notation import parse_trump

        letters = value.replace(",", " ").replace("\ufe0f", "").split()
        try:
            trumps = [parse_trump(letter) for letter in "".join(letters)]
        except PilottaError as error:
            self.fail(str(error), param, ctx)
        if not trumps or len(set(trumps)) < len(trumps):
            self.fail(f"'{value}': give one or more of S, H, D, C, N, A, each once", param, ctx)
        return tuple(sorted(trumps))


# As in `pilotta_solver.tongues`, which a help page need not load.
TONGUES = ("en", "fr", "nl", "pt", "es", "el")

HAND = Notation("hand", "parse_hand")
DEAL = Notation("deal", "parse_deal")
TRUMP = Notation("trump", "parse_trump")
SEAT = Notation("seat", "parse_seat", has_tongues=False)
CARDS = Notation("cards", "parse_cards")
CONTRACTS = Contracts()


def rules_options(command: Command) -> Command:
    """Add ``--rules`` and ``--set``; the command gets one parameter, `rules`, a `Ruleset`."""

    def with_rules(*args: Any, rules: str, settings: tuple[str, ...], **kwargs: Any) -> Any:
        return command(*args, rules=_load(rules, settings), **kwargs)

    update_wrapper(with_rules, command)
    with_set = click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        envvar="PILOTTA_SET",
        show_envvar=True,
        help="Change one key of the ruleset; may be given again.",
    )(with_rules)
    return click.option(
        "--rules",
        default="tsaka",
        metavar="NAME|FILE",
        envvar="PILOTTA_RULES",
        show_envvar=True,
        help="The ruleset: tsaka, classic, contree, or a TOML file.",
    )(with_set)


def _load(name: str, settings: tuple[str, ...]) -> Ruleset:
    from pilotta_solver.ruleset import load_ruleset, parse_setting

    option = "--set"
    try:
        overrides = dict(parse_setting(setting) for setting in settings)
        option = "--rules"
        rules = load_ruleset(name)
        option = "--set"
        return load_ruleset(name, overrides) if overrides else rules
    except PilottaError as error:
        raise click.BadParameter(str(error), param_hint=f"'{option}'") from error


def tongue_option(*names: str) -> Callable[[Command], Command]:
    """Add an option of these names for the tongue in which cards are named on input.

    It is read before all others; the command asks `current_tongue` for it.
    """

    def add(command: Command) -> Command:
        def without_tongue(*args: Any, tongue: str, **kwargs: Any) -> Any:
            return command(*args, **kwargs)

        update_wrapper(without_tongue, command)
        return click.option(
            *names,
            "tongue",
            type=click.Choice(TONGUES, case_sensitive=False),
            default="en",
            is_eager=True,
            envvar="PILOTTA_CARDS",
            show_envvar=True,
            help="The tongue of the letters on input, as in VDR (fr) for JQK; answers stay in en.",
        )(without_tongue)

    return add


def current_tongue() -> str:
    """The tongue chosen for the command that runs; en where it has no such option."""
    context = click.get_current_context(silent=True)
    tongue = context.params.get("tongue", "en") if context else "en"
    assert isinstance(tongue, str)
    return tongue


def jobs_option(command: Command) -> Command:
    """Add ``-j/--jobs``."""
    return click.option(
        "-j",
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        envvar="PILOTTA_JOBS",
        show_envvar=True,
        show_default="all cores",
        help="Threads to use; never changes a result.",
    )(command)


def seed_option(command: Command) -> Command:
    """Add ``--seed``."""
    return click.option(
        "--seed",
        type=click.IntRange(min=0),
        metavar="N",
        envvar="PILOTTA_SEED",
        show_envvar=True,
        show_default="drawn, and reported",
        help="The seed of the random worlds: the same seed, the same answer.",
    )(command)


def json_option(command: Command) -> Command:
    """Add ``--json``; the command gets `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Write JSON, one object a line.")(
        command
    )


def output_options(command: Command) -> Command:
    """Add ``-o/--output`` and ``--force``; the command gets `output`, an `OutputFile` or None.

    The file is checked before the command runs, so that no long computation ends in a refusal.
    """

    def with_output(*args: Any, output: str | None, force: bool, **kwargs: Any) -> Any:
        file = None if output is None else OutputFile(Path(output), force=force)
        if file is not None:
            file.check()
        return command(*args, output=file, **kwargs)

    update_wrapper(with_output, command)
    with_force = click.option(
        "--force", is_flag=True, help="Overwrite the output file if it exists."
    )(with_output)
    return click.option(
        "-o",
        "--output",
        metavar="FILE",
        help="Write the answer to FILE too; its suffix picks the form: .parquet, .csv or .json. "
        "'-' writes CSV to stdout instead of the table.",
    )(with_force)


def talk_options(command: Command) -> Command:
    """Add ``-q/--quiet`` and ``-v/--verbose``; the command gets `talk`, a `Talk`."""

    def with_talk(*args: Any, quiet: bool, verbose: bool, **kwargs: Any) -> Any:
        return command(*args, talk=Talk(quiet=quiet, verbose=verbose), **kwargs)

    update_wrapper(with_talk, command)
    with_verbose = click.option(
        "-v", "--verbose", is_flag=True, help="Say more on stderr: threads, time taken."
    )(with_talk)
    return click.option(
        "-q", "--quiet", is_flag=True, help="Say nothing on stderr but errors; no progress."
    )(with_verbose)
