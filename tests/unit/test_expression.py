from __future__ import annotations

import pytest

from pilotta_solver import NotationError, load_ruleset, parse_hand
from pilotta_solver.knowledge.expression import ANY, And, Comparison, Not, Or, holds
from pilotta_solver.knowledge.expression_text import format_expression, parse_expression
from pilotta_solver.knowledge.quantities import Quantity

TSAKA, CLASSIC = load_ruleset("tsaka"), load_ruleset("classic")
HAND = parse_hand("AKJ9.T8.A7.")


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("SJ", True),
        ("SQ", False),
        ("!SQ", True),
        ("not SJ", False),
        ("JS and 10H", True),
        ("♥10 and ♥8", True),
        ("S=4", True),
        ("S>=5", False),
        ("C=0", True),
        ("H<2", False),
        ("H<=2 and H>1 and H!=3", True),
        ("2<=D<4", True),
        ("4>S", False),
        ("aces>=2", True),
        ("aces>2", False),
        ("kings=1 and queens=0 and jacks=1 and tens=1", True),
        ("nines=1 and eights=1 and sevens=1", True),
        ("ace>=2", True),
        ("trumps(S)>=4", True),
        ("trumps(♥)>=3", False),
        # 11 + 4 + 20 + 14 of spades, 10 of hearts and 11 of diamonds.
        ("points(S)=70", True),
        # 11 + 4 + 2 + 0, 10 and 11.
        ("points(H)=38", True),
        # Aces are 19 under no trump; under all trump 6 + 3 + 14 + 9, 5 and 6.
        ("points(N)=54 and points(A)=43", True),
        ("declarations=0", True),
        ("belote", False),
        ("belote(S)", False),
        ("any", True),
        ("not any", False),
        ("SJ and S9 and S>=3 and aces-SA>=1", True),
        ("SJ + S9 + HJ >= 2", True),
        ("S>H", True),
        ("D>S or C=H", False),
        ("-S+5=1", True),
        ("SQ or SJ and C=0", True),
        ("(SQ or SJ) and C=1", False),
        ("not SQ and SJ", True),
        ("not (SQ and SJ)", True),
        ("not not SJ", True),
        ("NOT SQ AND Aces>=2", True),
    ],
)
def test_what_holds(text, truth):
    assert holds(parse_expression(text), HAND, TSAKA) is truth


def test_declarations_are_those_of_the_ruleset():
    kings = parse_hand("KQJ.AKT.K7.")
    assert holds(parse_expression("declarations=20"), kings, TSAKA)
    assert holds(parse_expression("declarations=40"), kings, CLASSIC)
    assert holds(parse_expression("declarations=0"), kings, load_ruleset("contree"))


def test_belotes_count():
    two = parse_hand("KQ.KQ.A7.87")
    for text in ("belote", "belote(S)", "belote(H)", "belote=2", "!belote(D)", "belote(S)=1"):
        assert holds(parse_expression(text), two, TSAKA)


def test_and_binds_before_or_and_not_before_and():
    a, b, c = (parse_expression(card) for card in ("SJ", "S9", "SA"))
    assert parse_expression("SJ or S9 and SA") == Or((a, And((b, c))))
    assert parse_expression("SJ and S9 or SA") == Or((And((a, b)), c))
    assert parse_expression("not SJ and S9") == And((Not(a), b))
    assert parse_expression("(SJ or S9) and SA") == And((Or((a, b)), c))
    assert parse_expression("any") == ANY


def test_sums_are_brought_to_the_left_and_numbers_to_the_right():
    spades, hearts = Quantity("length", 0), Quantity("length", 1)
    assert parse_expression("S>H+2") == Comparison(((1, spades), (-1, hearts)), ">", 2)
    assert parse_expression("3<=S") == parse_expression("S>=3")
    assert parse_expression("S-2=1") == parse_expression("S=3")
    assert parse_expression("2<=S<=4") == parse_expression("S>=2 and S<=4")
    assert parse_expression("trumps(S)>=3") == parse_expression("S>=3")
    assert parse_expression("SJ>=1") == parse_expression("SJ")


