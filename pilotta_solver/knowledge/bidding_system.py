"""Bidding systems: what calls mean, read from TOML files.

The systems that come with the program are in ``systems/``; ``docs/systems.md`` explains the format.
A system is a list of conventions. A convention says for one call, in some situations, what the hand
of the player who makes it is like: an expression (`expression_text`) in which ``{trump}`` stands
for the suit of the call and ``{steps}`` for how many steps a raise goes above partner's bid.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, cast

from pilotta_solver.cards import TRUMPS
from pilotta_solver.errors import ConstraintError, NotationError
from pilotta_solver.knowledge.expression import Expression
from pilotta_solver.knowledge.expression_text import parse_expression

SYSTEMS: Mapping[str, str] = {
    "cyprus-basic": "80 and 90 show J and 9; partner adds 10 for each J, 9 and side ace",
    "none": "no system: bids and passes tell nothing of the hands",
}
"""The systems that come with the program, each with what it is."""

Situation = Literal["opening", "overcall", "reply", "new suit", "rebid"]

SITUATIONS: Mapping[Situation, str] = {
    "opening": "nobody has bid",
    "overcall": "only opponents have bid",
    "reply": "partner has bid, the player has not, and the call is in partner's suit",
    "new suit": "partner has bid, the player has not, and the call is in another suit",
    "rebid": "the player has bid before",
}
"""When a call is made, from its player's view."""

_KEYS = ("about", "passes", "bids", "call")
_CHOICES = {"passes": ("deny", "nothing"), "bids": ("highest", "at least")}
_CALL_KEYS = ("call", "when", "trumps", "means", "says")
_SUITS = "SHDC"
_FIELD = re.compile(r"\{(\w*)\}")


@dataclass(frozen=True, slots=True)
class Convention:
    """What one call means in some situations.

    Attributes
    ----------
    call
        The level of a bid, ``"raise"`` for any higher bid in partner's suit, ``"X"`` or ``"XX"``.
    when
        The situations in which it has this meaning.
    trumps
        The trumps for which it has it, letters of `cards.TRUMPS`.
    means
        The expression that holds for the hand, with ``{trump}`` and ``{steps}``.
    says
        The same in a player's words.
    """

    call: int | Literal["raise", "X", "XX"]
    when: tuple[Situation, ...]
    trumps: str
    means: str
    says: str

    def expression(self, trump: int, steps: int = 0) -> Expression:
        """Return what the call means for a trump and, for a raise, a number of steps."""
        return _parse(self._fill(self.means, trump, steps))

    def words(self, trump: int, steps: int = 0) -> str:
        """Return what the call means in a player's words."""
        return self._fill(self.says, trump, steps)

    @staticmethod
    def _fill(template: str, trump: int, steps: int) -> str:
        return template.replace("{trump}", TRUMPS[trump]).replace("{steps}", str(steps))


@lru_cache(maxsize=1024)
def _parse(text: str) -> Expression:
    return parse_expression(text)


