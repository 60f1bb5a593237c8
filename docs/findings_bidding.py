"""Write the section "What a hand is worth" of docs/findings.md anew, from a dataset and two rules.

pilotta simulate -n 1000000 -o million --seed 1
pilotta table --from million --fit --solver-hands 200 -o tsaka.json --plot head_rule.png
pilotta table --from million --fit --rules classic --solver-hands 100 -o classic.json
python docs/findings_bidding.py million tsaka.json classic.json
"""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pilotta_solver import load_ruleset
from pilotta_solver.bidding_table.grouping import BiddingTable, group
from pilotta_solver.bidding_table.head_rule.items import ITEMS
from pilotta_solver.bidding_table.head_rule.report import table_lines
from pilotta_solver.bidding_table.merging import MIN_N
from pilotta_solver.bidding_table.shipped import shipped_table
from pilotta_solver.bidding_table.sources import solved_deals
from pilotta_solver.cards import PLAIN_POINTS
from pilotta_solver.tables import open_table

PAGE = Path(__file__).parent / "findings.md"
BEGIN, END = "<!-- bidding: begin -->", "<!-- bidding: end -->"
RULES = ("tsaka", "classic")
WIDTH = 100

# Holdings of three, four and five trumps without a belote.
PATTERNS = (
    "J9A", "J9+1", "JA+1", "9A+1", "J+2", "9+2", "A+2", "+3",
    "J9A+1", "J9+2", "JA+2", "9A+2", "J+3", "9+3", "A+3", "+4",
    "J9A+2", "J9+3", "JA+3", "9A+3", "J+4", "9+4",
)  # fmt: skip
FEW = ("J9+1", "J+2", "9+2", "J9+2", "J+3", "9+3", "+4")
LEVELS = (80, 90, 100, 110)
HIGH = [(5, aces, 3 - aces) for aces in range(3, -1, -1)]  # five trumps, side aces, side tens
OFTEN = 0.75
HIGHEST = 160

Rule = dict[str, Any]


class Rows:
    """The classes of a table by their values, those that are rare left out."""

    def __init__(self, table: BiddingTable) -> None:
        self.table = table
        self.of = {
            one.values: place
            for place, one in enumerate(table.classes)
            if not (one.is_rare or one.merged)
        }

    def p_made(self, values: tuple[Any, ...], level: int) -> float | None:
        """The chance of a level, None for a class that is not known."""
        known = self.together([values])
        return None if known is None else float(known[2][self.table.levels.index(level)])

    def together(self, where: Sequence[tuple[Any, ...]]) -> tuple[int, float, Any, Any] | None:
        """Hands, mean total, chances and sheets of several classes together, if not too rare."""
        places = [self.of[values] for values in where if values in self.of]
        n = np.array([self.table.classes[place].n for place in places])
        if n.sum() < MIN_N:
            return None
        totals = [self.table.classes[place].mean_total for place in places]
        p_made, sheet = (
            np.average(figures[places], axis=0, weights=n)
            for figures in (self.table.p_made, self.table.sheet)
        )
        return int(n.sum()), float(np.average(totals, weights=n)), p_made, sheet


# --- the parts of the section ----------------------------------------------------------------


