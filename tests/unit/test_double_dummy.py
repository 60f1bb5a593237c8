"""The public functions that solve: results, shapes, errors, threads."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from pilotta_solver import (
    Deal,
    DealError,
    PilottaError,
    Position,
    RulesetError,
    at_least_many,
    format_card,
    legal_cards,
    load_ruleset,
    parse_cards,
    parse_deal,
    perft,
    play,
    replay,
    solve,
    solve_cards,
    solve_many,
    solve_table_many,
    start,
    worlds,
)
from pilotta_solver.cards import cards_of
from pilotta_solver.double_dummy import as_ruleset, solve_cards_of, solve_positions

DEAL = parse_deal("N:7.QJ8.AQ8.A J.A.KJ.KQ98 AQT8.7.T7.J K9.KT9.9.T7")
VALUE = 99
"""NS points of DEAL in spades, N to lead, of the golden file."""

PLAIN = load_ruleset(overrides={"capot_points": 162})
CAPOT = load_ruleset(overrides={"capot_points": 250})

SWEEP = parse_deal("N:J9ATKQ87... .AKQJT987.. ..AKQJT987. ...AKQJT987")
"""N has all the trumps when spades are."""


@pytest.fixture(scope="module")
def hands() -> npt.NDArray[np.uint32]:
    return worlds(0, 0, 300, 42)


def deal_of(row: npt.NDArray[np.uint32]) -> Deal:
    n, w, s, e = (int(hand) for hand in row)
    return Deal((n, w, s, e))


def array_of(deal: Deal) -> npt.NDArray[np.uint32]:
    return np.array([deal.hands], dtype=np.uint32)


def small(n: int, n_cards: int, seed: int) -> npt.NDArray[np.uint32]:
    """Deals of a few cards."""
    rng = random.Random(seed)
    decks = [rng.sample(range(32), 4 * n_cards) for _ in range(n)]
    rows = [[sum(1 << card for card in deck[seat::4]) for seat in range(4)] for deck in decks]
    return np.array(rows, dtype=np.uint32)


# solve


def test_solution_of_a_deal() -> None:
    solution = solve(DEAL, trump=0, leader=0)
    assert solution.card_points == solution.value == (VALUE, 162 - VALUE)
    assert (solution.trump, solution.leader, solution.capot) == (0, 0, None)
    assert solution.cards_searched > 100


def test_a_deal_and_its_first_position_are_the_same() -> None:
    assert solve(start(DEAL, 0, 0)) == solve(DEAL, 0, 0)


@pytest.mark.parametrize(
    ("deal", "side", "ns_points"),
    [(SWEEP, "ns", 162), (Deal((SWEEP.hands[3], *SWEEP.hands[:3])), "ew", 0)],
    ids=["ns", "ew"],
)
def test_a_sweep_counts_as_capot_points(deal: Deal, side: str, ns_points: int) -> None:
    solution = solve(deal, 0, 0, CAPOT)
    assert solution.capot == side
    assert solution.card_points == (ns_points, 162 - ns_points)
    assert solution.value == ((250, -88) if side == "ns" else (-88, 250))
    assert sum(solution.value) == 162
    assert solve_many(array_of(deal), 0, 0, CAPOT).tolist() == [solution.value[0]]
    plain = solve(deal, 0, 0, PLAIN)
    assert plain.capot is None
    assert plain.value == plain.card_points == solution.card_points


def test_rules_by_name_and_by_default() -> None:
    assert as_ruleset(None) == load_ruleset("tsaka")
    assert solve(SWEEP, 0, 0).value[0] == 250
    assert solve(SWEEP, 0, 0, "classic").value[0] == 252
    with pytest.raises(RulesetError):
        solve(SWEEP, 0, 0, "nobody's rules")


def test_fewer_than_eight_cards_are_no_capot() -> None:
    """A deal of seven cards a hand could never be a capot, which takes all eight tricks."""
    sevens = sum(1 << card for card in parse_cards("S7 H7 D7 C7"))
    n, w, s, e = (hand & ~sevens for hand in SWEEP.hands)
    deal = Deal((n, w, s, e))
    assert solve(deal, 0, 0, CAPOT).capot is None
    assert solve_many(array_of(deal), 0, 0, CAPOT).tolist() == [162]


def test_seven_cards_after_a_trick_can_be_a_capot() -> None:
    law = CAPOT.law
    position = start(SWEEP, 0, 0)
    for _ in range(4):
        hand = position.hands[position.to_move]
        legal = legal_cards(hand, position.trick, 0, law)
        position = play(position, next(cards_of(legal)), law)
    solution = solve(position, rules=CAPOT)
    assert solution.capot == "ns"
    assert solution.value == (250, -88)
    lost = Position(position.hands, 0, 0, (), (0, position.points[0]), (0, 1))
    assert solve(lost, rules=CAPOT).capot is None


def test_positions_all_along_a_game() -> None:
    """Best play from both sides keeps the value from the first card to after the last."""
    for deal_number in range(6):
        row = worlds(0, 0, 1, 9, deal_number)[0]
        deal = deal_of(row)
        for rules in (CAPOT, load_ruleset("contree")):
            position = start(deal, deal_number % 6, deal_number % 4)
            value = solve(position, rules=rules).value
            while not position.is_over:
                cards = solve_cards(position, rules=rules)
                legal = legal_cards(
                    position.hands[position.to_move],
                    position.trick,
                    position.trump,
                    rules.law,
                )
                assert list(cards) == list(cards_of(legal))
                best = max if position.to_move % 2 == 0 else min
                assert best(cards.values()) == value[0], position
                position = play(position, best(cards, key=cards.__getitem__), rules.law)
                solution = solve(position, rules=rules)
                assert solution.value == value, position
                assert sum(solution.card_points) == 162
            assert position.points == solution.card_points
            assert solve_cards(position, rules=rules) == {}


def test_a_finished_game_has_the_points_it_ended_with() -> None:
    law = CAPOT.law
    position = start(SWEEP, 0, 0)
    while not position.is_over:
        legal = legal_cards(position.hands[position.to_move], position.trick, 0, law)
        position = play(position, next(cards_of(legal)), law)
    solution = solve(position, rules=CAPOT)
    assert position.tricks == (8, 0)
    assert solution.card_points == position.points == (162, 0)
    assert solution.value == (250, -88)
    assert solution.capot == "ns"
    assert solution.cards_searched == 0
    assert solve(position, rules=PLAIN).value == (162, 0)


def test_points_taken_before_the_position_count() -> None:
    deal = parse_deal("N:.A.7. .T.8. .7.9. .8.T.")
    fresh = solve(deal, 0, 0, PLAIN)
    later = solve(Position(deal.hands, 0, 0, (), (20, 30), (3, 3)), rules=PLAIN)
    assert later.card_points == (fresh.card_points[0] + 20, fresh.card_points[1] + 30)
    cards = solve_cards(Position(deal.hands, 0, 0, (), (20, 30), (3, 3)), rules=PLAIN)
    assert cards == {card: value + 20 for card, value in solve_cards(deal, 0, 0, PLAIN).items()}


def test_sides_sum_to_the_points_of_the_deal() -> None:
    for row in small(40, 3, 1):
        deal = deal_of(row)
        for trump in range(6):
            solution = solve(deal, trump, 1, PLAIN)
            ns, ew = solution.card_points
            turned = Deal((deal.hands[3], *deal.hands[:3]))
            assert solve(turned, trump, 2, PLAIN).card_points == (ew, ns)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"deal": DEAL}, "give trump and leader"),
        ({"deal": DEAL, "trump": 0}, "give trump and leader"),
        ({"deal": DEAL, "leader": 0}, "give trump and leader"),
        ({"deal": DEAL, "trump": 6, "leader": 0}, "trump 6"),
        ({"deal": DEAL, "trump": -1, "leader": 0}, "trump -1"),
        ({"deal": DEAL, "trump": 0, "leader": 4}, "leader 4"),
        ({"deal": start(DEAL, 0, 0), "trump": 0}, "give neither"),
        ({"deal": start(DEAL, 0, 0), "leader": 0}, "give neither"),
    ],
)
@pytest.mark.parametrize("function", [solve, solve_cards])
def test_errors_of_one_deal(
    function: Callable[..., Any], arguments: dict[str, Any], says: str
) -> None:
    with pytest.raises(DealError, match=says) as error:
        function(**arguments)
    assert "\n" not in str(error.value)


# many positions


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_many_positions_are_solved_one_by_one(jobs: int) -> None:
    law = CAPOT.law
    rng = random.Random(4)
    positions = []
    for row in worlds(0, 0, 40, 12):
        position = start(deal_of(row), 5, 1)
        for _ in range(rng.randrange(8, 31)):
            hand = position.hands[position.to_move]
            legal = legal_cards(hand, position.trick, position.trump, law)
            position = play(position, rng.choice(list(cards_of(legal))), law)
        positions.append(position)
    solutions = solve_positions(positions, CAPOT, jobs)
    assert [s.value for s in solutions] == [solve(p, rules=CAPOT).value for p in positions]
    assert solve_cards_of(positions, CAPOT, jobs) == [
        solve_cards(p, rules=CAPOT) for p in positions
    ]
    assert solve_positions([], CAPOT, jobs) == []


# arrays


def test_an_array_of_deals(hands: npt.NDArray[np.uint32]) -> None:
    values = solve_many(hands[:20], 2, 3, CAPOT)
    assert values.shape == (20,)
    assert values.dtype == np.int16
    for row, value in zip(hands, values, strict=False):
        deal = deal_of(row)
        assert solve(deal, 2, 3, CAPOT).value[0] == value


def test_a_contract_for_each_deal(hands: npt.NDArray[np.uint32]) -> None:
    trumps, leaders = np.arange(24) % 6, np.arange(24) % 4
    values = solve_many(hands[:24], trumps, leaders, CAPOT)
    for i in range(24):
        one = solve_many(hands[i : i + 1], int(trumps[i]), int(leaders[i]), CAPOT)
        assert one[0] == values[i]


@pytest.mark.parametrize("jobs", [2, 3, None])
def test_threads_change_no_byte(hands: npt.NDArray[np.uint32], jobs: int | None) -> None:
    trumps = np.arange(len(hands)) % 6
    counts_one, counts = (np.zeros(len(hands), dtype=np.int64) for _ in range(2))
    one = solve_many(hands, trumps, 1, CAPOT, 1, cards_searched=counts_one)
    many = solve_many(hands, trumps, 1, CAPOT, jobs, cards_searched=counts)
    assert one.tobytes() == many.tobytes()
    assert counts_one.tobytes() == counts.tobytes()
    asked_one = at_least_many(hands, trumps, 1, 82, CAPOT, 1, cards_searched=counts_one)
    asked = at_least_many(hands, trumps, 1, 82, CAPOT, jobs, cards_searched=counts)
    assert asked_one.tobytes() == asked.tobytes()
    assert counts_one.tobytes() == counts.tobytes()
    cost_one, cost = (np.zeros((12, 6, 4), dtype=np.int64) for _ in range(2))
    table_one = solve_table_many(hands[:12], CAPOT, 1, cards_searched=cost_one)
    table = solve_table_many(hands[:12], CAPOT, jobs, cards_searched=cost)
    assert table_one.tobytes() == table.tobytes()
    assert cost_one.tobytes() == cost.tobytes()


def test_a_table_is_every_contract_by_every_leader(hands: npt.NDArray[np.uint32]) -> None:
    counts = np.zeros((12, 6, 4), dtype=np.int64)
    table = solve_table_many(hands[:12], CAPOT, cards_searched=counts)
    assert table.shape == (12, 6, 4)
    assert table.dtype == np.int16
    assert (counts > 0).all()
    alone = np.zeros(12, dtype=np.int64)
    total_alone = 0
    for trump in range(6):
        for leader in range(4):
            values = solve_many(hands[:12], trump, leader, CAPOT, cards_searched=alone)
            assert (table[:, trump, leader] == values).all()
            total_alone += int(alone.sum())
    assert counts.sum() < total_alone


def test_cards_searched_are_those_of_each_deal(hands: npt.NDArray[np.uint32]) -> None:
    counts = np.full(20, -1, dtype=np.int64)
    solve_many(hands[:20], 0, 0, PLAIN, cards_searched=counts)
    for row, count in zip(hands, counts, strict=False):
        deal = deal_of(row)
        assert solve(deal, 0, 0, PLAIN).cards_searched == count
    asked = np.full(20, -1, dtype=np.int64)
    at_least_many(hands[:20], 0, 0, 82, PLAIN, cards_searched=asked)
    assert (asked > 0).all()
    assert asked.sum() < counts.sum()


@pytest.mark.parametrize("rules", [PLAIN, CAPOT], ids=["plain", "capot"])
def test_at_least_on_the_whole_scale(hands: npt.NDArray[np.uint32], rules: Any) -> None:
    """Between and beyond 0 and 162 too, where only a sweep can decide."""
    deals = np.concatenate([hands[:12], array_of(SWEEP), np.roll(array_of(SWEEP), 1, axis=1)])
    trumps = np.array([*(np.arange(12) % 6), 0, 0])
    values = solve_many(deals, trumps, 0, rules).astype(int)
    for threshold in (-900, -89, -88, -87, -1, 0, 1, 60, 82, 161, 162, 163, 249, 250, 251, 900):
        found = at_least_many(deals, trumps, 0, threshold, rules)
        assert found.dtype == np.bool_
        assert found.tolist() == (values >= threshold).tolist(), threshold
    for more in (-1, 0, 1):
        assert at_least_many(deals, trumps, 0, values + more, rules).tolist() == [more <= 0] * 14


def test_at_least_of_deals_that_are_no_capot() -> None:
    """With fewer than eight cards no bonus is to be had, and the scale ends at the total."""
    deals = small(30, 3, 8)
    values = solve_many(deals, 0, 0, CAPOT).astype(int)
    for threshold in (-900, -88, -1, 0, 1, 30, 60, 162, 163, 250, 900):
        found = at_least_many(deals, 0, 0, threshold, CAPOT)
        assert found.tolist() == (values >= threshold).tolist(), threshold


@pytest.mark.parametrize("n_cards", range(1, 9))
def test_deals_of_any_size(n_cards: int) -> None:
    deals = small(6, n_cards, n_cards)
    table = solve_table_many(deals, PLAIN)
    for row, values in zip(deals, table, strict=True):
        deal = deal_of(row)
        assert values[3, 2] == solve(deal, 3, 2, PLAIN).value[0]


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("n", [1, 96, 300])
def test_progress_adds_up_to_the_number_of_deals(
    hands: npt.NDArray[np.uint32], n: int, jobs: int
) -> None:
    last_cards = small(n, 2, 5)
    for run in (
        lambda report: solve_many(last_cards, 0, 0, jobs=jobs, progress=report),
        lambda report: at_least_many(last_cards, 0, 0, 30, jobs=jobs, progress=report),
        lambda report: solve_table_many(last_cards, jobs=jobs, progress=report),
    ):
        done: list[int] = []
        run(done.append)
        assert sum(done) == n
        assert min(done) > 0


def test_no_deals_at_all() -> None:
    nothing = np.zeros((0, 4), dtype=np.uint32)
    assert solve_many(nothing, 0, 0).shape == (0,)
    assert at_least_many(nothing, 0, 0, 82).shape == (0,)
    assert solve_table_many(nothing).shape == (0, 6, 4)


def test_an_array_that_is_not_contiguous(hands: npt.NDArray[np.uint32]) -> None:
    deals = hands[:20]
    expected = solve_many(deals, 1, 0, PLAIN).tolist()
    assert solve_many(np.asfortranarray(deals), 1, 0, PLAIN).tolist() == expected
    assert solve_many(np.repeat(deals, 2, axis=0)[::2], 1, 0, PLAIN).tolist() == expected


def test_the_hands_are_not_changed(hands: npt.NDArray[np.uint32]) -> None:
    deals = hands[:5].copy()
    solve_table_many(deals)
    solve_many(deals, 0, 0)
    assert (deals == hands[:5]).all()


FULL = np.array([[0xFF, 0xFF00, 0xFF0000, 0xFF000000]], dtype=np.uint32)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"hands": FULL.astype(np.int64)}, "int64"),
        ({"hands": FULL.astype(np.float64)}, "float64"),
        ({"hands": FULL[0]}, r"\(4,\)"),
        ({"hands": FULL[:, :3]}, r"\(1, 3\)"),
        ({"hands": FULL | np.uint32(1)}, "row 0"),
        ({"hands": np.concatenate([FULL, FULL ^ np.array([1, 0, 0, 0], np.uint32)])}, "row 1.*7"),
        ({"hands": np.zeros((1, 4), dtype=np.uint32)}, "row 0.*0"),
        ({"hands": np.array([[1, 1, 2, 4]], dtype=np.uint32)}, "share a card"),
        ({"hands": np.array([[0x1FF, 0x3FE00, 0x7FC0000, 0xF8000000]], np.uint32)}, "row 0"),
        ({"trump": 6}, "trump 6"),
        ({"trump": -1}, "trump -1"),
        ({"trump": 0.5}, "trump"),
        ({"trump": [0, 1]}, "trump"),
        ({"trump": 256}, "trump 256"),
        ({"leader": 4}, "leader 4"),
        ({"leader": [-1]}, "leader -1"),
    ],
)
def test_errors_of_arrays(changes: dict[str, Any], says: str) -> None:
    good: dict[str, Any] = {"hands": FULL, "trump": 0, "leader": 0}
    with pytest.raises(DealError, match=says) as error:
        solve_many(**(good | changes))
    assert "\n" not in str(error.value)
    with pytest.raises(DealError, match=says):
        at_least_many(**(good | changes), threshold=82)
    if "hands" in changes:
        with pytest.raises(DealError, match=says):
            solve_table_many(changes["hands"])


@pytest.mark.parametrize("threshold", [[1, 2], "many", 82.5, np.nan])
def test_errors_of_thresholds(threshold: Any) -> None:
    with pytest.raises(PilottaError, match="threshold"):
        at_least_many(FULL, 0, 0, threshold)


@pytest.mark.parametrize("jobs", [0, -1])
def test_errors_of_jobs(jobs: int) -> None:
    for run in (
        lambda: solve_many(FULL, 0, 0, jobs=jobs),
        lambda: at_least_many(FULL, 0, 0, 82, jobs=jobs),
        lambda: solve_table_many(FULL, jobs=jobs),
    ):
        with pytest.raises(PilottaError, match=f"jobs {jobs}"):
            run()


@pytest.mark.parametrize("counts", [np.zeros(2, np.int64), np.zeros(1, np.int16)])
def test_errors_of_the_array_for_cards_searched(counts: npt.NDArray[Any]) -> None:
    with pytest.raises(PilottaError, match="cards_searched"):
        solve_many(FULL, 0, 0, cards_searched=counts)


# perft


def test_perft_by_hand() -> None:
    """One suit each: anyone may play anything, so cards are free and the leader keeps the lead."""
    deal = Deal((0xF, 0xF00, 0xF0000, 0xF000000))
    assert perft(deal, trump=5, leader=0, depth=1) == 4
    assert perft(deal, trump=5, leader=0, depth=4) == 4**4
    assert perft(deal, trump=5, leader=0, depth=16) == (4 * 3 * 2) ** 4


def test_perft_in_mid_trick() -> None:
    position = replay(DEAL, 0, 0, [next(cards_of(DEAL.hands[0]))], CAPOT.law)
    legal = legal_cards(position.hands[1], position.trick, 0, CAPOT.law)
    assert perft(position, depth=1) == legal.bit_count()
    following = [play(position, card, CAPOT.law) for card in cards_of(legal)]
    assert perft(position, depth=5) == sum(perft(after, depth=4) for after in following)


@pytest.mark.parametrize("depth", [0, -1, 33])
def test_perft_of_a_depth_that_is_none(depth: int) -> None:
    with pytest.raises(DealError, match=f"depth {depth}"):
        perft(DEAL, 0, 0, depth=depth)


def test_cards_are_named_in_order() -> None:
    cards = [format_card(card) for card in solve_cards(DEAL, 0, 0)]
    assert cards == ["S7", "H8", "HJ", "HQ", "D8", "DQ", "DA", "CA"]
