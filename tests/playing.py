"""Deals and plays that the tests of the player share."""

from __future__ import annotations

import random

from pilotta_solver.cards import cards_of
from pilotta_solver.deal import Deal
from pilotta_solver.knowledge.constraints import Knowledge
from pilotta_solver.rules import legal_cards, play, start
from pilotta_solver.ruleset import load_ruleset
from pilotta_solver.table_play.information import Information
from pilotta_solver.table_play.self_play import Table

TSAKA = load_ruleset()
LAWS = {
    "pilotta": TSAKA,
    "belote": load_ruleset("tsaka", {"partner_exempt": True}),
    "contree": load_ruleset("contree"),
    "amsterdam": load_ruleset("tsaka", {"partner_exempt": True, "undertrump": "forbidden"}),
    "strange": load_ruleset("tsaka", {"undertrump": "forbidden", "beat_trump_lead": False}),
}
"""Rulesets of different laws of play."""


def random_deal(seed: int) -> Deal:
    deck = list(range(32))
    random.Random(seed).shuffle(deck)
    hands = [sum(1 << card for card in deck[8 * seat : 8 * seat + 8]) for seat in range(4)]
    return Deal((hands[0], hands[1], hands[2], hands[3]))


def random_play(deal, trump, leader, n_cards, rules, seed):
    """The first cards of a deal, each a random legal one."""
    chosen, position, played = random.Random(seed), start(deal, trump, leader), []
    for _ in range(n_cards):
        hand = position.hands[position.to_move]
        legal = list(cards_of(legal_cards(hand, position.trick, trump, rules.law)))
        played.append(chosen.choice(legal))
        position = play(position, played[-1], rules.law)
    return tuple(played)


def table_after(deal, trump, leader, played, rules):
    """A table on which the first cards have been played."""
    table = Table(deal.hands, trump, leader, rules)
    for card in played:
        table.play(card)
    return table


def information_at(deal, trump, leader, played, rules, goal=None):
    """What the seat to move knows after some cards, built from scratch."""
    table = table_after(deal, trump, leader, played, rules)
    seat = table.seen.to_move
    return Information(
        seat,
        deal.hands[seat],
        trump,
        leader,
        tuple(played),
        goal,
        table.shown,
        table.denied,
        Knowledge(rules=rules),
    )
