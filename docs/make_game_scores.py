"""Simulate the deals behind the chances of winning a game, and write pilotta_solver/advice/games/.

python docs/make_game_scores.py          every preset
python docs/make_game_scores.py tsaka    one of them

Takes about a quarter of a minute for each on one core. The model is that of
`pilotta_solver.advice.game_chance`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pilotta_solver import __version__, load_ruleset, preset_names
from pilotta_solver.advice.game_chance import CAUTION, ERROR, SEED, simulate_scores

GAMES = Path(__file__).parents[1] / "pilotta_solver" / "advice" / "games"
N_DEALS = 5000


def main(names: list[str]) -> None:
    """Write a file for each preset."""
    for name in names:
        rules = load_ruleset(name)
        scores = simulate_scores(rules, N_DEALS, jobs=1)
        table = {
            "about": "scores of simulated deals: [by the side that leads, by the other, how often]",
            "made_by": f"docs/make_game_scores.py, pilotta-solver {__version__}",
            "model": {"error": ERROR, "caution": CAUTION, "seed": SEED},
            "rules": rules.as_dict(),
            **scores.as_dict(),
        }
        lines = (f"{json.dumps(key)}: {json.dumps(value)}" for key, value in table.items())
        path = GAMES / f"{name}.json"
        path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        bid = scores.n_deals - scores.n_passed
        print(
            f"{name}: {len(scores.counts)} pairs; passed out {scores.n_passed / N_DEALS:.1%}, "
            f"made {scores.n_made / bid:.1%} of the others"
        )


if __name__ == "__main__":
    main(sys.argv[1:] or list(preset_names()))
