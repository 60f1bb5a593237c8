"""Have contracts played out by players who see only their own cards, and count the results.

    python docs/make_calibration.py play [--contracts N --proof N --jobs N]
    python docs/make_calibration.py fit

``play`` writes data/calibration/contracts.parquet: N contracts for each kind of leader, and as many
as ``--proof`` says that the fit leaves out. It goes on where it was stopped, and makes the same
file however often that was. ``fit`` counts the others, picks the width of the kernel by
cross-validation, and writes pilotta_solver/table_play/calibration/.

A contract is a deal, a seat that declares and a trump of which that seat has three or more with
jack or nine, or five or more: hands on which one may think of bidding. N leads. One of the suits
that will do is taken at random.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.linear_model import LogisticRegression

from pilotta_solver import __version__, load_ruleset, solve_many, worlds
from pilotta_solver.cards import JACK, N_SUITS, RANKS, SUIT_MASKS, make_card
from pilotta_solver.table_play import calibration
from pilotta_solver.table_play.calibration import (
    FEWEST_TRUMPS,
    LEADERS,
    MOST_TRUMPS,
    N_PLACES,
    SWEEP,
    Calibration,
    SweepChance,
    TableResults,
    count_contracts,
    law_as_dict,
    places,
    shifted,
    sparse,
    trump_group,
)
from pilotta_solver.table_play.self_play import self_play_many
from pilotta_solver.table_play.winners import winners_many

ROOT = Path(__file__).parents[1]
CONTRACTS = ROOT / "data" / "calibration" / "contracts.parquet"
SHIPPED = ROOT / "pilotta_solver" / "table_play" / "calibration"

SEED = 20_261_129
DECISION_WORLDS = 20
BLOCK = 600
WIDTHS = (2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 14.0)
FOLDS = 5


def suits_to_bid(hands: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Tell for each hand, (n,), in which suits it may think of bidding, (n, 4)."""
    found = []
    for suit in range(N_SUITS):
        n_trumps = np.bitwise_count(hands & np.uint32(SUIT_MASKS[suit]))
        top = np.uint32(1 << make_card(suit, JACK) | 1 << make_card(suit, RANKS.index("9")))
        found.append((n_trumps >= 5) | ((n_trumps >= 3) & ((hands & top) != 0)))
    return np.stack(found, axis=1)