def rule_for_the_head(rules: Sequence[Rule]) -> Iterator[str]:
    """The points, the bids of their sum, and how good they are."""
    yield from _head(
        "A rule for the head",
        "Count your points in each suit, and take the suit with most. Fitted to "
        f"{rules[0]['n_deals'] - rules[0]['n_deals_unseen']:,} deals, tried on "
        f"{rules[0]['n_deals_unseen']:,} others; double dummy.",
        *(
            f"pilotta table --from million --fit --rules {rule['rules']}" + _solver_option(rule)
            for rule in rules
        ),
    )
    rows = [(item.label, *(str(rule["points"][item.name]) for rule in rules)) for item in ITEMS]
    rows.append(("mean total at 0", *(f"{rule['mean_total']['at_zero']:.0f}" for rule in rules)))
    rows.append(("each point adds", *(f"{rule['mean_total']['per_point']:.1f}" for rule in rules)))
    yield from table_lines(("count", *(rule["rules"] for rule in rules)), rows)
    yield ""
    yield from _text(
        "What the sum bids. *Best from*: the best bid if nobody else bids. *Worth it from*: worth "
        "more than a deal that is passed out, if the others force you so high; in brackets how "
        "often it makes there, in %."
    )
    rows = []
    for bids in zip(*(rule["bids"] for rule in rules), strict=True):
        cells = [str(bids[0]["level"])]
        for bid in bids:
            cells.append(_whole(bid["best_from"]))
            worth = bid["worth_from"]
            cells.append("–" if worth is None else f"{worth} ({_percent(bid['p_made'])})")
        rows.append(tuple(cells))
    heads = [
        f"{rule['rules']}: {what}" for rule in rules for what in ("best from", "worth it from")
    ]
    yield from table_lines(("bid", *heads), rows)
    yield ""
    yield from _how_good(rules)


def _how_good(rules: Sequence[Rule]) -> Iterator[str]:
    told = " ".join(
        f"Under {rule['rules']} the rule explains {100 * rule['accuracy']['r2']:.1f} % of the "
        f"variance of the total, and the fit before rounding "
        f"{100 * rule['accuracy']['r2_unrounded']:.1f} %; its chances are off by "
        f"{100 * np.mean(rule['accuracy']['miscalibration']):.1f} % on average."
        for rule in rules
    )
    yield from _text(
        f"How good it is on the deals that it has not seen. {told} Its bids beside others, each "
        "hand asked as if all others passed: points on the sheet that a hand brings, and what a "
        "hand brings less than by the rule where that way bids. Players who pass more also wait "
        "for their partner, which is not weighed here: [tables.md](tables.md) says more."
    )
    rows = [
        (
            ways[0]["name"],
            *(
                cell
                for way in ways
                for cell in (
                    f"{_percent(way['p_bid'])} %",
                    f"{_percent(way['p_made'])} %",
                    f"{way['sheet']:.2f}",
                    f"{way['rule_gains_a_bid']:.2f}",
                )
            ),
        )
        for ways in zip(*(rule["ways"] for rule in rules), strict=True)
    ]
    heads = [
        f"{rule['rules']}: {what}"
        for rule in rules
        for what in ("bids", "made", "a hand", "less a bid")
    ]
    yield from table_lines(("way", *heads), rows)
    yield ""
    yield "![What the rule says of unseen deals, and what came](head_rule.png)"
    tried = [rule for rule in rules if rule["against_solver"]]
    if tried:
        yield ""
        yield from _beside_the_solver(tried)


def _beside_the_solver(rules: Sequence[Rule]) -> Iterator[str]:
    trials = [rule["against_solver"] for rule in rules]
    told = " ".join(
        f"Under {rule['rules']}: {trial['ways'][0]['n_hands']} hands, {trial['n_worlds']} worlds "
        "to choose and as many others to value; asked again on the others, the solver itself "
        f"calls the same in {_percent(trial['p_agrees'])} % of the hands."
        for rule, trial in zip(rules, trials, strict=True)
    )
    yield from _text(
        "Beside the solver, on hands that the rule has not seen: how often the solver calls "
        f"otherwise, and what that costs a hand on the sheet (± one standard error). {told}"
    )
    body = [
        (
            ways[0]["name"],
            *(
                cell
                for way in ways
                for cell in (
                    f"{_percent(way['p_differs'])} %",
                    f"{way['costs']:.2f} ± {way['costs_error']:.2f}",
                )
            ),
        )
        for ways in zip(*(trial["ways"] for trial in trials), strict=True)
    ]
    heads = [f"{rule['rules']}: {what}" for rule in rules for what in ("differs", "costs")]
    yield from table_lines(("way", *heads), body)


