"""The page of a bidding table: what stands in it, and that it needs and reveals nothing else."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from made_table import LEVELS, make_table

from pilotta_solver.bidding_table.grouping import BiddingTable, HandClass
from pilotta_solver.bidding_table.page import page

HOSTILE = "</script><script>alert(1)</script><!-- & \"q\" 'a' ${x} $title"


class Parts(HTMLParser):
    """The tags, texts and attributes of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._open.append(tag)

    def handle_endtag(self, tag):
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data):
        if self._open:
            self.inside.setdefault(self._open[-1], []).append(data)


def data_of(text):
    return json.loads(
        re.search(r'<script type="application/json" id="data">(.*?)</script>', text)[1]
    )


def rows_of(text):
    """The texts of the cells of each row of the list."""
    body = text[text.index('<section id="list">') :]
    body = body[body.index("<tbody>") : body.index("</tbody>")]
    rows = re.findall(r"<tr.*?</tr>", body)
    return [
        [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in rows
    ]


@pytest.fixture(scope="module")
def table():
    return make_table()


@pytest.fixture(scope="module")
def text(table):
    return page(table)


def test_the_same_table_gives_the_same_page(text):
    assert page(make_table()) == text


def test_it_refers_to_nothing_outside(text):
    # The name of SVG's namespace is no address that anything is loaded from.
    assert "//" not in re.sub(r"(?m)^ *// .*$", "", text).replace("http://www.w3.org/2000/svg", "")
    assert "@import" not in text
    assert "url(" not in text
    for tag, attributes in Parts(text).tags:
        assert tag not in ("img", "iframe", "object", "embed", "base")
        assert "src" not in attributes
        assert attributes.get("href") in (None, "data:,")
        # An inline style or handler would be blocked by the page's own policy.
        assert not [name for name in attributes if name == "style" or name.startswith("on")]


def test_its_policy_allows_its_own_style_and_script_and_nothing_else(text):
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    allowed = set(re.findall(r"'sha256-([^']*)'", policy))
    blocks = re.findall(r"<style>(.*?)</style>|<script>(.*?)</script>", text, re.DOTALL)
    hashes = {
        base64.b64encode(hashlib.sha256((style or script).encode()).digest()).decode()
        for style, script in blocks
    }
    assert len(hashes) == 2
    assert allowed == hashes


def test_its_data_are_those_of_the_table(table, text):
    data = data_of(text)
    assert data["levels"] == list(LEVELS)
    for place, one in enumerate(data["classes"]):
        assert one["label"] == table.classes[place].label
        assert one["n"] == table.classes[place].n
        assert one["best"] == table.best[place]
        np.testing.assert_allclose(one["p"], table.p_made[place], atol=5e-5)
        np.testing.assert_allclose(one["low"], table.ci_low[place], atol=5e-4)
        np.testing.assert_allclose(one["high"], table.ci_high[place], atol=5e-4)
        np.testing.assert_allclose(one["sheet"], table.sheet[place], atol=5e-4)


def test_a_row_tells_the_call_its_chance_and_worth(table, text):
    rows = rows_of(text)
    assert len(rows) == len(table.classes)
    call, passing = int(np.flatnonzero(table.best)[0]), int(np.flatnonzero(table.best == 0)[0])
    for place in (call, passing):
        one, best = table.classes[place], int(table.best[place])
        level = LEVELS.index(best) if best else 0
        first, aces, lead, bid, chance, sheet, up_to, mean, n = rows[place][:9]
        assert (first, aces, lead) == tuple(map(str, one.values))
        assert bid == (str(best) if best else "pass")
        said = f"{100 * table.p_made[place, level]:.0f}"
        assert chance.split()[0] == (said if best else f"({said})")
        value = table.sheet[place, level]
        said = ("+" if value > 0 else "−") + f"{abs(value):.1f}"
        assert sheet == (said if best else f"({said})")
        assert mean == f"{one.mean_total:.1f}"
        assert n == f"{one.n:,}"
        assert up_to == (str(table.highest[place]) if table.highest[place] else "pass")
        shares = rows[place][9:]
        assert len(shares) == len(LEVELS)
        assert int(shares[0]) == round(100 * table.p_made[place, 0])


def test_rare_and_merged_classes_are_flagged_and_few_hands_get_no_call(table):
    rare, merged = len(table.classes) - 2, 0
    classes = list(table.classes)
    classes[merged] = dataclasses.replace(classes[merged], merged=True)
    rows = rows_of(page(dataclasses.replace(table, classes=tuple(classes))))
    assert rows[rare][0] == f"{table.classes[rare].values[0]}rare"
    assert rows[merged][0] == f"{table.classes[merged].values[0]}merged"
    assert rows[1][0] == table.classes[1].values[0]
    assert rows[-1][3:7] == ["?", "–", "–", "?"]
    assert set(rows[-1][9:]) == {"–"}


def test_the_head_tells_where_the_table_is_from(text):
    told = dict(zip(*(Parts(text).inside[tag] for tag in ("dt", "dd")), strict=True))
    assert told["rules"] == "tsaka"
    assert told["deals"] == "12,345"
    assert told["seed"] == "7"
    assert told["version"] == "9.8.7"
    assert told["contracts"] == "S H"
    assert told["play"] == "double dummy: all hands seen"
    assert "how high a hand can go" not in re.sub(r"\s+", " ", text)


def test_rules_that_score_no_bid_are_told_of():
    rules = {"name": "classic", "bid_scores": False}
    assert "These rules do not score the bid itself" in page(make_table(rules=rules))


def test_hostile_words_stay_words(table):
    def page_with(words):
        classes = [HandClass(words, (words, 1, "own"), 500, 500, 80.0), *table.classes[1:]]
        told = {**table.metadata, "rules": {"name": words}, "version": words}
        return page(dataclasses.replace(table, classes=tuple(classes), metadata=told))

    text, plain = page_with(HOSTILE), page_with("words")
    assert [tag for tag, _ in Parts(text).tags] == [tag for tag, _ in Parts(plain).tags]
    assert "alert(1)</script>" not in text
    assert data_of(text)["classes"][0]["label"] == HOSTILE
    assert HOSTILE in Parts(text).inside["dd"]


def test_the_grid_is_left_out_where_it_would_have_one_column_or_too_many(table, text):
    assert 'id="grid"' in text
    one = dataclasses.replace(
        table,
        by=("pattern",),
        classes=tuple(
            dataclasses.replace(one, values=(f"x{place}",))
            for place, one in enumerate(table.classes)
        ),
    )
    assert 'id="grid"' not in page(one)
    many = dataclasses.replace(
        table,
        by=("lead", "pattern"),
        classes=tuple(
            dataclasses.replace(one, values=("own", f"x{place}"))
            for place, one in enumerate(table.classes)
        ),
    )
    assert 'id="grid"' not in page(many)


def test_what_is_not_known_is_a_dash(table):
    p = table.p_made.copy()
    p[0] = np.nan
    text = page(dataclasses.replace(table, p_made=p, ci_low=p, ci_high=p, sheet=p))
    assert data_of(text)["classes"][0]["p"] == [None] * len(LEVELS)
    assert rows_of(text)[0][4].startswith("–")


def test_a_table_of_the_usual_size_is_well_below_a_megabyte():
    n_levels, n = 18, 400
    rng = np.random.default_rng(1)
    values = rng.random((n, n_levels))
    classes = tuple(
        HandClass(
            f"J9AK+{k} · 2 side aces · own side leads",
            (f"J9AK+{k // 8}", k // 2 % 4, ("own", "other")[k % 2]),
            100_000 + k,
            100_000,
            123.456,
        )
        for k in range(n)
    )
    levels = tuple(range(80, 80 + 10 * n_levels, 10))
    table = BiddingTable(
        ("pattern", "side_aces", "lead"), levels, classes,
        values, values, values, values, values, values, np.full(n, 90, np.int16), {},
    )  # fmt: skip
    assert len(page(table).encode()) < 700_000


def test_the_shades_can_be_read_and_told_apart_without_colours(text):
    """Text has the contrast of the web accessibility guidelines, and each shade is darker."""
    shades = re.findall(r"\.h(\d+) \{ background: (#\w+); color: (#\w+); \}", text)
    assert [int(number) for number, *_ in shades] == list(range(11))
    luminances = [luminance(paper) for _, paper, _ in shades]
    assert luminances == sorted(luminances, reverse=True)
    assert luminances[0] - luminances[-1] > 0.8
    for paper, ink in zip(luminances, (luminance(ink) for *_, ink in shades), strict=True):
        high, low = max(paper, ink), min(paper, ink)
        assert (high + 0.05) / (low + 0.05) >= 4.5


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    shares = (int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4))
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
