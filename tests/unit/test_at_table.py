from __future__ import annotations

import math

import numpy as np
import pytest

from pilotta_solver.advice.advise import LEADER, advise
from pilotta_solver.advice.at_table import N_RESULTS, AtTable, per_world, swings
from pilotta_solver.advice.worth import Sample, played, scored
from pilotta_solver.cards import RANKS, make_card
from pilotta_solver.double_dummy import solve_many
from pilotta_solver.knowledge.auction_knowledge import player_view
from pilotta_solver.knowledge.sampling import worlds
from pilotta_solver.notation import parse_bid, parse_hand
from pilotta_solver.ruleset import load_ruleset
from pilotta_solver.stopping import Z95
from pilotta_solver.table_play.calibration import (
    N_PLACES,
    SWEEP,
    TableResults,
    own_values,
    places,
    shifted,
    shipped_calibration,
    trump_group,
)

RULES = load_ruleset("tsaka")
CALIBRATION = shipped_calibration(RULES.law)
HAND = parse_hand("J97.AT.A8.K")


def worlds_of(hand, seat, n, seed=3, trump=0):
    hands = worlds(hand, seat, n, seed)
    values = solve_many(hands, trump, LEADER, RULES)
    return hands, values, played(hands, trump, seat % 2, LEADER, values, RULES)


def winners(hand, trump):
    """Trumps from the jack down without a gap, and side aces, one card at a time."""
    n = 0
    for rank in (RANKS.index(letter) for letter in "J9ATKQ87"):
        if not hand >> make_card(trump, rank) & 1:
            break
        n += 1
    aces = (make_card(suit, RANKS.index("A")) for suit in range(4) if suit != trump)
    return n + sum(hand >> ace & 1 for ace in aces)


def slow_distribution(value, hands, seat, trump):
    """The chance of each value of the declarers at the table, one world, one place at a time."""
    kind = (0, 2, 1, 2)[(LEADER - seat) % 4]
    mine, partners = int(hands[seat]), int(hands[(seat + 2) % 4])
    n_trumps = ((mine | partners) >> 8 * trump & 255).bit_count()
    by = CALIBRATION.shifts[kind][trump_group(n_trumps)]
    dreamt = int(places(value))
    at_least = CALIBRATION.results[kind].at_least[dreamt]
    chance = {place: at_least[place] - at_least[place + 1] for place in range(N_PLACES)}
    if dreamt == SWEEP:
        sweeps = CALIBRATION.sweeps
        odds = sweeps.leader[kind] + sweeps.trump * n_trumps
        odds += sweeps.winner * max(winners(mine, trump), winners(partners, trump))
        comes_off, counted = 1 / (1 + math.exp(-odds)), chance[SWEEP]
        chance = {place: p * (1 - comes_off) / (1 - counted) for place, p in chance.items()}
        chance[SWEEP] = comes_off
    found = {}
    for place, p in chance.items():
        own = int(own_values(shifted(np.array(place), by), RULES.capot_points))
        found[own] = found.get(own, 0.0) + p
    return found


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("hand", [HAND, parse_hand("J9AT.AT.A.8")])
def test_chances_and_scores_are_those_of_each_worlds_distribution(hand, seat):
    """The slow way: every value at the table of every world, with its chance."""
    n = 60
    hands, values, deals = worlds_of(hand, seat, n)
    at_table = AtTable(CALIBRATION, RULES, LEADER)
    levels = np.array([80, 100, 130, 160, 250, 270])
    told = at_table.chances(deals, seat, levels, Sample(n), 1.96)
    spread = at_table.spread(deals, seat)
    sheet = per_world(scored(spread, levels, RULES).sheet)
    expected, total = np.zeros(len(levels)), 0.0
    for i in range(n):
        own = int(values[i]) if seat % 2 == 0 else 162 - int(values[i])
        bonus = int(deals.declarations[i, 0] + deals.belote[i, 0])
        for value, chance in slow_distribution(own, hands[i], seat, 0).items():
            expected += chance * (max(value, 0) + bonus >= levels) / n
            total += chance * (max(value, 0) + bonus) / n
    assert told.p == pytest.approx(expected, abs=1e-9)
    assert (told.low <= told.p).all()
    assert (told.high >= told.p).all()
    # Four results stand for the whole distribution of a world.
    assert spread.total.mean() == pytest.approx(total, abs=1.5)
    made = per_world(scored(spread, levels, RULES).made.astype(float)).mean(axis=1)
    assert made == pytest.approx(expected, abs=0.03)
    assert sheet.shape == (len(levels), n)


def test_rows_of_a_world_stand_side_by_side_and_keep_its_bonuses():
    _, _, deals = worlds_of(parse_hand("KQJ9.A.A.87"), 0, 20)
    spread = AtTable(CALIBRATION, RULES, LEADER).spread(deals, 0)
    assert len(spread) == 20 * N_RESULTS
    assert (spread.belote == np.repeat(deals.belote, N_RESULTS, axis=0)).all()
    assert (spread.n_trumps == np.repeat(deals.n_trumps, N_RESULTS)).all()
    assert per_world(np.arange(8.0)).tolist() == [1.5, 5.5]


def test_the_swing_is_between_made_and_failed():
    made = np.array([[True, True, False], [True, True, True]])
    assert swings(made, np.array([[10, 14, -20], [10, 14, 12]])).tolist() == [32, 0]