def needs(tables: Sequence[Rows]) -> Iterator[str]:
    """What each level needs: side aces by holding of trumps."""
    yield from _head(
        "What 80, 90, 100 and 110 need",
        f"Side aces that you need to make the bid in {_percent(OFTEN)} % of the deals, double "
        "dummy: with the lead on your side / on theirs. A dash: more than are known of. The "
        "holdings are those without a belote, `J9+2` being J, 9 and two other trumps. Rules tsaka.",
        *(f"pilotta table --rules {name}" for name in RULES),
    )
    cells = [[_needed(rows, pattern) for pattern in PATTERNS] for rows in tables]
    rows = [(f"`{pattern}`", *cells[0][place]) for place, pattern in enumerate(PATTERNS)]
    yield from table_lines(("trumps", *map(str, LEVELS)), rows)
    n_all = len(PATTERNS) * len(LEVELS)
    n_other = sum(
        one != other
        for tsaka, classic in zip(*cells, strict=True)
        for one, other in zip(tsaka, classic, strict=True)
    )
    yield ""
    yield from _text(
        f"Under classic {n_other} of these {n_all} cells differ: it counts sequences in another "
        "order. The score makes more of a difference. How high each holding can go, each level "
        "still worth more than a deal that is passed out, with 0, 1 and 2 side aces, the lead on "
        "your side / on theirs:"
    )
    heads = [f"{name}: {aces}" for name in RULES for aces in range(3)]
    body = [
        (
            f"`{pattern}`",
            *(_highest(rows, pattern, aces) for rows in tables for aces in range(3)),
        )
        for pattern in PATTERNS
    ]
    yield from table_lines(("trumps", *heads), body)


def _needed(rows: Rows, pattern: str) -> tuple[str, ...]:
    """For each level the side aces that a holding needs, own lead / other lead."""
    cells = []
    for level in LEVELS:
        both = []
        for lead in ("own", "other"):
            chances = [rows.p_made((pattern, aces, lead), level) for aces in range(4)]
            enough = [aces for aces, p in enumerate(chances) if p is not None and p >= OFTEN]
            both.append(str(enough[0]) if enough else "–")
        cells.append(" / ".join(both))
    return tuple(cells)


def _highest(rows: Rows, pattern: str, aces: int) -> str:
    both = []
    for lead in ("own", "other"):
        place = rows.of.get((pattern, aces, lead))
        level = 0 if place is None else int(rows.table.highest[place])
        both.append("–" if place is None else _up_to(level))
    return " / ".join(both)


def _up_to(level: int) -> str:
    """A level; those that only a sweep makes are all the same to a player."""
    if level == 0:
        return "pass"
    return f"over {HIGHEST}" if level > HIGHEST else str(level)


def advice(honours: Sequence[Rows], long: Sequence[Rows]) -> Iterator[str]:
    """Whether what the texts advise holds."""
    by = "jack,nine,length,side_aces", "length,side_aces,side_tens"
    yield from _head(
        "What the texts advise",
        "*J and 9 in four trumps: 90 or 100. Five trumps and four high side cards: 100.* With five "
        "trumps there is room for three side cards; here they are aces and tens. Hands with how "
        "often they make each bid in % and the best call, double dummy.",
        *(
            f"pilotta table --from million --by {names} --rules {name}"
            for name in RULES
            for names in by
        ),
    )
    for name, of_honours, of_long in zip(RULES, honours, long, strict=True):
        rows = [
            ("J and 9 in four trumps", of_honours, [(1, 1, 4, aces) for aces in range(4)]),
            *((f"the same, {_aces(aces)}", of_honours, [(1, 1, 4, aces)]) for aces in range(3)),
            ("five trumps, three high cards", of_long, HIGH),
            *((f"the same, {_aces(one[1])}, {_tens(one[2])}", of_long, [one]) for one in HIGH),
        ]
        body = [_advised(what, of, where) for what, of, where in rows]
        yield from table_lines(
            (
                f"{name}",
                "hands",
                *map(str, (80, 90, 100, 110, 120)),
                "90 brings",
                "100 brings",
                "best",
            ),
            [row for row in body if row],
        )
        yield ""
    best = [_best(honours[0], [(1, 1, 4, aces)]) for aces in range(3)]
    told = ", ".join(f"{level} with {_aces(aces)}" for aces, level in enumerate(best))
    yield from _text(
        "*Brings*: expected points on the sheet; *best*: the call that brings most if nobody else "
        f"bids. Where the bid scores (tsaka), J and 9 in four trumps call {told}. Where it does "
        "not (classic), no bid is better than the lowest, and the advice is about safety: the "
        "table says how often 90 and 100 make."
    )


