"""The tuner of the order of moves writes the weights that it found, and nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.tune_order import change, written
from pilotta_solver.engine import weights

SOURCE = Path(weights.__file__).read_text()


@pytest.mark.parametrize("law", [0, 1])
def test_the_same_weights_leave_the_source_as_it_is(law: int) -> None:
    assert written(SOURCE, weights.WEIGHTS[law], law) == SOURCE


@pytest.mark.parametrize("law", [0, 1])
def test_other_weights_are_read_back(law: int) -> None:
    other = weights.WEIGHTS[law] + 1
    scope: dict[str, object] = {}
    exec(written(SOURCE, other, law), scope)
    found = scope["WEIGHTS"]
    assert (found[law] == other).all()  # type: ignore[index]
    assert (found[1 - law] == weights.WEIGHTS[1 - law]).all()  # type: ignore[index]


def test_a_changed_layout_is_refused() -> None:
    with pytest.raises(ValueError, match="fewer numbers than weights"):
        written("", weights.WEIGHTS[0], 0)


def test_a_change_moves_one_to_three_weights() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        moved = int((change(weights.WEIGHTS[0], rng) != weights.WEIGHTS[0]).sum())
        assert moved <= 3
