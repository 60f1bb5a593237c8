"""Look for better weights of the order of moves, by hill-climbing on the cards searched.

    python benchmarks/tune_order.py --rules tsaka --seconds 600 --write

Random deals in every contract are solved again and again with a few weights changed at random;
what makes the search smaller is kept. Each kind of law of play has weights of its own. ``--write``
puts the result into ``pilotta_solver/engine/weights.py``; the count is exact, so a busy machine
only slows the climb down. Judge the result on other deals (``benchmarks/run.py``), not on these.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt

if not __package__:
    # Run as a file: tune the checkout that it stands in.
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pilotta_solver import load_ruleset, worlds
from pilotta_solver.cards import CARD_POINTS_TOTAL
from pilotta_solver.engine import weights
from pilotta_solver.engine.solve import answer
from pilotta_solver.questions import deal_questions
from pilotta_solver.workers import new_workspace

Weights = npt.NDArray[np.int64]
Questions = npt.NDArray[np.void]

PRESETS = ("tsaka", "contree")
"""A preset for each set of weights: without and with the exemption of partner."""

DEAREST = 200_000
"""Cards searched above which a deal counts no more: one freak is not to decide."""

_FILE = Path(weights.__file__)
_STEP_BASE, _STEP_POINT, _STEP_ADDED = 400, 25, 150


def make_questions(preset: str, n_deals: int, seed: int) -> tuple[Questions, Questions]:
    """Return questions about random deals, and the workspace that answers them."""
    rules = load_ruleset(preset, {"capot_points": CARD_POINTS_TOTAL})
    deal = np.arange(n_deals)
    trumps = np.where(deal % 8 < 7, deal % 4, 4 + deal // 8 % 2).astype(np.int8)
    leaders = (deal // 4 % 4).astype(np.int8)
    questions = deal_questions(worlds(0, 0, n_deals, seed=seed), trumps, leaders, rules)
    return questions, new_workspace(rules.law)


def cost(candidate: Weights, questions: Questions, workspace: Questions) -> float:
    """Mean number of cards searched for an exact value."""
    workspace["weights"][0] = candidate
    asked = questions.copy()
    answer(workspace, asked)
    return float(np.minimum(asked["cards_searched"], DEAREST).mean())


def change(candidate: Weights, rng: np.random.Generator) -> Weights:
    """Return the weights with one to three of them moved at random."""
    changed = candidate.copy()
    for i in rng.choice(candidate.size, size=rng.integers(1, 4), replace=False):
        step = _STEP_ADDED if i >= weights.ADDED else (_STEP_BASE, _STEP_POINT)[i % 2]
        changed[i] += round(rng.normal(0, step))
    return changed


def written(text: str, best: Weights, law: int) -> str:
    """Return the source of the weights module with these numbers in the columns of a law."""
    numbers = iter(best.tolist())

    def replaced(row: re.Match[str]) -> str:
        old = row[1].split(", ")
        width = len(old) // 2
        old[law * width : (law + 1) * width] = [str(next(numbers)) for _ in range(width)]
        return f"    ({', '.join(old)}),"

    text = re.sub(r"^    \((-?\d+(?:, -?\d+)+)\),(?=  #)", replaced, text, flags=re.MULTILINE)
    if next(numbers, None) is not None:
        raise ValueError(f"{_FILE}: fewer numbers than weights; has its layout changed?")
    return text


def main() -> None:
    """Climb for the time given and print what was reached."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600, help="how long to climb")
    parser.add_argument("--deals", type=int, default=400, help="deals to search")
    parser.add_argument("--rules", choices=PRESETS, default=PRESETS[0], help="whose law of play")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="put the result into weights.py")
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    law = PRESETS.index(options.rules)
    questions, workspace = make_questions(options.rules, options.deals, options.seed)
    best = weights.WEIGHTS[law].copy()
    start = reached = cost(best, questions, workspace)
    n_tried = 0
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        candidate = change(best, rng)
        searched = cost(candidate, questions, workspace)
        n_tried += 1
        if searched < reached:
            best, reached = candidate, searched
            print(f"{n_tried:6} {reached:10.0f} cards", flush=True)
    print(f"{n_tried} tried; from {start:.0f} to {reached:.0f} cards a value")
    if options.write:
        _FILE.write_text(written(_FILE.read_text(), best, law))
        print(f"written to {_FILE}")


if __name__ == "__main__":
    main()