def _best(rows: Rows, where: Sequence[tuple[Any, ...]]) -> str:
    """The level that brings most."""
    known = rows.together(where)
    if known is None:
        return "–"
    sheet = known[3]
    return str(rows.table.levels[int(np.argmax(sheet))]) if sheet.max() > 0 else "pass"


def _advised(what: str, rows: Rows, where: Sequence[tuple[Any, ...]]) -> tuple[str, ...] | None:
    known = rows.together(where)
    if known is None:
        return None
    n, _, p_made, sheet = known
    levels = rows.table.levels
    return (
        what,
        f"{n:,}",
        *(_percent(p_made[levels.index(level)]) for level in (80, 90, 100, 110, 120)),
        *(f"{sheet[levels.index(level)]:.1f}" for level in (90, 100)),
        _best(rows, where),
    )


def leading(rows: Rows, rules: Sequence[Rule]) -> Iterator[str]:
    """What it is worth to lead."""
    worth = " and ".join(
        f"{rule['fits']['mean_total']['own_side_leads']:.1f} points ({rule['rules']})"
        for rule in rules
    )
    yield from _head(
        "What leading is worth",
        f"Between hands that are alike the lead on your own side is worth {worth} of the total, "
        "double dummy, whether you lead or your partner. At the table it is worth less: see "
        "[method.md](method.md). All hands, in any suit:",
        "pilotta table --from million --by place",
        "pilotta table --from million --fit --json",
    )
    names = ("you lead", "left opponent leads", "partner leads", "right opponent leads")
    body = []
    for place, name in enumerate(names, 1):
        known = rows.together([(place,)])
        if known is not None:
            n, total, p_made, _ = known
            chances = (p_made[rows.table.levels.index(level)] for level in LEVELS)
            body.append((name, f"{n:,}", f"{total:.1f}", *map(_percent, chances)))
    yield from table_lines(("", "hands", "mean total", *map(str, LEVELS)), body)


def side_aces(rows: Rows, rules: Sequence[Rule]) -> Iterator[str]:
    """What a side ace is worth."""
    worth = " and ".join(
        f"{rule['fits']['mean_total']['side_aces']:.1f} points ({rule['rules']})" for rule in rules
    )
    steps = rules[0]["fits"]["mean_total"]["side_aces"] / rules[0]["ruleset"]["bid_step"]
    yield from _head(
        "What a side ace is worth",
        f"Between hands that are alike a side ace is worth {worth} of the total, double dummy: "
        f"{steps:.1f} steps of the bidding, although the card counts {PLAIN_POINTS[-1]}. Mean "
        "total, and in brackets how often 100 makes, with the lead on your side, rules tsaka:",
        "pilotta table",
    )
    body = []
    for pattern in FEW:
        cells = []
        for aces in range(3):
            place = rows.of.get((pattern, aces, "own"))
            p = rows.p_made((pattern, aces, "own"), 100)
            told = None if place is None else rows.table.classes[place].mean_total
            cells.append("–" if told is None else f"{told:.0f} ({_percent(p)} %)")
        body.append((f"`{pattern}`", *cells))
    yield from table_lines(("trumps", *(_aces(aces) for aces in range(3))), body)


