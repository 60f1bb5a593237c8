"""What a row says is what the library says of its deal, and no run leaves a trace in the bytes."""

from __future__ import annotations

import dataclasses
import threading

import numpy as np
import pytest

from pilotta_solver import Deal, load_ruleset, parse_hand, solve, worlds
from pilotta_solver.datasets.deal_columns import format_hands
from pilotta_solver.datasets.simulation import Simulation, make_part, simulate
from pilotta_solver.declarations import belotes, contest
from pilotta_solver.errors import ConstraintError, DealError, PilottaError
from pilotta_solver.knowledge.expression import holds
from pilotta_solver.knowledge.expression_text import parse_expression
from pilotta_solver.notation import format_hand
from pilotta_solver.parquet import read, read_columns
from pilotta_solver.schemas import SIMULATE, TRUMP_WORDS

RULES = load_ruleset()
HAND = parse_hand("AKJ9.T8.A7.")


def contents(folder):
    """Every file of a dataset, byte for byte; the lock file is none of it."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


@pytest.mark.parametrize(
    "simulation",
    [
        Simulation(5, RULES),
        Simulation(
            7, load_ruleset("classic", {"all_trump_belote": True}), tuple(range(6)), leader=3
        ),
        Simulation(9, load_ruleset(overrides={"capot_points": 162}), (1, 5), 2, HAND, place=4),
        Simulation(9, RULES, (0,), 1, HAND, 2, known=((4, "SQ"), (4, "H>=2"), (1, "aces>=1"))),
    ],
    ids=["four suits", "every contract", "around a hand", "with something known"],
)
def test_a_row_says_what_the_library_says(tmp_path, simulation):
    simulate(tmp_path / "d", simulation, 12, part_size=5, jobs=1)
    table, metadata = read(tmp_path / "d")
    rules = simulation.rules
    assert tuple(table.columns) == simulation.schema.names
    assert set(simulation.schema.names) <= set(SIMULATE.names)
    assert table.deal_number.tolist() == list(range(12))
    for row in table.to_dict("records"):
        deal = Deal(tuple(row[f"cards_{seat}"] for seat in "nwse"))
        if not simulation.known:
            number, seat = row["deal_number"], simulation.seat
            dealt = worlds(simulation.hand, seat, 1, simulation.seed, number)
            assert dealt.tolist() == [list(deal.hands)]
        for place, text in simulation.known:
            hand = deal.hands[(simulation.leader + place - 1) % 4]
            assert holds(parse_expression(text), hand, rules)
        assert [row[f"hand_{seat}"] for seat in "nwse"] == [format_hand(h) for h in deal.hands]
        if simulation.hand:
            assert deal.hands[(simulation.leader + simulation.place - 1) % 4] == HAND
        for trump in simulation.trumps:
            word = TRUMP_WORDS[trump]
            solution = solve(deal, trump, simulation.leader, rules)
            assert row[f"value_ns_{word}"] == solution.value[0]
            capot = row[f"capot_{word}"]
            assert (capot if isinstance(capot, str) else None) == solution.capot
            points = contest(deal, trump, rules, simulation.leader).points
            assert (row[f"declarations_ns_{word}"], row[f"declarations_ew_{word}"]) == points
            for seat, suit in belotes(deal, trump, rules):
                assert row[f"belote_{TRUMP_WORDS[suit]}"] == "NWSE"[seat]
    assert metadata["rules"] == rules.as_dict()
    assert (metadata["seed"], metadata["generator"]) == (simulation.seed, "splitmix64")
    assert Simulation.from_settings(metadata, "here") == simulation


def test_there_are_capots_belotes_and_declarations_among_the_rows(tmp_path):
    simulate(tmp_path / "d", Simulation(1, RULES, (0,)), 300, jobs=1)
    table, _ = read(tmp_path / "d")
    assert set(table.capot_spades.dropna()) == {"ns", "ew"}
    assert set(table.belote_spades.dropna()) == set("NWSE")
    assert (table.belote_spades.isna()).any()
    assert {20, 50} <= set(table.declarations_ns_spades)
    assert set(table.value_ns_spades[table.capot_spades == "ns"]) == {250}
    assert set(table.value_ns_spades[table.capot_spades == "ew"]) == {162 - 250}


def test_hands_as_text_are_those_of_the_grammar():
    hands = worlds(0, 0, 200, seed=3)
    texts = format_hands(hands)
    assert texts.shape == (200, 4)
    for row, deal in zip(texts, hands, strict=True):
        assert row.tolist() == [format_hand(int(hand)) for hand in deal]


def test_neither_threads_nor_workers_nor_order_are_seen_in_the_bytes(tmp_path):
    simulation = Simulation(1, RULES, (0, 1))
    simulate(tmp_path / "one", simulation, 450, part_size=200, jobs=1)
    simulate(tmp_path / "two", simulation, 450, part_size=200, jobs=2)
    whole = contents(tmp_path / "one")
    assert contents(tmp_path / "two") == whole
    # What a worker of a cluster does, the last part first.
    dataset = simulate(tmp_path / "three", simulation, 200, part_size=200, jobs=1)
    dataset.n_deals = 450
    for number in (2, 1):
        target = str(tmp_path / "three")
        part = dataset.part(number)
        dataset.add(make_part(target, simulation, simulation.settings(), part))
    assert contents(tmp_path / "three") == whole


def test_a_grown_dataset_is_the_larger_one(tmp_path):
    simulation = Simulation(1, RULES, (0,))
    simulate(tmp_path / "grown", simulation, 25, part_size=10, jobs=1)
    simulate(tmp_path / "grown", simulation, 47, part_size=10, jobs=1)
    simulate(tmp_path / "whole", simulation, 47, part_size=10, jobs=1)
    assert contents(tmp_path / "grown") == contents(tmp_path / "whole")


def test_a_whole_dataset_is_not_made_again(tmp_path, monkeypatch):
    simulation = Simulation(1, RULES, (0,))
    simulate(tmp_path / "d", simulation, 25, part_size=10, jobs=1)
    monkeypatch.setattr(Simulation, "results", None)
    simulate(tmp_path / "d", simulation, 25, part_size=10, jobs=1)


def test_progress_counts_every_deal_once_and_those_made_before_at_once(tmp_path):
    simulation = Simulation(1, RULES, (0, 1, 2))
    seen: list[tuple[int, int]] = []
    simulate(
        tmp_path / "d", simulation, 250, part_size=100, jobs=1, progress=lambda *n: seen.append(n)
    )
    assert seen[0] == (0, 250)
    assert seen[-1] == (250, 250)
    assert seen == sorted(seen)
    again: list[tuple[int, int]] = []
    simulate(
        tmp_path / "d", simulation, 300, part_size=100, jobs=1, progress=lambda *n: again.append(n)
    )
    assert again[0] == (200, 300)
    assert again[-1] == (300, 300)


def test_the_cost_of_a_deal_does_not_depend_on_how_many_there_are(tmp_path, monkeypatch):
    """Count the work, free of the machine: solves, writes and bytes a part."""
    from pilotta_solver.datasets.storage import LocalFolder

    costs = []
    write, solve_part = LocalFolder.write, Simulation.results
    for n_parts in (2, 20):
        counts = {"writes": 0, "solves": 0}

        def counted_write(folder, name, content, counts=counts):
            counts["writes"] += 1
            write(folder, name, content)

        def counted_solve(simulation, numbers, *args, counts=counts):
            counts["solves"] += len(numbers)
            return solve_part(simulation, numbers, *args)

        monkeypatch.setattr(LocalFolder, "write", counted_write)
        monkeypatch.setattr(Simulation, "results", counted_solve)
        dataset = simulate(
            tmp_path / str(n_parts), Simulation(1, RULES, (0,)), 8 * n_parts, part_size=8, jobs=1
        )
        # The first manifest, then a part and a manifest for each.
        assert counts == {"writes": 1 + 2 * n_parts, "solves": 8 * n_parts}
        costs.append(dataset.n_bytes / dataset.n_deals)
    assert costs[0] == pytest.approx(costs[1], rel=0.02)


def test_writing_overlaps_the_solving_of_the_next_part(tmp_path, monkeypatch):
    simulation = Simulation(1, RULES, (0,))
    next_is_solved = threading.Event()
    solve_part, encode = Simulation.results, Simulation.encode

    def solve_and_tell(self, numbers, *args):
        results = solve_part(self, numbers, *args)
        if numbers[0] == 10:
            next_is_solved.set()
        return results

    def encode_late(self, part, *args):
        assert part.number or next_is_solved.wait(timeout=20)
        return encode(self, part, *args)

    monkeypatch.setattr(Simulation, "results", solve_and_tell)
    monkeypatch.setattr(Simulation, "encode", encode_late)
    assert simulate(tmp_path / "d", simulation, 20, part_size=10, jobs=1).n_deals_made == 20


def test_what_is_whole_is_kept_when_the_disk_is_full(tmp_path, monkeypatch):
    import os

    simulation = Simulation(1, RULES, (0,))
    fsync, n_synced = os.fsync, 0

    def full(file: int) -> None:
        nonlocal n_synced
        n_synced += 1
        if n_synced > 14:
            raise OSError(28, "No space left on device")
        fsync(file)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(PilottaError, match=r"part-\d+.parquet: the disk is full"):
        simulate(tmp_path / "d", simulation, 100, part_size=10, jobs=1)
    monkeypatch.undo()
    kept = contents(tmp_path / "d")
    assert 2 < len(kept) < 11
    assert not [name for name in kept if name.startswith(".")]
    for name in kept:
        if name.endswith(".parquet"):
            read_columns(kept[name], where=name)
    simulate(tmp_path / "d", simulation, 100, part_size=10, jobs=1)
    simulate(tmp_path / "whole", simulation, 100, part_size=10, jobs=1)
    assert contents(tmp_path / "d") == contents(tmp_path / "whole")


def test_a_worker_of_another_version_is_refused(tmp_path):
    simulation = Simulation(1, RULES, (0,))
    dataset = simulate(tmp_path / "d", simulation, 10, jobs=1)
    settings = {**simulation.settings(), "version": "0.0.9"}
    with pytest.raises(PilottaError, match=r"a worker runs another program: version is 0\.0\.9"):
        make_part(str(tmp_path / "d"), simulation, settings, dataset.part(0))


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"seed": -1}, ConstraintError),
        ({"seed": 2**64}, ConstraintError),
        ({"trumps": ()}, ConstraintError),
        ({"trumps": (0, 6)}, ConstraintError),
        ({"trumps": (1, 0)}, ConstraintError),
        ({"trumps": (1, 1)}, ConstraintError),
        ({"leader": 4}, ConstraintError),
        ({"hand": 0b111}, DealError),
        ({"hand": HAND, "place": 0}, ConstraintError),
        ({"known": ((2, "SJ"),)}, ConstraintError),
    ],
)
def test_what_cannot_be_simulated_is_refused(change, error):
    with pytest.raises(error):
        dataclasses.replace(Simulation(1, RULES), **change)


@pytest.mark.parametrize(("n", "part_size"), [(0, 10), (-1, 10), (10, 0), (10, 10**6)], ids=str)
def test_numbers_out_of_range_are_refused(tmp_path, n, part_size):
    with pytest.raises(ConstraintError):
        simulate(tmp_path / "d", Simulation(1, RULES), n, part_size=part_size)
    assert not (tmp_path / "d").exists()


def test_what_no_deal_agrees_with_is_refused_before_anything_is_written(tmp_path):
    simulation = Simulation(1, RULES, (0,), 0, HAND, known=((3, "SQ"), (4, "SQ")))
    with pytest.raises(ConstraintError, match=r"partner: SQ.* and .*left: SQ"):
        simulate(tmp_path / "d", simulation, 10)
    assert not (tmp_path / "d").exists()


def test_a_deal_with_something_known_depends_on_its_number_alone():
    simulation = Simulation(1, RULES, (0,), 3, HAND, 2, known=((3, "aces>=1 or S>=2"),))
    deals = simulation.deals(0, 40)
    assert np.array_equal(simulation.deals(17, 5), deals[17:22])


def test_a_dataset_of_another_schema_is_not_read():
    settings = Simulation(1, RULES).settings()
    for change in ({"schema_version": 2}, {"schema": "bid"}, {"generator": "x"}, {"rules": {}}):
        with pytest.raises(PilottaError, match=r"^here: no dataset of simulated deals"):
            Simulation.from_settings({**settings, **change}, "here")


def test_random_deals_are_those_of_the_sampler():
    simulation = Simulation(11, RULES)
    assert np.array_equal(simulation.deals(7, 3), worlds(0, 0, 10, 11)[7:])
