"""``pilotta bid``: what to bid with one hand, how sure that is, and why."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from pilotta_cli.class_answer import advice_dict
from pilotta_cli.hands import is_bidding_over, parse_score, read_rows
from pilotta_cli.knowledge import Told, knowledge_options
from pilotta_cli.options import (
    HAND,
    ParamType,
    current_tongue,
    examples,
    jobs_option,
    json_option,
    output_options,
    rules_options,
    seed_option,
    talk_options,
    tongue_option,
)
from pilotta_cli.output import OutputFile, Talk, json_line, write_csv, write_file
from pilotta_solver.errors import PilottaError
from pilotta_solver.schemas import BID as TABLE

if TYPE_CHECKING:
    from pilotta_solver.advice.answers import Advice
    from pilotta_solver.notation import Bid
    from pilotta_solver.ruleset import Ruleset

    # An answer, with the line of the file in which it was asked.
    _Numbered = tuple[int | None, Advice]

# What the metadata of a Parquet file says of all its rows.
_METADATA = ("version", "seed", "hand", "seat", "n_worlds")

# All worlds of an answer are in memory at once; `pilotta simulate --hand` has no such bound.
_MOST_WORLDS = 1_000_000

# Worlds written out where --show-worlds says nothing: in JSON only.
_WORLDS_IN_JSON = 3


class Seconds(ParamType):
    """A length of time: ``5s``, ``500ms``, ``2m``, or a number of seconds."""

    name = "time"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """Read a number and its unit."""
        if not isinstance(value, str):
            return value
        text = value.strip().lower()
        for suffix, unit in (("ms", 0.001), ("min", 60.0), ("s", 1.0), ("m", 60.0), ("", 1.0)):
            if text.endswith(suffix):
                try:
                    seconds = float(text.removesuffix(suffix)) * unit
                except ValueError:
                    break
                if 0 < seconds < float("inf"):
                    return seconds
                break
        self.fail(f"'{value}': give a time above 0, as in 5s, 500ms or 2m", param, ctx)


class GameScore(ParamType):
    """The score of a game, ours and theirs: ``210-180``."""

    name = "score"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """Read two whole numbers."""
        if not isinstance(value, str):
            return value
        try:
            return parse_score(value)
        except PilottaError as error:
            self.fail(str(error), param, ctx)


@click.command(
    short_help="What to bid with a hand: chances, worth, and why.",
    epilog=examples(
        'pilotta bid "♠J9AK ♥108 ♦A7" 100S',
        'pilotta bid J9A7.T8.A7. 100S --auction "P 80H P"',
        'pilotta bid J9A7.T8.A7. 120S --partner "ST and aces>=1" --show-worlds 5',
        "pilotta bid J9A7.T8.A7. 110S --score 270-250 --target 301",
        "pilotta bid J9AK.T8.A7. 100S --precision 0.5",
        'pilotta bid "pique V9AR cœur 108 carreau A7" "100 pique" --cards fr',
        "pilotta bid J9AK.T8.A7. -n 10000 --seed 1 -o hand.parquet",
        "pilotta bid --file hands.csv -o answers.parquet",
    ),
)
@click.argument("hand", type=HAND, required=False)
@click.argument("bid", required=False, metavar="[BID]")
@click.option(
    "--file",
    "path",
    metavar="PATH|-",
    help="Answer many questions from CSV with the columns hand, bid and optionally seat, auction, "
    "partner, right, left, score, target; the answers are JSON, one object a line.",
)
@click.option(
    "--seat",
    type=click.IntRange(1, 4),
    metavar="1-4",
    show_default="1, or as --auction says",
    help="My place in the order of speaking; 1 speaks first and leads to the first trick.",
)
@knowledge_options
@click.option(
    "--score",
    type=GameScore(),
    metavar="US-THEM",
    help="The score of the game, ours first: judge calls by the chance of winning it.",
)
@click.option(
    "--target",
    type=click.IntRange(min=1),
    metavar="N",
    show_default="the ruleset's",
    help="With --score: the score that wins the game.",
)
@click.option(
    "--precision",
    type=click.FloatRange(0.05, 50),
    metavar="POINTS",
    show_default="1.5, or as --time allows",
    help="Stop when the 95 % interval of the chance reaches so far to each side, in points.",
)
@click.option(
    "--time",
    "seconds",
    type=Seconds(),
    metavar="TIME",
    help="Stop after so long, as in 5s; the number of worlds then depends on the machine.",
)
@click.option(
    "-n",
    "--worlds",
    "n_worlds",
    type=click.IntRange(1, _MOST_WORLDS),
    metavar="N",
    envvar="PILOTTA_WORLDS",
    show_envvar=True,
    show_default="as --precision needs",
    help="Solve exactly so many random completions of the hidden hands in every trump.",
)
@click.option(
    "--model",
    type=click.Choice(["table", "dd"]),
    envvar="PILOTTA_MODEL",
    show_envvar=True,
    default="table",
    show_default=True,
    help="What contracts are valued by: results as they come at the table, where nobody sees the "
    "others' cards, or double dummy results.",
)
@click.option(
    "--show-worlds",
    type=click.IntRange(min=0),
    metavar="K",
    show_default="none; 3 in JSON",
    help="With BID: write out K worlds near the median, and a typical failure.",
)
@tongue_option("--cards", "--tongue")
@seed_option
@rules_options
@jobs_option
@json_option
@output_options
@talk_options
def bid(
    *,
    hand: int | None,
    bid: str | None,
    path: str | None,
    seat: int | None,
    told: Told,
    score: tuple[int, int] | None,
    target: int | None,
    precision: float | None,
    seconds: float | None,
    n_worlds: int | None,
    model: str,
    show_worlds: int | None,
    seed: int | None,
    rules: Ruleset,
    jobs: int | None,
    as_json: bool,
    output: OutputFile | None,
    talk: Talk,
) -> None:
    """Tell what to bid with HAND, and whether to bid BID.

    The hidden hands are dealt at random as far as they are not known. Every such world is solved
    exactly with all cards seen (double dummy), and the result is turned into what comes of it at
    the table, where nobody sees the others' cards. Declarations, belote and the score count as the
    ruleset says. A bid is worth what it scores on average more than passing or doubling. HAND is
    written as spades.hearts.diamonds.clubs, or with suit symbols. BID is a level and a trump, such
    as 100S.
    """
    if n_worlds is not None and (precision is not None or seconds is not None):
        precision_given = "--precision" if precision is not None else "--time"
        raise click.UsageError(
            f"--worlds leaves nothing for {precision_given} to stop: give one of them"
        )
    if target is not None and score is None:
        raise click.UsageError("--target goes with --score: give both")
    if (hand is None) == (path is None):
        raise click.UsageError("Give either a HAND or --file.")
    settings: dict[str, Any] = {
        "n_worlds": n_worlds,
        "precision": precision,
        "seconds": seconds,
        "model": model,
        "show_worlds": _WORLDS_IN_JSON if show_worlds is None else show_worlds,
        "rules": rules,
        "jobs": jobs,
    }
    if hand is None:
        assert path is not None
        seed = secrets.randbits(32) if seed is None else seed
        talk.compile_engine()
        answers = _Answers(path, told, seat, score, target, {**settings, "seed": seed})
        answers.write(output, talk, as_json=as_json)
        if answers.n_failed:
            click.get_current_context().exit(1)
        return
    question = None if bid is None else _parse_bid(bid, rules)
    view = told.view(rules, seat)
    talk.compile_engine()
    if score is not None:
        _announce_simulation(rules, talk)
    from pilotta_solver.advice.advise import advise
    from pilotta_solver.workers import n_jobs

    started = time.perf_counter()
    n_deals = 0

    with talk.progress("Solving worlds") as progress:

        def solved(done: int, total: int | None) -> None:
            nonlocal n_deals
            n_deals = done
            progress(done, total)

        advice = advise(
            hand,
            question,
            view=view,
            bidding_is_over=is_bidding_over(told.auction, rules),
            score=score,
            target=target,
            seed=seed,
            progress=solved,
            **settings,
        )
    elapsed, threads = time.perf_counter() - started, n_jobs(jobs)
    talk.detail(f"Solved {n_deals:,} deals in {elapsed:.2f} s; threads: {threads}.")
    if output is not None and not output.is_stdout:
        metadata = {key: value for key, value in advice.as_dict().items() if key in _METADATA}
        _save([(None, advice)], output, talk, metadata, rules)
    if as_json:
        click.echo(json_line(advice_dict(advice)))
    elif output is not None and output.is_stdout:
        write_csv(sys.stdout, TABLE, advice.records())
    else:
        from pilotta_cli.bid_answer import show_advice

        show_advice(advice, view, with_worlds=show_worlds is not None)


class _Answers:
    """The answers to a file of questions, one after the other.

    Attributes
    ----------
    n_failed : int
        Lines that could not be answered so far.
    """

    def __init__(
        self,
        path: str,
        told: Told,
        seat: int | None,
        score: tuple[int, int] | None,
        target: int | None,
        settings: dict[str, Any],
    ) -> None:
        self.n_failed = 0
        self._path = path
        self._defaults = (told, seat, score, target)
        self._settings = settings

    def _stream(self) -> Iterator[_Numbered]:
        """Answer each line; report one that cannot be answered and go on."""
        from pilotta_solver.advice.advise import advise

        rules, n_answered = self._settings["rules"], 0
        for row in read_rows(self._path):
            try:
                asked = row.read(rules, *self._defaults)
                advice = advise(
                    asked.hand,
                    asked.question,
                    view=asked.view,
                    bidding_is_over=asked.bidding_is_over,
                    score=asked.score,
                    target=asked.target,
                    **self._settings,
                )
            except PilottaError as error:
                self.n_failed += 1
                click.echo(f"Error: {row.where}: {error}", err=True)
                continue
            n_answered += 1
            yield row.line, advice
        if n_answered == 0:
            raise PilottaError("no line could be answered; nothing is written")

    def write(self, output: OutputFile | None, talk: Talk, *, as_json: bool) -> None:
        """Write the answers to a file, or to stdout as they come: JSON, or CSV for ``-o -``."""
        if output is None:
            for one in self._stream():
                click.echo(json_line(_as_dict(one)))
        elif output.is_stdout:
            write_csv(sys.stdout, TABLE, (row for one in self._stream() for row in _rows(one)))
        else:
            from pilotta_solver import __version__

            def shown() -> Iterator[_Numbered]:
                for one in self._stream():
                    if as_json:
                        click.echo(json_line(_as_dict(one)))
                    yield one

            metadata = {"version": __version__, "seed": self._settings["seed"]}
            _save(shown(), output, talk, metadata, self._settings["rules"])


def _as_dict(one: _Numbered) -> dict[str, Any]:
    line, advice = one
    told = advice_dict(advice)
    return told if line is None else {"line": line, **told}


def _rows(one: _Numbered) -> Iterator[dict[str, Any]]:
    line, advice = one
    for row in advice.records():
        yield {**row, "line": line}


def _announce_simulation(rules: Ruleset, talk: Talk) -> None:
    """Say why it takes longer where the chances of a game are not at hand for a ruleset."""
    from pilotta_solver.advice.game_chance import N_DEALS, shipped_scores

    if shipped_scores(rules) is None:
        talk.say(f"Simulating {N_DEALS:,} deals for the chances of a game under these rules ...")


def _parse_bid(text: str, rules: Ruleset) -> Bid:
    from pilotta_solver.notation import parse_bid

    try:
        return parse_bid(text, rules, current_tongue())
    except PilottaError as error:
        raise click.BadParameter(str(error), param_hint="'BID'") from error


def _save(
    answers: Iterable[_Numbered],
    output: OutputFile,
    talk: Talk,
    metadata: Mapping[str, Any],
    rules: Ruleset,
) -> None:
    """Write answers to a file, in the form that its suffix picks."""
    write_file(output, TABLE, answers, _as_dict, _rows, {**metadata, "rules": rules.as_dict()})
    talk.say(f"Wrote {output.path}.")
