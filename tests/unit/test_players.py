"""The player against a rule of thumb and against chance, over the same deals, seats exchanged."""

from __future__ import annotations

import pytest
from playing import LAWS, TSAKA, random_deal, random_play, table_after

from benchmarks import players
from benchmarks.players import (
    SEED,
    Match,
    decision_times,
    play_match,
    random_card,
    ruled_card,
    searching,
)
from pilotta_solver.notation import format_card, parse_cards, parse_deal
from pilotta_solver.table_play.self_play import Table


@pytest.mark.parametrize("choose", [random_card, ruled_card])
@pytest.mark.parametrize("name", LAWS)
def test_the_rivals_play_by_the_law(choose, name):
    rules = LAWS[name]
    for seed in range(12):
        table = table_after(
            random_deal(seed),
            seed % 6,
            0,
            random_play(random_deal(seed), seed % 6, 0, 2 * seed, rules, seed),
            rules,
        )
        while table.seen.n_played < 32:
            turn = table.turn(None)
            card = choose(turn, seed)
            assert turn.seen.legal(turn.hand) >> card & 1
            table.play(card)


@pytest.mark.parametrize(
    ("trump", "leader", "played", "card"),
    [
        # the highest trump, the cheaper of two that are as high
        (0, 0, "", "S9"),
        # no trump of that kind: the highest card of a plain suit
        (3, 0, "", "HA"),
        # partner's card is the highest: the dearest card to it
        (3, 2, "SA S7", "SJ"),
        # an opponent's card that cannot be beaten: the cheapest card
        (3, 1, "DA DQ D7", "D8"),
        # last, and able to win: the dearest card that does
        (0, 1, "HQ HT H9", "HA"),
    ],
)
def test_rules_of_thumb(trump, leader, played, card):
    deal = parse_deal("N:J9.A87.T8.8 QT.KQ.A9.K7 A8.TJ.KQ.A9 K7.9.J7.JTQ")
    table = Table(deal.hands, trump, leader, TSAKA)
    for one in parse_cards(played):
        table.play(one)
    assert format_card(ruled_card(table.turn(None), 0)) == card


def test_the_same_players_gain_nothing_on_each_other():
    match = play_match(ruled_card, ruled_card, 10, TSAKA, SEED)
    assert (match.gain, match.error, match.n_deals) == (0, 0, 10)


def test_a_gain_in_standard_errors():
    assert Match(6.0, 2.0, 100).sigmas == 3


def test_the_table_is_printed(monkeypatch, capsys):
    monkeypatch.setattr(players, "searching", lambda n_worlds, rules: ruled_card)
    monkeypatch.setattr(players, "decision_times", lambda *_: ([0.03], [0.08]))
    monkeypatch.setattr("sys.argv", ["players", "2"])
    players.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" | ")[0] for line in lines[2:7]] == [
        "| rules", "| 5 worlds", "| 20 worlds", "| 20 worlds", "| 80 worlds",
    ]  # fmt: skip
    assert lines[8].endswith("the first card 30 ms, at most 30; a card on average 2.5 ms, a deal "
                             "80, at most 80")  # fmt: skip


def test_times_of_decisions():
    firsts, wholes = decision_times(2, 2, TSAKA)
    assert all(0 < first <= whole for first, whole in zip(firsts, wholes, strict=True))


def test_rules_of_thumb_beat_chance():
    assert play_match(ruled_card, random_card, 100, TSAKA, SEED).sigmas > 3


def test_the_player_beats_rules_of_thumb():
    assert play_match(searching(5, TSAKA), ruled_card, 40, TSAKA, SEED).gain > 0


@pytest.mark.slow
def test_the_player_beats_rules_of_thumb_clearly():
    assert play_match(searching(20, TSAKA), ruled_card, 200, TSAKA, SEED).sigmas > 4


@pytest.mark.slow
def test_more_worlds_play_better():
    assert play_match(searching(20, TSAKA), searching(5, TSAKA), 400, TSAKA, SEED).sigmas > 2
