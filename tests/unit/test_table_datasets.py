"""Datasets of deals that are played, and of deals that are bid: rows against the library's own."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from pilotta_solver import (
    Auction,
    Deal,
    knowledge_from_auction,
    load_ruleset,
    load_system,
    parse_calls,
    parse_hand,
    solve,
    worlds,
)
from pilotta_solver.datasets.dataset import differences
from pilotta_solver.datasets.results import TablePlay
from pilotta_solver.datasets.simulation import Simulation, simulate
from pilotta_solver.datasets.verification import repair, verify
from pilotta_solver.declarations import belotes, contest
from pilotta_solver.errors import ConstraintError, PilottaError
from pilotta_solver.figures import figures_of
from pilotta_solver.knowledge.bidding_system import BiddingSystem
from pilotta_solver.knowledge.system_auction import bid_out
from pilotta_solver.notation import format_call
from pilotta_solver.parquet import read
from pilotta_solver.schemas import BID_OUT, SIMULATE, TRUMP_WORDS
from pilotta_solver.scoring import totals_many
from pilotta_solver.table_play.self_play import self_play, self_play_many
from pilotta_solver.tables import open_table

RULES = load_ruleset()
BASIC = load_system("cyprus-basic")
PLAY = TablePlay(n_worlds=2)
ASKED = Simulation(6, load_ruleset("classic"), (1, 4), leader=2, play=PLAY)
REACHED = Simulation(6, RULES, leader=1, play=PLAY, bid_by=BASIC)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


def hands_of(table):
    return table[["cards_n", "cards_w", "cards_s", "cards_e"]].to_numpy().astype(np.uint32)


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("asked") / "d"
    simulate(folder, ASKED, 6, part_size=4, jobs=1)
    return folder


@pytest.fixture(scope="module")
def reached(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reached") / "d"
    simulate(folder, REACHED, 14, part_size=6, jobs=1)
    return folder


def test_results_are_those_of_self_play(asked):
    table, metadata = read(asked)
    hands, numbers = hands_of(table), table.deal_number.to_numpy()
    assert np.array_equal(hands, worlds(0, 0, 6, seed=6))
    for trump in (1, 4):
        played = self_play_many(
            hands, trump, 2, seed=6, numbers=numbers, n_worlds=2, rules=ASKED.rules, jobs=1
        )
        assert table[f"table_ns_{TRUMP_WORDS[trump]}"].tolist() == played.tolist()
    row = table.iloc[5]
    alone = self_play(Deal(tuple(map(int, hands[5]))), 1, 2, seed=6, number=5, n_worlds=2,
                      rules=ASKED.rules)  # fmt: skip
    assert row.table_ns_hearts == alone.value
    assert (table.table_ns_hearts != table.value_ns_hearts).any()
    assert tuple(table.columns) == ASKED.schema.names
    assert set(ASKED.schema.names) <= set(SIMULATE.names)
    assert [metadata[key] for key in ("schema_version", "model", "decision_worlds", "aim")] == [
        2, "table", 2, "points",
    ]  # fmt: skip
    assert Simulation.from_settings(metadata, "here") == ASKED


def test_without_self_play_the_other_columns_and_the_settings_are_as_ever(asked, tmp_path):
    solved = dataclasses.replace(ASKED, play=None)
    simulate(tmp_path / "d", solved, 6, part_size=4, jobs=1)
    table, metadata = read(tmp_path / "d")
    played, _ = read(asked)
    assert not [name for name in table.columns if name.startswith("table_")]
    assert metadata["schema_version"] == 1
    assert not {"model", "decision_worlds", "aim", "bid_by"} & set(metadata)
    assert table.equals(played[list(table.columns)])
    assert Simulation.from_settings(metadata, "here") == solved


def test_a_row_has_the_contract_that_is_bid_its_value_and_its_result(reached):
    table, metadata = read(reached)
    assert tuple(table.columns) == REACHED.schema.names == BID_OUT.names
    passed_out = table.contract_trump.isna()
    assert 0 < passed_out.sum() < len(table)
    of_contracts = [name for name in BID_OUT.names[10:] if name != "capot"]
    assert table.loc[passed_out, of_contracts].isna().all(axis=None)
    assert table.loc[~passed_out, of_contracts].notna().all(axis=None)
    for row in table.to_dict("records"):
        hands = tuple(row[f"cards_{seat}"] for seat in "nwse")
        auction = bid_out(hands, BASIC, RULES, dealer=0)
        assert row["calls"] == " ".join(map(format_call, auction.calls))
        contract = auction.contract
        if contract is None:
            continue
        trump = contract.bid.trump
        assert (row["contract_trump"], row["contract_level"], row["declarer"]) == (
            "SHDCNA"[trump], contract.bid.level, "NWSE"[contract.declarer],
        )  # fmt: skip
        assert row["contract_multiplier"] == contract.multiplier
        solution = solve(Deal(hands), trump, 1, RULES)
        assert row["value_ns"] == solution.value[0]
        assert (row["capot"] if isinstance(row["capot"], str) else None) == solution.capot
        points = contest(Deal(hands), trump, RULES, 1).points
        assert (row["declarations_ns"], row["declarations_ew"]) == points
        own = [20 * (seat & 1 == 0) for seat, _ in belotes(Deal(hands), trump, RULES)]
        assert row["belote_ns"] == sum(own)
        told = [knowledge_from_auction(auction, BASIC, seat).knowledge for seat in range(4)]
        played = self_play(
            Deal(hands), trump, 1, seed=6, number=row["deal_number"], n_worlds=2, told=told
        )
        assert row["table_ns"] == played.value
    assert metadata["contracts"] is None
    assert Simulation.from_settings(metadata, "here") == REACHED


def test_the_aim_of_the_players_is_heeded(reached):
    table, _ = read(reached)
    rows = np.flatnonzero(table.contract_trump.notna())[:5]
    hands, numbers = hands_of(table)[rows], table.deal_number.to_numpy()[rows]
    aimed = dataclasses.replace(REACHED, play=TablePlay(2, "contract"))
    results = aimed.results(numbers, hands, 1)
    one = table.iloc[rows]
    trumps = [["SHDCNA".index(letter)] for letter in one.contract_trump]
    expected = self_play_many(
        hands, np.ravel(trumps), 1, seed=6, numbers=numbers, n_worlds=2, aim="contract", jobs=1,
        levels=one.contract_level.to_numpy().astype(int),
        declarers=np.array(["NWSE".index(seat) for seat in one.declarer]),
        told=[[knowledge_from_auction(Auction(RULES, 0, parse_calls(calls)), BASIC, seat).knowledge
               for seat in range(4)] for calls in one.calls],
    )  # fmt: skip
    assert results.table is not None
    assert results.table.tolist() == expected.tolist()


def test_a_result_depends_on_seed_number_and_contract_alone():
    hands = worlds(0, 0, 4, seed=6)
    numbers = np.arange(4)
    whole = ASKED.results(numbers, hands, 1).table
    turned = ASKED.results(numbers[::-1].copy(), hands[::-1], 2).table
    assert whole is not None
    assert turned is not None
    assert turned.reshape(4, 2)[::-1].tolist() == whole.reshape(4, 2).tolist()
    only = dataclasses.replace(ASKED, trumps=(4,)).results(numbers, hands, 1).table
    assert only is not None
    assert only.tolist() == whole[1::2].tolist()


@pytest.mark.parametrize("simulation", [ASKED, REACHED], ids=["asked", "reached"])
def test_progress_counts_whole_deals(simulation):
    hands, seen = worlds(0, 0, 6, seed=6), []
    simulation.results(np.arange(6), hands, 1, seen.append)
    assert sum(seen) == 6
    assert min(seen) >= 0


def test_a_wrong_result_is_found_and_mended(reached, tmp_path, monkeypatch):
    simulate(tmp_path / "d", REACHED, 14, part_size=6, jobs=1)
    whole = contents(tmp_path / "d")
    assert whole == contents(reached)
    found = verify(tmp_path / "d", n_samples=1)
    assert (found.is_sound, found.n_solved_again) == (True, 3)
    results = Simulation.results

    def worse(self, *args):
        made = results(self, *args)
        return dataclasses.replace(made, table=made.table - 1)

    monkeypatch.setattr(Simulation, "results", worse)
    (tmp_path / "d" / "_manifest.json").unlink()
    for name in whole:
        (tmp_path / "d" / name).unlink(missing_ok=True)
    simulate(tmp_path / "d", REACHED, 14, part_size=6, jobs=1)
    monkeypatch.undo()
    found = repair(tmp_path / "d", n_samples=14, jobs=1)
    assert {what.split(" of ")[0] for _, what in found.damages} == {"wrong: table_ns"}
    assert contents(tmp_path / "d") == whole


def test_figures_of_what_was_asked(asked):
    table, _ = read(asked)
    for one, word in zip(figures_of(open_table(str(asked))), ("hearts", "no_trump"), strict=True):
        at_table = table[f"table_ns_{word}"].clip(0, 162)
        difference = at_table - table[f"value_ns_{word}"].clip(0, 162)
        assert one.mean_table == pytest.approx(at_table.mean())
        assert one.sd_table_difference == pytest.approx(difference.std())
        assert one.p_made is None
        assert set(one.as_dict()["p_capot"]) == {"ns", "ew"}


def test_figures_of_contracts_are_the_declarers(reached):
    table, _ = read(reached)
    figures = {one.trump: one for one in figures_of(open_table(str(reached)))}
    table = table[table.contract_trump.notna()]
    assert sum(one.n for one in figures.values()) == len(table)
    for trump, rows in table.groupby("contract_trump", observed=True):
        one, hands = figures["SHDCNA".index(trump)], hands_of(rows)
        side = np.array(["NWSE".index(seat) & 1 for seat in rows.declarer])
        for name, mean, p_made in (
            ("value_ns", one.mean_card_points, one.p_made),
            ("table_ns", one.mean_table, one.p_made_table),
        ):
            values = rows[name].to_numpy().astype(np.int16)
            points = np.clip(np.where(side, 162 - values, values), 0, 162)
            totals = totals_many(hands, one.trump, 1, values, RULES)[np.arange(len(rows)), side]
            assert mean == pytest.approx(points.mean())
            assert p_made == pytest.approx((totals >= rows.contract_level).mean())
        assert set(one.as_dict()["p_capot"]) == {"own"}


def test_a_system_goes_through_the_settings_and_what_differs_is_told():
    told = BASIC.as_dict()
    assert BiddingSystem.from_dict(told) == BASIC
    other = {**told, "calls": {**told["calls"], "3": {**told["calls"]["3"], "means": "SJ"}}}
    (one,) = differences({"bid_by": told}, {"bid_by": other})
    assert one.startswith("bid_by.calls.3.means is {trump}J + ")
    assert one.endswith(" there and SJ here")
    assert differences({"bid_by": told}, {}) == ["bid_by is cyprus-basic there and null here"]
    assert differences({}, {"bid_by": told}) == ["bid_by is null there and cyprus-basic here"]


def test_deals_around_a_hand_are_bid_too():
    hand = parse_hand("AKJ9.T8.A7.")
    simulation = dataclasses.replace(REACHED, hand=hand, place=1, play=None)
    hands = simulation.deals(0, 20)
    results = simulation.results(np.arange(20), hands, 1)
    assert results.table is None
    assert results.reached is not None
    assert all(calls.startswith("90S") for calls in results.reached.calls)


@pytest.mark.parametrize(
    ("change", "error", "told"),
    [
        ({"bid_by": load_system("none")}, ConstraintError, "no opening bid"),
        ({"play": TablePlay(2, "contract"), "bid_by": None}, PilottaError, "needs one"),
    ],
    ids=["nobody opens", "an aim without a contract"],
)
def test_what_cannot_be_played_is_refused(change, error, told):
    with pytest.raises(error, match=told):
        dataclasses.replace(REACHED, **change)


def test_no_worlds_are_refused():
    with pytest.raises(PilottaError, match="0 worlds a decision"):
        TablePlay(0)