def test_worth_is_counted_at_the_table_and_both_chances_are_told():
    table = advise(HAND, parse_bid("90S"), n_worlds=300, seed=2)
    double_dummy = advise(HAND, parse_bid("90S"), n_worlds=300, seed=2, model="dd")
    assert (table.method.model, double_dummy.method.model) == ("table", "dd")
    level, plain = table.question.level, double_dummy.question.level
    assert level.p_made == plain.p_made
    assert plain.p_table is plain.table_low is plain.table_high is None
    assert 0.8 < level.p_table < level.p_made
    assert level.table_low < level.p_table < level.table_high
    assert level.sheet < plain.sheet
    contract = table.contracts[0]
    assert contract.mean_total_table < contract.mean_total
    assert double_dummy.contracts[0].mean_total_table is None
    chances = [one.p_table for one in contract.levels]
    assert chances == sorted(chances, reverse=True)


def test_the_defence_gains_by_its_lead_and_a_standing_contract_counts_at_the_table_too():
    view = player_view(RULES, auction="100H", system="none")
    table = advise(HAND, n_worlds=300, seed=2, view=view)
    plain = advise(HAND, n_worlds=300, seed=2, view=view, model="dd")
    # N declares and leads: he takes less at the table, so that defending is worth more.
    assert table.alternatives[0].sheet > plain.alternatives[0].sheet


def test_a_standing_contract_hangs_on_the_calibration_too(monkeypatch):
    view = player_view(RULES, auction="100H", system="none")

    def asked():
        advice = advise(HAND, n_worlds=200, seed=2, view=view)
        defended = {one.call: one for one in advice.alternatives}
        return defended["P"], defended["X"], advice.contracts[0].levels[3]

    found = asked()
    monkeypatch.setattr(TableResults, "error", lambda self, *_: np.zeros(len(_[1])))
    # Without an error of the calibration only the worlds are left.
    sure = asked()
    for one, worlds_alone in zip(found[:2], sure[:2], strict=True):
        assert one.sheet == worlds_alone.sheet
        assert one.sheet_low < worlds_alone.sheet_low - 0.005
        assert one.sheet_high > worlds_alone.sheet_high + 0.005
    # That of the bid itself is less than half of the whole.
    alone = Z95 * calibration_error(HAND, 0, found[2].bid)
    both = half_width(found[2]) ** 2 - half_width(sure[2]) ** 2
    assert both > alone**2 + 0.01


def half_width(level):
    return (level.worth_high - level.worth_low) / 2


def calibration_error(hand, seat, bid):
    """What the calibration adds to the standard error of the worth of a bid in spades."""
    _, _, deals = worlds_of(hand, seat, 400)
    at_table = AtTable(CALIBRATION, RULES, LEADER)
    told = at_table.chances(deals, seat, np.array([bid]), Sample(400), Z95)
    result = scored(at_table.spread(deals, seat), [bid], RULES)
    return float((told.model_error * swings(result.made, result.sheet))[0])


def test_a_chance_that_is_certain_in_all_worlds_seen_is_no_point():
    advice = advise(parse_hand("JAKQ.98.T9."), parse_bid("80S"), seat=2, n_worlds=100, seed=5)
    level = advice.question.level
    assert level.p_table > 0.999
    assert level.table_low < 0.975


def test_a_sweep_without_a_premium_is_the_result_that_sweeps_are():
    hand, bid = parse_hand("J97.AT.A8.K"), parse_bid("160S")
    told = []
    for capot_points in (162, 163):
        rules = load_ruleset("tsaka", {"capot_points": capot_points})
        advice = advise(hand, bid, n_worlds=200, seed=5, rules=rules)
        told.append([level.p_table for level in advice.contracts[0].levels if level.bid <= 160])
    assert told[0] == pytest.approx(told[1], abs=0.002)


def test_another_law_of_play_is_not_corrected():
    advice = advise(HAND, parse_bid("90S"), n_worlds=20, seed=2, rules=load_ruleset("contree"))
    assert (advice.method.model, advice.method.calibrated) == ("dd", False)
    assert advice.question.level.p_table is None


def test_contracts_without_a_trump_suit_are_not_corrected():
    rules = load_ruleset("tsaka", {"no_trump_bids": True, "all_trump_bids": True})
    advice = advise(HAND, n_worlds=20, seed=2, rules=rules)
    told = [contract.levels[0].p_table is not None for contract in advice.contracts]
    assert told == [True] * 4 + [False] * 2


def test_the_bid_decided_in_more_worlds_weights_the_chance_at_the_table():
    advice = advise(HAND, parse_bid("130S"), seed=4, precision=3)
    assert advice.question.n_worlds > advice.n_worlds
    level = advice.question.level
    assert level.table_low < level.p_table < level.table_high


def test_a_hand_that_needs_no_help_keeps_its_sweep():
    """J 9 A 10 K of trumps and two side aces: played out, nine sweeps of ten come off."""
    advice = advise(parse_hand("J9ATK.AT.A."), parse_bid("250S"), seat=3, n_worlds=200, seed=1)
    assert advice.question.level.p_made > 0.99
    assert advice.question.level.p_table > 0.7
    weak = advise(parse_hand("J987.7.A98."), parse_bid("250S"), seat=3, n_worlds=200, seed=1)
    assert weak.question.level.p_table < weak.question.level.p_made / 2
