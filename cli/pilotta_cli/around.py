"""Deals around a hand: the options that say which hand, and what is known of the others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import update_wrapper
from typing import TYPE_CHECKING, Any

import click

from pilotta_cli.knowledge import Told, knowledge_options
from pilotta_cli.options import HAND, Command

if TYPE_CHECKING:
    from pilotta_solver.datasets.simulated_deals import Simulation
    from pilotta_solver.ruleset import Ruleset

ABOUT_A_HAND = {
    "seat": "--seat",
    "partner": "--partner",
    "right": "--right",
    "left": "--left",
    "auction": "--auction",
}
"""The options that say nothing without ``--hand``, by parameter."""


@dataclass(frozen=True)
class Around:
    """A hand that deals are dealt around, as it was given.

    Attributes
    ----------
    hand : int or None
        The hand; None to deal all four at random.
    seat : int or None
        Its place in the order of speaking, if given.
    told : Told
        What is known of the other hands.
    """

    hand: int | None
    seat: int | None
    told: Told

    def simulation(self, seed: int, rules: Ruleset, **more: Any) -> Simulation:
        """What is then simulated; ``more`` are contracts and leader.

        Raises
        ------
        click.UsageError
            If something is said of a hand that is not given.
        click.BadParameter
            If the auction or the system cannot be read.
        """
        from pilotta_solver.datasets.simulated_deals import Simulation
        from pilotta_solver.knowledge.expression_text import format_expression

        if self.hand is None:
            given = {"seat": self.seat, **vars(self.told)}
            for name, option in ABOUT_A_HAND.items():
                if given[name] is not None:
                    raise click.UsageError(
                        f"{option} is about the deals around a hand; give --hand too, or leave it "
                        "out."
                    )
            return Simulation(seed, rules, **more)
        view = self.told.view(rules, self.seat)
        known = tuple(
            (one.seat + 1, format_expression(one.expression)) for one in view.knowledge.statements
        )
        return Simulation(seed, rules, hand=self.hand, place=view.seat + 1, known=known, **more)


def around_options(command: Command) -> Command:
    """Add ``--hand --seat`` and the options of `knowledge`; the command gets `around`."""

    def with_around(
        *args: Any, hand: int | None, seat: int | None, told: Told, **kwargs: Any
    ) -> Any:
        return command(*args, around=Around(hand, seat, told), **kwargs)

    update_wrapper(with_around, command)
    with_seat = click.option(
        "--seat",
        type=click.IntRange(1, 4),
        metavar="1-4",
        show_default="1, or what --auction says",
        help="With --hand: its place in the order of speaking; 1 leads.",
    )(knowledge_options(with_around))
    return click.option("--hand", type=HAND, metavar="HAND", help="Deal around this hand.")(
        with_seat
    )
