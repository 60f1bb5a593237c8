"""The chance of a contract, the slow and plain way: deal at random until all agrees, search bare.

Nothing of `sampling`, `constraints`, `bidding_system` or `worth` is used. What the calls of
``cyprus-basic`` mean is written out again, and the search runs without its table and without any
short cut.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from asking import answers_of, question

from pilotta_solver.deal import Deal
from pilotta_solver.declarations import belote_points, contest
from pilotta_solver.engine.solve import AT_LEAST
from pilotta_solver.notation import Bid
from pilotta_solver.ruleset import Ruleset

Meaning = Callable[[int], bool]

_NINE, _JACK, _ACE = 2, 4, 7


def _holds(hand: int, suit: int, rank: int) -> bool:
    return bool(hand >> (8 * suit + rank) & 1)


def _length(hand: int, suit: int) -> int:
    return (hand >> 8 * suit & 0xFF).bit_count()


def _has_side_ace(hand: int, trump: int) -> bool:
    return any(_holds(hand, suit, _ACE) for suit in range(4) if suit != trump)


def has_80(hand: int, trump: int) -> bool:
    """J or 9 with three or more, or five or more without them, and a side ace."""
    one = _holds(hand, trump, _JACK) or _holds(hand, trump, _NINE)
    enough = (one and _length(hand, trump) >= 3) or _length(hand, trump) >= 5
    return enough and _has_side_ace(hand, trump)


def has_90(hand: int, trump: int) -> bool:
    """J and 9 with three or more, and a side ace."""
    both = _holds(hand, trump, _JACK) and _holds(hand, trump, _NINE)
    return both and _length(hand, trump) >= 3 and _has_side_ace(hand, trump)


def meaning(call: str, standing: int) -> Meaning:
    """What a call says of who does not answer partner: a pass, ``80H`` or ``90H`` and the like.

    A pass denies what could have been bid above the standing level, 0 if there is none: 80 and 90,
    after an 80 the 90 alone, after a 90 nothing.
    """
    if call == "P":
        denied = [has for level, has in ((80, has_80), (90, has_90)) if level > standing]
        return lambda hand: not any(has(hand, trump) for has in denied for trump in range(4))
    level, trump = int(call[:-1]), "SHDC".index(call[-1])
    if level == 80:
        return lambda hand: has_80(hand, trump) and not has_90(hand, trump)
    return lambda hand: has_90(hand, trump)


def slow_chance(
    hand: int, seat: int, meanings: dict[int, Meaning], bid: Bid, rules: Ruleset, n: int, seed: int
) -> tuple[int, int]:
    """In how many of n worlds the side of a seat makes a bid, and how many deals were tried."""
    generator = random.Random(seed)
    unseen = [card for card in range(32) if not hand >> card & 1]
    others = [other for other in range(4) if other != seat]
    questions, needed, n_tried = [], [], 0
    side = seat % 2
    while len(questions) < n:
        n_tried += 1
        generator.shuffle(unseen)
        hands = [hand] * 4
        for place, other in enumerate(others):
            hands[other] = sum(1 << card for card in unseen[8 * place : 8 * place + 8])
        if not all(says(hands[other]) for other, says in meanings.items()):
            continue
        deal = Deal((hands[0], hands[1], hands[2], hands[3]))
        bonus = contest(deal, bid.trump, rules, leader=0).points[side]
        bonus += belote_points(deal, bid.trump, rules)[side]
        points = bid.level - bonus
        # EW reach what they need where NS do not reach what is left of 162 and one more.
        threshold = points if side == 0 else 163 - points
        questions.append(question(hands, bid.trump, 0, AT_LEAST, threshold=threshold))
        needed.append(points)
    answered = answers_of(rules.law, questions, pruning=0)
    made = [
        points <= 0 or bool(one["value"]) == (side == 0)
        for one, points in zip(answered, needed, strict=True)
    ]
    return sum(made), n_tried
