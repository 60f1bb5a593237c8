from __future__ import annotations

import dataclasses
from importlib.resources import files
from pathlib import Path

import pytest

from pilotta_solver.errors import RulesetError
from pilotta_solver.ruleset import Law, Ruleset, load_ruleset, parse_setting, preset_names
from pilotta_solver.ruleset_keys import KEYS


def values_of(spec):
    """Some allowed values of a key: every choice, or the ends of a range."""
    if isinstance(spec.says, str):
        return [spec.low, spec.high] + ([0] if spec.zero is not None else [])
    return list(spec.says)


def test_presets():
    assert preset_names() == ("tsaka", "classic", "contree")
    folder = files("pilotta_solver") / "rulesets"
    assert {f"{name}.toml" for name in preset_names()} == {path.name for path in folder.iterdir()}
    assert load_ruleset() == load_ruleset("tsaka")
    assert load_ruleset().law == Law(False, "must", True)
    assert load_ruleset("contree").law == Law(True, "may", True)


@pytest.mark.parametrize(
    ("key", "tsaka", "classic"),
    [
        ("sequence_order", "natural", "plain"),
        ("declaration_tie", "none", "led_suit"),
        ("highest_bid", 400, 0),
        ("pass_is_final", False, True),
        ("all_pass", "next_dealer", "same_dealer"),
        ("doubling", "in_turn", "after_auction"),
        ("bid_scores", True, False),
        ("failed_declarations", "defence", "vanish"),
        ("doubled", "winner_takes_all", "both"),
        ("capot_points", 250, 252),
        ("game_target", 301, 351),
    ],
)
def test_where_the_two_texts_differ(key, tsaka, classic):
    assert getattr(load_ruleset("tsaka"), key) == tsaka
    assert getattr(load_ruleset("classic"), key) == classic


def test_and_nowhere_else():
    tsaka, classic = load_ruleset("tsaka").as_dict(), load_ruleset("classic").as_dict()
    assert len([key for key in KEYS if tsaka[key] != classic[key]]) == 11


def test_keys_and_fields_are_the_same():
    assert [field.name for field in dataclasses.fields(Ruleset)] == ["name", *KEYS]


@pytest.mark.parametrize("name", preset_names())
def test_toml_reads_back(name, tmp_path):
    path = tmp_path / "house.toml"
    path.write_text(load_ruleset(name).as_toml(), "utf-8")
    assert load_ruleset(path) == load_ruleset(name)


@pytest.mark.parametrize("key", KEYS)
def test_every_key_explains_every_value(key):
    spec = KEYS[key]
    assert spec.group in ("play", "declarations", "auction", "scoring", "game")
    for value in values_of(spec):
        assert spec.allows(value)
        assert spec.sentence(value).endswith(".")
    assert not spec.allows(None)
    assert not spec.allows("nonsense")
    assert not spec.allows(1.0)


@pytest.mark.parametrize("key", KEYS)
def test_every_key_has_its_place_in_the_rules(key):
    page = Path(__file__).parents[2] / "docs" / "rules.md"
    assert f"`{key}`" in page.read_text("utf-8") or f"`{key} =" in page.read_text("utf-8")


@pytest.mark.parametrize("key", KEYS)
def test_every_value_reads_back_from_a_setting(key):
    for value in values_of(KEYS[key]):
        assert parse_setting(f"{key} = {str(value).lower()}") == (key, value)


def test_a_file_names_a_base_and_what_it_changes(tmp_path):
    house = tmp_path / "house.toml"
    house.write_text('base = "classic"\ncapot_points = 262\n', "utf-8")
    rules = load_ruleset(house)
    assert rules == dataclasses.replace(load_ruleset("classic"), name="house", capot_points=262)
    named = tmp_path / "other.toml"
    named.write_text('name = "Friday"\nbase = "house.toml"\n', "utf-8")
    assert load_ruleset(named) == dataclasses.replace(rules, name="Friday")


def test_a_preset_is_the_base_whatever_lies_beside(tmp_path):
    (tmp_path / "tsaka").write_text('base = "classic"\n', "utf-8")
    house = tmp_path / "house.toml"
    house.write_text('base = "tsaka"\n', "utf-8")
    assert load_ruleset(house) == dataclasses.replace(load_ruleset("tsaka"), name="house")


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path):
    house = tmp_path / "house.toml"
    house.write_text('base = "tsaka"\n', "utf-8-sig")
    assert load_ruleset(house).capot_points == 250


