"""A dataset is seen by any ruleset of the same law of play, and by no other."""

from __future__ import annotations

import dataclasses

import pytest
from tabling import made_up

from pilotta_solver import load_ruleset
from pilotta_solver.bidding_table.grouping import group
from pilotta_solver.bidding_table.sources import solved_deals
from pilotta_solver.errors import PilottaError
from pilotta_solver.schemas import SOLVE

TSAKA = load_ruleset()


def changed(table, **values):
    return dataclasses.replace(table, metadata={**table.metadata, **values})


def test_one_dataset_serves_rulesets_of_one_law():
    table = made_up(30, 1)
    for name in ("tsaka", "classic"):
        deals = solved_deals(table, load_ruleset(name))
        assert (deals.n_deals, deals.trumps, deals.leader) == (30, (0, 1, 2, 3), 0)
        assert deals.provenance()["rules"]["name"] == name
        assert deals.provenance()["dataset"]["rules"] == "tsaka"
        assert sum(map(len, deals.observations())) == 480


def test_progress_counts_the_deals_read():
    told = []
    list(solved_deals(made_up(150, 1), TSAKA).observations(lambda *now: told.append(now)))
    assert told == [(64, 150), (128, 150), (150, 150)]
    told.clear()
    group(solved_deals(made_up(150, 1), TSAKA), progress=lambda *now: told.append(now))
    assert told[-1] == (300, 300)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


@pytest.mark.parametrize(
    ("table", "rules", "trumps", "words"),
    [
        (made_up(9, 1), load_ruleset("contree"), None,
         r"deals: its deals were played by another law: partner_exempt is false in tsaka and "
         r"true in contree; undertrump is must in tsaka and may in contree; simulate with --rules "
         r"contree"),
        (made_up(9, 1, rules=load_ruleset(overrides={"capot_points": 162})), TSAKA, None,
         "solved without looking for sweeps"),
        (changed(made_up(9, 1), hand="J9AK.T8.A7."), TSAKA, None,
         r"dealt around the hand J9AK\.T8\.A7\."),
        (dataclasses.replace(made_up(9, 1), schema=SOLVE), TSAKA, None,
         "not a dataset of solved deals; make one with 'pilotta simulate'"),
        (dataclasses.replace(made_up(9, 1), n_rows=0), TSAKA, None, "nothing is in it yet"),
        (made_up(9, 1, (0, 2)), TSAKA, (0, 1), "H is not solved in it, only S, D"),
        (made_up(9, 1, (4,)), TSAKA, None, "--set no_trump_bids=true"),
        (made_up(9, 1, (4, 5)), load_ruleset(overrides={"no_trump_bids": True}), None,
         "contracts NA: no trump and all trump make a table of their own"),
        (made_up(9, 1, (0, 5)), load_ruleset(overrides={"all_trump_bids": True}), (0, 5),
         "contracts SA: no trump and all trump make a table of their own"),
    ],
    ids=["law", "sweeps", "a hand", "no deals", "empty", "not solved", "no trump", "both", "mixed"],
)  # fmt: skip
def test_what_a_ruleset_cannot_be_applied_to_is_refused(table, rules, trumps, words):
    with pytest.raises(PilottaError, match=words):
        solved_deals(table, rules, trumps)


@pytest.mark.parametrize("trump", [4, 5])
def test_no_trump_and_all_trump_have_classes_of_their_own(trump):
    rules = load_ruleset(overrides={"no_trump_bids": True, "all_trump_bids": True})
    table = group(solved_deals(made_up(80, 1, (0, trump)), rules, (trump,)), min_n=10)
    assert table.by[0] in ("aces", "jacks")
    assert sum(one.n for one in table.classes) == 320
    with pytest.raises(PilottaError, match="'length' needs a trump suit"):
        group(solved_deals(made_up(80, 1, (0, trump)), rules, (trump,)), ("length",))


def test_suits_are_looked_at_where_a_dataset_has_more():
    assert solved_deals(made_up(9, 1, (1, 3, 4)), TSAKA).trumps == (1, 3)
