from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import (
    ablation,
    comparison,
    deals,
    freaks,
    hard,
    jobs,
    measure,
    parts,
    picture,
    report,
    rival,
)
from benchmarks.deals import PILOTTA, Deals
from benchmarks.jobs import DisagreementError
from benchmarks.measure import Cost
from benchmarks.report import END, START
from benchmarks.run import main
from pilotta_solver import rules, solve_cards
from pilotta_solver.cards import FULL_DECK, SUIT_MASKS
from pilotta_solver.engine.workspace import EVERY_PRUNING
from pilotta_solver.notation import parse_cards

QUICK = ["--n", "3", "--passes", "1", "--skip", "compile", "--skip", "threads", "--skip", "hard"]


def cost(seconds: Sequence[float], cards: Sequence[int] | None = None) -> Cost:
    return Cost(np.array(seconds), None if cards is None else np.array(cards))


class TestDeals:
    def test_the_golden_deals_are_400_with_a_trump_suit(self) -> None:
        found = deals.golden()
        assert len(found) == 400
        assert np.bincount(found.trump).tolist() == [100] * 4
        assert found.value[0] == 99

    def test_a_spread_takes_deals_at_equal_distances(self) -> None:
        found = deals.golden().spread(4)
        assert found.hands.tolist() == deals.golden().hands[[0, 100, 200, 300]].tolist()

    def test_a_spread_of_more_than_there_are_is_all(self) -> None:
        assert len(deals.golden("contree").spread(1000)) == 50

    def test_a_described_deal_can_be_solved_again(self) -> None:
        text = deals.golden().describe(1)
        assert text == "N:7.QJ8.AQ8.A J.A.KJ.KQ98 AQT8.7.T7.J K9.KT9.9.T7, trump H, leader N"

    def test_random_deals_deal_every_card_once_and_differ(self) -> None:
        found = deals.random_deals(50, seed=3)
        assert (np.bitwise_or.reduce(found, axis=1) == FULL_DECK).all()
        assert (np.bitwise_count(found) == 8).all()
        assert len(np.unique(found, axis=0)) == 50
        assert (found == deals.random_deals(50, seed=3)).all()

    @pytest.mark.parametrize("tricks", [2, 7, 8])
    def test_endings_have_so_many_tricks_left(self, tricks: int) -> None:
        whole = deals.golden().spread(5)
        found = deals.endings(whole, tricks)
        assert (np.bitwise_count(found.hands) == tricks).all()
        assert (found.hands & ~whole.hands == 0).all()


class TestMeasure:
    def test_percentiles_interpolate(self) -> None:
        found = measure.spread(np.arange(1, 102))
        assert (found.mean, found.median, found.p99, found.worst) == (51, 51, 100, 101)

    def test_jobs_alternate_in_blocks_and_every_pass_does_every_item(self) -> None:
        calls: list[tuple[str, int]] = []

        class Note:
            def __init__(self, name: str) -> None:
                self.name = name

            def __len__(self) -> int:
                return 3

            def run(self, item: int) -> None:
                calls.append((self.name, item))

            def cards(self, item: int) -> int | None:
                return None if self.name == "b" else 10 * item

        first, second = measure.measure([Note("a"), Note("b")], passes=2, block=2)
        assert "".join(name for name, _ in calls[2:]) == "aabbab" + "bbaaba"
        assert sorted(calls[2:]) == sorted(2 * [(n, i) for n in "ab" for i in range(3)])
        assert first.cards is not None
        assert first.cards.tolist() == [0, 10, 20]
        assert second.cards is None
        assert (first.seconds >= 0).all()

    def test_jobs_of_different_lengths_are_refused(self) -> None:
        few, many = (jobs.one_value(deals.golden().spread(n), PILOTTA) for n in (2, 3))
        with pytest.raises(ValueError, match="equally many"):
            measure.measure([few, many], passes=1)

    @pytest.mark.parametrize(("wait", "is_busy"), [(0.0, False), (1.0, True)])
    def test_a_speed_up_compares_the_medians_and_sees_a_busy_machine(
        self, monkeypatch: pytest.MonkeyPatch, wait: float, is_busy: bool
    ) -> None:
        elapsed, cpu = 0.0, 0.0
        asked: list[int] = []

        def run(jobs: int) -> None:
            nonlocal elapsed, cpu
            asked.append(jobs)
            elapsed += {1: 8.0 + wait, 2: 5.0}[jobs]
            cpu += {1: 8.0, 2: 10.0}[jobs]

        monkeypatch.setattr(measure.time, "perf_counter", lambda: elapsed)
        monkeypatch.setattr(measure.time, "process_time", lambda: cpu)
        gain = measure.speed_up(run, threads=2, rounds=2)
        assert asked == [1, 1, 2, 1, 2]
        assert gain == measure.SpeedUp((8 + wait) / 5, 1.25, is_busy)

    def test_the_machine_is_named(self) -> None:
        found = measure.machine()
        assert found["cpu"]
        assert found["cores"] == measure.n_cores() >= 1


