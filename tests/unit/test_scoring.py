from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from pilotta_solver.errors import DealError
from pilotta_solver.notation import parse_bid
from pilotta_solver.ruleset import load_ruleset, parse_setting
from pilotta_solver.scoring import (
    PARTIES,
    Outcome,
    is_made,
    score_deal,
    to_tens,
    totals,
    totals_many,
)

WORKED = Path(__file__).parents[2] / "data" / "examples" / "worked_deals.csv"
with WORKED.open(newline="") as file:
    ROWS = list(csv.DictReader(file))

TSAKA = load_ruleset("tsaka")
CLASSIC = load_ruleset("classic")


def pair(text):
    first, second = text.split("-")
    return int(first), int(second)


def rules_of(row):
    return load_ruleset(
        row["rules"], dict([parse_setting(row["setting"])] if row["setting"] else [])
    )


def outcome_of(row):
    belote = (20 * (row["belote"] == "declarers"), 20 * (row["belote"] == "defence"))
    return Outcome(pair(row["points"]), pair(row["declarations"]), belote, row["capot"] or None)


def test_no_worked_deal_is_missing():
    tsaka = [f"T{n}" for n in range(1, 20)] + ["T19b", "T20"]
    classic = [f"C{n}" for n in range(1, 15)] + ["C14b"]
    assert [row["deal"] for row in ROWS] == tsaka + classic


@pytest.mark.parametrize("row", ROWS, ids=[row["deal"] for row in ROWS])
def test_worked_deals(row):
    score = score_deal(
        parse_bid(row["bid"]), outcome_of(row), rules_of(row), int(row["multiplier"])
    )
    assert (score.raw, score.sheet) == (pair(row["raw"]), pair(row["sheet"]))
    assert score.made == (row["made"] == "yes")
    lines = score.arithmetic()
    assert lines[2].startswith("made" if score.made else "failed")
    for side, party in enumerate(PARTIES):
        assert lines[side].startswith(f"total of the {party}: ")
        assert lines[side].endswith(f"= {score.total[side]}")
        assert lines[side + 3].startswith(f"{party}: ")
        assert f"= {score.raw[side]}, on the sheet {score.sheet[side]}" in lines[side + 3]


def test_the_arithmetic_names_the_keys():
    outcome = Outcome((91, 71), (20, 0), (20, 0))
    assert score_deal(parse_bid("140S"), outcome, TSAKA).arithmetic() == [
        "total of the declarers: 91 points + 20 declarations + 20 belote = 131",
        "total of the defence: 71 points = 71",
        "failed: 131 does not reach the bid of 140S",
        "declarers: nothing = 0, on the sheet 0",
        "defence: 162 points [failed_points] + 140 bid [bid_scores] + 20 declarers' declarations "
        "[failed_declarations] + 20 declarers' belote [failed_belote] = 342, on the sheet 34",
    ]
    doubled = score_deal(parse_bid("90S"), Outcome((104, 58)), CLASSIC, 2).arithmetic(symbols=True)
    assert doubled[2:4] == [
        "made: 104 reaches the bid of 90♠",
        "declarers: (104 points) × 2 [doubled] = 208, on the sheet 20",
    ]


def test_rounding_never_makes_a_contract():
    assert not score_deal(parse_bid("100S"), Outcome((96, 66)), TSAKA).made
    assert score_deal(parse_bid("80S"), Outcome((80, 82)), TSAKA).made
    assert is_made(80, 80)
    assert not is_made(79, 80)


def test_the_rule_of_six():
    assert [to_tens(n, "declarers", TSAKA) for n in range(80, 91)] == [8] * 6 + [9] * 5
    assert [to_tens(n, "defence", TSAKA) for n in range(80, 91)] == [8] * 7 + [9] * 4
    contree = load_ruleset("contree")
    assert [to_tens(n, "defence", contree) for n in range(80, 91)] == [8] * 5 + [9] * 6


@pytest.mark.parametrize(
    ("setting", "raw"),
    [
        ("failed_declarations=kept", (20, 322)),
        ("failed_declarations=vanish", (0, 322)),
        ("failed_declarations=defence", (0, 342)),
        ("failed_belote=kept", (20, 322)),
        ("failed_points=160", (0, 340)),
        ("bid_scores=true", (0, 342)),
    ],
)
def test_the_keys_of_a_failed_contract(setting, raw):
    rules = load_ruleset("tsaka", dict([parse_setting(setting)]))
    score = score_deal(parse_bid("140S"), Outcome((91, 71), (20, 0), (20, 0)), rules)
    assert score.raw == raw


