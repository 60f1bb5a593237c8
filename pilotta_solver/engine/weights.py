"""Weights of the order of moves, found by hill-climbing on the number of cards searched.

``python benchmarks/tune_order.py`` starts from these and looks for better ones: it changes a few at
random, searches a fixed set of random deals anew, and keeps what made the search smaller. Any
weights give the same values; these give them sooner. `order` tells what they mean.

There are two sets, side by side: for laws under which a void player ruffs whoever is winning, and
for those that let him discard when partner is.
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
N_OUTCOMES = 5
WINS, PARTNER_WINS, PARTNER_SAVES, OVERTAKEN, LOSES = range(N_OUTCOMES)

_LEADS = (
    (-1477, 21, -1836, 15),  # DRAWN_TOP
    (-329, 22, -328, 11),  # DRAWN_UNDER_PARTNER
    (1298, 10, 1761, 10),  # TRUMP_TOP
    (470, 20, 593, 115),  # TRUMP_UNDER_PARTNER
    (1878, 138, 1871, 153),  # TRUMP_PARTNER_TOP
    (973, -35, 1571, -179),  # TRUMP_UNDER_OPPONENT
    (2098, 12, 1242, 34),  # RUFF_PARTNER_HIGHER
    (1046, -97, 1367, -98),  # RUFF_PARTNER_LOWER
    (958, -34, 1153, -6),  # RUFF_BY_NEXT
    (-962, -60, -1101, -110),  # RUFF_BOTH_VOID
    (714, -44, -802, -31),  # RUFF_BY_LAST
    (2313, 88, 3228, 67),  # TOP_PARTNER_RUFFS
    (3131, 42, 5437, 23),  # TOP_PARTNER_FOLLOWS
    (1592, 104, 1257, 170),  # TOP_PARTNER_DISCARDS
    (2095, 17, 2410, 22),  # PARTNER_TOP_UNOPPOSED
    (2380, 203, 2954, 228),  # BEATEN_PARTNER_RUFFS
    (1902, 97, 2107, 87),  # BEATEN_PARTNER_TOP
    (782, -71, 1082, -64),  # BEATEN_BY_NEXT_PARTNER_OVER
    (790, -58, 593, -174),  # BEATEN_BY_LAST_PARTNER_OVER
    (87, -12, 569, -13),  # BEATEN_BY_NEXT
    (-297, -40, -8, -32),  # BEATEN_BY_LAST
    (55, -31, -414, -1),  # BEATEN_PARTNER_VOID
)
"""Weight and weight a card point of each kind of lead; then the same where partner exempts."""

_FOLLOWS = (
    (2607, 34, 2970, 5),  # second seat: wins, plain
    (2955, -74, 2454, -58),  # second seat: wins, trump
    (4330, 110, 5141, 185),  # second seat: partner wins, plain
    (1885, 42, 1885, 68),  # second seat: partner wins, trump
    (1738, 19, 1199, 53),  # second seat: partner saves, plain
    (1907, 111, 1869, 117),  # second seat: partner saves, trump
    (632, -63, 1903, -6),  # second seat: overtaken, plain
    (877, -19, 1048, -23),  # second seat: overtaken, trump
    (1388, -130, 544, -201),  # second seat: loses, plain
    (1729, -29, 2248, -31),  # second seat: loses, trump
    (3881, 124, 3314, 130),  # third seat: wins, plain
    (1999, 21, 2242, -1),  # third seat: wins, trump
    (3317, 1, 3439, 9),  # third seat: partner wins, plain
    (4445, 32, 4574, 138),  # third seat: partner wins, trump
    (-217, -10, -219, 42),  # third seat: partner saves, plain
    (1419, -27, 2495, -53),  # third seat: partner saves, trump
    (1288, -34, 1088, -39),  # third seat: overtaken, plain
    (407, -12, 392, -26),  # third seat: overtaken, trump
    (2126, -149, 1353, -174),  # third seat: loses, plain
    (660, -40, 274, -103),  # third seat: loses, trump
    (4229, 81, 3635, 103),  # fourth seat: wins, plain
    (3235, -60, 3476, -77),  # fourth seat: wins, trump
    (4046, 28, 3894, 5),  # fourth seat: partner wins, plain
    (2406, -84, 2220, 8),  # fourth seat: partner wins, trump
    (1226, -69, 1484, -19),  # fourth seat: partner saves, plain
    (698, 167, 494, 199),  # fourth seat: partner saves, trump
    (1509, -41, 1509, -41),  # fourth seat: overtaken, plain
    (525, 218, 525, 226),  # fourth seat: overtaken, trump
    (1043, -81, 1243, -102),  # fourth seat: loses, plain
    (-586, -28, -1709, -3),  # fourth seat: loses, trump
)
"""The same by seat, by what the card comes to, and for a plain card or a trump."""

_ADDED = (
    (241, -73),  # LEAD_SINGLETON
    (-43, -43),  # LEAD_PLAIN_LENGTH
    (-624, -547),  # LEAD_PLAIN_DRAWN
    (-542, -536),  # LEAD_TRUMP_LENGTH
    (81, 108),  # LEAD_TRUMP_AGAINST
    (0, 0),  # LEAD_TRUMP_TRICKS_LEFT
    (-21, 7),  # LEAD_TRUMP_PARTNER
    (-457, -457),  # LEAD_TRUMPLESS
    (0, -1),  # DISCARD_LENGTH, second seat
    (-134, -1),  # DISCARD_LENGTH, third seat
    (0, -3),  # DISCARD_LENGTH, fourth seat
    (-416, -518),  # DISCARD_TOP, second seat
    (-219, -328),  # DISCARD_TOP, third seat
    (-683, -102),  # DISCARD_TOP, fourth seat
)
"""What facts about the hand add."""

WEIGHTS = np.array(
    [
        [
            *(number for row in _LEADS + _FOLLOWS for number in row[2 * law : 2 * law + 2]),
            *(row[law] for row in _ADDED),
        ]
        for law in range(2)
    ],
    dtype=np.int64,
)
"""Shape (2, N_WEIGHTS): by whether the law exempts the partner of who is winning."""
N_WEIGHTS = WEIGHTS.shape[1]
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