class TestReport:
    def test_the_text_between_the_markers_is_replaced_and_no_other(self) -> None:
        text = f"before\n{START}\nold\n{END}\nafter\n"
        assert report.put_between_markers(text, "new") == f"before\n{START}\nnew\n{END}\nafter\n"

    def test_replacing_twice_changes_nothing_more(self) -> None:
        once = report.put_between_markers(f"{START}\n{END}\n", "new")
        assert report.put_between_markers(once, "new") == once

    @pytest.mark.parametrize("text", ["", START, f"{END}\n{START}", f"{START}{END}{START}{END}"])
    def test_a_text_without_one_pair_of_markers_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match="needs one line"):
            report.put_between_markers(text, "new")

    @pytest.mark.parametrize(
        ("seconds", "text"),
        [
            (0.000243, "0.243 ms"),
            (0.00153, "1.53 ms"),
            (0.0361, "36.1 ms"),
            (0.712, "712 ms"),
            (12.34, "12.3 s"),
        ],
    )
    def test_times_have_three_figures(self, seconds: float, text: str) -> None:
        assert report.format_seconds(seconds) == text

    def test_a_ratio_is_of_the_sums(self) -> None:
        over, under = cost([3.0, 5.0], [30, 10]), cost([1.0, 1.0], [10, 10])
        assert report.ratio(over, under) == 4
        assert report.card_ratio(over, under) == 2

    def test_no_ratio_of_cards_that_are_not_known(self) -> None:
        with pytest.raises(ValueError, match="does not tell"):
            report.card_ratio(cost([1.0]), cost([1.0], [1]))

    def test_the_table_is_markdown(self) -> None:
        assert report.table(("", "n"), [("a", "1,000")]).splitlines() == [
            "|     |     n |",
            "| --- | ----: |",
            "| a   | 1,000 |",
        ]


# What colver 0.11.1 says of one deal: points of both sides by trump, the third a capot by EW; and
# NS points by card of the first lead with spades as trumps, in colver's numbers.
COLVER_SUITS = [[21, 141], [75, 87], [0, 252], [86, 76]]
COLVER_CARDS = [[1, 15], [6, 0], [9, 15], [12, 12], [20, 17], [27, 21], [30, 13], [24, 21]]


def colver_deal() -> Deals:
    """Return the deal of these values: `ST` gives EW a capot."""
    return deals.golden().take([8])


class FakeTrumps(rival.FourTrumps):
    """colver with answers of our choice."""

    def __init__(self, suits: list[list[int]]) -> None:
        self.answers = [{"suits": suits}]

    def __len__(self) -> int:
        return len(self.answers)


class FakeCards(rival.EveryCard):
    """colver with answers of our choice to the first lead, and right answers later."""

    def __init__(self, scores: list[list[int]]) -> None:
        self.answers = [{"scores": scores}]

    def __len__(self) -> int:
        return len(self.answers)

    def scores(self, item: int) -> rival.Scores:
        def after(played: Sequence[int]) -> dict[int, int]:
            if not played:
                return self.values(item)
            position = rules.replay(
                deals.deal_of(colver_deal().hands[0]), 0, 2, played, rival.RULES.law
            )
            return {
                card: max(0, value)
                for card, value in solve_cards(position, rules=rival.RULES).items()
            }

        return after


