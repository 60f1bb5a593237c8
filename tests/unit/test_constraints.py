from __future__ import annotations

import pytest

from pilotta_solver import ConstraintError, Knowledge, NotationError, load_ruleset
from pilotta_solver.cards import cards_of
from pilotta_solver.knowledge.constraints import (
    EVERY_LENGTH,
    NEVER,
    Restrictions,
    Statement,
    normal_form,
    parse_expression,
)
from pilotta_solver.knowledge.expression import And
from pilotta_solver.knowledge.expression_text import format_expression
from pilotta_solver.notation import format_cards


def form_of(text: str) -> Restrictions:
    return normal_form(parse_expression(text))


def lengths_of(form: Restrictions, suit: int) -> list[int]:
    return [k for k in range(9) if form.lengths[suit] >> k & 1]


@pytest.mark.parametrize(
    ("text", "held", "excluded"),
    [
        ("SJ", "SJ", ""),
        ("!SJ", "", "SJ"),
        ("not not SJ and S9", "S9 SJ", ""),
        ("not (SJ or S9)", "", "S9 SJ"),
        ("SJ+S9>=2", "S9 SJ", ""),
        ("SJ+S9=0", "", "S9 SJ"),
        ("SJ+S9<1 and HA>0", "HA", "S9 SJ"),
        ("aces=4", "SA HA DA CA", ""),
        ("aces=0 and SJ!=0", "SJ", "SA HA DA CA"),
        ("not aces>=1", "", "SA HA DA CA"),
        ("aces-SA=3", "HA DA CA", ""),
        ("HA+DA-SA=2", "HA DA", "SA"),
        ("HA+DA-SA<=-1", "SA", "HA DA"),
        ("belote(H)", "HQ HK", ""),
        ("not belote(H)=0", "HQ HK", ""),
        # 20 + 14 + 11 + 10 + 4 + 3 trumps, and the high cards of three plain suits.
        ("points(H)>150", "", None),
        ("SJ+S9!=0 and SJ+S9!=1", "S9 SJ", ""),
        ("SJ+S9=0 or SJ+S9<1", "", "S9 SJ"),
        ("not (SJ+S9=1 or SJ+S9=2)", "", "S9 SJ"),
    ],
)
def test_cards(text: str, held: str, excluded: str | None) -> None:
    form = form_of(text)
    if excluded is None:
        assert len(list(cards_of(form.held))) > 8
        return
    assert format_cards(cards_of(form.held)) == held
    assert format_cards(cards_of(form.excluded)) == excluded
    assert form.lengths == (EVERY_LENGTH,) * 4
    assert form.rest == ()


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("S>=3", [3, 4, 5, 6, 7, 8]),
        ("S=0", [0]),
        ("2<=S<=4", [2, 3, 4]),
        ("not (2<=S<=4)", [0, 1, 5, 6, 7, 8]),
        ("S=3 or S=5", [3, 5]),
        ("S!=3 and S!=5", [0, 1, 2, 4, 6, 7, 8]),
        ("(S<=2 or S>=6) and S!=0", [1, 2, 6, 7, 8]),
        ("trumps(S)>=7", [7, 8]),
        ("-S<=-7", [7, 8]),
        ("S>=9", []),
    ],
)
def test_lengths(text: str, lengths: list[int]) -> None:
    form = form_of(text)
    assert lengths_of(form, 0) == lengths
    assert form.lengths[1:] == (EVERY_LENGTH,) * 3
    assert (form.held, form.excluded, form.rest) == (0, 0, ())


@pytest.mark.parametrize(
    "text", ["any", "aces>=0", "aces<=4", "S>=0", "SJ<2", "belote(S)<=1", "points(H)>=0", "SJ-SJ=0"]
)
def test_what_says_nothing(text: str) -> None:
    assert form_of(text) == Restrictions()


@pytest.mark.parametrize(
    "text", ["not any", "aces>4", "SJ>=2", "belote(S)>1", "S=1 and S=2 and not any", "SJ-SJ=1"]
)
def test_what_no_hand_fits(text: str) -> None:
    assert form_of(text).lengths == NEVER.lengths


@pytest.mark.parametrize(
    "text",
    [
        "SJ or S9",
        "aces>=2",
        "S>=3 or H>=3",
        "S+H>=7",
        "not belote(H)",
        "belote",
        "declarations>=50",
        "SJ+S9=1",
        "not (SJ and S>=3)",
        "points(H)>=40",
    ],
)
def test_what_is_left_to_rejection(text: str) -> None:
    form = form_of(text)
    assert form.rest
    assert Restrictions(rest=form.rest) == form


def test_every_kind_at_once() -> None:
    form = form_of("SJ and S>=3 and (HA or DA) and H!=2 and not (C=0 or SQ)")
    assert format_cards(cards_of(form.held)) == "SJ"
    assert format_cards(cards_of(form.excluded)) == "SQ"
    assert lengths_of(form, 0) == [3, 4, 5, 6, 7, 8]
    assert lengths_of(form, 1) == [0, 1, 3, 4, 5, 6, 7, 8]
    assert lengths_of(form, 3) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [format_expression(part) for part in form.rest] == ["HA or DA"]


def test_knowledge_is_a_statement_for_each_part() -> None:
    knowledge = Knowledge.of({2: "SJ and  S >= 3", 1: "HA or DA"}, sources={2: "partner"})
    assert [str(one) for one in knowledge.statements] == [
        "partner: SJ",
        "partner: S >= 3",
        "W: HA or DA",
    ]
    assert [one.seat for one in knowledge.statements] == [2, 2, 1]
    assert [one.text for one in knowledge.of_seat(2)] == ["SJ", "S >= 3"]
    assert knowledge.rules == load_ruleset()


def test_knowledge_of_expressions() -> None:
    both = parse_expression("SJ and S>=3")
    knowledge = Knowledge.of({0: both, 3: parse_expression("aces=1")}, load_ruleset("classic"))
    assert [str(one) for one in knowledge.statements] == ["N: SJ", "N: S>=3", "E: aces=1"]
    assert knowledge.rules.name == "classic"
    more = Statement(1, And(()), "anything", "rumour")
    assert knowledge.and_also([more]).statements == (*knowledge.statements, more)


def test_knowledge_in_another_tongue() -> None:
    (one,) = Knowledge.of({2: "PV"}, cards="fr").statements
    assert one.expression == parse_expression("SJ")


@pytest.mark.parametrize("seat", [-1, 4])
def test_a_seat_that_does_not_exist(seat: int) -> None:
    with pytest.raises(ConstraintError, match=f"seat {seat}: it is 0 to 3"):
        Knowledge.of({seat: "SJ"})


def test_a_text_that_cannot_be_read() -> None:
    with pytest.raises(NotationError, match="column 4"):
        Knowledge.of({2: "S>="})
