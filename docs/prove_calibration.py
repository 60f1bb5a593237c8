"""Hold the chances at the table against contracts that took no part in the fit.

    python docs/prove_calibration.py [--hands N --worlds N --jobs N]

Writes the section between the marks of docs/findings.md and the picture docs/calibration.png. For N
hands self-play is run on N worlds of the hand itself, beside what `pilotta bid` predicts from the
same worlds: that takes N x N x 0.08 s of one core. `docs/make_calibration.py` makes what it reads.
"""

from __future__ import annotations

import argparse
import math
import textwrap
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import numpy as np
import numpy.typing as npt
import pandas as pd
from make_calibration import (
    CONTRACTS,
    DECISION_WORLDS,
    LEVELS,
    contracts_of,
    groups,
    hands_of,
    of_fit,
    predicted,
    results,
)
from matplotlib.figure import Figure

from pilotta_solver import load_ruleset, solve_many, worlds
from pilotta_solver.table_play.calibration import LEADERS, Calibration, shipped_calibration
from pilotta_solver.table_play.self_play import self_play_many

FINDINGS = Path(__file__).parent / "findings.md"
PICTURE = Path(__file__).parent / "calibration.png"
BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"
SEED = 77
LEAD = {"declarer": "the declarer", "partner": "his partner", "defender": "a defender"}

Floats = npt.NDArray[np.float64]


def section(calibration: Calibration, table: pd.DataFrame, direct: pd.DataFrame) -> str:
    """Return the text between the marks."""
    n_fit = min(calibration.made["contracts"].values())
    used = of_fit(table, n_fit)
    left = table[~used]
    chances = predicted(left, calibration, LEVELS + 1)
    parts = (
        _counts(calibration, table, left),
        _differences(table),
        _levels(left, chances),
        _scores(left, chances),
        _kinds(left, chances),
        _direct(direct),
    )
    return "\n".join(line for part in parts for line in part)


def _counts(calibration: Calibration, table: pd.DataFrame, left: pd.DataFrame) -> Iterator[str]:
    made = calibration.made
    yield from _paragraph(
        f"{len(table):,} contracts played out by four players who see only their own cards, each "
        f"card the best over {made['decision_worlds']} worlds; {len(table) - len(left):,} of them "
        f"are the calibration, {len(left):,} others prove it. Seed {made['seed']}, law of play of "
        f"tsaka and classic, version {made['version']}."
    )
    yield ""


def _differences(table: pd.DataFrame) -> Iterator[str]:
    """How far table and double dummy differ, by who leads and by the declarers' trumps."""
    double_dummy, at_table = results(table)
    points = np.clip(np.arange(165) - 1, 0, 162)
    off = pd.Series(points[at_table] - points[double_dummy], index=table.index)
    group = groups(table)
    yield "Card points of the declarers at the table, less double dummy:"
    yield ""
    yield "| who leads | mean | r.m.s. | 4 trumps or fewer | 5 | 6 | 7 or 8 |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for kind, leader in enumerate(LEADERS):
        rows = table["leader"].to_numpy() == kind
        of_group = " | ".join(f"{off[rows & (group == g)].mean():+.1f}" for g in range(4))
        error = off[rows].std() / math.sqrt(rows.sum())
        yield (
            f"| {LEAD[leader]} | {off[rows].mean():+.1f} ± {1.96 * error:.1f} | "
            f"{math.sqrt((off[rows] ** 2).mean()):.1f} | {of_group} |"
        )
    yield ""