def contracts_of(first: int, n: int) -> pd.DataFrame:
    """Return the contracts of n deals from number ``first`` on, and their hands."""
    numbers = np.arange(first, first + n)
    hands = worlds(0, 0, n, SEED, first)
    kinds = numbers % len(LEADERS)
    # N leads: he declares himself, or S, or W and E in turn.
    declarers = np.where(kinds == 0, 0, np.where(kinds == 1, 2, 1 + 2 * (numbers // 3 % 2)))
    may = suits_to_bid(hands[np.arange(n), declarers])
    n_suits = may.sum(axis=1)
    wanted = worlds(0, 0, n, SEED + 1, first)[:, 0] % np.maximum(n_suits, 1)
    trumps = (np.cumsum(may, axis=1) > wanted[:, None]).argmax(axis=1)
    table = pd.DataFrame(
        {"number": numbers, "leader": kinds, "declarer": declarers, "trump": trumps}
    ).astype({"leader": "int8", "declarer": "int8", "trump": "int8"})
    for seat in range(4):
        table[f"hand_{seat}"] = hands[:, seat]
    return table[n_suits > 0].reset_index(drop=True)


def hands_of(table: pd.DataFrame) -> npt.NDArray[np.uint32]:
    """Return the hands of contracts, (n, 4)."""
    return np.ascontiguousarray(table[[f"hand_{seat}" for seat in range(4)]].to_numpy(np.uint32))


def play(wanted: int, jobs: int | None) -> None:
    """Play contracts until there are so many of each kind; write them block by block."""
    rules = load_ruleset()
    parts = CONTRACTS.parent / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    blocks: list[pd.DataFrame] = []
    while not blocks or pd.concat(blocks)["leader"].value_counts().reindex(range(3)).min() < wanted:
        first = BLOCK * len(blocks)
        path = parts / f"{first:06d}.parquet"
        if not path.exists():
            table = contracts_of(first, BLOCK)
            hands, trumps = hands_of(table), table["trump"].to_numpy()
            numbers = table["number"].to_numpy(np.int64)
            table["double_dummy"] = solve_many(hands, trumps, 0, rules, jobs)
            table["table"] = self_play_many(
                hands, trumps, 0, seed=SEED, numbers=numbers, n_worlds=DECISION_WORLDS,
                rules=rules, jobs=jobs,
            )  # fmt: skip
            table.to_parquet(path.with_suffix(".part"), index=False)
            path.with_suffix(".part").rename(path)
            print(f"{first + BLOCK:,} deals", flush=True)
        blocks.append(pd.read_parquet(path))
    whole = pd.concat(blocks, ignore_index=True)
    place = whole.groupby("leader").cumcount()
    whole[place < wanted].to_parquet(CONTRACTS, index=False, compression="zstd")


def results(table: pd.DataFrame) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the declarers' places, double dummy and at the table."""
    ns = table["declarer"].to_numpy() % 2 == 0
    both = (table[name].to_numpy(np.int64) for name in ("double_dummy", "table"))
    double_dummy, at_table = (places(np.where(ns, value, 162 - value)) for value in both)
    return double_dummy, at_table


def groups(table: pd.DataFrame) -> npt.NDArray[np.int64]:
    """Return the group of the number of trumps that the declarers hold."""
    return trump_group(n_trumps(table))


def winners(table: pd.DataFrame) -> npt.NDArray[np.int64]:
    """Return the winners in the better hand of the declarers."""
    hands, declarers = hands_of(table), table["declarer"].to_numpy()
    rows, trumps = np.arange(len(table)), table["trump"].to_numpy()
    both = (hands[rows, (declarers + place) % 4] for place in (0, 2))
    return np.maximum(*(winners_many(hand, trumps) for hand in both))


def n_trumps(table: pd.DataFrame) -> npt.NDArray[np.int64]:
    """Return the number of trumps that the declarers hold."""
    hands, declarers = hands_of(table), table["declarer"].to_numpy()
    rows = np.arange(len(table))
    both = hands[rows, declarers] | hands[rows, (declarers + 2) % 4]
    masks = np.array(SUIT_MASKS, np.uint32)[table["trump"].to_numpy()]
    return np.bitwise_count(both & masks).astype(np.int64)


def sweep_chance(table: pd.DataFrame) -> SweepChance:
    """Fit the chance that a double dummy sweep comes off."""
    double_dummy, at_table = results(table)
    swept = double_dummy == SWEEP
    kinds = table["leader"].to_numpy(np.int64)
    by_leader = np.eye(len(LEADERS))[kinds]
    told = np.column_stack([by_leader, winners(table), n_trumps(table)])[swept]
    model = LogisticRegression(C=1e4, fit_intercept=False, max_iter=1000, tol=1e-8)
    fitted = model.fit(told, at_table[swept] == SWEEP).coef_[0].round(4).tolist()
    return SweepChance(tuple(fitted[:3]), fitted[3], fitted[4])


def counted(
    table: pd.DataFrame,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the shifts of contracts, (3, 4), and their counts, (3, 165, 165).

    A shift is the mean, in whole points, by which contracts of a group differ from all that are
    counted, themselves shifted; after a few rounds it stays what it is.
    """
    kinds, group = table["leader"].to_numpy(np.int64), groups(table)
    double_dummy, at_table = results(table)
    shifts = np.zeros((len(LEADERS), MOST_TRUMPS - FEWEST_TRUMPS + 1), np.int64)
    points = np.clip(np.arange(N_PLACES) - 1, 0, 162)
    for _ in range(4):
        moved = shifted(at_table, -shifts[kinds, group])
        counts = count_contracts(kinds, double_dummy, moved)
        of_place = [-np.diff(TableResults(of_kind).at_least, axis=1) @ points for of_kind in counts]
        expected = np.array(of_place)[kinds, double_dummy]
        off = pd.Series(points[at_table] - expected).groupby([kinds, group]).mean()
        shifts = np.rint(off.unstack(fill_value=0.0)).to_numpy().astype(np.int64)
    return shifts, count_contracts(kinds, double_dummy, shifted(at_table, -shifts[kinds, group]))


def predicted(
    table: pd.DataFrame, calibration: Calibration, needed: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Return the chances of contracts to reach places, (levels, n)."""
    kinds = table["leader"].to_numpy(np.int64)
    double_dummy, _ = results(table)
    moved = shifted(needed[:, None] + 0 * kinds, -calibration.shifts[kinds, groups(table)])
    come_off = calibration.sweeps.of(kinds, winners(table), n_trumps(table))
    chances = np.empty(moved.shape)
    for kind, of_kind in enumerate(calibration.results):
        rows = kinds == kind
        chances[:, rows] = of_kind.chances(double_dummy[rows], moved[:, rows], come_off[rows])
    return chances


def calibrated(table: pd.DataFrame) -> Calibration:
    """Calibrate by contracts."""
    shifts, counts = counted(table)
    return Calibration(load_ruleset().law, counts, shifts, sweep_chance(table), {})


LEVELS = np.arange(80, 161, 10)


def brier(width: float, table: pd.DataFrame) -> float:
    """Cross-validate a width: the mean squared error of the chances of all levels by tens."""
    calibration.WIDTH = width
    _, at_table = results(table)
    needed = LEVELS + 1
    fold = table["number"].to_numpy() // len(LEADERS) % FOLDS
    errors = []
    for left_out in range(FOLDS):
        rows = fold == left_out
        chances = predicted(table[rows], calibrated(table[~rows]), needed)
        errors.append((chances - (at_table[rows] >= needed[:, None])) ** 2)
    return float(np.concatenate(errors, axis=1).mean())


def of_fit(table: pd.DataFrame, n_fit: int) -> npt.NDArray[np.bool_]:
    """Tell which contracts are for the fit: the first of each kind of leader."""
    return (table.groupby("leader").cumcount() < n_fit).to_numpy()


def fit(n_fit: int) -> None:
    """Count the contracts of the fit and write what the program reads."""
    table = pd.read_parquet(CONTRACTS)
    used = table[of_fit(table, n_fit)]
    shipped_width = calibration.WIDTH
    scores = {width: brier(width, used) for width in WIDTHS}
    calibration.WIDTH = shipped_width
    for width, score in scores.items():
        print(f"width {width:g}: Brier score {score:.5f}")
    found = calibrated(used)
    counts, shifts, sweeps = found.counts, found.shifts, found.sweeps
    print(f"shifts by trumps, {FEWEST_TRUMPS} to {MOST_TRUMPS}: {shifts.tolist()}")
    print(f"sweeps: {sweeps}")
    made = {
        "law": law_as_dict(load_ruleset().law),
        "contracts": dict(zip(LEADERS, counts.sum(axis=(1, 2)).tolist(), strict=True)),
        "shifts": shifts.tolist(),
        "sweeps": asdict(sweeps),
        "seed": SEED,
        "decision_worlds": DECISION_WORLDS,
        "aim": "points",
        "best_width": min(scores, key=lambda width: scores[width]),
        "version": __version__,
        "command": "python docs/make_calibration.py play && python docs/make_calibration.py fit",
    }
    SHIPPED.mkdir(exist_ok=True)
    np.savez_compressed(SHIPPED / "calibration.npz", **sparse(counts))
    (SHIPPED / "calibration.json").write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Play, or fit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("what", choices=("play", "fit"))
    parser.add_argument("--contracts", type=int, default=10_000, help="for the fit, of each kind")
    parser.add_argument("--proof", type=int, default=1_700, help="left out of it, of each kind")
    parser.add_argument("--jobs", type=int, help="threads; default one a core")
    asked = parser.parse_args()
    if asked.what == "play":
        play(asked.contracts + asked.proof, asked.jobs)
    else:
        fit(asked.contracts)


if __name__ == "__main__":
    main()
