"""A small bidding table with numbers that can be told in advance, for pages and pictures."""

from __future__ import annotations

from typing import Any

import numpy as np

from pilotta_solver.bidding_table.grouping import BiddingTable, HandClass

LEVELS = (80, 90, 100, 110, 120, 130, 140, 150, 160, 250)

PATTERNS = ("J9A+1", "J9+2", "J+3", "9+3", "J9KQ", "+4")


def make_table(patterns: tuple[str, ...] = PATTERNS, **metadata: Any) -> BiddingTable:
    """Classes of each pattern with 0 to 2 side aces and either lead, stronger hands first.

    The last class but one is rare, the last has too few hands for a call.
    """
    classes, chances = [], []
    for place, pattern in enumerate(patterns):
        for aces in range(3):
            for lead, words in (("own", "own side leads"), ("other", "others lead")):
                strength = 6 - place + 2 * aces + (lead == "own")
                label = f"{pattern} · {aces} side ace{'' if aces == 1 else 's'} · {words}"
                n = 1000 + 10 * len(classes)
                classes.append(HandClass(label, (pattern, aces, lead), n, n - 5, 60.0 + strength))
                middle = 0.8 * strength - 2.0
                chances.append([1 / (1 + np.exp(k - middle)) for k in range(len(LEVELS))])
    for back, n in ((2, 90), (1, 4)):
        one = classes[-back]
        classes[-back] = HandClass(one.label, one.values, n, n, one.mean_total, is_rare=True)
    p = np.array(chances)
    reach = 1.96 / np.sqrt([[one.n] for one in classes])
    levels = np.array(LEVELS)
    sheet = p * (levels / 10 + 9) - (1 - p) * (levels / 10 + 17)
    best = np.where(sheet.max(axis=1) > 0, levels[sheet.argmax(axis=1)], 0)
    told = {"rules": {"name": "tsaka", "bid_scores": True}, "seed": 7, "n_deals": 12345}
    return BiddingTable(
        by=("pattern", "side_aces", "lead"),
        levels=LEVELS,
        classes=tuple(classes),
        p_made=p,
        ci_low=np.clip(p - reach, 0, 1),
        ci_high=np.clip(p + reach, 0, 1),
        sheet=sheet,
        sheet_low=sheet - 20 * reach,
        sheet_high=sheet + 20 * reach,
        best=best.astype(np.int16),
        metadata={**told, "version": "9.8.7", "contracts": ["S", "H"], **metadata},
    )
