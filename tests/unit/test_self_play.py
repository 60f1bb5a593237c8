"""Many deals played out: the same as one by one, whatever the threads and the other rows."""

from __future__ import annotations

import numpy as np
import pytest

from pilotta_solver import (
    ConstraintError,
    DealError,
    Knowledge,
    PilottaError,
    bid_out,
    decide,
    knowledge_from_auction,
    load_ruleset,
    load_system,
    solve_many,
    worlds,
)
from pilotta_solver.cards import cards_of
from pilotta_solver.deal import Deal
from pilotta_solver.notation import format_cards, parse_cards, parse_deal
from pilotta_solver.table_play.information import Goal, Information
from pilotta_solver.table_play.self_play import Table, self_play, self_play_many

RULES = load_ruleset()
BASIC = load_system("cyprus-basic")
N = 8
HANDS = worlds(0, 0, N, seed=5)
TRUMPS = np.arange(N) % 6
LEADERS = np.arange(N) % 4
NUMBERS = np.arange(100, 100 + N)
SETTINGS = {"seed": 3, "n_worlds": 4, "jobs": 1}


def test_many_deals_are_played_as_each_by_itself():
    values = self_play_many(HANDS, TRUMPS, LEADERS, numbers=NUMBERS, **SETTINGS)
    assert values.dtype == np.int16
    one_by_one = [
        self_play(
            Deal(tuple(HANDS[i].tolist())),
            int(TRUMPS[i]),
            int(LEADERS[i]),
            seed=3,
            number=int(NUMBERS[i]),
            n_worlds=4,
        ).value
        for i in range(N)
    ]
    assert values.tolist() == one_by_one


def test_many_deals_for_the_contract():
    levels, declarers = np.full(N, 90), np.arange(N) % 4
    values = self_play_many(
        HANDS,
        TRUMPS,
        LEADERS,
        numbers=NUMBERS,
        aim="contract",
        levels=levels,
        declarers=declarers,
        **SETTINGS,
    )
    one_by_one = [
        self_play(
            Deal(tuple(HANDS[i].tolist())),
            int(TRUMPS[i]),
            int(LEADERS[i]),
            seed=3,
            number=int(NUMBERS[i]),
            n_worlds=4,
            aim="contract",
            goal=Goal(int(declarers[i]), 90),
        ).value
        for i in range(N)
    ]
    assert values.tolist() == one_by_one
    for_points = self_play_many(HANDS, TRUMPS, LEADERS, numbers=NUMBERS, **SETTINGS)
    assert values.tolist() != for_points.tolist()


def test_neither_threads_nor_other_rows_matter():
    settings = {**SETTINGS, "jobs": 2}
    done = []
    values = self_play_many(
        HANDS, TRUMPS, LEADERS, numbers=NUMBERS, progress=done.append, **settings
    )
    assert sum(done) == N
    backwards = self_play_many(
        HANDS[::-1], TRUMPS[::-1], LEADERS[::-1], numbers=NUMBERS[::-1], **SETTINGS
    )
    assert values.tolist() == backwards[::-1].tolist()
    alone = self_play_many(HANDS[2:3], 2, 2, numbers=NUMBERS[2:3], **SETTINGS)
    assert alone[0] == values[2]


def test_seed_and_number_matter():
    values = self_play_many(HANDS, 0, 0, numbers=NUMBERS, **SETTINGS)
    other_seed = self_play_many(HANDS, 0, 0, numbers=NUMBERS, **{**SETTINGS, "seed": 4})
    other_numbers = self_play_many(HANDS, 0, 0, numbers=NUMBERS + 1000, **SETTINGS)
    assert values.tolist() != other_seed.tolist()
    assert values.tolist() != other_numbers.tolist()


def test_what_players_are_told_is_what_their_worlds_agree_with():
    auction = bid_out(HANDS[2].tolist(), BASIC, RULES)
    assert auction.contract is not None
    trump = auction.contract.bid.trump
    told = [knowledge_from_auction(auction, BASIC, seat).knowledge for seat in range(4)]
    deal = Deal(tuple(HANDS[2].tolist()))
    play = self_play(deal, trump, 0, seed=3, n_worlds=4, told=told)
    for k, (decision, card_seed) in enumerate(zip(play.decisions, play.seeds, strict=True)):
        table = Table(deal.hands, trump, 0, RULES)
        for card in play.played[:k]:
            table.play(card)
        seat = table.seen.to_move
        known = Information(seat, deal.hands[seat], trump, 0, play.played[:k], None, table.shown,
                            table.denied, told[seat])  # fmt: skip
        assert decide(known, card_seed, 4) == decision
    untold = self_play(deal, trump, 0, seed=3, n_worlds=4)
    assert untold.decisions[0] != play.decisions[0]
    (value,) = self_play_many(
        HANDS[2:3], trump, 0, seed=3, numbers=np.zeros(1, np.int64), n_worlds=4, told=[told]
    )
    assert value == play.value


