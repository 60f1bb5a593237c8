"""Classes of a bidding table by the names that people give them."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from pilotta_solver.errors import PilottaError

if TYPE_CHECKING:
    from pilotta_solver.bidding_table.grouping import BiddingTable, HandClass


def find_classes(table: BiddingTable, text: str) -> tuple[int, ...]:
    """The places in the table of the classes that a text names.

    Parameters
    ----------
    table : BiddingTable
        Where to look.
    text : str
        The label of a class, or values of the table's quantities in their order, with commas:
        ``J9A+1,1,own``. Values may be left out from the end: ``J9A+1`` names all its classes. Upper
        and lower case are the same.

    Raises
    ------
    PilottaError
        If no class is named so.
    """
    wanted = text.strip().casefold()
    for place, one in enumerate(table.classes):
        if one.label.casefold() == wanted:
            return (place,)
    values = tuple(value.strip() for value in wanted.split(","))
    found = tuple(
        place for place, one in enumerate(table.classes) if _values(one)[: len(values)] == values
    )
    if not found:
        names = {",".join(_values(one)[: len(values)]): one for one in table.classes}
        near = difflib.get_close_matches(",".join(values), names, n=1, cutoff=0)
        example = ",".join(str(value) for value in names[near[0]].values[: len(values)])
        raise PilottaError(
            f"no class of hands '{text}' in this table, whose classes are named by "
            f"{','.join(table.by)}; the nearest is {example}"
        )
    return found


def _values(one: HandClass) -> tuple[str, ...]:
    return tuple(str(value).casefold() for value in one.values)