@dataclass(frozen=True, slots=True)
class BiddingSystem:
    """The conventions that players agree on.

    Attributes
    ----------
    name
        The name of the system.
    about
        What it is, in one line.
    conventions
        What calls mean; of several that fit a call the first counts.
    passes
        ``"deny"``: a pass says that the hand has no bid of the system that could have been made.
        ``"nothing"``: it says nothing.
    bids
        ``"highest"``: a bid says besides that the hand has no higher bid of the system in its
        suit that could have been made. ``"at least"``: it does not.
    """

    name: str
    about: str
    conventions: tuple[Convention, ...] = ()
    passes: Literal["deny", "nothing"] = "deny"
    bids: Literal["highest", "at least"] = "highest"

    def convention(
        self, call: int | Literal["X", "XX"], situation: Situation, trump: int, steps: int = 0
    ) -> Convention | None:
        """Return what a call means, or None if the system does not say.

        Parameters
        ----------
        call
            The level of a bid, or a double or redouble.
        situation
            When it is made.
        trump
            The trump of the bid, or of the bid that is doubled.
        steps
            For a bid in partner's suit, how many steps it is above partner's; else 0.
        """
        for one in self.conventions:
            is_raise = one.call == "raise" and isinstance(call, int) and steps > 0
            if (
                (is_raise or one.call == call)
                and situation in one.when
                and TRUMPS[trump] in one.trumps
            ):
                return one
        return None

    def as_dict(self) -> dict[str, Any]:
        """Return all of the system in JSON's own kinds of value; its calls by their number."""
        return {
            "name": self.name,
            "about": self.about,
            "passes": self.passes,
            "bids": self.bids,
            "calls": {
                str(number): {**asdict(one), "when": list(one.when)}
                for number, one in enumerate(self.conventions, 1)
            },
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> BiddingSystem:
        """Return the system that `as_dict` has told."""
        return cls(
            content["name"],
            content["about"],
            tuple(
                Convention(**{**one, "when": tuple(one["when"])})
                for one in content["calls"].values()
            ),
            content["passes"],
            content["bids"],
        )


def system_names() -> tuple[str, ...]:
    """Return the names of the systems that come with the program, the default first."""
    return tuple(SYSTEMS)


def load_system(name_or_path: str | Path = "cyprus-basic") -> BiddingSystem:
    """Load a bidding system by its name, or from a TOML file by its path.

    Raises
    ------
    ConstraintError
        If there is no such system, the file cannot be read, or something in it has no meaning;
        the message names the file and the entry.

    Examples
    --------
    >>> system = load_system("cyprus-basic")
    >>> system.convention(90, "opening", 1).means.replace("{trump}", "H")
    'HJ and H9 and H>=3 and aces - HA >= 1'
    """
    text, where, name = _source(name_or_path)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConstraintError(f"{where}: not a TOML file: {error}") from error
    _check_keys(table, _KEYS, where)
    about = _text(table, "about", where, name)
    for key, choices in _CHOICES.items():
        if table.get(key, choices[0]) not in choices:
            allowed = " or ".join(f'"{choice}"' for choice in choices)
            raise ConstraintError(f"{where}: {key} = {table[key]!r} is not allowed; give {allowed}")
    entries = table.get("call", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ConstraintError(f"{where}: write each call under a heading of its own, [[call]]")
    return BiddingSystem(
        name=name,
        about=about,
        conventions=tuple(
            _convention(entry, f"{where}, [[call]] number {number}")
            for number, entry in enumerate(entries, 1)
        ),
        passes=table.get("passes", "deny"),
        bids=table.get("bids", "highest"),
    )


def _source(name_or_path: str | Path) -> tuple[str, str, str]:
    """Return the text of a system, where it stands, and its name."""
    name = str(name_or_path)
    if name in SYSTEMS:
        path = files("pilotta_solver") / "knowledge" / "systems" / f"{name}.toml"
        return path.read_text("utf-8"), name, name
    try:
        return Path(name).read_text("utf-8"), name, Path(name).stem
    except FileNotFoundError:
        raise ConstraintError(
            f"no bidding system '{name}': name one of {', '.join(SYSTEMS)}, or an existing TOML "
            "file"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConstraintError(f"cannot read the bidding system {name}: {reason}") from error


def _convention(entry: Mapping[str, Any], where: str) -> Convention:
    """Read one convention, and try its expression for every trump that it is for."""
    _check_keys(entry, _CALL_KEYS, where)
    call = entry.get("call")
    is_level = isinstance(call, int) and not isinstance(call, bool) and call > 0
    if not is_level and call not in ("raise", "X", "XX"):
        raise ConstraintError(f'{where}: call = {call!r}; give a level, "raise", "X" or "XX"')
    when = entry.get("when", ["reply"] if call == "raise" else list(SITUATIONS))
    if not isinstance(when, list) or not when or any(one not in SITUATIONS for one in when):
        raise ConstraintError(f"{where}: when = {when!r}; give a list of {_quoted(SITUATIONS)}")
    if call == "raise" and when != ["reply"]:
        raise ConstraintError(f'{where}: a raise is always a reply; write when = ["reply"]')
    trumps = entry.get("trumps", _SUITS)
    if not isinstance(trumps, str) or not trumps or any(one not in TRUMPS for one in trumps):
        raise ConstraintError(f'{where}: trumps = {trumps!r}; give letters of "{TRUMPS}"')
    means = _text(entry, "means", where)
    fields = {"trump", "steps"} if call == "raise" else {"trump"}
    says = _text(entry, "says", where, means)
    for key, text in (("means", means), ("says", says)):
        for field in _FIELD.findall(text):
            if field not in fields:
                raise ConstraintError(
                    f"{where}: {key} has {{{field}}}, which is not known here; use "
                    + " or ".join(f"{{{name}}}" for name in sorted(fields, reverse=True))
                )
    convention = Convention(cast(Any, call), tuple(when), trumps, means, says)
    for trump in trumps:
        try:
            convention.expression(TRUMPS.index(trump), steps=1)
        except NotationError as error:
            raise ConstraintError(f"{where}, means: {error}") from error
    return convention


def _check_keys(table: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    known = tuple(known)
    for key in table:
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
            hint = f"did you mean {close[0]}?" if close else f"keys are {', '.join(known)}"
            raise ConstraintError(f"{where}: unknown key '{key}'; {hint}")


def _text(table: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    value = table.get(key, default)
    if not isinstance(value, str) or not value.strip():
        raise ConstraintError(f"{where}: {key} must be a text in quotes")
    return " ".join(value.split())


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
