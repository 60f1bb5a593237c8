from __future__ import annotations

import pytest

from pilotta_solver.auction import Auction, Contract
from pilotta_solver.errors import PlayError
from pilotta_solver.notation import Bid, parse_calls
from pilotta_solver.ruleset import load_ruleset

TSAKA = load_ruleset("tsaka")
CLASSIC = load_ruleset("classic")
N, W, S, E = range(4)


def auction(text, rules=TSAKA, dealer=E):
    return Auction(rules, dealer, parse_calls(text))


def test_the_player_after_the_dealer_speaks_first_and_leads():
    for dealer in range(4):
        begun = auction("", dealer=dealer)
        assert begun.to_speak == (dealer + 1) % 4
        ended = auction("P 80S P P P", dealer=dealer)
        assert ended.contract == Contract(Bid(80, 0), (dealer + 2) % 4, (dealer + 1) % 4)


@pytest.mark.parametrize(
    ("text", "contract"),
    [
        ("80S P P P", Contract(Bid(80, 0), N, N)),
        ("P P P 80S P P P", Contract(Bid(80, 0), E, N)),
        # Who has passed may bid later.
        ("P 80S P P 90H P P P", Contract(Bid(90, 1), N, N)),
        ("80S 90H 100S P P P", Contract(Bid(100, 0), S, N)),
        ("80S X P P P", Contract(Bid(80, 0), N, N, 2)),
        ("80S P P X P P P", Contract(Bid(80, 0), N, N, 2)),
        ("80S X P P XX", Contract(Bid(80, 0), N, N, 4)),
        ("80S X XX", Contract(Bid(80, 0), N, N, 4)),
        ("80S X P P", None),
        ("80S P P", None),
        ("P P P P", None),
    ],
)
def test_tsaka(text, contract):
    found = auction(text)
    assert (found.contract if found.is_over else None) == contract


@pytest.mark.parametrize(
    ("text", "phase", "to_speak"),
    [
        ("80S P P", "bidding", E),
        ("80S P P P", "doubling", W),
        # A pass is final: N and W are out, so that E's bid ends the bidding.
        ("P P 80S 90H P", "doubling", N),
        ("P 80S P 90H 100S P", "doubling", S),
        ("80S P P P P", "doubling", E),
        ("80S P P P P P", "over", None),
        ("80S P P P X", "redoubling", S),
        ("80S P P P P X", "redoubling", N),
        ("80S P P P X P", "redoubling", N),
        ("80S P P P X P P", "over", None),
        ("80S P P P X XX", "over", None),
        ("P P P P", "over", None),
        ("P P P 80S", "doubling", N),
    ],
)
def test_classic(text, phase, to_speak):
    found = auction(text, CLASSIC)
    assert (found.phase, found.to_speak) == (phase, to_speak)
    assert found.is_over == (phase == "over")


def test_the_contract_stands_when_the_bidding_is_over():
    assert auction("80S P P", CLASSIC).contract is None
    assert auction("80S P P P", CLASSIC).contract == Contract(Bid(80, 0), N, N)
    assert auction("80S P P P P X P XX", CLASSIC).contract == Contract(Bid(80, 0), N, N, 4)
    assert auction("P P P P", CLASSIC).contract is None


def test_who_deals_next():
    assert auction("P P P P", CLASSIC).next_dealer == E
    assert auction("P P P P", TSAKA).next_dealer == N
    assert auction("80S P P P P P", CLASSIC).next_dealer == N


@pytest.mark.parametrize(
    ("rules", "text", "message"),
    [
        (TSAKA, "80S 80H", "call 2: 80H by W is not legal: a bid must be higher than 80S"),
        (TSAKA, "100S 90H", "a bid must be higher than 100S"),
        (TSAKA, "410S", r"above the highest bid \(highest_bid = 400\)"),
        (TSAKA, "80N", r"no_trump_bids = false"),
        (TSAKA, "80A", r"all_trump_bids = false"),
        (TSAKA, "X", "call 1: X by N is not legal: nobody has bid"),
        (TSAKA, "P XX", "nobody has bid"),
        (TSAKA, "80S P X", "only the defence doubles"),
        (TSAKA, "80S XX", "only a doubled contract is redoubled"),
        (TSAKA, "80S X P XX", "call 4: XX by E is not legal: only the declarers redouble"),
        (TSAKA, "80S X P X", "the contract is doubled already"),
        (TSAKA, "80S X 90H", 'no bid follows a double .doubling = "in_turn"'),
        (TSAKA, "80S P P P P", "call 5: P comes too late: the auction is over"),
        (TSAKA, "80S X XX P", "the auction is over"),
        (TSAKA, "P P P P P", "the auction is over"),
        (CLASSIC, "80S X", 'a double comes after the bidding .doubling = "after_auction"'),
        (CLASSIC, "80S P P P 90H", "the bidding is over"),
        (CLASSIC, "80S P P P XX", "only a doubled contract is redoubled"),
        (CLASSIC, "80S P P P X X", "the contract is doubled already"),
    ],
)
def test_illegal_calls(rules, text, message):
    with pytest.raises(PlayError, match=message):
        auction(text, rules)


def test_the_keys_of_the_bids():
    rules = load_ruleset(
        "tsaka", {"first_bid": 90, "bid_step": 20, "no_trump_bids": True, "all_trump_bids": True}
    )
    assert (
        Auction(rules, E).why_illegal(Bid(80, 0)) == "it is below the lowest bid (first_bid = 90)"
    )
    assert Auction(rules, E).why_illegal(Bid(100, 0)) == "it is between two steps (bid_step = 20)"
    assert Auction(rules, E).why_illegal(Bid(110, 4)) == ""
    assert Auction(rules, E).why_illegal(Bid(110, 5)) == ""


def test_legal_calls():
    assert auction("").legal_calls()[:5] == parse_calls("P 80S 80H 80D 80C")
    assert len(auction("").legal_calls()) == 1 + 33 * 4
    assert auction("390S").legal_calls() == parse_calls("P 400S 400H 400D 400C X")
    assert auction("390S X").legal_calls() == parse_calls("P XX")
    assert auction("390S X P").legal_calls() == ("P",)
    assert auction("80S P P P", CLASSIC).legal_calls() == parse_calls("P X")
    assert auction("410S", CLASSIC).legal_calls() == ("P",)
    assert auction("410S", CLASSIC).why_illegal(Bid(420, 1)) == ""
    assert auction("P P P P").legal_calls() == ()


def test_a_call_gives_a_new_auction():
    begun = auction("")
    assert begun.call(Bid(80, 0)).calls == (Bid(80, 0),)
    assert begun.calls == ()


def test_a_final_pass_and_doubles_in_turn():
    rules = load_ruleset("tsaka", {"pass_is_final": True})
    # W has passed for good: S, who bids, is followed by E and N only.
    assert auction("80H P 90H P P", rules).contract == Contract(Bid(90, 1), S, N)
    assert auction("80H P 90H X", rules).to_speak == N
    assert auction("80H P 90H X P P", rules).contract == Contract(Bid(90, 1), S, N, 2)
