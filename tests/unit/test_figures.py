"""The figures of a table are those that numpy gives for its values, all held at once."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from pilotta_solver import load_ruleset
from pilotta_solver.datasets.simulation import Simulation, simulate
from pilotta_solver.errors import PilottaError
from pilotta_solver.figures import figures_of
from pilotta_solver.parquet import read
from pilotta_solver.plotting import plot_figures
from pilotta_solver.scoring import totals_many
from pilotta_solver.tables import open_table

N_DEALS = 400
RULES = load_ruleset(overrides={"all_trump_belote": True})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("figures") / "d"
    simulate(folder, Simulation(4, RULES, (1, 4, 5), leader=1), N_DEALS, part_size=150, jobs=1)
    return folder


@pytest.fixture(scope="module")
def figures(folder):
    return figures_of(open_table(str(folder)))


def test_card_points(folder, figures):
    table, _ = read(folder)
    assert [one.trump for one in figures] == [1, 4, 5]
    for one, word in zip(figures, ("hearts", "no_trump", "all_trump"), strict=True):
        points = table[f"value_ns_{word}"].clip(0, 162).to_numpy()
        assert one.n == N_DEALS
        assert one.mean_card_points == pytest.approx(points.mean())
        assert one.sd_card_points == pytest.approx(points.std(ddof=1))
        quartiles = np.quantile(points, [0.25, 0.5, 0.75], method="inverted_cdf")
        assert one.quartiles == tuple(quartiles)
        assert one.counts == tuple(np.bincount(points, minlength=163))


def test_capots_belotes_and_declarations(folder, figures):
    table, _ = read(folder)
    one = figures[0]
    shares = [(table.capot_hearts == side).mean() for side in ("ns", "ew")]
    assert one.p_capot == pytest.approx(shares)
    shares = [table.belote_hearts.isin(list(seats)).mean() for seats in ("NS", "WE")]
    assert one.p_belote == pytest.approx(shares)
    means = [table[f"declarations_{side}_hearts"].mean() for side in ("ns", "ew")]
    assert one.mean_declarations == pytest.approx(means)
    assert figures[1].p_belote == (0, 0)
    in_any_suit = np.any(
        [table[f"belote_{word}"].isin(["N", "S"]) for word in
         ("spades", "hearts", "diamonds", "clubs")], axis=0
    )  # fmt: skip
    assert figures[2].p_belote[0] == pytest.approx(in_any_suit.mean())


def test_chances_are_those_of_the_totals_that_the_library_counts(folder, figures):
    table, _ = read(folder)
    hands = table[["cards_n", "cards_w", "cards_s", "cards_e"]].to_numpy().astype(np.uint32)
    for one, word in zip(figures, ("hearts", "no_trump", "all_trump"), strict=True):
        values = table[f"value_ns_{word}"].to_numpy()
        totals = totals_many(hands, one.trump, 1, values, RULES)
        for level in one.levels:
            assert level.p_made == pytest.approx(tuple((totals >= level.bid).mean(axis=0)))
        assert [level.bid for level in one.levels][:3] == [80, 90, 100]
        assert one.levels[-1].bid == 400 or (totals < one.levels[-1].bid + 10).all()


def test_without_capots_none_are_told(tmp_path):
    rules = load_ruleset(overrides={"capot_points": 162})
    simulate(tmp_path / "d", Simulation(4, rules, (0,)), 1, jobs=1)
    (one,) = figures_of(open_table(str(tmp_path / "d")))
    assert (one.p_capot, one.sd_card_points, one.n) == (None, None, 1)
    assert "p_capot" not in one.as_dict()
    assert "sd_card_points" not in one.as_dict()


def test_figures_go_into_json(figures):
    told = json.loads(json.dumps([one.as_dict() for one in figures]))
    assert [one["trump"] for one in told] == ["H", "N", "A"]
    assert set(told[0]["p_capot"]) == {"ns", "ew"}
    assert sum(told[0]["counts"]) == N_DEALS
    assert set(told[0]["levels"][0]["p_made"]) == {"ns", "ew"}


def test_a_dataset_of_which_nothing_is_made_has_no_figures(folder, tmp_path):
    (tmp_path / "_manifest.json").write_bytes((folder / "_manifest.json").read_bytes())
    manifest = json.loads((tmp_path / "_manifest.json").read_bytes())
    manifest["parts"] = []
    (tmp_path / "_manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(PilottaError, match="nothing is in it yet"):
        figures_of(open_table(str(tmp_path)))


@pytest.mark.parametrize("picture", ["png", "svg"])
def test_a_picture_is_drawn_and_the_same_figures_give_the_same_bytes(tmp_path, figures, picture):
    for name in ("one", "two"):
        plot_figures(figures, tmp_path / name, picture, "Deals")
    content = (tmp_path / "one").read_bytes()
    assert content == (tmp_path / "two").read_bytes()
    assert content.startswith(b"\x89PNG" if picture == "png" else b"<?xml")
    if picture == "svg":
        assert b">hearts<" in content
        assert b">Deals<" in content


def test_nothing_to_draw_is_told(tmp_path):
    with pytest.raises(PilottaError, match="nothing to draw"):
        plot_figures((), tmp_path / "a.png", "png", "")


def test_without_matplotlib_the_extra_is_named(tmp_path, figures, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PilottaError, match=r"pip install 'pilotta-solver\[plot\]'"):
        plot_figures(figures, tmp_path / "a.png", "png", "")
