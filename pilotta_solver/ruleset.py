"""Rulesets: every rule that players disagree about is a key, and a ruleset gives each a value.

The presets are TOML files in ``rulesets/``. A ruleset file of one's own names a preset as its
``base`` and gives only the keys it changes::

    base = "tsaka"
    capot_points = 262

What each key decides, and what each value means in a player's words, stands in `ruleset_keys`.
"""

from __future__ import annotations

import difflib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from pilotta_solver.errors import RulesetError
from pilotta_solver.ruleset_keys import KEYS, Value, value_text

PRESETS: Mapping[str, str] = {
    "tsaka": "what Cypriot tables and programs play; the default",
    "classic": "the classic rule text: the bid is not scored, sequences run A 10 K Q J 9 8 7",
    "contree": "contrée, the French cousin: free on the partner's trick, no declarations",
}
"""The rulesets that come with the program, each with what it is."""

Undertrump = Literal["must", "may", "forbidden"]


@dataclass(frozen=True, slots=True)
class Law:
    """The part of a ruleset that says which cards may be played."""

    partner_exempt: bool = False
    undertrump: Undertrump = "must"
    beat_trump_lead: bool = True


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One complete set of rules. `KEYS` says what each key decides."""

    name: str

    partner_exempt: bool
    undertrump: Undertrump
    beat_trump_lead: bool
    declarations: bool
    sequence_order: Literal["natural", "plain"]
    carre_beats_quint: bool
    declaration_tie: Literal["none", "first", "led_suit"]
    all_trump_belote: bool
    first_bid: int
    bid_step: int
    highest_bid: int
    pass_is_final: bool
    all_pass: Literal["same_dealer", "next_dealer"]
    doubling: Literal["in_turn", "after_auction"]
    no_trump_bids: bool
    all_trump_bids: bool
    bid_scores: bool
    failed_points: int
    failed_declarations: Literal["vanish", "defence", "kept"]
    failed_belote: Literal["defence", "kept"]
    doubled: Literal["both", "winner_takes_all"]
    capot_points: int
    no_trump_bonus: int
    all_trump_bonus: int
    missed_belote_penalty: int
    rounding: Literal["six", "nearest"]
    game_target: int
    game_counts: Literal["sheet", "raw"]

    def __post_init__(self) -> None:
        for key, spec in KEYS.items():
            value = getattr(self, key)
            if not spec.allows(value):
                raise RulesetError(
                    f"ruleset {self.name}: {key} = {value_text(value)} is not allowed; "
                    f"give {spec.allowed}"
                )
        if 0 < self.highest_bid < self.first_bid:
            raise RulesetError(
                f"ruleset {self.name}: highest_bid = {self.highest_bid} lies below first_bid = "
                f"{self.first_bid}; give first_bid or more, or 0 for no highest bid"
            )
        if self.doubled == "winner_takes_all" and not self.bid_scores:
            raise RulesetError(
                f'ruleset {self.name}: doubled = "winner_takes_all" multiplies the bid, which '
                'bid_scores = false does not score; set doubled = "both" or bid_scores = true'
            )

    @property
    def law(self) -> Law:
        """The law of play."""
        return Law(self.partner_exempt, self.undertrump, self.beat_trump_lead)

    def as_dict(self) -> dict[str, Value]:
        """Return the name and every key with its value."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def as_toml(self) -> str:
        """Return a complete ruleset file that `load_ruleset` reads back."""
        return "".join(f"{key} = {_toml(value)}\n" for key, value in self.as_dict().items())


def _toml(value: Value) -> str:
    # A JSON string is a TOML basic string too.
    return json.dumps(value, ensure_ascii=False)


def preset_names() -> tuple[str, ...]:
    """Return the names of the rulesets that come with the program, the default first."""
    return tuple(PRESETS)


def load_ruleset(
    name_or_path: str | Path = "tsaka", overrides: Mapping[str, Value] | None = None
) -> Ruleset:
    """Load a preset by its name or a ruleset file by its path, and change single keys.

    Parameters
    ----------
    name_or_path
        The name of a preset (`preset_names`) or the path of a TOML file.
    overrides
        Keys to change, with their values. The ruleset's name then tells the changes, as in
        ``tsaka+capot_points=262``.

    Raises
    ------
    RulesetError
        If there is no such ruleset, the file cannot be read, a key is unknown, or a value is not
        allowed for its key.
    """
    values = _read(name_or_path, seen=())
    changes = dict(overrides or {})
    for key, value in changes.items():
        _check_key(key, "")
        if values[key] != value or type(values[key]) is not type(value):
            values[key] = value
            values["name"] = f"{values['name']}+{key}={value_text(value)}"
    return Ruleset(**values)


