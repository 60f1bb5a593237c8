"""Players who bid by a system say what their hands have: held to the reader of their calls."""

from __future__ import annotations

import numpy as np
import pytest

from pilotta_solver import (
    Bid,
    ConstraintError,
    format_call,
    knowledge_from_auction,
    load_ruleset,
    load_system,
    parse_hand,
    worlds,
)
from pilotta_solver.knowledge.expression import holds
from pilotta_solver.knowledge.system_auction import bid_out, bid_out_many, check_bids

RULES = load_ruleset()
BASIC = load_system("cyprus-basic")

RICH = """
passes = "deny"
bids = "{bids}"

[[call]]
call = "X"
when = ["overcall", "rebid"]
means = "{{trump}}>=3 and aces>=1"

[[call]]
call = "XX"
means = "{{trump}}J"

[[call]]
call = 90
trumps = "SHDCN"
means = "aces>=2"

[[call]]
call = 100
when = ["opening", "overcall"]
means = "{{trump}}>=4"

[[call]]
call = "raise"
means = "{{trump}} + aces >= {{steps}} and {{trump}}>=2"

[[call]]
call = 110
when = ["new suit", "rebid"]
means = "{{trump}}>=3 and ({{trump}}J or {{trump}}9)"
"""


@pytest.fixture(params=["cyprus-basic", "highest", "at least"])
def system(request, tmp_path):
    if request.param == "cyprus-basic":
        return BASIC
    path = tmp_path / "rich.toml"
    path.write_text(RICH.format(bids=request.param))
    return load_system(path)


RULESETS = {
    "tsaka": RULES,
    "doubles after the auction": load_ruleset(overrides={"doubling": "after_auction"}),
    "contree": load_ruleset("contree"),
    "no trump": load_ruleset(overrides={"no_trump_bids": True, "pass_is_final": True}),
}


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS.keys())
def test_every_call_is_read_as_what_the_hand_has(system, rules):
    seen = set()
    for number, hands in enumerate(worlds(0, 0, 60, seed=2).tolist()):
        auction = bid_out(hands, system, rules, dealer=number % 4)
        assert auction.is_over
        for reader in range(4):
            read = knowledge_from_auction(auction, system, reader)
            assert read.standing == auction.contract
            for one in read.knowledge.statements:
                assert holds(one.expression, hands[one.seat], rules), (number, one)
        seen |= {"bid" if isinstance(call, Bid) else call for call in auction.calls}
    assert seen >= {"P", "bid"} if system is BASIC else {"P", "bid", "X"}


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS.keys())
def test_many_deals_are_bid_as_each_alone(system, rules):
    hands = worlds(0, 0, 150, seed=3)
    reached = bid_out_many(hands, system, rules, dealer=1)
    for row, four in enumerate(hands.tolist()):
        auction = bid_out(four, system, rules, dealer=1)
        assert reached.calls[row] == " ".join(map(format_call, auction.calls))
        contract = auction.contract
        told = [int(getattr(reached, name)[row]) for name in ("trump", "level", "declarer")]
        if contract is None:
            assert (*told, reached.multiplier[row]) == (-1, 0, -1, 1)
        else:
            assert told == [contract.bid.trump, contract.bid.level, contract.declarer]
            assert reached.multiplier[row] == contract.multiplier
    assert len(set(reached.calls)) > 5


@pytest.mark.parametrize(
    ("three", "calls"),
    [
        # N has 80 in hearts and 90 in spades: the higher one.
        ("AKJ9.J87.A. 8.9QT.KQJ.8 7.K.987.KQT", "90S"),
        # 80 in two suits: the longer one.
        ("J87.JQ87.A. 9A.T.KQJ.87 K.AK.987.9K", "80H"),
        # And where they are of one length, spades before hearts.
        ("J87.J87.A9. A9.Q.KQJ.87 K.AK.87.9KT", "80S"),
        # S can raise by one or bid 90 in hearts: partner's suit.
        ("J87.TK8.T.A KQ.Q.7.K987 .J97.A8.JQT", "80S P 90S"),
    ],
)
def test_of_several_bids_the_one_that_denies_no_other_is_made(three, calls):
    hands = [parse_hand(hand) for hand in three.split()]
    last = (1 << 32) - 1 - sum(hands)
    assert last.bit_count() == 8
    hands = [*hands, last]
    said = [format_call(call) for call in bid_out(hands, BASIC, RULES).calls]
    assert said[: len(calls.split())] == calls.split()
    (many,) = bid_out_many(np.array([hands], np.uint32), BASIC, RULES).calls
    assert many.split() == said


def test_four_hands_without_a_bid_pass_out():
    reached = bid_out_many(worlds(0, 0, 1, seed=1), load_system("none"), RULES)
    assert (reached.trump[0], reached.level[0], reached.declarer[0]) == (-1, 0, -1)
    assert reached.calls[0] == "P P P P"


def test_a_system_without_an_opening_is_refused():
    check_bids(BASIC)
    with pytest.raises(ConstraintError, match="'none' has no opening bid, so every deal"):
        check_bids(load_system("none"))
