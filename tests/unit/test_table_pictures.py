"""Pictures of a bidding table, and the classes that they are asked for."""

from __future__ import annotations

import dataclasses
import re
import sys

import pytest
from made_table import LEVELS, PATTERNS, make_table

from pilotta_solver.bidding_table.choosing import find_classes
from pilotta_solver.errors import PilottaError
from pilotta_solver.plotting import write_heat_map, write_level_curves


@pytest.fixture(scope="module")
def table():
    return make_table()


def draw_heat_map(table, path):
    write_heat_map(table, path)


def draw_curves(table, path):
    write_level_curves(table, ["J9A+1,1", "j+3,0,own"], path)


DRAW = pytest.mark.parametrize("draw", [draw_heat_map, draw_curves])


def texts(path):
    return re.findall(r"<text[^>]*>([^<]*)</text>", path.read_text(encoding="utf-8"))


@DRAW
@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("SVG", b"<?xml")])
def test_the_suffix_picks_the_form_and_the_bytes_are_the_same(tmp_path, table, draw, suffix, start):
    one, other = tmp_path / f"one.{suffix}", tmp_path / f"other.{suffix}"
    draw(table, one)
    draw(make_table(), other)
    assert one.read_bytes().startswith(start)
    assert one.read_bytes() == other.read_bytes()


def test_a_heat_map_has_the_call_and_the_chance_of_each_cell(tmp_path, table):
    path = tmp_path / "map.svg"
    write_heat_map(table, path)
    drawn = texts(path)
    assert set(PATTERNS) <= set(drawn)
    for place, best in enumerate(table.best[:-1].tolist()):
        chance = f"{100 * table.p_made[place, LEVELS.index(best) if best else 0]:.0f}"
        at = [k for k, text in enumerate(drawn) if text == (str(best) if best else "pass")]
        assert any(drawn[k + 1] == (chance if best else f"({chance})") for k in at)
    # The last class has too few hands for a call.
    n_calls = sum(text == "pass" or text in map(str, LEVELS) for text in drawn)
    assert n_calls >= len(table.classes) - 1


def test_curves_name_their_classes_and_every_level(tmp_path, table):
    path = tmp_path / "curves.svg"
    write_level_curves(table, ["J9A+1,1", "+4,2,own"], path)
    drawn = texts(path)
    assert {str(level) for level in LEVELS} <= set(drawn)
    legend = [text for text in drawn if "(n = " in text]
    assert [text.partition(" (")[0] for text in legend] == [
        table.classes[place].label for place in (2, 3, len(table.classes) - 2)
    ]
    assert legend[-1].endswith("rare)")


def test_more_classes_than_colours_can_be_drawn(tmp_path, table):
    write_level_curves(table, list(PATTERNS), tmp_path / "all.svg")
    legend = [text for text in texts(tmp_path / "all.svg") if "(n = " in text]
    assert len(legend) == len(table.classes)


@DRAW
def test_another_suffix_is_refused(tmp_path, table, draw):
    with pytest.raises(PilottaError, match=r"'.*a\.gif' ends in none of \.png, \.svg"):
        draw(table, tmp_path / "a.gif")


@DRAW
def test_without_matplotlib_the_extra_is_named(tmp_path, table, draw, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PilottaError, match=r"pip install 'pilotta-solver\[plot\]'"):
        draw(table, tmp_path / "a.png")
    assert list(tmp_path.iterdir()) == []


def test_a_map_of_too_many_columns_is_refused(tmp_path, table):
    classes = tuple(
        dataclasses.replace(table.classes[0], values=("own", f"x{k}"), n=500) for k in range(61)
    )
    wide = dataclasses.replace(table, by=("lead", "pattern"), classes=classes)
    with pytest.raises(PilottaError, match="61 columns cannot be read"):
        write_heat_map(wide, tmp_path / "a.png")


def test_curves_of_nothing_are_refused(tmp_path, table):
    with pytest.raises(PilottaError, match="no class of hands is named"):
        write_level_curves(table, [], tmp_path / "a.png")


def test_classes_are_found_by_label_by_values_and_by_the_first_of_them(table):
    labels = [one.label for one in table.classes]
    assert find_classes(table, labels[5].upper()) == (5,)
    assert find_classes(table, " j9a+1 , 1, OWN ") == (2,)
    assert find_classes(table, "J9A+1,1") == (2, 3)
    assert find_classes(table, "J9A+1") == (0, 1, 2, 3, 4, 5)


@pytest.mark.parametrize("text", ["J9A+1,1,wn", "", "J9A+1,1,own,x", "J9"])
def test_an_unknown_class_is_told_with_the_nearest(table, text):
    unknown = re.escape(f"no class of hands '{text}' in this table")
    with pytest.raises(
        PilottaError, match=f"{unknown}, .* by pattern,side_aces,lead; .*nearest is "
    ):
        find_classes(table, text)


def test_the_nearest_class_is_the_one_meant(table):
    with pytest.raises(PilottaError, match=re.escape("the nearest is J9A+1,1,own") + "$"):
        find_classes(table, "J9A+1,1,wn")
