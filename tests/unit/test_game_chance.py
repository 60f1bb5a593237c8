from __future__ import annotations

import numpy as np
import pytest

from pilotta_solver.advice.game_chance import (
    DealScores,
    GameChance,
    shipped_scores,
    simulate_scores,
)
from pilotta_solver.errors import ConstraintError, RulesetError
from pilotta_solver.ruleset import load_ruleset, preset_names

TSAKA = load_ruleset("tsaka")


def scores_of(*pairs: tuple[int, int, int], n_passed: int = 0) -> DealScores:
    array = np.array(pairs)
    n = int(array[:, 2].sum()) + n_passed
    return DealScores(n, n_passed, 0, array[:, :2], array[:, 2])


def test_the_leader_of_a_game_that_he_always_wins_in_one_deal():
    game = GameChance(scores_of((10, 0, 1)), TSAKA, target=10)
    assert game.chance(0, 9, we_lead=True) == 1
    assert game.chance(9, 0, we_lead=False) == 0


def test_a_coin_toss_to_two():
    """Each deal is worth 1 to one side at even odds: as in the problem of points."""
    game = GameChance(scores_of((1, 0, 1), (0, 1, 1)), TSAKA, target=2)
    for we_lead in (True, False):
        assert game.chance(1, 0, we_lead=we_lead) == pytest.approx(0.75)
        assert game.chance(1, 1, we_lead=we_lead) == pytest.approx(0.5)


@pytest.mark.parametrize("all_pass", ["next_dealer", "same_dealer"])
def test_the_chances_solve_their_own_equation(all_pass):
    """Every chance is the average over the next deal, passed out deals included."""
    rules = load_ruleset("tsaka", {"all_pass": all_pass})
    scores = scores_of((3, 1, 5), (0, 4, 3), (2, 2, 1), n_passed=4)
    game = GameChance(scores, rules, target=9)

    def after(us: int, them: int, we_lead: bool) -> float:
        if max(us, them) >= 9:
            return 0.5 if us == them else float(us > them)
        return float(game.chance(us, them, we_lead=we_lead))

    for us in range(9):
        for them in range(9):
            expected = 4 * after(us, them, all_pass == "same_dealer")
            expected += 5 * after(us + 3, them + 1, False)
            expected += 3 * after(us, them + 4, False)
            expected += after(us + 2, them + 2, False)
            assert game.chance(us, them, we_lead=True) == pytest.approx(expected / 13)


def test_both_sides_chances_sum_to_one_and_grow_with_the_score():
    scores = shipped_scores(TSAKA)
    assert scores is not None
    game = GameChance(scores, TSAKA)
    us, them = np.meshgrid(np.arange(0, 301, 20), np.arange(0, 301, 20))
    ours = game.chance(us, them, we_lead=True)
    assert ours + game.chance(them, us, we_lead=False) == pytest.approx(1)
    assert (np.diff(ours, axis=1) > 0).all()
    assert game.chance(0, 0, we_lead=True) > 0.5
    assert game.chance(320, 305, we_lead=True) == 1


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_comes_with_scores(name):
    rules = load_ruleset(name)
    scores = shipped_scores(rules)
    assert scores is not None
    assert scores.counts.sum() + scores.n_passed == scores.n_deals
    assert 0.7 < scores.n_made / scores.n_deals < 1
    assert shipped_scores(load_ruleset(name, {"game_target": 200})) is not None


def test_other_rules_have_other_scores_that_are_simulated():
    rules = load_ruleset("tsaka", {"capot_points": 300})
    assert shipped_scores(rules) is None
    scores = simulate_scores(rules, 40, jobs=1)
    assert scores.n_deals == 40
    again = simulate_scores(rules, 40, jobs=2)
    assert again.as_dict() == scores.as_dict()
    assert DealScores.of(scores.as_dict()).as_dict() == scores.as_dict()


def test_a_game_in_raw_points_is_counted_in_tens():
    rules = load_ruleset("contree")
    scores = shipped_scores(rules)
    assert scores is not None
    game = GameChance(scores, rules)
    assert game.target == 1000
    assert game.chance(500, 400, we_lead=True) > game.chance(400, 500, we_lead=True)


def test_a_game_that_nobody_bids_in_is_refused():
    with pytest.raises(RulesetError, match="nobody bids"):
        GameChance(DealScores(5, 5, 0, np.empty((0, 2), int), np.empty(0, int)), TSAKA)


@pytest.mark.parametrize("score", [(-1, 0), (0, 301), (301, 5)])
def test_scores_out_of_range_are_refused(score):
    scores = shipped_scores(TSAKA)
    assert scores is not None
    with pytest.raises(ConstraintError, match="both are 0 to 300"):
        GameChance(scores, TSAKA).check(score)


@pytest.mark.slow
@pytest.mark.parametrize("name", preset_names())
def test_the_scores_that_come_with_the_program_can_be_made_again(name):
    rules = load_ruleset(name)
    shipped = shipped_scores(rules)
    assert shipped is not None
    assert simulate_scores(rules, shipped.n_deals).as_dict() == shipped.as_dict()
