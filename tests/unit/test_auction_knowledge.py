"""What calls tell: sentences, the standing contract, and worlds held to pure rejection."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pilotta_solver import (
    Auction,
    Bid,
    ConstraintError,
    NotationError,
    PlayError,
    knowledge_from_auction,
    load_ruleset,
    load_system,
    parse_calls,
    parse_hand,
    player_view,
    worlds,
    worlds_given,
)
from pilotta_solver.knowledge.auction_knowledge import AuctionKnowledge

RULES = load_ruleset()
BASIC = load_system("cyprus-basic")

EIGHTY = "J or 9 with 3 or more of the suit, or 5 or more without them, and a side ace"
NINETY = "J and 9 with 3 or more of the suit, and a side ace"
NOTHING = "tells nothing of the hand"


def heard(calls: str, rules: str = "tsaka", **overrides: object) -> AuctionKnowledge:
    auction = Auction(load_ruleset(rules, overrides or None), 3, parse_calls(calls))
    assert auction.to_speak is not None
    return knowledge_from_auction(auction, BASIC, auction.to_speak)


@pytest.mark.parametrize(
    ("calls", "sentences"),
    [
        ("P", ["Left's pass: no 80 or 90 in any suit"]),
        ("80S", [f"Left's 80S: {EIGHTY}; not 90"]),
        ("90S", [f"Left's 90S: {NINETY}"]),
        ("100S", [f"Left's 100S: {NOTHING}"]),
        (
            "P 80H P",
            [
                "Right's pass: no 80 or 90 in any suit",
                f"Partner's 80H: {EIGHTY}; not 90",
                "Left's pass: no 90 in any suit",
            ],
        ),
        # Over 90 the system has no bid left.
        ("90S P", [f"Partner's 90S: {NINETY}", f"Left's pass: {NOTHING}"]),
        ("80S 90D", [f"Partner's 80S: {EIGHTY}; not 90", f"Left's 90D: {NINETY}"]),
        # My own first call is left out.
        (
            "80S P 100S P",
            [
                "Right's pass: no 90 in any suit",
                "Partner's 100S: 2 of these: J, 9, side aces",
                f"Left's pass: {NOTHING}",
            ],
        ),
        (
            "80S P P",
            [
                f"Right's 80S: {EIGHTY}; not 90",
                "Partner's pass: no 90 in any suit",
                "Left's pass: no raise, no 90 in another suit",
            ],
        ),
        # 100 is two steps over partner's 80, though one over the last bid.
        (
            "80S 90D 100S",
            [
                f"Right's 80S: {EIGHTY}; not 90",
                f"Partner's 90D: {NINETY}",
                "Left's 100S: 2 of these: J, 9, side aces",
            ],
        ),
        (
            "80S 90D P",
            [
                f"Right's 80S: {EIGHTY}; not 90",
                f"Partner's 90D: {NINETY}",
                "Left's pass: no raise",
            ],
        ),
        # Who has bid does not show the same again.
        (
            "80S P 90S P 100S P",
            [
                f"Partner's 80S: {EIGHTY}; not 90",
                "Left's pass: no 90 in any suit",
                f"Right's pass: {NOTHING}",
                f"Partner's 100S: {NOTHING}",
                f"Left's pass: {NOTHING}",
            ],
        ),
        ("80S X", [f"Partner's 80S: {EIGHTY}; not 90", f"Left's X: {NOTHING}"]),
        # No bid follows a double.
        (
            "80S X P",
            [
                f"Right's 80S: {EIGHTY}; not 90",
                f"Partner's X: {NOTHING}",
                f"Left's pass: {NOTHING}",
            ],
        ),
        ("90N", [f"Left's 90N: {NOTHING}"]),
    ],
)
def test_what_calls_are_taken_to_mean(calls: str, sentences: list[str]) -> None:
    read = heard(calls, no_trump_bids=True)
    assert [one.sentence() for one in read.readings] == sentences


def test_a_sentence_in_symbols() -> None:
    assert heard("80H").readings[0].sentence(symbols=True) == f"Left's 80♥: {EIGHTY}; not 90"


@pytest.mark.parametrize(
    ("calls", "standing"),
    [
        ("P", None),
        ("P 80H P", (Bid(80, 1), 1, 1)),
        ("80H P 90H", (Bid(90, 1), 2, 1)),
        ("80H X", (Bid(80, 1), 0, 2)),
    ],
)
def test_the_standing_contract(calls: str, standing: tuple[Bid, int, int] | None) -> None:
    found = heard(calls).standing
    if standing is None:
        assert found is None
    else:
        assert found is not None
        assert (found.bid, found.declarer, found.multiplier) == standing
        assert found.leader == 0


def test_a_redoubled_contract_stands() -> None:
    auction = Auction(RULES, 3, parse_calls("80H X XX"))
    assert auction.to_speak is None
    found = knowledge_from_auction(auction, BASIC, 3).standing
    assert found == auction.contract


def test_a_pass_may_be_read_as_nothing_and_a_bid_without_its_denial(tmp_path: Path) -> None:
    path = tmp_path / "open.toml"
    path.write_text(
        'passes = "nothing"\nbids = "at least"\n'
        + "".join(
            f'[[call]]\ncall = {level}\nmeans = "{{trump}}>={n}"\n'
            for level, n in ((80, 4), (90, 5), (110, 6))
        ),
        encoding="utf-8",
    )
    auction = Auction(RULES, 3, parse_calls("P 80H P"))
    read = knowledge_from_auction(auction, load_system(path), 3)
    assert [one.sentence() for one in read.readings] == [
        f"Right's pass: {NOTHING}",
        "Partner's 80H: H>=4",
        f"Left's pass: {NOTHING}",
    ]
    path.write_text(path.read_text("utf-8").replace("at least", "highest"), encoding="utf-8")
    read = knowledge_from_auction(auction, load_system(path), 3)
    assert read.readings[1].sentence() == "Partner's 80H: H>=4; not 90 or 110"
    assert [one.source for one in read.knowledge.statements] == ["partner's 80H"]


def n_held(hands: np.ndarray, cards: int) -> np.ndarray:
    return np.bitwise_count(hands & np.uint32(cards))


ACES = 0x80808080


def has_80(hands: np.ndarray, suit: int) -> np.ndarray:
    """An 80 of the basic system, written with bits; a 90 is one too."""
    own = 0xFF << 8 * suit
    high = n_held(hands, 0b00010100 << 8 * suit)
    length, side_aces = n_held(hands, own), n_held(hands, ACES & ~own)
    return (((high >= 1) & (length >= 3)) | ((high == 0) & (length >= 5))) & (side_aces >= 1)


def has_90(hands: np.ndarray, suit: int) -> np.ndarray:
    own = 0xFF << 8 * suit
    both = n_held(hands, 0b00010100 << 8 * suit) == 2
    return both & (n_held(hands, own) >= 3) & (n_held(hands, ACES & ~own) >= 1)


def features(hands: np.ndarray, suit: int) -> np.ndarray:
    own = 0xFF << 8 * suit
    return n_held(hands, 0b00010100 << 8 * suit) + n_held(hands, ACES & ~own)


def bid_80(hands: np.ndarray, suit: int) -> np.ndarray:
    return has_80(hands, suit) & ~has_90(hands, suit)


def no_80(hands: np.ndarray) -> np.ndarray:
    return ~np.any([has_80(hands, suit) for suit in range(4)], axis=0)


def no_90(hands: np.ndarray, but: int = -1) -> np.ndarray:
    return ~np.any([has_90(hands, suit) for suit in range(4) if suit != but], axis=0)


HEARTS, DIAMONDS = 1, 2
Agrees = Callable[[np.ndarray], np.ndarray]


@pytest.mark.parametrize(
    ("calls", "by_seat"),
    [
        ("P", {0: no_80}),
        ("P P P", {0: no_80, 1: no_80, 2: no_80}),
        ("P 80H P", {0: no_80, 1: lambda hands: bid_80(hands, HEARTS), 2: no_90}),
        ("90H P", {0: lambda hands: has_90(hands, HEARTS)}),
        (
            "80H P P",
            {
                0: lambda hands: bid_80(hands, HEARTS),
                1: no_90,
                2: lambda hands: (features(hands, HEARTS) == 0) & no_90(hands, but=HEARTS),
            },
        ),
        (
            "80H 90D P",
            {
                0: lambda hands: bid_80(hands, HEARTS),
                1: lambda hands: has_90(hands, DIAMONDS),
                2: lambda hands: features(hands, HEARTS) <= 1,
            },
        ),
        ("80H P 100H P", {1: no_90, 2: lambda hands: features(hands, HEARTS) == 2}),
    ],
)
def test_worlds_are_those_of_pure_rejection(calls: str, by_seat: dict[int, Agrees]) -> None:
    """Uniform worlds of which those are dropped that do not agree, by a reading without the system.

    Compared are the share that agrees, and how often each seat holds each unseen card.
    """
    hand = parse_hand("AKQ.QT.KQ.7")
    read = heard(calls)
    auction = Auction(RULES, 3, parse_calls(calls))
    me = auction.to_speak
    assert me is not None
    raw = worlds(hand, me, 1_000_000, seed=5)
    agree = np.all([holds_in(raw[:, seat]) for seat, holds_in in by_seat.items()], axis=0)
    kept = raw[agree]
    assert len(kept) > 400
    n = 10_000
    sampled = worlds_given(hand, me, read.knowledge, n, seed=6)
    for seat, holds_in in by_seat.items():
        assert holds_in(sampled.hands[:, seat]).all()
    for seat in range(4):
        for card in range(32):
            mean, other = (
                (hands[:, seat] >> np.uint32(card) & 1).mean() for hands in (sampled.hands, kept)
            )
            spread = (mean * (1 - mean) / n + other * (1 - other) / len(kept)) ** 0.5
            assert abs(mean - other) <= 4.5 * spread


class TestPlayerView:
    def test_nothing_said(self) -> None:
        view = player_view(RULES)
        assert (view.seat, view.readings, view.standing) == (0, (), None)
        assert view.knowledge.statements == ()
        assert view.knowledge.rules == RULES

    @pytest.mark.parametrize(("seat", "right", "partner", "left"), [(1, 1, 2, 3), (3, 3, 0, 1)])
    def test_who_sits_where(self, seat: int, right: int, partner: int, left: int) -> None:
        view = player_view(RULES, seat=seat, right="SJ", partner="HJ", left="DJ")
        assert view.seat == seat - 1
        found = {one.text: (one.seat, one.source) for one in view.knowledge.statements}
        assert found == {
            "SJ": (right, "right"),
            "HJ": (partner, "partner"),
            "DJ": (left, "left"),
        }

    def test_the_auction_fixes_the_seat(self) -> None:
        for seat in (None, 4):
            view = player_view(RULES, seat=seat, auction="P 80H P", partner="H>=4")
            assert view.seat == 3
            assert [str(one) for one in view.knowledge.statements] == [
                "partner: H>=4",
                "right's pass: no 80 or 90 in any suit",
                f"partner's 80H: {EIGHTY}; not 90",
                "left's pass: no 90 in any suit",
            ]
            assert len(view.readings) == 3
            assert view.standing is not None

    def test_who_has_passed_for_good_does_not_speak(self) -> None:
        view = player_view(load_ruleset("classic"), auction="P 80H P 90H")
        assert view.seat == 1
        assert [one.role for one in view.readings] == ["left", "right", "partner"]

    def test_an_empty_auction_is_my_turn_to_open(self) -> None:
        assert player_view(RULES, auction=" ").seat == 0

    def test_no_system(self) -> None:
        view = player_view(RULES, auction="P 80H P", system="none")
        assert view.knowledge.statements == ()
        assert {one.words for one in view.readings} == {NOTHING}

    def test_other_tongues(self) -> None:
        view = player_view(RULES, auction="P 80coeur P", partner="PV", cards="fr")
        assert view.standing is not None
        assert view.standing.bid == Bid(80, HEARTS)

    @pytest.mark.parametrize(
        ("said", "kind", "says"),
        [
            ({"auction": "P 80H P", "seat": 2}, ConstraintError, "it is the turn of seat 4, not 2"),
            ({"auction": "P P P P"}, ConstraintError, "the auction 'P P P P' is over"),
            ({"auction": "80H 80S"}, PlayError, "call 2: 80S by W is not legal"),
            ({"auction": "85H"}, NotationError, "there is no bid of 85"),
            ({"auction": "P", "system": "acol"}, ConstraintError, "no bidding system 'acol'"),
            ({"partner": "S>="}, NotationError, "column 4"),
            ({"seat": 5}, ConstraintError, "seat 5: give 1 to 4"),
            ({"seat": 0}, ConstraintError, "seat 0: give 1 to 4"),
        ],
    )
    def test_errors(self, said: dict[str, object], kind: type[Exception], says: str) -> None:
        with pytest.raises(kind, match=says):
            player_view(RULES, **said)  # type: ignore[arg-type]


def test_an_auction_against_the_system_names_the_calls_that_conflict() -> None:
    view = player_view(RULES, auction="P 80H P P 90S")
    with pytest.raises(ConstraintError) as error:
        worlds_given(parse_hand("87.AKQ.T98."), view.seat, view.knowledge, 10, seed=1)
    assert str(error.value) == (
        "no deal fits all of (left's pass: no 80 or 90 in any suit) and "
        f"(left's 90S: {NINETY}); change one or leave it out"
    )
