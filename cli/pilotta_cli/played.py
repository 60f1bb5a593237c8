"""How simulated deals are bid and played: the options that say so."""

from __future__ import annotations

from dataclasses import dataclass
from functools import update_wrapper
from typing import TYPE_CHECKING, Any, Literal, cast

import click
from click.core import ParameterSource

from pilotta_cli.options import Command
from pilotta_solver.errors import PilottaError

if TYPE_CHECKING:
    from pilotta_solver.datasets.results import TablePlay
    from pilotta_solver.knowledge.bidding_system import BiddingSystem

ABOUT_THE_PLAY = {
    "model": "--model",
    "decision_worlds": "--decision-worlds",
    "aim": "--aim",
    "bid_by": "--bid-by",
}
"""The options, by parameter."""

# As `pilotta_solver.table_play.player.DECISION_WORLDS`, which a help page need not load.
DECISION_WORLDS = 20


@dataclass(frozen=True)
class Played:
    """How deals are bid and played, as it was given.

    Attributes
    ----------
    model : str
        ``"dd"``, solved alone, or ``"table"``, played as well.
    decision_worlds : int or None
        Worlds a card, if given.
    aim : str or None
        What players want most, if given.
    bid_by : str or None
        The bidding system, its name or its file.
    """

    model: str
    decision_worlds: int | None
    aim: Literal["points", "contract"] | None
    bid_by: str | None

    def simulated(self) -> dict[str, Any]:
        """What a `Simulation` is told of it.

        Raises
        ------
        click.UsageError
            If options do not go together.
        click.BadParameter
            If the system cannot be read, or nobody could open by it.
        """
        return {"play": self._play(), "bid_by": self._system()}

    def _play(self) -> TablePlay | None:
        if self.model == "dd":
            for name in ("decision_worlds", "aim"):
                if getattr(self, name) is not None:
                    raise click.UsageError(
                        f"{ABOUT_THE_PLAY[name]} is about players, and only --model table has any; "
                        "give it too, or leave this out."
                    )
            return None
        if self.aim == "contract" and self.bid_by is None:
            raise click.UsageError(
                "--aim contract needs contracts that somebody bids; give --bid-by too, or leave it "
                "out."
            )
        from pilotta_solver.datasets.results import TablePlay

        try:
            return TablePlay(self.decision_worlds or DECISION_WORLDS, self.aim or "points")
        except PilottaError as error:
            raise click.BadParameter(str(error), param_hint="'--decision-worlds'") from error

    def _system(self) -> BiddingSystem | None:
        if self.bid_by is None:
            return None
        context = click.get_current_context()
        for name, why in (
            ("contracts", "the system says which contract each deal is played in"),
            ("auction", "the four hands bid from the first call on"),
            ("system", "it says how the calls of --auction are read, and there are none"),
        ):
            if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
                raise click.UsageError(
                    f"--{name} does not go with --bid-by: {why}; leave one of them out."
                )
        from pilotta_solver.knowledge.bidding_system import load_system
        from pilotta_solver.knowledge.system_auction import check_bids

        try:
            system = load_system(self.bid_by)
            check_bids(system)
        except PilottaError as error:
            raise click.BadParameter(str(error), param_hint="'--bid-by'") from error
        return system


def played_options(command: Command) -> Command:
    """Add ``--model --decision-worlds --aim --bid-by``; the command gets `played`, a `Played`."""

    def with_played(
        *args: Any,
        model: str,
        decision_worlds: int | None,
        aim: str | None,
        bid_by: str | None,
        **kwargs: Any,
    ) -> Any:
        aimed = cast(Literal["points", "contract"] | None, aim)
        return command(*args, played=Played(model, decision_worlds, aimed, bid_by), **kwargs)

    update_wrapper(with_played, command)
    wrapped = click.option(
        "--bid-by",
        metavar="NAME|FILE",
        help="Have the four hands bid by this system, cyprus-basic or a TOML file, and look at the "
        "contract they reach alone.",
    )(with_played)
    wrapped = click.option(
        "--aim",
        type=click.Choice(["points", "contract"]),
        show_default="points",
        help="With --model table: the best mean of points, or, with --bid-by, the best chance to "
        "make or break the contract.",
    )(wrapped)
    wrapped = click.option(
        "--decision-worlds",
        type=click.IntRange(min=1),
        metavar="N",
        show_default=str(DECISION_WORLDS),
        help="With --model table: worlds that a player draws for each card.",
    )(wrapped)
    return click.option(
        "--model",
        type=click.Choice(["dd", "table"]),
        default="dd",
        help="Double dummy values alone, or besides them each contract as four players play it who "
        "see only their own cards: about 0.1 s of one core a contract with 20 worlds, some 100 "
        "times as long as the values.",
    )(wrapped)
