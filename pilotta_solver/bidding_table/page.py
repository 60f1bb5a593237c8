"""A bidding table as one HTML page that needs nothing else: to sort, to filter, to print."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from itertools import groupby
from string import Template
from typing import TYPE_CHECKING, Any

from pilotta_solver.bidding_table.layout import (
    TOO_FEW,
    Grid,
    grid_of,
    percent,
    shade,
    shown_level,
    value_ranks,
    values_in_order,
    words_of,
)

if TYPE_CHECKING:
    from pilotta_solver.bidding_table.grouping import BiddingTable

SHADES = 11
"""Shades of the colour scale; the class ``h0`` of the style sheet is the lowest."""

GRID_COLUMNS = 12
"""A grid of more columns than this is not shown: nobody could read it on a phone."""


def page(table: BiddingTable) -> str:
    """Make the page of a bidding table.

    It loads nothing from anywhere, and a content security policy holds it to that. The same table
    gives the same page.

    Parameters
    ----------
    table : BiddingTable
        The table.

    Returns
    -------
    str
        An HTML document, to be written as UTF-8.
    """
    style, script = _part("page.css"), _part("page.js")
    grid = grid_of(table)
    has_grid = len(table.by) > 1 and len(grid.columns) <= GRID_COLUMNS
    return Template(_part("page.html")).substitute(
        title=escape(f"Pilotta bidding table, {_rules_name(table)}"),
        version=escape(str(table.metadata.get("version", ""))),
        style=style,
        style_hash=_hash(style),
        script=script,
        script_hash=_hash(script),
        facts=_facts(table),
        how=_how(table),
        views=_views() if has_grid else "",
        selects="\n".join((_calls(), _selects(table))),
        grid=_grid(table, grid) if has_grid else "",
        caption=_CAPTION,
        heads=_heads(table),
        rows="\n".join(_row(table, place, up_to) for place, up_to in enumerate(table.highest)),
        footer=_footer(table),
        data=_data(table),
    )


def _part(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """The source expression by which a content security policy allows an inline block."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _rules_name(table: BiddingTable) -> str:
    rules = table.metadata.get("rules", "")
    return str(rules["name"] if isinstance(rules, Mapping) else rules)


# ---- numbers as people read them


def _percent(p: float) -> str:
    return escape(percent(p))


def _signed(x: float) -> str:
    if math.isnan(x):
        return "–"
    text = f"{abs(x):.1f}"
    return text if text == "0.0" else ("+" if x > 0 else "−") + text


def _shade_of_chance(p: float) -> str:
    return "no" if math.isnan(p) else f"h{round((SHADES - 1) * p)}"


def _shade_of_level(table: BiddingTable, level: int) -> str:
    """The shade of a level ; passing has none."""
    return f"h{round((SHADES - 1) * shade(table, level))}" if level else "no"


def _either(best: int, text: str) -> str:
    """What is told of the bid, or in brackets of the lowest bid where passing is best."""
    return text if best else f"({text})"


def _call(level: int) -> str:
    return str(level) if level else "pass"


# ---- the head


def _facts(table: BiddingTable) -> str:
    told = table.metadata
    facts: list[tuple[str, Any]] = [
        ("rules", _rules_name(table)),
        ("play", "double dummy: all hands seen"),
        ("deals", _count(told.get("n_deals"))),
        ("hands", _count(sum(one.n for one in table.classes))),
        ("kinds of hand", _count(len(table.classes))),
        ("contracts", " ".join(told.get("contracts", ()))),
        ("seed", told.get("seed")),
        ("version", told.get("version")),
    ]
    return "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(str(value))}</dd></div>"
        for name, value in facts
        if value not in (None, "")
    )


def _count(n: Any) -> Any:
    return f"{n:,}" if isinstance(n, int) else n


