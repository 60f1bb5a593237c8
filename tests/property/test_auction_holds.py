"""What must be true of every auction under every ruleset."""

from __future__ import annotations

from hypothesis import given, strategies as st

from pilotta_solver.auction import Auction
from pilotta_solver.notation import Bid
from pilotta_solver.ruleset import load_ruleset, preset_names

rulesets = st.builds(
    lambda name, final, doubling, highest: load_ruleset(
        name, {"pass_is_final": final, "doubling": doubling, "highest_bid": highest}
    ),
    st.sampled_from(preset_names()),
    st.booleans(),
    st.sampled_from(["in_turn", "after_auction"]),
    st.sampled_from([0, 110, 160]),
)


def carried_on(rules, dealer, draw):
    """An auction to its end, each call drawn from the legal ones, low bids and passes often."""
    auction = Auction(rules, dealer)
    while not auction.is_over:
        legal = auction.legal_calls()
        near = [one for one in legal if not isinstance(one, Bid)] + [
            one for one in legal if isinstance(one, Bid)
        ][:8]
        auction = auction.call(draw(st.sampled_from(near)))
        assert len(auction.calls) < 200
    return auction


@given(rulesets, st.integers(0, 3), st.data())
def test_every_auction_ends_in_its_last_bid_or_in_four_passes(rules, dealer, data):
    auction = carried_on(rules, dealer, data.draw)
    bids = [one for one in auction.calls if isinstance(one, Bid)]
    assert auction.to_speak is None
    assert [bid.level for bid in bids] == sorted({bid.level for bid in bids})
    if not bids:
        assert auction.contract is None
        assert auction.calls == ("P",) * 4
        return
    assert auction.contract.bid == bids[-1]
    assert auction.contract.leader == (dealer + 1) % 4
    doubles = [one for one in auction.calls if one in ("X", "XX")]
    assert auction.contract.multiplier == 2 ** len(doubles)
    assert doubles == ["X", "XX"][: len(doubles)]


@given(rulesets, st.integers(0, 3), st.integers(0, 3), st.data())
def test_turning_the_seats_turns_the_auction(rules, dealer, turn, data):
    auction = carried_on(rules, dealer, data.draw)
    turned = Auction(rules, (dealer + turn) % 4, auction.calls)
    assert turned.phase == auction.phase
    if auction.contract:
        assert turned.contract.declarer == (auction.contract.declarer + turn) % 4
        assert turned.contract.multiplier == auction.contract.multiplier
