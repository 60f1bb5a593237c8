"""A rule on paper: as JSON, as Markdown that a person can learn from, and as rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from pilotta_solver.bidding_table.head_rule.against_solver import BesideSolver
from pilotta_solver.bidding_table.head_rule.items import FEWEST_TRUMPS, ITEMS
from pilotta_solver.bidding_table.head_rule.study import Study

COLUMNS = ("kind", "name", "points", "best_from", "worth_from", "p_made")
"""The columns of `records`."""

_DECIMALS = 4  # of everything that is not whole: more would be noise of the last digits

_SHOWN = (80, 90, 100, 110, 120, 140)  # levels in the calibration


def as_dict(study: Study, beside: BesideSolver | None = None) -> dict[str, Any]:
    """Return the rule and all that is known of it, as JSON has it."""
    fit, rule, known = study.fit, study.fit.rule, study.metadata
    told = {
        **{key: known[key] for key in ("version", "seed", "n_deals", "n_deals_unseen")},
        "rules": known["rules"]["name"],
        "ruleset": known["rules"],
        **{key: known[key] for key in ("model", "contracts", "leader", "dataset")},
        "points": rule.by_item(),
        "unit": rule.unit,
        "fewest_trumps": FEWEST_TRUMPS,
        "mean_total": {"at_zero": rule.total_at_zero, "per_point": rule.total_per_point},
        "bids": [asdict(one) for one in rule.levels],
        "chances": [
            {"sum": rule.first_sum + place, "p_made": list(row)}
            for place, row in enumerate(rule.chances)
        ],
        "fits": {
            "n": fit.n,
            "mean_total": _named(fit.mean.weights.tolist()),
            "log_odds": _named(fit.chances.weights.tolist()),
            "points_per_log_odd": fit.points_per_log_odd,
        },
        "scales": [{**asdict(one), "points": list(one.points)} for one in fit.scales],
        "accuracy": asdict(study.accuracy),
        "ways": [asdict(one) for one in study.ways],
        "deciders": {"best": asdict(study.best_bids), "highest": asdict(study.highest_bids)},
        "against_solver": None if beside is None else asdict(beside),
    }
    rounded: dict[str, Any] = _rounded(told)
    return rounded


def records(study: Study) -> Iterator[dict[str, Any]]:
    """Return the rule as rows: one for each item, then one for each level."""
    nothing = dict.fromkeys(COLUMNS)
    for item, points in zip(ITEMS, study.fit.rule.points, strict=True):
        yield {**nothing, "kind": "item", "name": item.name, "points": points}
    for one in study.fit.rule.levels:
        told = _rounded(asdict(one))
        yield {**nothing, "kind": "bid", "name": told.pop("level"), **told}


def markdown(study: Study, beside: BesideSolver | None = None) -> str:
    """Return a page that says the rule, how to use it, and how good it is."""
    parts = [_rule(study), _bids(study), _accuracy(study), _calibration(study), _ways(study)]
    parts.append(_deciders(study))
    if beside is not None:
        parts.append(_beside(beside))
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def table_lines(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Return a Markdown table: names to the left, all else to the right, columns in line."""
    widths = [max(len(row[place]) for row in (head, *rows)) for place in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        first, *others = (
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return f"| {' | '.join((first, *others))} |"

    yield line(head)
    dashes = (
        "-" * width if place == 0 else f"{'-' * (width - 1)}:" for place, width in enumerate(widths)
    )
    yield f"| {' | '.join(dashes)} |"
    yield from map(line, rows)


def _rule(study: Study) -> Iterator[str]:
    rule, known = study.fit.rule, study.metadata
    yield "# A rule for the head"
    yield ""
    yield (
        f"Rules {known['rules']['name']}, from {known['n_deals']:,} random deals of seed "
        f"{known['seed']}, solved double dummy; version {known['version']}."
    )
    yield ""
    rows = [(item.label, str(points)) for item, points in zip(ITEMS, rule.points, strict=True)]
    yield from table_lines(("count", "points"), rows)
    yield ""
    yield (
        f"Count each suit in which you hold {FEWEST_TRUMPS} cards or more, and take the suit of "
        "the greatest sum. Your side's mean total in it is "
        f"{rule.total_at_zero:.0f} + {rule.total_per_point:.1f} × the sum."
    )


def _bids(study: Study) -> Iterator[str]:
    yield "## What the sum bids"
    yield ""
    rows = [
        (str(one.level), _whole(one.best_from), _whole(one.worth_from), _percent(one.p_made))
        for one in study.fit.rule.levels
    ]
    yield from table_lines(("bid", "best from", "worth it from", "made there"), rows)
    yield ""
    yield (
        "*Best from*: the bid that brings most on the sheet if nobody else bids. *Worth it from*: "
        "brings more than a deal that is passed out, if the others force you so high. *Made "
        "there*: the chance at that sum."
    )


def _accuracy(study: Study) -> Iterator[str]:
    one, known = study.accuracy, study.metadata
    yield "## How near it comes"
    yield ""
    yield (
        f"On the {known['n_deals_unseen']:,} deals that were kept from the fit "
        f"({one.n:,} hands with a suit): the rule explains {100 * one.r2:.1f} % of the variance of "
        f"the total, the fit before rounding {100 * one.r2_unrounded:.1f} %. The rest, "
        f"{one.off_by:.0f} points (root mean square), is in the cards that you do not see."
    )
    yield ""
    rows = [
        (
            str(level),
            f"{one.brier[place]:.4f}",
            f"{one.brier_unrounded[place]:.4f}",
            f"{one.brier_blind[place]:.4f}",
            f"{100 * one.miscalibration[place]:.1f}",
        )
        for place, level in enumerate(study.levels)
    ]
    head = ("bid", "Brier score", "before rounding", "blind", "off by, %")
    yield from table_lines(head, rows)
    yield ""
    yield (
        "*Blind*: the same chance for every hand. *Off by*: mean distance between the chance said "
        "and the share that made it, sums put together as below."
    )


def _calibration(study: Study) -> Iterator[str]:
    yield "## Said and seen"
    yield ""
    shown = [place for place, level in enumerate(study.levels) if level in _SHOWN]
    rows = [
        (
            f"{one.sum_from} to {one.sum_to}",
            f"{one.n:,}",
            " / ".join(f"{value:.0f}" for value in one.mean_total),
            *(" / ".join(_percent(p) for p in one.p_made[place]) for place in shown),
        )
        for one in study.accuracy.bins
    ]
    head = ("sum", "hands", "mean total", *(str(study.levels[place]) for place in shown))
    yield from table_lines(head, rows)
    yield ""
    yield "What the rule says / what came on unseen deals; chances in %."


def _ways(study: Study) -> Iterator[str]:
    yield "## Beside other ways to bid"
    yield ""
    rows = [
        (
            one.name,
            _percent(one.p_bid),
            _percent(one.p_made),
            f"{one.mean_level:.0f}",
            f"{one.sheet:.2f} ± {one.sheet_error:.2f}",
            _percent(one.p_differs),
            f"{one.rule_gains:.2f} ± {one.rule_gains_error:.2f}",
            f"{one.rule_gains_a_bid:.2f}",
        )
        for one in study.ways
    ]
    head = ("way", "bids, %", "made, %", "mean bid", "sheet", "differs, %", "costs", "a bid")
    yield from table_lines(head, rows)
    yield ""
    yield (
        "Every hand of the unseen deals, asked as if the others passed. *Sheet*: mean difference "
        "on the sheet of a hand, a pass counting 0, ± one standard error. *Differs*: hands in "
        "which the rule calls otherwise. *Costs*: what that loses a hand on the sheet; *a bid*: "
        "the same over those hands only with which the way bids. *Bidding table*: the best level "
        "by pattern of trumps, side aces and lead, from the same deals as the rule. The others "
        "open as their system says; partner's answer is not looked at."
    )


def _deciders(study: Study) -> Iterator[str]:
    yield "## What decides"
    yield ""
    rows = []
    for name, one in (("best bid", study.best_bids), ("as high as worth", study.highest_bids)):
        shares = (one.n_by_cards, one.n_by_declarations, one.n_by_belote, one.n_by_either)
        made = max(one.n_made, 1)
        rows.append(
            (
                name,
                f"{one.n_bids:,}",
                f"{100 * one.n_made / max(one.n_bids, 1):.0f}",
                *(f"{100 * share / made:.1f}" for share in shares),
            )
        )
    head = ("the rule's bids", "bids", "made, %", "by cards", "declarations", "belote", "either")
    yield from table_lines(head, rows)
    yield ""
    yield (
        "Of the bids that are made on unseen deals, in %: by card points alone; only thanks to "
        "declarations of the own side, without which they would have failed; only thanks to its "
        "belote (where it takes both, in both); with both, where either would have been enough."
    )


def _beside(beside: BesideSolver) -> Iterator[str]:
    yield "## Beside the solver"
    yield ""
    rows = [
        (
            one.name,
            _percent(one.p_bids),
            _percent(one.p_differs),
            _percent(one.p_costs),
            f"{one.costs:.2f} ± {one.costs_error:.2f}",
        )
        for one in beside.ways
    ]
    head = ("way", "bids, %", "differs, %", "costs over 0.5, %", "costs")
    yield from table_lines(head, rows)
    yield ""
    yield (
        f"{beside.ways[0].n_hands:,} unseen hands, each solved in 2 × {beside.n_worlds:,} worlds: "
        "the solver chooses on the first, and all calls are valued on the second. Its calls bring "
        f"{beside.sheet:.2f} a hand; on the worlds of both it calls the same in "
        f"{_percent(beside.p_agrees)} % of the hands."
    )


def _named(weights: Sequence[float]) -> dict[str, float]:
    return {item.name: weight for item, weight in zip(ITEMS, weights, strict=True)}


def _rounded(value: Any) -> Any:
    """The same with all floats rounded, tuples as lists."""
    if isinstance(value, float):
        return round(value, _DECIMALS)
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(one) for one in value]
    return value


def _whole(value: int | None) -> str:
    return "never" if value is None else str(value)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f}"