def _how(table: BiddingTable) -> str:
    by = escape(", ".join(words_of(name) for name in table.by))
    told = table.metadata
    apart = [level for level in table.levels if shade(table, level) < 1]
    scale = "".join(
        f'<span class="{_shade_of_level(table, level)}">{_call(level)}</span>'
        for level in (0, *apart)
    )
    if len(apart) < len(table.levels):
        darkest = table.levels[len(apart)]
        scale += f'<span class="h{SHADES - 1}">{darkest} and more</span>'
    lines = [
        f"Hands are grouped by {by}, as seen with the contract that you would bid.",
        "<b>Bid</b> is the call that gains most on the sheet on average, yours less theirs, if "
        "you play it undoubled and nobody bids more; <b>pass</b> where no bid gains anything.",
        "<b>Made</b> is how often that bid makes, in percent, with its 95 % interval. Where you "
        f"should pass, it is the chance of the lowest bid, {table.levels[0]}, in brackets.",
        "All four players see all cards in these deals, so both sides play better than at a "
        "table. Add a margin where the chance is close.",
        "Choose a kind of hand to see the chance of every level. A dashed frame or the word "
        "<b>rare</b> marks numbers from few deals; take them as a hint. Of fewer than "
        f"{TOO_FEW} hands no call is made: they have a <b>?</b> in the list.",
        "Holdings that are rare are put together: <b>≈</b> marks a cell whose numbers are those of "
        "such a group, which choosing it names.",
        f'Shades, from low to high: <span class="scale">{scale}</span>',
    ]
    rules = told.get("rules")
    if isinstance(rules, Mapping) and not rules.get("bid_scores", True):
        lines[2:2] = [
            "These rules do not score the bid itself, so that on the sheet the lowest bid is best "
            "as long as nobody bids over it. Choose <b>made at least</b> to see how high a hand "
            "can go."
        ]
    return "<ul>" + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"


_CAPTION = (
    "Sheet: expected difference on the sheet, yours less theirs. Up to: the highest level that "
    "still beats passing. Mean total: your side's points, declarations and belote included. The "
    "columns of levels, where there is room for them, give the chance in percent, the darker the "
    "surer; the best bid is underlined."
)


def _footer(table: BiddingTable) -> str:
    version = escape(str(table.metadata.get("version", "")))
    return (
        f"Made by pilotta-solver {version}. Every deal is solved exactly, all hands seen "
        "(double dummy), and then scored by the rules named above."
    )


# ---- controls


def _calls() -> str:
    """What may decide the call that is shown."""
    chances = "".join(
        f'<option value="{least / 100}">made at least {least} %</option>'
        for least in (50, 60, 70, 80, 90)
    )
    return (
        '<label>bid <select id="rule"><option value="">best on the sheet</option>'
        f'<option value="gains">up to what beats passing</option>{chances}</select></label>'
    )


def _views() -> str:
    return "".join(
        f'<button type="button" data-view="{name}" aria-pressed="false">{words}</button>'
        for name, words in (("grid", "Grid"), ("list", "List"))
    )


def _selects(table: BiddingTable) -> str:
    return "\n".join(
        f"<label>{escape(words_of(name))} "
        f'<select data-quantity="{place}"><option value="">all</option>'
        + "".join(
            f'<option value="{rank}">{escape(str(value))}</option>'
            for rank, value in enumerate(values)
        )
        + "</select></label>"
        for place, (name, values) in enumerate(zip(table.by, values_in_order(table), strict=True))
    )


# ---- the grid


def _grid(table: BiddingTable, grid: Grid) -> str:
    heads = "\n".join(_grid_head(table, grid, place) for place in range(1, len(table.by)))
    rank = {value: place for place, value in enumerate(values_in_order(table)[0])}
    across = " and ".join(escape(words_of(name)) for name in table.by[1:])
    rows = "\n".join(
        f'<tr data-rank="{rank[value]}"><th scope="row">{escape(str(value))}</th>'
        + "".join(
            "<td></td>" if one is None else _cell(table, one, is_lent=(row, column) in grid.lent)
            for column, one in enumerate(grid.cells[row])
        )
        + "</tr>"
        for row, value in enumerate(grid.rows)
    )
    return (
        '<section id="grid"><h2>What to bid</h2><div class="wide"><table class="grid">'
        f"<caption>Down: {escape(words_of(table.by[0]))}. Across: {across}. In a cell: the bid, "
        "and under it how often it makes, in percent.</caption>"
        f"<thead>\n{heads}\n</thead>\n<tbody>\n{rows}\n</tbody></table></div></section>"
    )


def _grid_head(table: BiddingTable, grid: Grid, place: int) -> str:
    """One row of the grid's head: a quantity, with each value once over all it spans."""
    groups = groupby(column[:place] for column in grid.columns)
    spans = [(before[-1], sum(1 for _ in columns)) for before, columns in groups]
    cells = "".join(
        f'<th scope="{"col" if n == 1 else "colgroup"}" colspan="{n}">{escape(str(value))}</th>'
        for value, n in spans
    )
    return f'<tr><th class="of">{escape(words_of(table.by[place]))}</th>{cells}</tr>'


