"""No deal agrees, or too few do: what the error says."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import pytest

from pilotta_solver import ConstraintError, Knowledge, parse_hand, worlds, worlds_given
from pilotta_solver.knowledge.conflicts import refuse_conflict

HAND = parse_hand("AKJ9.T8.A7.")
ROLES = {0: "you", 1: "right", 2: "partner", 3: "left"}


def known(said: Mapping[int, str]) -> Knowledge:
    return Knowledge.of(said, sources=ROLES)


def refused(said: Mapping[int, str], hand: int = HAND) -> str:
    with pytest.raises(ConstraintError) as error:
        worlds_given(hand, 0, known(said), 100, seed=1)
    assert "\n" not in str(error.value)
    return str(error.value)


MINE = "(your hand AKJ9.T8.A7.)"


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ({2: "SJ"}, ["(partner: SJ)", MINE]),
        ({2: "SQ", 1: "SQ"}, ["(partner: SQ)", "(right: SQ)"]),
        ({2: "HA and C>=2 and !HA"}, ["(partner: HA)", "(partner: !HA)"]),
        ({2: "S>=3 and S=1 and HA"}, ["(partner: S>=3)", "(partner: S=1)"]),
        (
            {1: "!ST", 2: "!ST", 3: "C>=1 and !ST"},
            ["(right: !ST)", "(partner: !ST)", "(left: !ST)", MINE],
        ),
        # Of the hearts six are hidden.
        ({2: "H>=4", 3: "D=0 and H >= 3"}, ["(partner: H>=4)", "(left: H >= 3)", MINE]),
        ({1: "H<=1", 2: "H<=2", 3: "H<=2"}, ["(right: H<=1)", "(partner: H<=2)", "(left:", MINE]),
        # Eight clubs with the left leave the others none.
        ({3: "C=8", 1: "CA and D>=2"}, ["(left: C=8)", "(right: CA)"]),
        # 8 places, and each of the seven is in one suit.
        ({2: "S=0 and H=0 and D=2 and C<6"}, ["S=0", "H=0", "D=2", "C<6"]),
        ({2: "jacks=4 and C>=1"}, ["(partner: jacks=4)", MINE]),
        ({0: "SQ"}, ["(you: SQ)", MINE]),
    ],
)
def test_cards_and_lengths_that_conflict_are_named(said: dict[int, str], named: list[str]) -> None:
    message = refused(said)
    assert message.startswith("no deal fits all of (")
    assert message.endswith("; change one or leave it out")
    for name in named:
        assert name in message
    # Statements are needed for the conflict, all of them, and no more are named.
    assert len(re.findall(r"\((?:you|right|partner|left|your hand)\b", message)) == len(named)
    assert (MINE in message) == (MINE in named)


@pytest.mark.parametrize(
    ("said", "named"),
    [
        # Two aces are mine.
        ({2: "aces>=3 and S>=1"}, ["(partner: aces>=3)", MINE]),
        ({1: "aces>=1", 2: "aces>=2 and S>=1"}, ["(right: aces>=1)", "(partner: aces>=2)", MINE]),
        ({2: "declarations>=200 and H>=1"}, ["(partner: declarations>=200)", MINE]),
        ({2: "belote(H) and kings-HK=3"}, ["(partner: kings-HK=3)", MINE]),
        # All four queens are hidden, and somebody has to hold them.
        (
            {1: "queens<=1", 2: "kings+queens<=1", 3: "queens<=1 and C>=1"},
            ["(right: queens<=1)", "(partner: kings+queens<=1)", "(left: queens<=1)", MINE],
        ),
        # Of 152 points with hearts as trumps 42 are mine.
        (
            {1: "points(H)>=70 and S>=1", 2: "points(H)>=70"},
            ["(right: points(H)>=70)", "(partner: points(H)>=70)", MINE],
        ),
    ],
)
def test_counts_that_conflict_are_named(said: dict[int, str], named: list[str]) -> None:
    message = refused(said)
    for name in named:
        assert name in message
    assert (MINE in message) == (MINE in named)


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ({2: "S>=9"}, "(partner: S>=9)"),
        ({2: "HA and points(H)>=150"}, "(partner: points(H)>=150)"),
        ({2: "aces=5 and HA"}, "(partner: aces=5)"),
        ({2: "HA and not any"}, "(partner: not any)"),
        ({1: "aces>=1 and (aces=0 or S=0 and SJ)"}, None),
    ],
)
def test_what_no_hand_fits_is_named_alone(said: dict[int, str], named: str | None) -> None:
    message = refused(said)
    if named is None:
        assert message.startswith("no deal fits all of (right: aces>=1) and (right: (aces=0 or ")
    else:
        assert message == f"no hand of eight cards fits {named}; change it or leave it out"


def test_conflicts_where_no_hand_is_seen() -> None:
    said = {0: "aces>=2", 1: "aces>=2", 2: "aces>=1 and SQ>=1", 3: "S>=1"}
    message = refused(said, hand=0)
    assert "(you: aces>=2)" in message
    assert "(right: aces>=2)" in message
    assert "(partner: aces>=1)" in message
    assert "SQ" not in message
    assert "your hand" not in message


def test_what_agrees_is_not_refused() -> None:
    """Statements that are true in a deal are never said to conflict."""
    for i, row in enumerate(worlds(HAND, 0, 40, seed=3).tolist()):
        said = {}
        for seat in (1, 2, 3):
            aces = int(np.bitwise_count(np.uint32(row[seat] & 0x80808080)))
            spades = int(np.bitwise_count(np.uint32(row[seat] & 0xFF)))
            said[seat] = f"aces={aces} and S={spades} and aces+S>={aces + spades}"
        refuse_conflict(HAND, 0, known(said), deeply=i < 4)


def test_too_rare_says_how_rare() -> None:
    """Of 735,471 hands that partner may hold, one has all the jacks and all the nines."""
    message = refused({2: "declarations>=350", 1: "C>=1"}, parse_hand("AKQT.T8.A7."))
    assert re.match(
        r"too rare: (none|\d) of 1,\d{3},\d{3} random deals with the known cards and lengths "
        r"agrees? with the rest of what is known; the rarest part, \(partner: declarations>=350\), "
        r"holds in none of them: ask for less$",
        message,
    )


def test_rare_but_not_too_rare() -> None:
    """1 in 130: all four jacks in one hand, with whatever else."""
    said = known({2: "declarations>=200"})
    sampled = worlds_given(parse_hand("AKQ9.T8.A7."), 0, said, 1000, seed=1)
    chance = 4845 / 735_471
    spread = (1000 * (1 - chance)) ** 0.5 / chance
    assert abs(sampled.n_tried - 1000 / chance) < 4 * spread
    assert sampled.notes[0].startswith(
        "9,465,511,770 deals agree with what is known of cards and lengths; 1 in 15"
    )
