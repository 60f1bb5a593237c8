"""What must be true of every deal under every law: points are conserved, names mean nothing."""

from __future__ import annotations

from hypothesis import given, strategies as st

from pilotta_solver.cards import CARD_POINTS_TOTAL, N_RANKS, cards_of
from pilotta_solver.deal import Deal
from pilotta_solver.rules import legal_cards, play, replay, start, why_illegal
from pilotta_solver.ruleset import Law

laws = st.builds(Law, st.booleans(), st.sampled_from(["must", "may", "forbidden"]), st.booleans())
trumps = st.integers(0, 5)
seats = st.integers(0, 3)


@st.composite
def deals(draw, least=1):
    deck, size = draw(st.permutations(range(32))), draw(st.integers(least, N_RANKS))
    hands = [sum(1 << card for card in deck[size * seat : size * (seat + 1)]) for seat in range(4)]
    return Deal((hands[0], hands[1], hands[2], hands[3]))


def played_out(deal, trump, leader, law, choices):
    """Cards played to the end, each the one of the legal cards that the choices say."""
    position, played = start(deal, trump, leader), []
    while not position.is_over:
        hand = position.hands[position.to_move]
        legal = list(cards_of(legal_cards(hand, position.trick, trump, law)))
        played.append(legal[choices[len(played)] % len(legal)])
        position = play(position, played[-1], law)
    return played, position


choices = st.lists(st.integers(0, 7), min_size=32, max_size=32)


def relabelled(cards, order):
    """The same cards with suit s named order[s]."""
    return [8 * order[card >> 3] + (card & 7) for card in cards]


def relabelled_set(mask, order):
    return sum(1 << card for card in relabelled(cards_of(mask), order))


@given(deals(least=N_RANKS), trumps, seats, laws, choices)
def test_every_point_is_taken_once(deal, trump, leader, law, choices):
    played, over = played_out(deal, trump, leader, law, choices)
    assert sorted(played) == list(range(32))
    assert sum(over.points) == CARD_POINTS_TOTAL
    assert sum(over.tricks) == N_RANKS


@given(deals(), trumps, seats, laws, choices)
def test_somebody_can_always_play_and_every_refusal_has_a_rule(deal, trump, leader, law, choices):
    position = start(deal, trump, leader)
    for choice in choices[: 4 * deal.n_cards]:
        hand = position.hands[position.to_move]
        legal = legal_cards(hand, position.trick, trump, law)
        assert legal
        assert legal & ~hand == 0
        for card in range(32):
            assert (why_illegal(card, hand, position.trick, trump, law) == "") == bool(
                legal >> card & 1
            )
        cards = list(cards_of(legal))
        position = play(position, cards[choice % len(cards)], law)
    assert position.is_over


@given(deals(), trumps, seats, laws, choices, seats)
def test_turning_the_seats_turns_the_result(deal, trump, leader, law, choices, turn):
    played, over = played_out(deal, trump, leader, law, choices)
    hands = tuple(deal.hands[(seat - turn) % 4] for seat in range(4))
    turned = replay(Deal(hands), trump, (leader + turn) % 4, played, law)
    assert turned.points == (over.points if turn % 2 == 0 else over.points[::-1])
    assert turned.leader == (over.leader + turn) % 4


@given(deals(), trumps, seats, laws, choices, st.permutations(range(4)))
def test_the_names_of_suits_mean_nothing(deal, trump, leader, law, choices, order):
    played, over = played_out(deal, trump, leader, law, choices)
    hands = tuple(relabelled_set(hand, order) for hand in deal.hands)
    renamed = order[trump] if trump < 4 else trump
    again = replay(Deal(hands), renamed, leader, relabelled(played, order), law)
    assert (again.points, again.tricks, again.leader) == (over.points, over.tricks, over.leader)