def _cell(table: BiddingTable, place: int, *, is_lent: bool) -> str:
    one, best = table.classes[place], int(table.best[place])
    chance = _percent(float(table.p_made[place, shown_level(table, place)]))
    rare = " rare" if one.is_rare else ""
    lent = " lent" if is_lent else ""
    said = f"{one.label}: {_call(best)}" + (f", {chance} %" if best else "")
    return (
        f'<td><button type="button" class="{_shade_of_level(table, best)}{rare}{lent}" '
        f'data-class="{place}" aria-label="{escape(said)}{", rare" if rare else ""}">'
        f"{_call(best)}<small>{_either(best, chance)}</small></button></td>"
    )


# ---- the list


def _heads(table: BiddingTable) -> str:
    columns = [
        *((f"by{place}", "w", escape(words_of(name))) for place, name in enumerate(table.by)),
        ("best", "", "bid"),
        ("chance", "", "made, %"),
        ("sheet", "", "sheet"),
        ("highest", "more", "up to"),
        ("mean", "more", "mean total"),
        ("n", "more", "hands"),
        *((f"p{place}", "lv", str(table.levels[place])) for place in _level_columns(table)),
    ]
    return "".join(
        f'<th scope="col" class="{kind}" data-key="{key}" aria-sort="none">'
        f'<button type="button">{words}</button></th>'
        for key, kind, words in columns
    )


def _row(table: BiddingTable, place: int, highest: int) -> str:
    one, shown = table.classes[place], shown_level(table, place)
    best = int(table.best[place])
    first, *others = (escape(str(value)) for value in one.values)
    flag = '<span class="flag">rare</span>' if one.is_rare else ""
    flag += '<span class="flag">merged</span>' if one.merged else ""
    chance = _percent(float(table.p_made[place, shown]))
    low, high = (_percent(float(ends[place, shown])) for ends in (table.ci_low, table.ci_high))
    sheet = _signed(float(table.sheet[place, shown]))
    cells = [
        f'<th scope="row" class="w"><button type="button" class="open-class" '
        f'aria-label="{escape(one.label)}: show the curve">{first}</button>{flag}</th>',
        *(f'<td class="w">{value}</td>' for value in others),
        *(
            ['<td class="bid no">?</td>', '<td class="chance">–</td>', '<td class="sheet">–</td>']
            if one.n < TOO_FEW
            else [
                f'<td class="bid {_shade_of_level(table, best)}">{_call(best)}</td>',
                f'<td class="chance">{_either(best, chance)} <small>{low}–{high}</small></td>',
                f'<td class="sheet">{_either(best, sheet)}</td>',
            ]
        ),
        f'<td class="more">{"?" if one.n < TOO_FEW else _call(highest)}</td>',
        f'<td class="more">{one.mean_total:.1f}</td>',
        f'<td class="more">{one.n:,}</td>',
        *_level_cells(table, place, shown if best else None),
    ]
    rare = ' class="rare"' if one.is_rare else ""
    return f"<tr{rare}>{''.join(cells)}</tr>"


def _level_columns(table: BiddingTable) -> list[int]:
    """The levels that have a column: all to 160, and the highest, for which a sweep is needed."""
    last = len(table.levels) - 1
    return [place for place, level in enumerate(table.levels) if level <= 160 or place == last]


def _level_cells(table: BiddingTable, place: int, best: int | None) -> list[str]:
    if table.classes[place].n < TOO_FEW:
        return ['<td class="lv no">–</td>'] * len(_level_columns(table))
    chances = table.p_made[place].tolist()
    return [
        f'<td class="lv {_shade_of_chance(chances[level])}{" best" if level == best else ""}">'
        f"{_percent(chances[level])}</td>"
        for level in _level_columns(table)
    ]


# ---- what the script reads


def _data(table: BiddingTable) -> str:
    """The table as JSON that may stand inside a script element."""

    def rounded(values: Any, digits: int) -> list[float | None]:
        return [None if math.isnan(x) else round(x, digits) for x in values.tolist()]

    highest = table.highest
    classes = [
        {
            "label": one.label,
            "values": [str(value) for value in one.values],
            "ranks": ranks,
            "n": one.n,
            "mean": round(one.mean_total, 2),
            "rare": one.is_rare,
            "few": one.n < TOO_FEW,
            "merged": one.merged,
            "best": int(table.best[place]),
            "highest": int(highest[place]),
            "p": rounded(table.p_made[place], 4),
            "low": rounded(table.ci_low[place], 3),
            "high": rounded(table.ci_high[place], 3),
            "sheet": rounded(table.sheet[place], 3),
        }
        for place, (one, ranks) in enumerate(zip(table.classes, value_ranks(table), strict=True))
    ]
    text = json.dumps(
        {
            "levels": table.levels,
            "shades": [_shade_of_level(table, level) for level in table.levels],
            "classes": classes,
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )
    # Neither "</script>" nor "<!--" may stand in it.
    return text.replace("<", "\\u003c")
