"""Datasets: a folder of parts, each a fixed range of deal numbers, and a manifest of them.

The manifest holds the settings that all deals have in common, and the checksum of every part that
is whole. It is written anew, whole, after each part, so that a run that is killed loses nothing
but the parts it was at; a part that is not in the manifest does not count. What makes the rows of
a part is for `simulation` to know.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from pilotta_solver.datasets.storage import Folder
from pilotta_solver.errors import PilottaError

MANIFEST = "_manifest.json"
"""Readers of datasets pass over names that begin with an underscore."""

_PART_NAME = re.compile(r"part-\d{6,}\.parquet")


@dataclass(frozen=True, slots=True)
class Part:
    """A range of deal numbers that has a file of its own.

    Attributes
    ----------
    number : int
        Its place, from 0 on.
    first : int
        The number of its first deal.
    n_deals : int
        How many deals it holds.
    """

    number: int
    first: int
    n_deals: int

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"part-{self.number:06}.parquet"

    @property
    def numbers(self) -> npt.NDArray[np.int64]:
        """The numbers of its deals."""
        return np.arange(self.first, self.first + self.n_deals, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class MadePart:
    """A part that is whole.

    Attributes
    ----------
    part : Part
        Which one.
    n_bytes : int
        The size of its file.
    sha256 : str
        The checksum of its file.
    """

    part: Part
    n_bytes: int
    sha256: str


def write_part(folder: Folder, part: Part, content: bytes) -> MadePart:
    """Write the file of a part, whole, and return its entry for the manifest."""
    folder.write(part.name, content)
    return MadePart(part, len(content), checksum(content))


def checksum(content: bytes) -> str:
    """The SHA-256 checksum of a file."""
    return hashlib.sha256(content).hexdigest()


@dataclass
class Dataset:
    """A dataset and what of it is made so far.

    Attributes
    ----------
    folder : Folder
        Where it lies.
    settings : dict
        What all its deals have in common; written into every part too.
    n_deals : int
        How many deals it has once it is whole.
    part_size : int
        Deals a part; the last part may have fewer.
    made : dict
        By number, the parts that are whole.
    """

    folder: Folder
    settings: dict[str, Any]
    n_deals: int
    part_size: int
    made: dict[int, MadePart] = field(default_factory=dict)

    @classmethod
    def open(cls, folder: Folder) -> Dataset | None:
        """Read the manifest of a folder; None if it has none.

        Raises
        ------
        PilottaError
            If the manifest is damaged.
        """
        content = folder.read(MANIFEST)
        if content is None:
            return None
        try:
            manifest = json.loads(content)
            parts = [
                MadePart(
                    Part(number=entry["part"], first=entry["first"], n_deals=entry["n_deals"]),
                    n_bytes=entry["n_bytes"],
                    sha256=entry["sha256"],
                )
                for entry in manifest["parts"]
            ]
            dataset = cls(
                folder,
                settings=dict(manifest["settings"]),
                n_deals=int(manifest["n_deals"]),
                part_size=int(manifest["part_size"]),
                made={made.part.number: made for made in parts},
            )
            for number, made in dataset.made.items():
                if made.part != dataset.part(number):
                    raise ValueError(f"part {number} has another range")
            return dataset
        except (ValueError, KeyError, TypeError) as error:
            raise PilottaError(
                f"{folder.where(MANIFEST)}: damaged, no manifest of a dataset; put back a copy, or "
                "delete it with the parts and give the whole command again"
            ) from error

    @classmethod
    def existing(cls, folder: Folder) -> Dataset:
        """Read the manifest of a folder that must have one.

        Raises
        ------
        PilottaError
            If the folder has no manifest, or a damaged one.
        """
        dataset = cls.open(folder)
        if dataset is None:
            raise PilottaError(
                f"{folder.name}: no dataset, it has no {MANIFEST}; name the folder that "
                "'pilotta simulate -o' was given"
            )
        return dataset

    @classmethod
    def begin(
        cls, folder: Folder, settings: Mapping[str, Any], n_deals: int, part_size: int
    ) -> Dataset:
        """Open the dataset of a folder to go on with it, or begin one in an empty folder.

        A dataset may grow: a last part that was short is then made again. Hold the folder's lock.

        Raises
        ------
        PilottaError
            If the folder holds something else, or a dataset of other settings, which the message
            names, or more deals.
        """
        folder.remove_leftovers()
        found = cls.open(folder)
        if found is None:
            refuse_others(folder)
            dataset = cls(folder, dict(settings), n_deals, part_size)
            dataset.write_manifest()
            return dataset
        found.check_settings(settings)
        if part_size != found.part_size:
            raise PilottaError(
                f"{folder.name}: has parts of {found.part_size} deals, and {part_size} are asked "
                f"for; ask for {found.part_size}, or name another folder"
            )
        if n_deals < found.n_deals:
            raise PilottaError(
                f"{folder.name}: holds a dataset of {found.n_deals} deals, and {n_deals} are asked "
                f"for; ask for {found.n_deals} or more, or name another folder"
            )
        if n_deals > found.n_deals:
            found.n_deals = n_deals
            found.made = {
                number: made
                for number, made in found.made.items()
                if made.part == found.part(number)
            }
            found.write_manifest()
        return found

    def check_settings(self, settings: Mapping[str, Any]) -> None:
        """Refuse settings that differ from the dataset's own.

        Raises
        ------
        PilottaError
            Naming every difference.
        """
        told = differences(self.settings, settings)
        if told:
            raise PilottaError(
                f"{self.folder.name}: holds another dataset: {', '.join(told)}; give what "
                "it was made with, or name another folder"
            )

    @property
    def n_parts(self) -> int:
        """How many parts it has once it is whole."""
        return -(-self.n_deals // self.part_size)

    @property
    def n_deals_made(self) -> int:
        """How many deals are made so far."""
        return sum(made.part.n_deals for made in self.made.values())

    @property
    def n_bytes(self) -> int:
        """The size of the parts made so far."""
        return sum(made.n_bytes for made in self.made.values())

    def part(self, number: int) -> Part:
        """The part of a number."""
        first = number * self.part_size
        return Part(number, first, min(self.part_size, self.n_deals - first))

    def missing(self) -> Iterator[Part]:
        """The parts not made so far, in order."""
        for number in range(self.n_parts):
            if number not in self.made:
                yield self.part(number)

    def add(self, made: MadePart) -> None:
        """Enter a part that is whole into the manifest."""
        self.made[made.part.number] = made
        self.write_manifest()

    def write_manifest(self) -> None:
        """Write the manifest: the same parts give the same bytes, in whatever order they came."""
        head = {
            "settings": self.settings,
            "n_deals": self.n_deals,
            "part_size": self.part_size,
        }
        entries = [
            {
                "part": made.part.number,
                "file": made.part.name,
                "first": made.part.first,
                "n_deals": made.part.n_deals,
                "n_bytes": made.n_bytes,
                "sha256": made.sha256,
            }
            for _, made in sorted(self.made.items())
        ]
        lines = ",\n".join(f"  {json.dumps(entry)}" for entry in entries)
        text = json.dumps(head, ensure_ascii=False, indent=1)
        text = f'{text[:-2]},\n "parts": [\n{lines}\n ]\n}}\n'
        self.folder.write(MANIFEST, text.encode())

    def strangers(self) -> list[str]:
        """Files that look like parts and are none of the dataset's."""
        own = {self.part(number).name for number in range(self.n_parts)}
        return [
            name for name in self.folder.names() if _PART_NAME.fullmatch(name) and name not in own
        ]

    @staticmethod
    def damage(made: MadePart, content: bytes | None) -> str | None:
        """What is wrong with the file of a part, or None if it is the one in the manifest."""
        if content is None:
            return "missing"
        if len(content) != made.n_bytes:
            return f"damaged: {len(content)} bytes, and the manifest says {made.n_bytes}"
        if checksum(content) != made.sha256:
            return "damaged: its checksum is not the manifest's"
        return None


def refuse_others(folder: Folder) -> None:
    """Refuse a folder that holds files and no manifest.

    Raises
    ------
    PilottaError
        Naming the first of them.
    """
    names = [name for name in folder.names() if not name.startswith(".")]
    if names and MANIFEST not in names:
        raise PilottaError(
            f"{folder.name}: holds {names[0]} and no {MANIFEST}, so it is no dataset; "
            "name an empty or a new folder"
        )


def differences(there: Mapping[str, Any], here: Mapping[str, Any]) -> list[str]:
    """Every setting in which two differ, in words."""
    old, new = dict(_flat(_named(there, here))), dict(_flat(_named(here, there)))
    return [
        f"{key} is {_word(old.get(key))} there and {_word(new.get(key))} here"
        for key in {**old, **new}
        if old.get(key) != new.get(key)
    ]


def _named(settings: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Settings in which what the other ones lack altogether is told by its name alone."""
    return {
        key: value["name"] if isinstance(value, Mapping) and not other.get(key) else value
        for key, value in settings.items()
    }


def _flat(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every single setting, those of the rules among them."""
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