def test_contree():
    rules = load_ruleset("contree")
    assert score_deal(parse_bid("100S"), Outcome((110, 52)), rules).raw == (210, 52)
    assert score_deal(parse_bid("100S"), Outcome((90, 72)), rules).raw == (0, 260)
    assert score_deal(parse_bid("120S"), Outcome((90, 72), (0, 0), (20, 0)), rules).raw == (20, 280)
    assert score_deal(parse_bid("100S"), Outcome((90, 72)), rules, 4).raw == (0, 1040)
    swept = Outcome((162, 0), capot="declarers")
    assert score_deal(parse_bid("100S"), swept, rules, 2).raw == (700, 0)


def test_a_defence_that_sweeps_can_still_lose_to_declarations():
    outcome = Outcome((0, 162), (100, 0), (0, 0), "defence")
    score = score_deal(parse_bid("80S"), outcome, TSAKA)
    assert (score.made, score.raw, score.sheet) == (True, (180, 250), (18, 25))


def test_162_points_are_not_a_capot():
    assert totals(Outcome((162, 0)), TSAKA) == (162, 0)
    assert totals(Outcome((162, 0), capot="declarers"), TSAKA) == (250, 0)
    none = load_ruleset("tsaka", {"capot_points": 162})
    swept = Outcome((162, 0), capot="declarers")
    assert score_deal(parse_bid("100S"), swept, none).raw == (262, 0)
    assert score_deal(parse_bid("170S"), swept, none).raw == (0, 332)


def test_bonus_and_penalty():
    rules = load_ruleset(
        "classic", {"no_trump_bonus": 50, "all_trump_bonus": 80, "missed_belote_penalty": 20}
    )
    assert score_deal(parse_bid("100N"), Outcome((106, 56)), rules).raw == (156, 56)
    assert score_deal(parse_bid("100N"), Outcome((96, 66)), rules).raw == (0, 162)
    doubled = score_deal(parse_bid("100A"), Outcome((106, 56)), rules, 2)
    assert (doubled.raw, doubled.sheet) == ((292, 112), (30, 10))
    missed = score_deal(parse_bid("100S"), Outcome((106, 56), missed_belote="defence"), rules)
    assert (missed.raw, missed.sheet) == ((106, 36), (11, 3))
    assert "- 20 missed belote [missed_belote_penalty] = 36" in missed.arithmetic()[4]
    free = score_deal(parse_bid("100S"), Outcome((106, 56), missed_belote="defence"), CLASSIC)
    assert free.raw == (106, 56)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"points": (100, 61)}, "points 100-61: .* sum to 162"),
        ({"points": (-1, 163)}, "points -1-163"),
        ({"points": (160, 2), "capot": "declarers"}, "capot by the declarers with points 160-2"),
        ({"declarations": (20, 50)}, "only the side with the best one scores"),
        ({"declarations": (25, 0)}, "declarations 25-0"),
        ({"declarations": (-20, 0)}, "declarations -20-0"),
        ({"declarations": (30, 0)}, "declarations 30-0"),
        ({"declarations": (0, 560)}, "at most 550 together"),
        ({"belote": (10, 0)}, "belote 10-0: a belote is worth 20"),
    ],
)
def test_what_no_deal_ends_in(parts, message):
    with pytest.raises(DealError, match=message):
        Outcome(**({"points": (100, 62)} | parts))


def test_belote_needs_a_trump():
    belote = Outcome((100, 62), belote=(20, 0))
    with pytest.raises(DealError, match=r"contract of 80N has at most 0 for belote$"):
        score_deal(parse_bid("80N"), belote, TSAKA)
    with pytest.raises(DealError, match=r"at most 0 for belote \(all_trump_belote = false\)"):
        score_deal(parse_bid("80A"), belote, TSAKA)
    with pytest.raises(DealError, match="at most 20"):
        score_deal(parse_bid("80S"), Outcome((100, 62), belote=(20, 20)), TSAKA)
    rules = load_ruleset("tsaka", {"all_trump_belote": True})
    assert score_deal(parse_bid("80A"), belote, rules).total == (120, 62)


def test_totals_of_many_double_dummy_values():
    # Everybody holds a suit. The belote and the best run are N's, so that S scores its run too.
    hands = np.array([[255, 255 << 8, 255 << 16, 255 << 24]] * 3, np.uint32)
    values = np.array([250, 100, -88], np.int16)
    assert totals_many(hands, 0, 0, values, TSAKA).tolist() == [[470, 0], [320, 62], [220, 250]]
