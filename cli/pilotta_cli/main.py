"""The entry point: the group of commands, and how every failure ends.

Exit codes: 0 done, 1 the request could not be met, 2 usage, 130 interrupted. A failure is one
line on stderr without a traceback; a traceback means a defect of the program.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Sequence

import click

from pilotta_cli.lazy import LazyGroup
from pilotta_cli.options import CONTEXT_SETTINGS, examples
from pilotta_solver import __version__
from pilotta_solver.errors import PilottaError

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


@click.group(
    cls=LazyGroup,
    lazy_commands={
        "bid": "pilotta_cli.commands.bid:bid",
        "play": "pilotta_cli.commands.play:play",
        "solve": "pilotta_cli.commands.solve:solve",
        "score": "pilotta_cli.commands.score:score",
        "rules": "pilotta_cli.commands.rules:rules",
        "simulate": "pilotta_cli.commands.simulate:simulate",
        "table": "pilotta_cli.commands.table:table",
        "show": "pilotta_cli.commands.show:show",
        "deal": "pilotta_cli.commands.deal:deal",
        "perft": "pilotta_cli.commands.perft:perft",
    },
    context_settings=CONTEXT_SETTINGS,
    invoke_without_command=True,
    epilog=examples(
        'pilotta bid "♠J9AK ♥108 ♦A7" 100S',
        'pilotta solve "N:7.QJ8.AQ8.A J.A.KJ.KQ98 AQT8.7.T7.J K9.KT9.9.T7" -t S -l N',
        "pilotta COMMAND --help",
    ),
)
@click.version_option(__version__, prog_name="pilotta", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Solve Pilotta, the Cypriot Belote: exact values, and advice on bidding."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(EXIT_USAGE)


_PLAIN = {
    "±": "+-",
    "\xa0": " ",
    "–": "-",
    "−": "-",
    "…": "...",
    "♠": "S",
    "♥": "H",
    "♦": "D",
    "♣": "C",
}


def main(args: Sequence[str] | None = None) -> None:
    """Run the command line and exit.

    Parameters
    ----------
    args : sequence of str, optional
        The arguments after the program's name; by default those of the process.
    """
    if sys.stdout is None:  # closed by the caller, who wants a file or the exit code alone
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    speak_plainly()
    sys.exit(_run(args))


def speak_plainly() -> None:
    """Have stdout and stderr write what their encoding has no letter for in other letters.

    In JSON the last resort, a backslash and a number, is the same text still.
    """

    def plain(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        letters = error.object[error.start : error.end]
        replaced = "".join(_PLAIN.get(letter, f"\\u{ord(letter):04x}") for letter in letters)
        return replaced, error.end

    codecs.register_error("plain", plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="plain")


def _run(args: Sequence[str] | None) -> int:
    try:
        code = cli.main(args=args, prog_name="pilotta", standalone_mode=False)
        sys.stdout.flush()
    except click.Abort:
        return EXIT_INTERRUPTED
    except click.UsageError as error:
        help_hint = f" Try '{error.ctx.command_path} --help'." if error.ctx else ""
        return _fail(f"{_sentence(error.format_message())}{help_hint}", error.exit_code)
    except click.ClickException as error:
        return _fail(error.format_message(), error.exit_code)
    except PilottaError as error:
        return _fail(str(error), EXIT_FAILED)
    except BrokenPipeError:
        # The reader has left. Python flushes stdout once more on exit: let that go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_FAILED
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}", EXIT_FAILED)
    return code if isinstance(code, int) else 0


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!")) else f"{text}."


def _fail(message: str, code: int) -> int:
    click.echo(f"Error: {' '.join(message.split())}", err=True)
    return code
