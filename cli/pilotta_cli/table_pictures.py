"""Pictures of a bidding table: the options that ask for them, and their files."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pilotta_cli.options import Command
from pilotta_cli.output import PICTURES, OutputFile, Talk

if TYPE_CHECKING:
    from pilotta_solver.bidding_table.grouping import BiddingTable


def curve_options(command: Command) -> Command:
    """Add ``--curves`` and ``--classes``."""
    classes = click.option(
        "--classes",
        multiple=True,
        metavar="VALUES",
        help="A class for --curves by its values, as in J9A+1,1,own; J9A+1,1 are all that begin "
        "so. May be given more than once.",
    )
    curves = click.option(
        "--curves",
        metavar="FILE",
        help="Draw the chance of every level for some classes, with 95 % intervals; .png or .svg.",
    )
    return curves(classes(command))


@dataclass(frozen=True)
class TablePictures:
    """The pictures of a table that were asked for.

    Attributes
    ----------
    heat_map, curves : OutputFile or None
        Their files.
    classes : tuple of str
        The classes whose curves are drawn.
    """

    heat_map: OutputFile | None
    curves: OutputFile | None
    classes: tuple[str, ...]

    @classmethod
    def asked(
        cls,
        heat_map: OutputFile | None,
        curves: str | None,
        classes: tuple[str, ...],
        *,
        force: bool,
    ) -> TablePictures:
        """Read the options, and refuse now what could not be written later.

        Raises
        ------
        click.ClickException
            If one of ``--curves`` and ``--classes`` lacks the other, or the file is the heat map's
            (both usage), or cannot be written.
        """
        if curves is not None and not classes:
            raise click.UsageError("--curves needs --classes, the classes whose curves to draw.")
        if curves is None:
            if classes:
                raise click.UsageError("--classes needs --curves FILE to draw their curves in.")
            return cls(heat_map, None, ())
        file = OutputFile(Path(curves), force, PICTURES, option="'--curves'")
        if heat_map is not None and file.path.resolve() == heat_map.path.resolve():
            raise click.UsageError("--plot and --curves name the same file: give them two.")
        file.check()
        return cls(heat_map, file, classes)

    def draw(self, table: BiddingTable, talk: Talk) -> None:
        """Draw them; where one of two cannot be drawn, neither is written.

        Raises
        ------
        PilottaError
            If matplotlib is not installed, or a class is not in the table.
        """
        if self.heat_map is None and self.curves is None:
            return
        from pilotta_solver.plotting import write_heat_map, write_level_curves

        with ExitStack() as stack:
            if self.heat_map is not None:
                beside = stack.enter_context(self.heat_map.replacing())
                write_heat_map(table, beside, self.heat_map.format)
            if self.curves is not None:
                beside = stack.enter_context(self.curves.replacing())
                write_level_curves(table, self.classes, beside, self.curves.format)
        for file in (self.heat_map, self.curves):
            if file is not None:
                talk.say(f"Wrote {file.path}.")
