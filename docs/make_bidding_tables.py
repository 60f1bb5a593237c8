"""Group solved deals into the tables that come with the program, in pilotta_solver/bidding_table.

pilotta simulate -n 1000000 -o million --seed 1
python docs/make_bidding_tables.py million

Takes a minute on one core once the deals are solved. The same deals give the same bytes.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

from pilotta_solver import load_ruleset
from pilotta_solver.bidding_table.grouping import group
from pilotta_solver.bidding_table.shipped import SHIPPED
from pilotta_solver.bidding_table.sources import solved_deals
from pilotta_solver.bidding_table.table_files import as_dict
from pilotta_solver.tables import open_table

FOLDER = Path(__file__).parents[1] / "pilotta_solver" / "bidding_table" / "shipped"


def main(dataset: str) -> None:
    """Write a file for each ruleset."""
    for name in SHIPPED:
        table = group(solved_deals(open_table(dataset), load_ruleset(name)))
        text = json.dumps(as_dict(table), ensure_ascii=False, allow_nan=False) + "\n"
        path = FOLDER / f"{name}.json.gz"
        # Without a name and a time in its head, so that the bytes depend on the table alone.
        path.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))
        print(f"{name}: {len(table.classes)} classes, {path.stat().st_size / 1e3:,.0f} kB")


if __name__ == "__main__":
    main(*sys.argv[1:])
