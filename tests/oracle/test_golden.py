"""Every row of the golden files, through the public functions.

The files and the four laws of play they name are described in ``data/golden/README.md``.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from oracle.naive import CONTRACTS, SUITS, Game, Law, Place

from pilotta_solver import (
    Deal,
    Position,
    Ruleset,
    at_least_many,
    format_card,
    format_deal,
    load_ruleset,
    parse_cards,
    parse_deal,
    parse_hand,
    perft,
    replay,
    solve,
    solve_cards,
    solve_many,
    start,
)
from pilotta_solver.cards import CARD_POINTS_TOTAL, SUITS as SUIT_LETTERS, TRUMPS
from pilotta_solver.deal import SEATS

GOLDEN = Path(__file__).parents[2] / "data" / "golden"
Row = dict[str, str]

LAWS: dict[str, Law] = {
    "pilotta": Law(partner_exempt=False, undertrump="must", beat_trump_lead=True),
    "belote": Law(partner_exempt=True, undertrump="must", beat_trump_lead=True),
    "contree": Law(partner_exempt=True, undertrump="may", beat_trump_lead=True),
    "amsterdam": Law(partner_exempt=True, undertrump="forbidden", beat_trump_lead=True),
}


def rows_of(name: str) -> list[Row]:
    with (GOLDEN / name).open(newline="") as file:
        return list(csv.DictReader(file))


def rules_of(play: str, bonus: int = 0) -> Ruleset:
    law = LAWS[play]
    return load_ruleset(
        overrides={
            "partner_exempt": law.partner_exempt,
            "undertrump": law.undertrump,
            "beat_trump_lead": law.beat_trump_lead,
            "capot_points": CARD_POINTS_TOTAL + bonus,
        }
    )


def deal_of(row: Row) -> Deal:
    return parse_deal("N:" + " ".join(row[f"hand{seat}"] for seat in range(4)))


def contract_of(row: Row) -> tuple[int, int]:
    return TRUMPS.index(row["trump"]), int(row["leader"])


def story(row: Row, deal: Deal | Position, rules: Ruleset, found: object, wanted: object) -> str:
    """What a mismatch prints: the deal, both values and the value of every card."""
    trump, leader = contract_of(row)
    position = start(deal, trump, leader) if isinstance(deal, Deal) else deal
    values = solve_cards(position, rules=rules)
    cards = {format_card(card): value for card, value in values.items()}
    return (
        f"{format_deal(deal_of(row))} trump {TRUMPS[trump]} leader {SEATS[leader]} "
        f"played {row.get('played') or '-'} under {rules.name}: "
        f"found {found}, golden {wanted}, by card {cards}"
    )


def by_rules(rows: Iterable[Row]) -> dict[tuple[str, int], list[Row]]:
    groups: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["play"], int(row["capot_bonus"])].append(row)
    return groups


VALUES = by_rules(rows_of("values.csv"))


def arrays_of(rows: list[Row]) -> tuple[npt.NDArray[np.uint32], list[int], list[int], list[int]]:
    hands = np.array([deal_of(row).hands for row in rows], dtype=np.uint32)
    contracts = [contract_of(row) for row in rows]
    wanted = [int(row["points_side0"]) for row in rows]
    return hands, [trump for trump, _ in contracts], [leader for _, leader in contracts], wanted


def test_the_files_are_whole() -> None:
    counts = {
        name: len(rows_of(name))
        for name in ("values.csv", "root_cards.csv", "positions.csv", "perft.csv")
    }
    assert counts == {
        "values.csv": 720,
        "root_cards.csv": 20,
        "positions.csv": 120,
        "perft.csv": 216,
    }
    assert SUIT_LETTERS == SUITS
    assert TRUMPS == CONTRACTS


@pytest.mark.parametrize(("play", "bonus"), VALUES, ids=str)
def test_values(play: str, bonus: int) -> None:
    rows, rules = VALUES[play, bonus], rules_of(play, bonus)
    hands, trumps, leaders, wanted = arrays_of(rows)
    found = solve_many(hands, trumps, leaders, rules, jobs=1)
    for row, value, golden in zip(rows, found, wanted, strict=True):
        assert value == golden, story(row, deal_of(row), rules, value, golden)


@pytest.mark.parametrize(("play", "bonus"), VALUES, ids=str)
def test_at_least_the_value_and_not_a_point_more(play: str, bonus: int) -> None:
    rows, rules = VALUES[play, bonus], rules_of(play, bonus)
    hands, trumps, leaders, wanted = arrays_of(rows)
    values = np.array(wanted)
    for more, answer in ((0, True), (1, False)):
        found = at_least_many(hands, trumps, leaders, values + more, rules, jobs=1)
        for row, told, golden in zip(rows, found, wanted, strict=True):
            asked = f"at least {golden + more}: {told}"
            assert told == answer, story(row, deal_of(row), rules, asked, golden)


@pytest.mark.parametrize(("play", "bonus"), VALUES, ids=str)
def test_one_deal_at_a_time(play: str, bonus: int) -> None:
    rules = rules_of(play, bonus)
    n_capots = 0
    for row in VALUES[play, bonus]:
        deal, golden = deal_of(row), int(row["points_side0"])
        solution = solve(deal, *contract_of(row), rules)
        assert solution.value[0] == golden, story(row, deal, rules, solution, golden)
        assert sum(solution.value) == CARD_POINTS_TOTAL
        assert sum(solution.card_points) == CARD_POINTS_TOTAL
        assert solution.card_points[0] == min(max(golden, 0), CARD_POINTS_TOTAL)
        swept = None if 0 <= golden <= CARD_POINTS_TOTAL else ("ns" if golden > 0 else "ew")
        assert solution.capot == swept, story(row, deal, rules, solution, golden)
        n_capots += swept is not None
    assert (n_capots > 0) == (bonus > 0)


@pytest.mark.parametrize("name", ["root_cards.csv", "positions.csv"])
def test_every_card(name: str) -> None:
    for row in rows_of(name):
        rules = rules_of(row["play"])
        played = parse_cards(row["played"].replace(",", " ")) if row["played"] else ()
        position = replay(deal_of(row), *contract_of(row), played, rules.law)
        found = {
            format_card(card): value for card, value in solve_cards(position, rules=rules).items()
        }
        pairs = (pair.split("=") for pair in row["points_side0_by_card"].split())
        golden = {card: int(value) for card, value in pairs}
        assert found == golden, story(row, position, rules, found, golden)
        best = (max if position.to_move % 2 == 0 else min)(golden.values())
        value = solve(position, rules=rules).value[0]
        assert value == best, story(row, position, rules, value, best)


def test_perft() -> None:
    for row in rows_of("perft.csv"):
        rules, depth, golden = rules_of(row["play"]), int(row["depth"]), int(row["sequences"])
        found = perft(deal_of(row), *contract_of(row), depth=depth, rules=rules)
        assert found == golden, f"depth {depth}: " + story(row, deal_of(row), rules, found, golden)


def test_the_naive_solver_counts_the_same_sequences() -> None:
    """The yardstick of the other oracle tests is itself held to the golden files."""
    for row in rows_of("perft.csv"):
        if int(row["depth"]) > 5:
            continue
        game = Game(row["trump"], LAWS[row["play"]])
        hands = [naive_hand(row[f"hand{seat}"]) for seat in range(4)]
        place = Place((hands[0], hands[1], hands[2], hands[3]), int(row["leader"]))
        assert game.sequences(place, int(row["depth"])) == int(row["sequences"]), f"{row}"


def naive_hand(text: str) -> tuple[str, ...]:
    suits = zip(SUITS, text.split("."), strict=True)
    return tuple(suit + rank for suit, ranks in suits for rank in ranks)


def test_a_hand_read_naively_is_the_hand_parsed() -> None:
    for row in rows_of("values.csv"):
        for seat in range(4):
            cards = (
                SUITS.index(card[0]) * 8 + "789TJQKA".index(card[1])
                for card in naive_hand(row[f"hand{seat}"])
            )
            assert parse_hand(row[f"hand{seat}"]) == sum(1 << card for card in cards)