@pytest.mark.parametrize(
    ("text", "written", "symbols"),
    [
        ("sj AND !h10", "SJ and !HT", "♠J and !♥10"),
        ("♠≥3", "S>=3", "♠>=3"),
        ("not(S=3 or aces==2)", "not (S=3 or aces=2)", "not (♠=3 or aces=2)"),
        ("points( spades ) > 20", "points(S)>20", "points(♠)>20"),
        ("points(N)>20 or points(TA)>=7", "points(N)>20 or points(A)>=7", None),
        ("declarations≠50 and belote(H)", "declarations!=50 and belote(H)", None),
        ("aces − SA >= 1", "aces-SA>=1", "aces-♠A>=1"),
        ("S+S>=6", "S+S>=6", "♠+♠>=6"),
        ("not not belote", "not !belote", "not !belote"),
        ("not any", "not any", "not any"),
    ],
)
def test_how_it_is_written(text, written, symbols):
    expression = parse_expression(text)
    assert format_expression(expression) == written
    if symbols is not None:
        assert format_expression(expression, symbols=True) == symbols


@pytest.mark.parametrize(
    ("tongue", "text", "same"),
    [
        ("fr", "piqueV and coeur=0", "SJ and H=0"),
        ("fr", "PV and C>=2 and points(K)>=20", "SJ and H>=2 and points(D)>=20"),
        ("nl", "SB and harten=1 and !♥H", "SJ and H=1 and !HK"),
        ("el", "ΜΒ and κούπα>=3", "SJ and H>=3"),
        ("es", "P10 and aces>=1", "ST and aces>=1"),
    ],
)
def test_other_tongues(tongue, text, same):
    assert parse_expression(text, tongue) == parse_expression(same)


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("S>=", 4, "the text ends where a number or a count goes after '>='"),
        ("S >= and SJ", 6, "'and' stands where a number or a count goes after '>='"),
        ("XQ", 1, "'XQ' is no card, suit or count; write as in SJ"),
        ("SJ and acse>=2", 8, "'acse' is no card, suit or count; did you mean aces?"),
        ("SJ and point(S)>=2", 8, "did you mean points?"),
        ("SJ SQ", 4, "'SQ' cannot follow 'SJ'; join statements by and or or"),
        ("SJ, SQ", 3, "',' cannot follow 'SJ'; join statements by and or or"),
        ("SJ9", 1, "'SJ9' is not one card; write SJ and S9"),
        ("SJ and (SQ or S9", 8, "this bracket is not closed"),
        ("SJ)", 3, "')' cannot follow 'SJ'"),
        ("and SJ", 1, "'and' stands where a statement begins; write as in SJ"),
        ("S>=3 or", 8, "the text ends where a card, suit or count goes after 'or'"),
        ("SJ and S", 8, "S is a number; compare it, as in S>=1"),
        ("aces-SA", 1, "aces-SA is a number; compare it, as in aces-SA>=1"),
        ("SJ+S9", 1, "SJ+S9 is a number; compare it"),
        ("declarations", 1, "declarations is a number"),
        ("points>=3", 1, "points of which suit? write points(S)"),
        ("points(X)>=3", 8, "unknown trump 'X'"),
        ("points(S>=3", 9, "points(S wants a closing bracket"),
        ("points()>=3", 8, "a suit goes here, as in points(S)"),
        ("trumps(N)>=2", 8, "give a suit, as in trumps(S)"),
        ("belote(A)", 8, "give a suit, as in belote(S)"),
        ("3>=2", 1, "two numbers are compared"),
        ("S>=12345", 4, "12345 is too large"),
        ("S>=1.5", 4, "'1.5' is no card, suit or count"),
    ],
)
def test_errors_say_what_where_and_what_to_write(text, column, says):
    with pytest.raises(NotationError) as error:
        parse_expression(text)
    assert str(error.value).startswith(f"expression '{text}', column {column}: ")
    assert says in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["", "   "])
def test_nothing_is_not_an_expression(text):
    with pytest.raises(NotationError, match="an empty expression: write as in SJ"):
        parse_expression(text)