def test_a_player_who_is_told_what_cannot_be_is_refused_with_the_deal():
    told = [Knowledge.of({(seat + 1) % 4: "SJ and SJ=0"}, RULES) for seat in range(4)]
    with pytest.raises(ConstraintError, match=r"^deal 100: "):
        self_play_many(HANDS[:1], 0, 0, numbers=NUMBERS[:1], told=[told], **SETTINGS)
    with pytest.raises(DealError, match="told of length 1: give one for each of 2 deals"):
        self_play_many(HANDS[:2], 0, 0, numbers=NUMBERS[:2], told=[told], **SETTINGS)


def test_no_deals_at_all():
    none = np.empty((0, 4), np.uint32)
    assert self_play_many(none, 0, 0, numbers=np.empty(0, np.int64), **SETTINGS).shape == (0,)


@pytest.mark.parametrize("capot_points", [162, 250])
@pytest.mark.parametrize("turn", [0, 1])
def test_a_sweep_counts_as_in_solve_many(capot_points, turn):
    deal = parse_deal("N:AKQJT987... .AKQJT987.. ..AKQJT987. ...AKQJT987")
    rules = load_ruleset("tsaka", {"capot_points": capot_points})
    hands = np.array([deal.hands[-turn:] + deal.hands[:-turn]], np.uint32)
    (exact,) = solve_many(hands, 0, turn, rules, jobs=1)
    (value,) = self_play_many(
        hands, 0, turn, numbers=np.zeros(1, np.int64), rules=rules, **SETTINGS
    )
    assert value == exact == (capot_points if turn == 0 else 162 - capot_points)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"numbers": NUMBERS[:3]}, r"shape \(3,\): give int64 of shape \(8,\)"),
        ({"numbers": NUMBERS.astype(np.int32)}, "numbers of type int32"),
        ({"numbers": -NUMBERS}, "they are 0 to"),
        ({"seed": -1}, "seed -1"),
        ({"n_worlds": 0}, "0 worlds a decision"),
        ({"aim": "glory"}, 'aim "glory": give points or contract'),
        ({"aim": "contract"}, "give levels and declarers"),
        ({"aim": "contract", "levels": [90, 80], "declarers": 0}, "levels of type int64 and shape"),
        ({"aim": "contract", "levels": 90, "declarers": 4}, "declarer 4"),
    ],
)
def test_what_is_refused(changes, message):
    with pytest.raises(PilottaError, match=message):
        self_play_many(HANDS, 0, 0, **{**SETTINGS, "numbers": NUMBERS, **changes})


def test_short_hands_are_refused():
    short = np.array([[1, 2, 4, 8]], np.uint32)
    with pytest.raises(DealError, match="row 0 of hands: hands of 1 cards"):
        self_play_many(short, 0, 0, numbers=np.zeros(1, np.int64), **SETTINGS)


# N has four aces and a tierce, S a tierce of diamonds, W a tierce of hearts that is beaten.
DECLARING = "N:AKQJ.A.A.A7 T.KQJ.KQ.KQ 98.T9.987.T 7.87.JT.J98"
# The same, but the queen of hearts is with S.
APART = "N:AKQJ.A.A.A7 T.KTJ.KQ.KQ 98.Q9.987.T 7.87.JT.J98"


def told(deal, trump, leader, cards, rules=None):
    """What is shown and denied after some cards, as text by seat."""
    table = Table(parse_deal(deal).hands, trump, leader, rules or load_ruleset())
    for card in parse_cards(cards):
        table.play(card)
    return tuple(
        {
            seat: format_cards(cards_of(mask))
            for seat, mask in zip("NWSE", masks, strict=True)
            if mask
        }
        for masks in (table.shown, table.denied)
    )


def test_the_side_that_scores_shows_its_declarations_at_the_second_trick():
    assert told(DECLARING, 3, 0, "SA ST S8") == ({}, {})
    shown = {"N": "SJ SQ SK SA HA DA CA", "S": "D7 D8 D9"}
    assert told(DECLARING, 3, 0, "SA ST S8 S7") == (shown, {})
    off = load_ruleset("tsaka", {"declarations": False})
    assert told(DECLARING, 3, 0, "SA ST S8 S7", off) == ({}, {})


@pytest.mark.parametrize(
    ("deal", "trump", "cards", "shown", "denied"),
    [
        (DECLARING, 1, "HA HQ", {"W": "HK"}, {}),
        (DECLARING, 1, "HA HK", {"W": "HQ"}, {}),
        (DECLARING, 1, "HA HJ", {}, {}),
        (DECLARING, 3, "HA HK", {}, {}),
        (DECLARING, 4, "HA HK", {}, {}),
        (APART, 1, "HA HK", {}, {"W": "HQ"}),
        (APART, 1, "HA HK HQ", {}, {"W": "HQ"}),
    ],
)
def test_king_and_queen_of_trumps_tell_of_the_belote(deal, trump, cards, shown, denied):
    assert told(deal, trump, 0, cards) == (shown, denied)


def test_all_trump_has_belotes_where_the_rules_count_them():
    counted = load_ruleset("tsaka", {"all_trump_belote": True})
    assert told(DECLARING, 5, 0, "HA HK", counted) == ({"W": "HQ"}, {})
    assert told(DECLARING, 5, 0, "HA HK") == ({}, {})
