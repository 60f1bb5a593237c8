"""``pilotta play``: which card to play, seen from one hand; or a whole deal played so."""

from __future__ import annotations

import secrets
import sys
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

from pilotta_cli.knowledge import Told, knowledge_options
from pilotta_cli.options import (
    CARDS,
    DEAL,
    HAND,
    SEAT,
    TRUMP,
    examples,
    json_option,
    output_options,
    rules_options,
    seed_option,
    talk_options,
    tongue_option,
)
from pilotta_cli.output import OutputFile, Talk, json_line, write_csv, write_file
from pilotta_solver import __version__
from pilotta_solver.schemas import PLAY

if TYPE_CHECKING:
    from pilotta_cli.card_question import Typed
    from pilotta_solver.deal import Deal
    from pilotta_solver.ruleset import Ruleset
    from pilotta_solver.table_play.outlook import Aim

# As `table_play.player` has them, which a help page need not load.
_WORLDS, _MOST_WORLDS = 20, 100_000

_WHOLE_AUCTION = (
    'All calls, from the leader on, who speaks first: "P 80H P 100S P P P". They fix the contract.'
)


@click.command(
    short_help="Which card to play, seen from one hand; or a whole deal.",
    epilog=examples(
        'pilotta play --hand "♠J97 ♥A10 ♦A8 ♣K" --trump S',
        "pilotta play --hand AT.A97.KJ7. --bid 100H --declarer N --leader N "
        '--played "SJ" --aim contract',
        'pilotta play --hand J97.AT.A8.K -t S --partner "SA and aces>=2" -n 200',
        'pilotta play --hand J97.AT.A8.K --auction "90S P P P" --played "SJ S8 SA SQ"',
        'pilotta play --deal "N:7.QJ8.AQ8.A J.A.KJ.KQ98 AQT8.7.T7.J K9.KT9.9.T7" -t S --seed 1',
    ),
)
@click.option("--hand", type=HAND, help="The eight cards I was dealt, those played among them.")
@click.option("--deal", type=DEAL, help="All four hands: play the whole deal, card by card.")
@click.option("-t", "--trump", type=TRUMP, metavar="T", help="S, H, D, C, N (no trump), A (all).")
@click.option(
    "-l",
    "--leader",
    type=SEAT,
    metavar="SEAT",
    show_default="N, or as --seat says",
    help="Who led to the first trick: N, W, S or E.",
)
@click.option(
    "--seat",
    type=SEAT,
    metavar="SEAT",
    show_default="whose turn it is",
    help="My seat: N, W, S or E.",
)
@click.option(
    "--played",
    type=CARDS,
    default="",
    show_default=False,
    metavar="CARDS",
    help="All cards played so far, in order, such as 'S9 SJ H7'.",
)
@click.option("--bid", metavar="BID", help="The contract, such as 100S; goes with --declarer.")
@click.option("--declarer", type=SEAT, metavar="SEAT", help="Who bid it: N, W, S or E.")
@partial(knowledge_options, auction=_WHOLE_AUCTION)
@click.option(
    "-n",
    "--decision-worlds",
    "n_worlds",
    type=click.IntRange(1, _MOST_WORLDS),
    default=_WORLDS,
    metavar="N",
    envvar="PILOTTA_DECISION_WORLDS",
    show_envvar=True,
    help="Worlds that are drawn and solved for each decision.",
)
@click.option(
    "--aim",
    type=click.Choice(["points", "contract"]),
    default="points",
    help="The best mean of points, or the best chance to make or break the contract.",
)
@tongue_option("--tongue")
@seed_option
@rules_options
@json_option
@output_options
@talk_options
def play(
    *,
    hand: int | None,
    deal: Deal | None,
    trump: int | None,
    leader: int | None,
    seat: int | None,
    played: tuple[int, ...],
    bid: str | None,
    declarer: int | None,
    told: Told,
    n_worlds: int,
    aim: Aim,
    seed: int | None,
    rules: Ruleset,
    as_json: bool,
    output: OutputFile | None,
    talk: Talk,
) -> None:
    """Tell which card to play, by what one player knows.

    With --hand: worlds are drawn that agree with my hand, the cards played and all they tell, and
    with what is said of the other hands. Every card that I may play is solved in each world with
    all cards seen, and the card that is best over all worlds is the answer.

    With --deal: four such players play the whole deal, each seeing its own cards alone. Beside each
    card stands what N and S would take from there on with all cards seen, so that it can be
    followed where points were lost.
    """
    if (hand is None) == (deal is None):
        raise click.UsageError("Give either --hand or --deal.")
    if deal is not None:
        refused = {
            "--seat": seat is not None,
            "--played": bool(played),
            "-o/--output": output is not None,
            "--auction or what is known of a hand": not told.is_empty,
        }
        for option, is_given in refused.items():
            if is_given:
                raise click.UsageError(f"{option} does not go with --deal; leave it out.")
    from pilotta_cli.card_question import Typed

    typed = Typed(trump, bid, declarer, leader, seat, played, told)
    player = _Player(n_worlds, aim, secrets.randbits(32) if seed is None else seed)
    if hand is None:
        assert deal is not None
        _play_deal(deal, typed, player, rules, talk, as_json=as_json)
    else:
        _choose(hand, typed, player, rules, talk, output, as_json=as_json)