def deciders(rules: Sequence[Rule]) -> Iterator[str]:
    """How often a declaration or a belote decides."""
    yield from _head(
        "How often a declaration or a belote decides",
        "Bids of the rule above on deals that it has not seen, double dummy. Of those that are "
        "made: how many need the side's declarations, without which they would fail; how many its "
        "belote (a bid that fails without either counts in both); how many had both, where either "
        "would have been enough. *High*: the bid is the highest that the sum is worth, as when the "
        "others bid too.",
        *(f"pilotta table --from million --fit --rules {rule['rules']}" for rule in rules),
    )
    body = []
    for rule in rules:
        for name, key in (("best bid", "best"), ("high bid", "highest")):
            one = rule["deciders"][key]
            made = max(one["n_made"], 1)
            shares = ("n_by_cards", "n_by_declarations", "n_by_belote", "n_by_either")
            body.append(
                (
                    f"{rule['rules']}, {name}",
                    f"{one['n_bids']:,}",
                    f"{100 * one['n_made'] / max(one['n_bids'], 1):.1f} %",
                    *(f"{100 * one[share] / made:.1f} %" for share in shares),
                )
            )
    heads = ("bids", "made", "cards alone", "declarations", "belote", "either")
    yield from table_lines(("", *heads), body)


# --- text ------------------------------------------------------------------------------------


def _head(title: str, told: str, *commands: str) -> Iterator[str]:
    yield f"### {title}"
    yield ""
    yield from _text(told)
    yield "```sh"
    yield from commands
    yield "```"
    yield ""


def _text(told: str) -> Iterator[str]:
    yield from textwrap.wrap(told, WIDTH, break_on_hyphens=False, break_long_words=False)
    yield ""


def _solver_option(rule: Rule) -> str:
    trial = rule["against_solver"]
    return f" --solver-hands {trial['ways'][0]['n_hands']}" if trial else ""


def _aces(n: int) -> str:
    return f"{n} side ace{'' if n == 1 else 's'}"


def _tens(n: int) -> str:
    return f"{n} ten{'' if n == 1 else 's'}"


def _percent(p: float | None) -> str:
    if p is None:
        return "–"
    return ">99" if 0.995 <= p < 1 else "<1" if 0 < p < 0.005 else f"{100 * p:.0f}"


def _whole(value: int | None) -> str:
    return "–" if value is None else str(value)


def section(dataset: str, rules: Sequence[Rule]) -> str:
    """Return the text between the marks."""
    table = open_table(dataset)
    sources = [solved_deals(table, load_ruleset(name)) for name in RULES]
    shipped = [Rows(one) for name in RULES if (one := shipped_table(load_ruleset(name)))]

    def grouped(which: int, by: str) -> Rows:
        return Rows(group(sources[which], by.split(","), min_n=1, levels=(*range(80, 170, 10),)))

    honours = [grouped(which, "jack,nine,length,side_aces") for which in range(2)]
    long = [grouped(which, "length,side_aces,side_tens") for which in range(2)]
    known = table.metadata
    about = (
        f"Figures from {table.n_rows:,} random deals of seed {known['seed']}, "
        f"{16 * table.n_rows:,} hands with a suit as trumps, every one solved exactly with all "
        "cards seen (*double dummy*). The other three hands are any; nothing is known of them."
    )
    parts = [
        _text(about),
        needs(shipped),
        advice(honours, long),
        leading(grouped(0, "place"), rules),
        side_aces(shipped[0], rules),
        rule_for_the_head(rules),
        deciders(rules),
    ]
    lines = [line for part in parts for line in (*part, "")]
    return "\n".join(
        line for line, before in zip(lines, ["", *lines], strict=False) if line or before
    ).strip()


def main() -> None:
    """Write the section into the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dataset")
    parser.add_argument("rules", nargs=2, type=Path, metavar="RULE", help="tsaka's, then classic's")
    parser.add_argument("--page", type=Path, default=PAGE)
    given = parser.parse_args()
    rules = [json.loads(path.read_text(encoding="utf-8")) for path in given.rules]
    if tuple(rule.get("rules") for rule in rules) != RULES:
        parser.error(f"give two rules that 'pilotta table --fit' wrote, for {' and '.join(RULES)}")
    text = section(given.dataset, rules)
    before, _, rest = given.page.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    given.page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