def parse_setting(text: str) -> tuple[str, Value]:
    """Read one changed key, as in ``capot_points=262``.

    Raises
    ------
    RulesetError
        If the text is not ``key=value``, the key is unknown, or the value is not allowed.
    """
    key, equals, word = text.partition("=")
    key = key.strip()
    if not equals:
        raise RulesetError(f"setting '{text}': write key=value, as in capot_points=262")
    _check_key(key, "")
    spec = KEYS[key]
    value = spec.parse(word)
    if not spec.allows(value):
        raise RulesetError(f"{key} = {word.strip()} is not allowed; give {spec.allowed}")
    return key, value


def _check_key(key: str, where: str) -> None:
    if key not in KEYS:
        close = difflib.get_close_matches(key, KEYS, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]}?" if close else "'pilotta rules tsaka' lists the keys"
        raise RulesetError(f"{where}unknown ruleset key '{key}'; {hint}")


def _read(name_or_path: str | Path, seen: tuple[Path, ...]) -> dict[str, Any]:
    """Read a ruleset's values, after those of its base."""
    text, where, name = _source(name_or_path)
    place = Path(where).resolve()
    if place in seen:
        raise RulesetError(f"{where}: its base leads back to itself; name a preset as the base")
    table = _table(text, where)
    own_name, base = table.pop("name", name), table.pop("base", None)
    for key, value in (("name", own_name), ("base", base)):
        if not isinstance(value, str | None):
            raise RulesetError(f"{where}: {key} = {value_text(value)}: give it a text in quotes")
    values: dict[str, Any] = {}
    if base is not None:
        beside = Path(where).parent / base
        try:
            values = _read(
                beside if base not in PRESETS and beside.is_file() else base, (*seen, place)
            )
        except RulesetError as error:
            raise RulesetError(f"{where}, its base: {error}") from error
    for key, value in table.items():
        _check_key(key, f"{where}: ")
        spec = KEYS[key]
        if not spec.allows(value):
            shown = _toml(value) if isinstance(value, str) else value_text(value)
            raise RulesetError(f"{where}: {key} = {shown} is not allowed; give {spec.allowed}")
        values[key] = value
    missing = [key for key in KEYS if key not in values]
    if missing:
        raise RulesetError(
            f"{where}: no value for {missing[0]}; give every key, or name a base "
            f"({', '.join(preset_names())})"
        )
    values |= {"name": own_name}
    _check_name(values, where)
    return values


def _table(text: str, where: str) -> dict[str, Any]:
    """Parse a ruleset file."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesetError(
            f'{where}: not a TOML file: {error}; write key = value, texts in quotes as in "tsaka"'
        ) from error
    except (ValueError, RecursionError):
        raise RulesetError(
            f"{where}: not a ruleset: a number is too long or lists are too deep; take it out"
        ) from None


def _check_name(values: Mapping[str, Any], where: str) -> None:
    """Refuse a name that would not tell what rules were played."""
    name = values["name"]
    if not (name.strip() and name.isprintable()):
        raise RulesetError(f"{where}: name = {_toml(name)}: give it a name on one line")
    if name in PRESETS and where != name and values != _read(name, seen=()):
        raise RulesetError(
            f"{where}: the name {name} is that of a preset with other rules; give it another, as "
            'in name = "house"'
        )


def _source(name_or_path: str | Path) -> tuple[str, str, str]:
    """Return the text of a ruleset, where it stands, and its default name."""
    name = str(name_or_path)
    if name in preset_names():
        return (
            (files("pilotta_solver") / "rulesets" / f"{name}.toml").read_text("utf-8"),
            name,
            name,
        )
    path = Path(name_or_path)
    try:
        if not name:
            raise FileNotFoundError
        return path.read_text("utf-8-sig"), str(path), path.stem
    except FileNotFoundError:
        raise RulesetError(
            f"no ruleset '{name}': name one of {', '.join(preset_names())}, or an existing "
            "TOML file"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise RulesetError(
            f"cannot read the ruleset file {name}: {reason}; name a TOML file"
        ) from error
