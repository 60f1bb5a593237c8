"""Write which bids look safe double dummy and are not into docs/findings.md, from a dataset.

    python docs/safe_bids.py DATASET [--parts N]

For each class of hands (trumps held, side aces, leading side or not) the share of contracts made
double dummy, and the mean of the chances that the calibration gives for the same deals.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd

from pilotta_solver import load_ruleset, open_table
from pilotta_solver.bidding_table.hand_class import QUANTITIES, default_by
from pilotta_solver.bidding_table.observations import Observations, column_names, observe
from pilotta_solver.cards import N_SUITS, SUIT_MASKS
from pilotta_solver.table_play.calibration import (
    Calibration,
    leader_kind,
    places,
    shifted,
    shipped_calibration,
    trump_group,
)
from pilotta_solver.table_play.winners import winners_many

FINDINGS = Path(__file__).parent / "findings.md"
BEGIN, END = "<!-- safe: begin -->", "<!-- safe: end -->"
TRUMPS = range(N_SUITS)
LEVELS = (80, 90, 100, 110, 120)
BY = default_by(TRUMPS)
SAFE, GAP, FEWEST, SHOWN = 0.95, 0.06, 2000, 12


def both_chances(seen: Observations, calibration: Calibration, level: int) -> pd.DataFrame:
    """Return for each observation whether it is made double dummy, and the chance at the table."""
    side = seen.hand.reshape(-1, N_SUITS, 4)
    together = (side | np.roll(side, 2, axis=2)).reshape(-1)
    masks = np.array(SUIT_MASKS, np.uint32)[seen.trump]
    n_trumps = np.bitwise_count(together & masks).astype(np.int64)
    group = trump_group(n_trumps)
    own = winners_many(seen.hand, seen.trump)
    partner = np.roll(own.reshape(-1, N_SUITS, 4), 2, axis=2).reshape(-1)
    kinds = np.array([leader_kind(seat, 0) for seat in range(4)])[seen.place]
    points = level - (seen.declarations[:, 0] + seen.belote[:, 0]).astype(np.int64)
    needed = shifted(np.where(points <= 0, 0, places(points)), -calibration.shifts[kinds, group])
    come_off = calibration.sweeps.of(kinds, np.maximum(own, partner), n_trumps)
    chance = np.empty(len(seen))
    for kind, results in enumerate(calibration.results):
        rows = kinds == kind
        chance[rows] = results.chances(places(seen.value[rows]), needed[rows], come_off[rows])
    return pd.DataFrame({"made": seen.total >= level, "at_table": chance})


def by_class(dataset: str, n_parts: int) -> tuple[pd.DataFrame, int]:
    """Return the mean chances of each class and level, and the number of deals."""
    rules = load_ruleset()
    calibration = shipped_calibration(rules.law)
    assert calibration is not None
    sums, n_deals = [], 0
    batches = open_table(dataset).batches(column_names(tuple(TRUMPS)))
    for columns in islice(batches, n_parts):
        seen = observe(columns, tuple(TRUMPS), rules)
        codes = pd.DataFrame({name: QUANTITIES[name].values(seen) for name in BY})
        for level in LEVELS:
            chances = both_chances(seen, calibration, level)
            grouped = chances.groupby([codes[name] for name in BY])
            sums.append(grouped.sum().assign(n=grouped.size(), level=level).reset_index())
        n_deals += len(seen) // 16
    whole = pd.concat(sums).groupby([*BY, "level"], as_index=False).sum()
    for name in ("made", "at_table"):
        whole[name] /= whole["n"]
    return whole, n_deals


def section(whole: pd.DataFrame, n_deals: int) -> Iterator[str]:
    """Return the text between the marks."""
    safe = whole[(whole["made"] >= SAFE) & (whole["n"] >= FEWEST)]
    worst = safe[safe["made"] - safe["at_table"] >= GAP]
    # Of the levels of a class the highest that looks safe.
    worst = worst.sort_values("level").drop_duplicates(list(BY), keep="last")
    worst = worst.sort_values("at_table").head(SHOWN)
    yield f"{n_deals:,} random deals, tsaka. Bids made in {100 * SAFE:.0f} % or more of the deals"
    yield f"double dummy, and {100 * GAP:.0f} points or more less often at the table; of each class"
    yield f"of {FEWEST:,} hands or more the highest such bid, and of these the {SHOWN} least safe:"
    yield ""
    yield "| hand | bid | double dummy | at the table |"
    yield "| --- | --- | --- | --- |"
    for row in worst.to_dict("records"):
        label = " · ".join(QUANTITIES[name].label(int(row[name])) for name in BY)
        shares = f"{100 * row['made']:.1f} | {100 * row['at_table']:.1f}"
        yield f"| {label} | {row['level']} | {shares} |"
    yield ""
    yield "All hands with three trumps or more and jack or nine in them, by who leads: chance to"
    yield "make the bid in percent, double dummy / at the table."
    yield ""
    leads = QUANTITIES["lead"].label
    codes = sorted(whole["lead"].unique())
    yield "| bid | " + " | ".join(leads(int(code)) for code in codes) + " |"
    yield "| --- | --- | --- |"
    trumps = whole[BY[0]].map(QUANTITIES[BY[0]].label)
    biddable = whole[trumps.map(_may_bid)]
    for level in LEVELS:
        cells = []
        for lead in codes:
            rows = biddable[(biddable["level"] == level) & (biddable["lead"] == lead)]
            means = (
                100 * np.average(rows[name], weights=rows["n"]) for name in ("made", "at_table")
            )
            cells.append(" / ".join(f"{mean:.1f}" for mean in means))
        yield f"| {level} | " + " | ".join(cells) + " |"


def _may_bid(pattern: str) -> bool:
    """Whether a pattern such as ``J9+1`` has three trumps or more, jack or nine among them."""
    named, _, others = pattern.partition("+")
    return named[:1] in ("J", "9") and len(named) + int(others or 0) >= 3


def main() -> None:
    """Read a dataset and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("dataset")
    parser.add_argument("--parts", type=int, default=10)
    asked = parser.parse_args()
    text = "\n".join(section(*by_class(asked.dataset, asked.parts)))
    before, rest = FINDINGS.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    FINDINGS.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