def _levels(left: pd.DataFrame, chances: Floats) -> Iterator[str]:
    """Predicted against observed for every level and every kind of leader."""
    _, at_table = results(left)
    double_dummy, _ = results(left)
    reached = at_table >= (LEVELS + 1)[:, None]
    dreamt = double_dummy >= (LEVELS + 1)[:, None]
    off = 100 * (chances - reached).mean()
    yield from _paragraph(
        "Share of the contracts left out whose declarers take at least so many card points, in "
        "percent: predicted / seen (double dummy). Over all levels the prediction is "
        f"{off:+.2f} points off; the standard error of a share of one kind is about 1.2 points."
    )
    yield ""
    yield "| points | " + " | ".join(f"{LEAD[leader]} leads" for leader in LEADERS) + " | all |"
    yield "| --- | --- | --- | --- | --- |"
    kinds = left["leader"].to_numpy()
    for i, level in enumerate(LEVELS):
        cells = []
        for kind in (*range(len(LEADERS)), None):
            rows = slice(None) if kind is None else kinds == kind
            shares = [100 * each[i, rows].mean() for each in (chances, reached, dreamt)]
            cells.append(f"{shares[0]:.1f} / {shares[1]:.1f} ({shares[2]:.1f})")
        yield f"| {level} | " + " | ".join(cells) + " |"
    yield ""


def _scores(left: pd.DataFrame, chances: Floats) -> Iterator[str]:
    double_dummy, at_table = results(left)
    reached = at_table >= (LEVELS + 1)[:, None]
    dreamt = double_dummy >= (LEVELS + 1)[:, None]
    mine, other = ((chances - reached) ** 2).mean(), (dreamt != reached).mean()
    yield (
        f"Brier score over these levels: **{mine:.4f}**; double dummy taken at its word: "
        f"{other:.4f}."
    )
    yield ""
    yield "![predicted against seen](calibration.png)"
    yield ""


def _kinds(left: pd.DataFrame, chances: Floats) -> Iterator[str]:
    """What the model leaves out: predicted less seen by kind of hand."""
    hands = hands_of(left)[np.arange(len(left)), left["declarer"].to_numpy()]
    trumps = left["trump"].to_numpy(np.uint32)
    own = hands >> (8 * trumps) & np.uint32(255)
    length = np.bitwise_count(own).astype(int)
    has = {"J": 4, "9": 2, "A": 7}
    aces = sum(
        (hands >> np.uint32(8 * suit + 7) & 1).astype(int) * (trumps != suit) for suit in range(4)
    )
    kinds: dict[str, npt.NDArray[np.bool_]] = {f"{n} trumps": length == n for n in (3, 4, 5)} | {
        f"{name} of trumps": (own >> np.uint32(bit) & 1) == 1 for name, bit in has.items()
    }
    kinds |= {"no side ace": aces == 0, "one": aces == 1, "two or three": aces >= 2}
    _, at_table = results(left)
    off = 100 * (chances - (at_table >= (LEVELS + 1)[:, None])).mean(axis=0)
    yield from _paragraph(
        "What the model does not look at in the declarer's hand, and so may get wrong: predicted "
        "less seen, in points of chance, mean over the levels."
    )
    yield ""
    yield "| declarer has | contracts | predicted less seen |"
    yield "| --- | --- | --- |"
    for name, rows in kinds.items():
        error = off[rows].std() / math.sqrt(rows.sum())
        yield f"| {name} | {rows.sum():,} | {off[rows].mean():+.1f} ± {1.96 * error:.1f} |"
    yield ""


def play_directly(calibration: Calibration, n_hands: int, n: int, jobs: int | None) -> pd.DataFrame:
    """Play hands on worlds of their own; what came of it, and what is predicted.

    One row a hand and level: the share of its worlds in which so many card points were reached, and
    the mean of the chances predicted from the double dummy results of the same worlds.
    """
    rules = load_ruleset()
    table = contracts_of(50_000_000, 2 * n_hands).iloc[:n_hands]
    rows = []
    for i, one in enumerate(table.itertuples()):
        hand = int(hands_of(table)[i, one.declarer])
        hands = worlds(hand, one.declarer, n, SEED + i)
        worlds_of = pd.DataFrame({f"hand_{seat}": hands[:, seat] for seat in range(4)})
        for name in ("leader", "declarer", "trump"):
            worlds_of[name] = getattr(one, name)
        worlds_of["double_dummy"] = solve_many(hands, one.trump, 0, rules, jobs)
        worlds_of["table"] = self_play_many(
            hands, one.trump, 0, seed=SEED + i, numbers=np.arange(n), n_worlds=DECISION_WORLDS,
            rules=rules, jobs=jobs,
        )  # fmt: skip
        chances = predicted(worlds_of, calibration, LEVELS + 1)
        double_dummy, at_table = results(worlds_of)
        for level, p in zip(LEVELS, chances, strict=True):
            reached = at_table >= level + 1
            rows.append(
                {
                    "hand": i,
                    "level": level,
                    "n": n,
                    "predicted": p.mean(),
                    "seen": reached.mean(),
                    "double_dummy": (double_dummy >= level + 1).mean(),
                    "variance": (p * (1 - p)).sum() / n**2,
                }
            )
    return pd.DataFrame(rows)