@dataclass(frozen=True)
class _Player:
    """How a player decides."""

    n_worlds: int
    aim: Aim
    seed: int

    def check(self, *, has_goal: bool) -> None:
        """Refuse an aim that needs a bid where there is none."""
        if self.aim == "contract" and not has_goal:
            raise click.UsageError(
                "--aim contract needs the contract: give --bid and --declarer, or --auction."
            )


def _choose(
    hand: int,
    typed: Typed,
    player: _Player,
    rules: Ruleset,
    talk: Talk,
    output: OutputFile | None,
    *,
    as_json: bool,
) -> None:
    """Answer which card to play."""
    from pilotta_cli.card_question import Answer, read_information

    information, known = read_information(hand, typed, rules)
    player.check(has_goal=information.goal is not None)
    talk.compile_engine()
    from pilotta_solver.table_play.player import decide

    started = time.perf_counter()
    decision = decide(information, player.seed, player.n_worlds, player.aim, value_all=True)
    talk.detail(f"Decided in {time.perf_counter() - started:.3f} s.")
    answer = Answer(
        information, decision, player.aim, information.count_deals(), player.seed, known
    )
    if output is not None and not output.is_stdout:
        metadata = {"version": __version__, "seed": player.seed, "rules": rules.as_dict()}
        write_file(output, PLAY, [answer], Answer.as_dict, Answer.rows, metadata)
        talk.say(f"Wrote {output.path}.")
    if as_json:
        click.echo(json_line(answer.as_dict()))
    elif output is not None and output.is_stdout:
        write_csv(sys.stdout, PLAY, answer.rows())
    else:
        from pilotta_cli.play_answer import show_answer

        show_answer(answer)


def _play_deal(
    deal: Deal,
    typed: Typed,
    player: _Player,
    rules: Ruleset,
    talk: Talk,
    *,
    as_json: bool,
) -> None:
    """Have four players play a deal, and tell how it went."""
    trump, goal_from = typed.contract(rules)
    leader = typed.leader or 0
    goal = goal_from(leader)
    player.check(has_goal=goal is not None)
    talk.compile_engine()
    from pilotta_solver.table_play.self_play import self_play

    started = time.perf_counter()
    played = self_play(
        deal,
        trump,
        leader,
        seed=player.seed,
        n_worlds=player.n_worlds,
        aim=player.aim,
        goal=goal,
        rules=rules,
    )
    talk.detail(f"Played in {time.perf_counter() - started:.2f} s.")
    from pilotta_cli.played_deal import PlayedByFour
    from pilotta_solver.game import play_out
    from pilotta_solver.table_play.account import account

    told = PlayedByFour(
        deal,
        trump,
        leader,
        goal,
        player.aim,
        player.n_worlds,
        player.seed,
        rules,
        played,
        account(deal, trump, leader, played.played, rules),
        play_out(deal, trump, 0 if goal is None else goal.declarer, played.played, rules),
    )
    if as_json:
        click.echo(json_line(told.as_dict()))
    else:
        from pilotta_cli.play_answer import show_played

        show_played(told)