def test_a_copy_of_a_preset_may_keep_its_name_until_it_is_changed(tmp_path):
    path = tmp_path / "classic.toml"
    path.write_text(load_ruleset("classic").as_toml(), "utf-8")
    assert load_ruleset(path) == load_ruleset("classic")
    path.write_text('base = "classic"\ncapot_points = 262\n', "utf-8")
    with pytest.raises(RulesetError, match="the name classic is that of a preset with other rules"):
        load_ruleset(path)


def test_overrides_show_in_the_name():
    rules = load_ruleset("tsaka", {"capot_points": 262, "partner_exempt": True, "bid_step": 10})
    assert rules.name == "tsaka+capot_points=262+partner_exempt=true"
    assert (rules.capot_points, rules.partner_exempt) == (262, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("capot_points", "write key=value"),
        ("capot=250", r"unknown ruleset key 'capot'; did you mean capot_points\?"),
        ("zzz=1", "unknown ruleset key 'zzz'; 'pilotta rules tsaka' lists the keys"),
        ("name=x", "unknown ruleset key 'name'"),
        ("capot_points=100", "capot_points = 100 is not allowed; .* from 162 to 1000"),
        ("capot_points=many", "capot_points = many is not allowed"),
        (f"capot_points={'1' * 5000}", "capot_points = 1+ is not allowed"),
        ("undertrump=no", "undertrump = no is not allowed; give must or may or forbidden"),
        ("partner_exempt=2", "partner_exempt = 2 is not allowed; give false or true"),
        ("first_bid=85", "from 10 to 1000 in steps of 10"),
        ("highest_bid=5", "from 10 to 1000 in steps of 10, or 0"),
    ],
)
def test_bad_settings(text, message):
    with pytest.raises(RulesetError, match=message):
        parse_setting(text)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('base = "tsaka"\ncapot = 1\n', "unknown ruleset key 'capot'"),
        ('base = "tsaka"\ncapot_points = "250"\n', 'capot_points = "250" is not allowed'),
        ('base = "tsaka"\ncapot_points = true\n', "capot_points = true is not allowed"),
        ('base = "tsaka"\npartner_exempt = 1\n', "partner_exempt = 1 is not allowed"),
        ('base = "tsaka"\nundertrump = ["may"]\n', "undertrump = .* is not allowed"),
        ('base = "tsaka"\nundertrump = "sometimes"\n', "give must or may or forbidden"),
        ('base = "tsaka"\nundertrump = may\n', "line 2.*; write key = value, texts in quotes"),
        ('base = "nowhere"\n', "house.toml, its base: no ruleset 'nowhere'"),
        ('base = ""\n', "its base: no ruleset ''"),
        ("base = 3\n", "base = 3: give it a text in quotes"),
        ("capot_points = 250\n", "no value for partner_exempt; give every key, or name a base"),
        ("capot_points 250\n", "not a TOML file: .*line 1"),
        ('base = "house.toml"\n', "its base leads back to itself"),
        ('base = "../{folder}/house.toml"\n', "its base leads back to itself"),
        (f"capot_points = {'1' * 5000}\n", "a number is too long"),
        (f"capot_points = {'[' * 5000}\n", "lists are too deep"),
        ('base = "tsaka"\nname = ""\n', 'name = "": give it a name'),
        ('base = "tsaka"\nname = "two\\nlines"\n', r'name = "two\\nlines": give it a name on one'),
        ('base = "tsaka"\nname = "tsaka"\nbid_step = 20\n', "name tsaka is that of a preset with"),
        ('base = "tsaka"\nhighest_bid = 70\n', "highest_bid = 70 lies below first_bid = 80"),
        ('base = "tsaka"\nbid_scores = false\n', "winner_takes_all"),
    ],
)
def test_bad_files(content, message, tmp_path):
    path = tmp_path / "house.toml"
    path.write_text(content.replace("{folder}", tmp_path.name), "utf-8")
    with pytest.raises(RulesetError, match=message) as error:
        load_ruleset(path)
    assert "\n" not in str(error.value)
    assert "house" in str(error.value) or "nowhere" in str(error.value)


def test_missing_and_unreadable_files(tmp_path):
    with pytest.raises(RulesetError, match="no ruleset 'tsakka': name one of tsaka, classic"):
        load_ruleset("tsakka")
    with pytest.raises(RulesetError, match="cannot read the ruleset file"):
        load_ruleset(tmp_path)
    path = tmp_path / "latin.toml"
    path.write_bytes(b"\xff")
    with pytest.raises(RulesetError, match="not UTF-8"):
        load_ruleset(path)


def test_a_hand_made_ruleset_is_checked_too():
    with pytest.raises(RulesetError, match="ruleset tsaka: capot_points = 1 is not allowed"):
        dataclasses.replace(load_ruleset(), capot_points=1)