def _direct(direct: pd.DataFrame) -> Iterator[str]:
    n_hands, n = direct["hand"].nunique(), int(direct["n"].iloc[0])
    yield from _paragraph(
        f"{n_hands} hands, each played out on {n} worlds of its own, card points at the table "
        "against the prediction from the same worlds. *Spread* is by how much the chances of "
        "single hands differ from the prediction beyond what so few worlds explain (standard "
        "deviation)."
    )
    yield ""
    yield "| points | predicted | seen | double dummy | spread |"
    yield "| --- | --- | --- | --- | --- |"
    for level, rows in direct.groupby("level"):
        off = rows["seen"] - rows["predicted"]
        beyond = (off**2).mean() - rows["variance"].mean()
        spread = f"{100 * math.sqrt(beyond):.1f}" if beyond > 0 else "none"
        means = " | ".join(
            f"{100 * rows[name].mean():.1f}" for name in ("predicted", "seen", "double_dummy")
        )
        yield f"| {level} | {means} | {spread} |"


def draw(chances: Floats, reached: npt.NDArray[np.bool_], kinds: npt.NDArray[np.int64]) -> None:
    """Draw predicted against seen, in twenty bins of equal size a kind of leader."""
    mpl.rcParams["svg.hashsalt"] = "pilotta"
    sheet = Figure(figsize=(5.0, 5.0), layout="constrained")
    ax = sheet.subplots()
    ax.plot([0, 100], [0, 100], color="grey", linewidth=1)
    looks = zip(LEADERS, ("#0072b2", "#e69f00", "#009e73"), "os^", strict=True)
    for kind, (leader, colour, mark) in enumerate(looks):
        said, came = chances[:, kinds == kind].ravel(), reached[:, kinds == kind].ravel()
        bins = np.array_split(np.argsort(said, kind="stable"), 20)
        points = [(100 * said[one].mean(), 100 * came[one].mean()) for one in bins]
        ax.plot(*zip(*points, strict=True), mark, color=colour, label=f"{LEAD[leader]} leads")
    ax.set_xlabel("predicted, %")
    ax.set_ylabel("seen, %")
    ax.set_title("At least 80 to 160 card points at the table", fontsize=10)
    ax.legend(frameon=False)
    sheet.savefig(PICTURE, dpi=110, metadata={"Software": None})


def _paragraph(text: str) -> list[str]:
    return textwrap.wrap(text, 100)


def main() -> None:
    """Prove, and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=200)
    parser.add_argument("--worlds", type=int, default=40)
    parser.add_argument("--jobs", type=int)
    asked = parser.parse_args()
    calibration = shipped_calibration(load_ruleset().law)
    assert calibration is not None
    table = pd.read_parquet(CONTRACTS)
    direct = play_directly(calibration, asked.hands, asked.worlds, asked.jobs)
    before, rest = FINDINGS.read_text(encoding="utf-8").split(BEGIN)
    _, after = rest.split(END)
    text = section(calibration, table, direct)
    FINDINGS.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")
    left = table[~of_fit(table, min(calibration.made["contracts"].values()))]
    _, at_table = results(left)
    chances = predicted(left, calibration, LEVELS + 1)
    reached = at_table >= (LEVELS + 1)[:, None]
    draw(chances, reached, left["leader"].to_numpy())


if __name__ == "__main__":
    main()
