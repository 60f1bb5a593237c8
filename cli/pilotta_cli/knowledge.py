"""The options that say what a player knows of the hidden hands."""

from __future__ import annotations

from dataclasses import dataclass
from functools import update_wrapper
from typing import TYPE_CHECKING, Any

import click

from pilotta_cli.options import Command, ParamType, current_tongue
from pilotta_solver.errors import PilottaError

if TYPE_CHECKING:
    from pilotta_solver.knowledge.auction_knowledge import PlayerView
    from pilotta_solver.ruleset import Ruleset


class ExpressionText(ParamType):
    """An expression over a hand; the text is checked, and passed on as it is."""

    name = "expression"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> object:
        """Check that the library can read the text."""
        from pilotta_solver.knowledge.expression_text import parse_expression

        try:
            parse_expression(value, current_tongue())
        except PilottaError as error:
            self.fail(str(error), param, ctx)
        return value


EXPRESSION = ExpressionText()


@dataclass(frozen=True)
class Told:
    """What the user says of the hidden hands and of the auction, as it was typed."""

    partner: str | None
    right: str | None
    left: str | None
    auction: str | None
    system: str

    @property
    def is_empty(self) -> bool:
        """Whether nothing is told."""
        return not (self.partner or self.right or self.left or self.auction)

    def view(self, rules: Ruleset, seat: int | None, *, is_playing: bool = False) -> PlayerView:
        """Return what the player knows at his turn.

        Parameters
        ----------
        rules
            The ruleset.
        seat
            His place in the order of speaking, 1 to 4, if ``--seat`` was given.
        is_playing
            Whether the cards are being played, after the whole auction.

        Raises
        ------
        click.BadParameter
            If the auction or the system cannot be read, or the auction is at another seat.
        """
        from pilotta_solver.knowledge.auction_knowledge import player_view
        from pilotta_solver.knowledge.bidding_system import load_system

        option = "--system"
        try:
            system = load_system(self.system)
            option = "--auction"
            return player_view(
                rules,
                seat=seat,
                auction=self.auction,
                system=system,
                partner=self.partner,
                right=self.right,
                left=self.left,
                cards=current_tongue(),
                is_playing=is_playing,
            )
        except PilottaError as error:
            raise click.BadParameter(str(error), param_hint=f"'{option}'") from error


_BEFORE_MY_TURN = 'The calls before my turn, from the first to speak: "P 80H P". They fix my seat.'


def knowledge_options(command: Command, *, auction: str = _BEFORE_MY_TURN) -> Command:
    """Add ``--partner --right --left --auction --system``; the command gets `told`, a `Told`.

    Parameters
    ----------
    command
        The command.
    auction
        The help for ``--auction``.
    """
    auction_help = auction

    def with_told(
        *args: Any,
        partner: str | None,
        right: str | None,
        left: str | None,
        auction: str | None,
        system: str,
        **kwargs: Any,
    ) -> Any:
        return command(*args, told=Told(partner, right, left, auction, system), **kwargs)

    update_wrapper(with_told, command)
    wrapped: Command = with_told
    wrapped = click.option(
        "--system",
        default="cyprus-basic",
        metavar="NAME|FILE",
        envvar="PILOTTA_SYSTEM",
        show_envvar=True,
        help="What the calls of --auction mean: cyprus-basic, none, or a TOML file.",
    )(wrapped)
    wrapped = click.option(
        "--auction",
        metavar="CALLS",
        help=auction_help,
    )(wrapped)
    for role, who in (
        ("left", "the player on the left, who speaks before me"),
        ("right", "the player on the right, who speaks after me"),
        ("partner", "partner"),
    ):
        example = ', as in "SJ and S>=3 and aces>=1"' if role == "partner" else ""
        wrapped = click.option(
            f"--{role}",
            type=EXPRESSION,
            metavar="EXPR",
            help=f"What is known of the hand of {who}{example}.",
        )(wrapped)
    return wrapped
