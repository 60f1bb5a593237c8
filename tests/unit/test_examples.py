"""The code of docs/examples.md runs, and pandas and DuckDB answer alike."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pilotta_solver import load_ruleset
from pilotta_solver.datasets.simulation import Simulation, simulate

PAGE = (Path(__file__).parents[2] / "docs" / "examples.md").read_text(encoding="utf-8")
ANSWERS = ("by_trumps", "by_belote", "by_level")


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the blocks of the page leave behind, run in order beside a small dataset."""
    folder = tmp_path_factory.mktemp("examples")
    simulate(folder / "deals", Simulation(1, load_ruleset()), 300, part_size=100, jobs=1)
    names: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
            exec(compile(block, "examples.md", "exec"), names)
    return names


@pytest.mark.parametrize("answer", ANSWERS)
def test_pandas_and_duckdb_answer_alike(names, answer):
    ours, theirs = names[answer], names[f"{answer}_sql"]
    assert len(ours) >= 3
    assert list(ours) == list(theirs)
    for column in ours:
        # A half of the last digit shown may be rounded up or down.
        digit = 0.1 if column in ("mean", "points") else 0.001
        pd.testing.assert_series_equal(
            ours[column], theirs[column], check_dtype=False, rtol=0, atol=1.01 * digit
        )


def test_the_page_has_three_questions():
    assert PAGE.count("\n## ") == len(ANSWERS)


def test_a_total_is_that_of_the_library(names):
    from pilotta_solver import totals_many

    deals = names["deals"]
    hands = deals[["cards_n", "cards_w", "cards_s", "cards_e"]].to_numpy("uint32")
    values = deals.value_ns_hearts.to_numpy()
    assert names["total"](deals, "hearts").tolist() == (
        totals_many(hands, 1, 0, values, load_ruleset())[:, 0].tolist()
    )


def test_a_bidding_table_is_made(names):
    assert names["table"].metadata["n_deals"] == len(names["deals"])
    assert names["makes_90"]
    for n, share in names["makes_90"].values():
        assert n >= 400
        assert 0 <= share <= 1
