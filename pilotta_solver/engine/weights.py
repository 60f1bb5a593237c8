"""Weights of the order of moves, found by hill-climbing on the number of cards searched.

``python benchmarks/tune_order.py`` starts from these and prints better ones, if it finds any: it
changes a few at random, searches a fixed set of random deals anew, and keeps what made the search
smaller. Any weights give the same values; these give them sooner. `order` tells what they mean.
"""

from __future__ import annotations

import numpy as np

# Kinds of lead. Trumps, when the opponents have none left and when they have some; then plain
# suits: an opponent can ruff; nobody can beat the card; an opponent holds a better one.
(
    DRAWN_TOP,
    DRAWN_UNDER_PARTNER,
    TRUMP_TOP,
    TRUMP_UNDER_PARTNER,
    TRUMP_PARTNER_TOP,
    TRUMP_UNDER_OPPONENT,
    RUFF_PARTNER_HIGHER,
    RUFF_PARTNER_LOWER,
    RUFF_BY_NEXT,
    RUFF_BOTH_VOID,
    RUFF_BY_LAST,
    TOP_PARTNER_RUFFS,
    TOP_PARTNER_FOLLOWS,
    TOP_PARTNER_DISCARDS,
    PARTNER_TOP_UNOPPOSED,
    BEATEN_PARTNER_RUFFS,
    BEATEN_PARTNER_TOP,
    BEATEN_BY_NEXT_OVER_PARTNER,
    BEATEN_BY_LAST_OVER_PARTNER,
    BEATEN_BY_NEXT,
    BEATEN_BY_LAST,
    BEATEN_PARTNER_VOID,
) = range(22)

# What a follower's card comes to when the others do what they can.
WINS, PARTNER_WINS, PARTNER_SAVES, OVERTAKEN, LOSES = range(5)

_LEADS = (
    (-633, 21),  # DRAWN_TOP
    (-302, 15),  # DRAWN_UNDER_PARTNER
    (1259, 10),  # TRUMP_TOP
    (470, 13),  # TRUMP_UNDER_PARTNER
    (1801, 85),  # TRUMP_PARTNER_TOP
    (973, -35),  # TRUMP_UNDER_OPPONENT
    (2466, 40),  # RUFF_PARTNER_HIGHER
    (1046, -99),  # RUFF_PARTNER_LOWER
    (667, -12),  # RUFF_BY_NEXT
    (48, -7),  # RUFF_BOTH_VOID
    (817, -38),  # RUFF_BY_LAST
    (2313, 57),  # TOP_PARTNER_RUFFS
    (2504, 36),  # TOP_PARTNER_FOLLOWS
    (1592, 29),  # TOP_PARTNER_DISCARDS
    (2017, 13),  # PARTNER_TOP_UNOPPOSED
    (2206, 245),  # BEATEN_PARTNER_RUFFS
    (1598, 21),  # BEATEN_PARTNER_TOP
    (386, -71),  # BEATEN_BY_NEXT_PARTNER_OVER
    (649, -45),  # BEATEN_BY_LAST_PARTNER_OVER
    (-1, -7),  # BEATEN_BY_NEXT
    (351, -28),  # BEATEN_BY_LAST
    (70, -31),  # BEATEN_PARTNER_VOID
)
"""Weight and weight a card point of each kind of lead."""

_FOLLOWS = (
    (3322, 54),  # second seat: wins, plain
    (3322, -74),  # second seat: wins, trump
    (4081, 3),  # second seat: partner wins, plain
    (1885, 42),  # second seat: partner wins, trump
    (2103, 19),  # second seat: partner saves, plain
    (2523, 90),  # second seat: partner saves, trump
    (632, -28),  # second seat: overtaken, plain
    (690, -11),  # second seat: overtaken, trump
    (861, -27),  # second seat: loses, plain
    (1729, -12),  # second seat: loses, trump
    (4076, 127),  # third seat: wins, plain
    (3358, 21),  # third seat: wins, trump
    (3253, 1),  # third seat: partner wins, plain
    (4180, 32),  # third seat: partner wins, trump
    (622, -7),  # third seat: partner saves, plain
    (2282, -27),  # third seat: partner saves, trump
    (1175, -55),  # third seat: overtaken, plain
    (525, -12),  # third seat: overtaken, trump
    (1558, -143),  # third seat: loses, plain
    (916, -26),  # third seat: loses, trump
    (3576, 64),  # fourth seat: wins, plain
    (3290, -5),  # fourth seat: wins, trump
    (3151, 10),  # fourth seat: partner wins, plain
    (2406, -64),  # fourth seat: partner wins, trump
    (649, -91),  # fourth seat: partner saves, plain
    (698, 184),  # fourth seat: partner saves, trump
    (1509, -74),  # fourth seat: overtaken, plain
    (764, 205),  # fourth seat: overtaken, trump
    (469, -71),  # fourth seat: loses, plain
    (178, -20),  # fourth seat: loses, trump
)
"""The same by seat, by what the card comes to, and for a plain card or a trump."""

_ADDED = (
    241,  # LEAD_SINGLETON
    -43,  # LEAD_PLAIN_LENGTH
    -413,  # LEAD_PLAIN_DRAWN
    -543,  # LEAD_TRUMP_LENGTH
    81,  # LEAD_TRUMP_AGAINST
    0,  # LEAD_TRUMP_TRICKS_LEFT
    -21,  # LEAD_TRUMP_PARTNER
    -457,  # LEAD_TRUMPLESS
    0,  # DISCARD_LENGTH, second seat
    -168,  # DISCARD_LENGTH, third seat
    0,  # DISCARD_LENGTH, fourth seat
    -173,  # DISCARD_TOP, second seat
    -219,  # DISCARD_TOP, third seat
    -523,  # DISCARD_TOP, fourth seat
)
"""What facts about the hand add."""

WEIGHTS = np.array(
    [*(number for pair in _LEADS + _FOLLOWS for number in pair), *_ADDED], dtype=np.int64
)
N_WEIGHTS = WEIGHTS.size
FOLLOWS = 2 * len(_LEADS)
"""Where the weights of followers start; those of leads start at 0."""
ADDED = FOLLOWS + 2 * len(_FOLLOWS)
"""Where the added weights start."""
(
    LEAD_SINGLETON,
    LEAD_PLAIN_LENGTH,
    LEAD_PLAIN_DRAWN,
    LEAD_TRUMP_LENGTH,
    LEAD_TRUMP_AGAINST,
    LEAD_TRUMP_TRICKS_LEFT,
    LEAD_TRUMP_PARTNER,
    LEAD_TRUMPLESS,
    DISCARD_LENGTH,
    _,
    _,
    DISCARD_TOP,
    _,
    _,
) = range(ADDED, N_WEIGHTS)
