"""Advice with auctions against an independent slow script: rejection, and a search laid bare."""

from __future__ import annotations

import math

import pytest
from oracle.slow_advice import meaning, slow_chance

from pilotta_solver.advice.advise import advise
from pilotta_solver.knowledge.auction_knowledge import player_view
from pilotta_solver.notation import parse_bid, parse_hand
from pilotta_solver.ruleset import load_ruleset

RULES = load_ruleset("tsaka")

# The auction before my turn, the hand, and the bid in question.
CASES = [
    ("", "J9A7.T8.A7.", "120S"),
    ("P", "J97.AT8.T7.", "80H"),
    ("P P", "QT8.J98.A7.", "90H"),
    ("P P P", "K87.J987.A.", "80H"),
    ("80H", "J9A7.T8.A7.", "110S"),
    ("80S", "Q.J98A.T87.", "100H"),
    ("90C", "JT87.A98.9.", "110S"),
    ("90D", "A987.JK9.7.", "100H"),
    ("P 80H", "J987.A8.T7.", "100S"),
    ("P 80D", "T87.KJ98.A.", "90H"),
    ("P 90S", "7.JAT87.A7.", "110H"),
    ("80S P", "9T.A87.K98.", "110S"),
    ("80H P", "A7.9K8.QT8.", "100H"),
    ("90C P", "A87.K87.A7.", "130C"),
    ("80D P", "KQ8.T7.JT7.", "100D"),
    ("P 80S P", "J7.AKT.987.", "120S"),
    ("P 80H P", "A987.9T.A7.", "110H"),
    ("P 90D P", "A7.T87.A87.", "130D"),
    ("P P 80C", "J987.KQ.A9.", "90S"),
    ("P P 90H", "98AT.K.QJT.", "100S"),
]

# Of these the others take minutes; some are run always, on fewer worlds.
ALWAYS = [CASES[i] for i in (4, 12, 16)]


def compare(auction: str, hand_text: str, bid_text: str, n_slow: int, n_fast: int) -> None:
    hand, bid = parse_hand(hand_text), parse_bid(bid_text)
    seat, meanings, standing = 0, {}, 0
    for seat, call in enumerate(auction.split(), start=1):
        meanings[seat - 1] = meaning(call, standing)
        standing = standing if call == "P" else int(call[:-1])
    n_made, n_tried = slow_chance(hand, seat, meanings, bid, RULES, n_slow, seed=11)
    slow = n_made / n_slow
    view = player_view(RULES, auction=auction)
    advice = advise(hand, bid, view=view, n_worlds=n_fast, seed=12, rules=RULES, model="dd")
    assert advice.question is not None
    fast = advice.question.p_made
    pooled = (slow * n_slow + fast * n_fast) / (n_slow + n_fast)
    error = math.sqrt(pooled * (1 - pooled) * (1 / n_slow + 1 / n_fast))
    assert abs(slow - fast) <= 4 * error, (auction, hand_text, bid_text, slow, fast, error)
    # More deals agree with less: passes and bids rule out as much here as there.
    shares = n_slow / n_tried, advice.method.acceptance
    if advice.method.acceptance < 1:
        assert shares[0] <= shares[1] * 1.5


@pytest.mark.parametrize("case", ALWAYS, ids=" ".join)
def test_a_few_hands_agree(case):
    compare(*case, n_slow=50, n_fast=250)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=" ".join)
def test_twenty_hands_agree(case):
    compare(*case, n_slow=250, n_fast=1000)