class TestRival:
    def test_cards_translate_and_back(self) -> None:
        # colver: 7 8 9 J Q K 10 A of spades, then hearts, diamonds, clubs
        order = parse_cards("S7 S8 S9 SJ SQ SK ST SA HT CA")
        assert [rival.to_rival(card) for card in order] == [0, 1, 2, 3, 4, 5, 6, 7, 14, 31]
        assert all(rival.from_rival(rival.to_rival(card)) == card for card in range(32))

    @pytest.mark.parametrize(
        ("points", "value"), [((252, 0), 252), ((0, 252), -90), ((0, 162), 0), ((162, 0), 162)]
    )
    def test_a_capot_has_our_scale(self, points: tuple[int, int], value: int) -> None:
        assert rival.ns_value(*points) == value

    def test_the_law_is_that_of_contree(self) -> None:
        law = rival.RULES.law
        assert (law.partner_exempt, law.undertrump, law.beat_trump_lead) == (True, "may", True)
        assert rival.RULES.capot_points == 252

    def test_equal_values_pass_and_are_counted(self) -> None:
        some, job = colver_deal(), jobs.four_trumps(colver_deal(), rival.RULES)
        job.run(0)
        assert comparison.compare_trumps(some, job, FakeTrumps(COLVER_SUITS)).equal == 4

    def test_one_different_value_is_told_with_its_deal(self) -> None:
        some, job = colver_deal(), jobs.four_trumps(colver_deal(), rival.RULES)
        job.run(0)
        with pytest.raises(DisagreementError) as raised:
            comparison.compare_trumps(some, job, FakeTrumps([*COLVER_SUITS[:3], [85, 77]]))
        assert str(raised.value).startswith(some.describe(0, trump=3))
        assert "colver 85, pilotta-solver 86" in str(raised.value)

    def test_equal_values_of_cards_pass_and_are_counted(self) -> None:
        some, job = colver_deal(), jobs.every_card(colver_deal(), rival.RULES)
        job.run(0)
        assert comparison.compare_cards(some, job, FakeCards(COLVER_CARDS)).equal == 8

    def test_a_value_that_colver_itself_contradicts_is_its_error(self) -> None:
        some, job = colver_deal(), jobs.every_card(colver_deal(), rival.RULES)
        job.run(0)
        found = comparison.compare_cards(some, job, FakeCards([[1, 16], *COLVER_CARDS[1:]]))
        assert (found.values, found.equal) == (8, 7)
        assert found.rival_errors[0].startswith(some.describe(0))
        assert "; colver says S8=16, but a card later" in found.rival_errors[0]
        assert found.rival_errors[0].endswith("which makes it 15")

    def test_a_value_of_ours_that_is_wrong_fails(self) -> None:
        some, job = colver_deal(), jobs.every_card(colver_deal(), rival.RULES)
        job.run(0)
        job.questions["card_values"][0, parse_cards("S8")[0]] += 1
        with pytest.raises(DisagreementError, match=r"colver S8=15 .*pilotta-solver S8=16"):
            comparison.compare_cards(some, job, FakeCards(COLVER_CARDS))

    def test_a_colver_that_sees_other_legal_cards_fails(self) -> None:
        some, job = colver_deal(), jobs.every_card(colver_deal(), rival.RULES)
        job.run(0)
        with pytest.raises(DisagreementError):
            comparison.compare_cards(some, job, FakeCards(COLVER_CARDS[1:]))

    def test_nothing_is_confirmed_that_a_search_without_pruning_denies(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ending = deals.endings(colver_deal(), 4)
        position = rules.start(
            deals.deal_of(ending.hands[0]), int(ending.trump[0]), int(ending.leader[0])
        )
        right = solve_cards(position, rules=rival.RULES)
        assert comparison.is_confirmed(position, list(right))
        wrong = {card: value + 1 for card, value in right.items()}
        monkeypatch.setattr(comparison, "solve_cards", lambda position, rules: wrong)
        assert not comparison.is_confirmed(position, list(right))


class TestChecks:
    """Each check passes on the right values, and tells a wrong one with its deal."""

    @pytest.mark.parametrize(
        ("ask", "check"),
        [
            (jobs.one_value, parts.check_values),
            (jobs.every_card, parts.check_first_lead),
            (jobs.four_leaders, parts.check_leaders),
        ],
    )
    def test_of_values(self, ask: Any, check: Any) -> None:
        some = deals.golden().spread(5)
        job = ask(some, PILOTTA)
        job.run_all()
        check(some, job)
        some.value[3] += 1
        with pytest.raises(DisagreementError) as raised:
            check(some, job)
        assert str(raised.value).startswith(some.describe(3))
        assert "by card" in str(raised.value)

    def test_of_the_threshold(self) -> None:
        some = deals.golden().spread(5)
        job = jobs.at_least(some, parts.THRESHOLD, PILOTTA)
        job.run_all()
        parts.check_threshold(some, job)
        some.value[3] = 81 if some.value[3] >= 82 else 82
        with pytest.raises(DisagreementError, match="at least 82"):
            parts.check_threshold(some, job)


class TestRun:
    def test_prints_the_table_and_writes_the_numbers(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "numbers.json"
        assert main([*QUICK, "--skip", "rival", "--json", str(file)]) == 0
        out = capsys.readouterr().out
        assert "| exact value" in out
        assert "3 deals" in out
        found = json.loads(file.read_text())
        assert [row["name"] for row in found["rows"]][:2] == ["exact value", "at least 82?"]
        assert found["rows"][0]["cards"]["worst"] > 100

    def test_writes_between_the_markers(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        readme = tmp_path / "README.md"
        readme.write_text(f"head\n{START}\n{END}\ntail\n")
        monkeypatch.setattr("benchmarks.run.README", readme)
        assert main([*QUICK, "--skip", "rival", "--write"]) == 0
        table = capsys.readouterr().out
        assert readme.read_text() == f"head\n{START}\n{table}{END}\ntail\n"

    def test_a_readme_without_markers_is_told_before_measuring(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        readme = tmp_path / "README.md"
        readme.write_text("no markers")
        monkeypatch.setattr("benchmarks.run.README", readme)
        assert main([*QUICK, "--write"]) == 1
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.startswith(f"error: {readme}: the text needs")

    def test_a_rival_that_is_not_installed_is_said(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(rival, "find_spec", lambda name: None)
        assert main(QUICK) == 0
        assert "not installed, so not compared: pip install colver" in capsys.readouterr().out

    def test_one_wrong_value_fails_the_run(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        wrong = deals.golden()
        wrong.value[0] += 1
        monkeypatch.setattr("benchmarks.run.golden", lambda: wrong)
        assert main([*QUICK, "--skip", "rival"]) == 1
        captured = capsys.readouterr()
        assert captured.out == ""
        assert f"error: {wrong.describe(0)}: the known value is 100" in captured.err

    def test_no_picture_without_matplotlib(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(picture, "find_spec", lambda name: None)
        assert main([*QUICK, "--picture", "cost.png"]) == 1
        assert "error: --picture needs matplotlib" in capsys.readouterr().err

    def test_no_file_in_a_folder_that_is_not_there(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main([*QUICK, "--json", str(tmp_path / "none" / "a.json")]) == 1
        assert "make it first" in capsys.readouterr().err

    def test_the_cost_grows_with_the_tricks_left(self) -> None:
        costs = picture.cost_by_tricks(deals.golden().spread(10), passes=1)
        assert [cost.tricks for cost in costs] == [2, 3, 4, 5, 6, 7, 8]
        cards = [cost.cards.mean for cost in costs]
        assert cards == sorted(cards)


class TestAblation:
    def test_every_flag_is_turned_off_alone_and_all_together(self) -> None:
        known = ablation.flags()
        assert "table" in known
        assert sum(known.values()) == EVERY_PRUNING
        found = ablation.searches([*known, "none"])
        assert found["every pruning"] == EVERY_PRUNING
        assert found["without table"] == EVERY_PRUNING & ~known["table"]
        assert found[f"without any of {len(known)}"] == 0

    def test_the_table_compares_with_the_first_row(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert ablation.main(["--n", "2", "--off", "table"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert len(lines) == 4
        assert lines[2].startswith("| every pruning")
        assert lines[2].count("1.00 ×") == 2


class TestFreaks:
    @pytest.mark.parametrize("family", freaks.FAMILIES)
    def test_deal_every_card_once(self, family: str) -> None:
        hands, trump = freaks.drawn(family, 40, np.random.default_rng(1))
        assert (np.bitwise_or.reduce(hands, axis=1) == FULL_DECK).all()
        assert (np.bitwise_count(hands) == 8).all()
        assert ((trump >= 0) & (trump < 6)).all()

    @pytest.mark.parametrize(("family", "n"), [("eight trumps", 8), ("seven trumps", 7)])
    def test_trumps_in_one_hand(self, family: str, n: int) -> None:
        hands, trump = freaks.drawn(family, 40, np.random.default_rng(1))
        trumps = np.array(SUIT_MASKS, dtype=np.uint32)[trump]
        assert (np.bitwise_count(hands & trumps[:, None]).max(axis=1) >= n).all()

    def test_trumps_on_one_side(self) -> None:
        hands, trump = freaks.drawn("trumps on one side", 40, np.random.default_rng(1))
        sides = hands[:, :2] | hands[:, 2:]
        trumps = np.array(SUIT_MASKS, dtype=np.uint32)[trump]
        assert (np.bitwise_count(sides & trumps[:, None]).max(axis=1) == 8).all()

    @pytest.mark.parametrize(
        ("family", "least", "most"),
        [("long suits", 5, 8), ("two suits", 4, 4), ("flat hands", 2, 2)],
    )
    def test_lengths(self, family: str, least: int, most: int) -> None:
        hands, _ = freaks.drawn(family, 40, np.random.default_rng(1))
        suits = np.array(SUIT_MASKS, dtype=np.uint32)
        longest = np.bitwise_count(hands[:, :, None] & suits).max(axis=2)
        assert longest.min() >= least
        assert longest.max() <= most

    def test_an_exchange_changes_two_hands_by_a_card_each(self) -> None:
        before = deals.random_deals(1, seed=1)[0].tolist()
        after = freaks.swapped(np.random.default_rng(1), before)
        changed = sorted((a ^ b).bit_count() for a, b in zip(before, after, strict=True))
        assert changed == [0, 0, 2, 2]
        assert sum(after) == FULL_DECK


class TestHardSearch:
    def test_the_dearest_of_each_contract_come_in_turn(self) -> None:
        n = 7
        trump = np.array([0, 4, 4, 4, 0, 5, 4], dtype=np.int8)
        cards = np.array([10, 70, 60, 90, 20, 5, 80])
        zeros = np.zeros(n, dtype=np.int8)
        found = hard.Searched(
            Deals(deals.random_deals(n, seed=1), trump, zeros, zeros.astype(np.int16)), cards
        )
        assert hard.dearest(found, 4).cards.tolist() == [90, 80, 20, 5]

    def test_a_small_search_writes_values_that_are_read_back(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(hard, "KEPT", dict.fromkeys(hard.KEPT, 2))
        folder = tmp_path / "hard"
        small = ["--random", "20", "--freaks", "4", "--steps", "1", "--seed", "5"]
        assert hard.main([*small, "--output", str(folder)]) == 0
        monkeypatch.setattr(deals, "HARD_VALUES", folder / "hard.csv")
        found = deals.hard()
        assert len(found) == 2 * len(hard.KEPT)
        job = jobs.one_value(found, PILOTTA)
        job.run_all()
        parts.check_values(found, job)
        assert (
            "hard.py --random 20 --freaks 4 --steps 1 --seed 5"
            in (folder / "README.md").read_text()
        )

    def test_a_value_that_a_pruning_changes_is_told(self) -> None:
        some = deals.golden().spread(2)
        some.value[1] += 1
        found = hard.Searched(some, np.ones(2, dtype=np.int64))
        with pytest.raises(DisagreementError, match="but without"):
            hard.check("random", found)
