"""The page of a bidding table in a real browser: Debian's Chromium, without a screen.

Where there is no browser these tests say so and do not run; `.ci/run` installs one and insists.
"""

from __future__ import annotations

import base64
import dataclasses
import json
import os
import re
import shutil

import numpy as np
import pytest
from made_table import LEVELS, make_table
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from pilotta_solver.bidding_table.hand_class import QUANTITIES
from pilotta_solver.bidding_table.layout import values_in_order
from pilotta_solver.bidding_table.page import page

pytestmark = pytest.mark.browser

TABLE = make_table()
CHANCES = [
    float(TABLE.p_made[place, TABLE.levels.index(best) if best else 0])
    for place, best in enumerate(TABLE.best.tolist())
]
HAS_CALL = [place for place, one in enumerate(TABLE.classes) if one.n >= 30]

FLAGS = (
    "--headless",
    "--no-sandbox",  # Chromium refuses its sandbox to root, whom CI runs as
    "--disable-gpu",
    "--disable-dev-shm-usage",  # a container may have too little of it
    "--disable-quic",
    "--disable-sync",
    "--disable-component-update",
    "--disable-background-networking",
    "--no-first-run",
)


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    found = {name: shutil.which(name) for name in ("chromium", "chromedriver")}
    missing = [name for name, path in found.items() if path is None]
    if missing:
        said = (
            f"no {' and no '.join(missing)} on this machine, the page was not opened; install "
            "Debian's chromium and chromium-driver"
        )
        if os.environ.get("PILOTTA_BROWSER") == "required":
            pytest.fail(said)
        pytest.skip(said)
    options = webdriver.ChromeOptions()
    options.binary_location = found["chromium"]
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('chromium')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(found["chromedriver"]))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "table.html"
    path.write_text(page(TABLE), encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def opened(chromium, address):
    """The page on a wide screen, the list shown; afterwards no error may be in its console."""
    resize(chromium, 1400, 900)
    media(chromium)
    chromium.get(address)
    one(chromium, "[data-view=list]").click()
    yield chromium
    assert chromium.get_log("browser") == []


def resize(driver, width, height):
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
    )


def media(driver, kind="", scheme="light"):
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": kind, "features": features})


def one(driver, selector):
    return driver.find_element(By.CSS_SELECTOR, selector)


def shown(driver, selector):
    found = driver.find_elements(By.CSS_SELECTOR, selector)
    return [element for element in found if element.is_displayed()]


def row_order(driver):
    """The place in the table of each row that is shown, from the top."""
    labels = [one.label for one in TABLE.classes]
    buttons = shown(driver, ".list tbody .open-class")
    return [
        labels.index(button.get_attribute("aria-label").removesuffix(": show the curve"))
        for button in buttons
    ]


def head(driver, key):
    return one(driver, f".list th[data-key={key}]")


def style(driver, selector, name):
    script = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    return driver.execute_script(script, selector, name)


def test_it_asks_for_nothing_but_itself(chromium, address):
    chromium.get_log("performance")
    chromium.get(address)
    events = [json.loads(entry["message"])["message"] for entry in chromium.get_log("performance")]
    asked = {
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    }
    assert address in asked
    # The browser takes the icons of its own controls from chrome://resources.
    assert {url for url in asked if not url.startswith(("data:", "chrome:"))} == {address}
    assert chromium.get_log("browser") == []


def test_it_shows_every_class_and_its_call(opened):
    assert row_order(opened) == list(range(len(TABLE.classes)))
    calls = [cell.text for cell in shown(opened, ".list td.bid")]
    expected = [str(best) if best else "pass" for best in TABLE.best.tolist()]
    expected[-1] = "?"
    assert calls == expected
    assert "pass" in calls


def test_it_sorts_by_numbers_both_ways(opened):
    before = row_order(opened)
    chance = head(opened, "chance")
    chance.find_element(By.TAG_NAME, "button").click()
    falling = row_order(opened)
    assert chance.get_attribute("aria-sort") == "descending"
    assert falling != before
    assert sorted(falling) == before
    assert falling[:-1] == sorted(HAS_CALL, key=lambda place: -CHANCES[place])
    chance.find_element(By.TAG_NAME, "button").click()
    rising = row_order(opened)
    assert chance.get_attribute("aria-sort") == "ascending"
    assert rising[:-1] == sorted(HAS_CALL, key=lambda place: CHANCES[place])
    # What has no call stands last, whichever way.
    assert falling[-1] == rising[-1] == before[-1]


def test_it_sorts_by_keyboard_and_one_column_at_a_time(opened):
    head(opened, "n").find_element(By.TAG_NAME, "button").click()
    head(opened, "by1").find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
    aces = [TABLE.classes[place].values[1] for place in row_order(opened)]
    assert aces == sorted(aces)
    assert head(opened, "by1").get_attribute("aria-sort") == "ascending"
    assert head(opened, "n").get_attribute("aria-sort") == "none"
    one(opened, "#everything").click()
    assert row_order(opened) == list(range(len(TABLE.classes)))


def test_it_sorts_by_the_chance_of_a_level(opened):
    resize(opened, 1900, 900)
    head(opened, "p3").find_element(By.TAG_NAME, "button").click()
    order = row_order(opened)[:-1]
    assert order == sorted(HAS_CALL, key=lambda place: -TABLE.p_made[place, 3])


def test_it_filters_by_words_values_and_rarity(opened):
    def wanted(test):
        return [place for place, one in enumerate(TABLE.classes) if test(one)]

    one(opened, "#find").send_keys("j9 OTHERS")
    found = wanted(lambda one: "J9" in one.label and one.values[2] == "other")
    assert row_order(opened) == found
    assert one(opened, "#shown").text == f"{len(found)} of {len(TABLE.classes)} kinds of hand"
    one(opened, "#everything").click()

    one(opened, "select[data-quantity='1'] option[value='2']").click()
    assert row_order(opened) == wanted(lambda one: one.values[1] == 2)
    one(opened, "#common").click()
    found = wanted(lambda one: one.values[1] == 2 and not one.is_rare)
    assert row_order(opened) == found
    assert len(found) < len(wanted(lambda one: one.values[1] == 2))

    one(opened, "[data-view=grid]").click()
    assert len(shown(opened, ".grid td button")) == len(found)
    assert shown(opened, ".list") == []


def test_it_says_how_high_a_hand_can_go(opened):
    one(opened, "#rule option[value='0.7']").click()
    calls = [cell.text for cell in shown(opened, ".list td.bid")][: len(HAS_CALL)]
    for place, call in enumerate(calls):
        high = [level for level, p in zip(LEVELS, TABLE.p_made[place], strict=True) if p >= 0.7]
        assert call == (str(high[-1]) if high else "pass")
    one(opened, "#rule option[value='gains']").click()
    calls = [cell.text for cell in shown(opened, ".list td.bid")][: len(HAS_CALL)]
    assert calls == [str(high) if high else "pass" for high in TABLE.highest[: len(calls)]]
    assert calls != [str(best) if best else "pass" for best in TABLE.best[: len(calls)]]


def test_a_cell_that_is_lent_goes_by_the_name_of_its_row(chromium, tmp_path):
    kind = QUANTITIES["pattern"]
    rough = next(kind.coarser(k) for k in range(kind.n_codes) if kind.value(k) == "J9A+1")
    merged = TABLE.classes[0].values[1:]
    classes = [
        dataclasses.replace(TABLE.classes[0], label="others", values=(rough, *merged), merged=True),
        *TABLE.classes[1:],
    ]
    table = dataclasses.replace(TABLE, classes=tuple(classes))
    path = tmp_path / "lent.html"
    path.write_text(page(table), encoding="utf-8")
    resize(chromium, 1400, 900)
    chromium.get(path.as_uri())
    one(chromium, "#find").send_keys("J9A+1")
    assert len(shown(chromium, ".grid td button")) == 6
    (lent,) = shown(chromium, ".grid td button.lent")
    assert lent.get_attribute("data-class") == "0"
    one(chromium, "#everything").click()
    rank = values_in_order(table)[0].index("J9A+1")
    one(chromium, f"select[data-quantity='0'] option[value='{rank}']").click()
    assert len(shown(chromium, ".grid td button")) == 6


@pytest.mark.parametrize("how", ["click", "hover", "keyboard"])
def test_it_opens_the_curve_of_a_class(opened, how):
    place = 4
    button = opened.find_elements(By.CSS_SELECTOR, ".list tbody .open-class")[place]
    if how == "click":
        button.click()
    elif how == "hover":
        webdriver.ActionChains(opened).move_to_element(button).perform()
    else:
        button.send_keys(Keys.ENTER)
    assert one(opened, "#curve-title").text == TABLE.classes[place].label
    points = re.split(r"[ ,]", one(opened, "#picture .line").get_attribute("points"))
    heights = np.array(points[1::2], float)
    assert len(heights) == len(LEVELS)
    # The higher the chance, the higher the point, and in proportion.
    x, y = TABLE.p_made[place], heights
    np.testing.assert_allclose(y, y[0] + (y[-1] - y[0]) * (x - x[0]) / (x[-1] - x[0]), atol=0.1)
    band = one(opened, "#picture .band").get_attribute("points").split()
    assert len(band) == 2 * len(LEVELS)
    assert len(shown(opened, "#levels tr")) == len(LEVELS)
    webdriver.ActionChains(opened).send_keys(Keys.ESCAPE).perform()
    assert not one(opened, "#curve").is_displayed()


@pytest.mark.parametrize("width", [360, 800, 1210, 1400, 1900])
def test_nothing_covers_the_list(opened, width):
    resize(opened, width, 900)
    ends = opened.execute_script(
        "return ['.list', 'main'].map(s => document.querySelector(s).getBoundingClientRect().right)"
    )
    assert ends[0] <= ends[1]
    assert opened.execute_script("return document.documentElement.scrollWidth") <= width


def test_a_cell_of_the_grid_opens_the_same_curve(opened):
    one(opened, "[data-view=grid]").click()
    one(opened, ".grid td button[data-class='7']").click()
    assert one(opened, "#curve-title").text == TABLE.classes[7].label


def test_it_fits_a_phone(opened):
    resize(opened, 360, 740)

    def width():
        return opened.execute_script("return document.documentElement.scrollWidth")

    assert width() <= 360
    button = opened.find_elements(By.CSS_SELECTOR, ".list tbody .open-class")[2]
    opened.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
    button.click()
    assert one(opened, "#curve-title").is_displayed()
    assert width() <= 360
    one(opened, "#close").click()
    opened.execute_script("window.scrollTo(0, 0)")
    one(opened, "[data-view=grid]").click()
    assert shown(opened, ".grid")
    assert width() <= 360


def test_it_prints_the_table_and_no_controls(opened):
    opened.find_elements(By.CSS_SELECTOR, ".list tbody .open-class")[2].click()
    assert one(opened, "#curve").is_displayed()
    media(opened, "print", "dark")
    assert shown(opened, "#controls, #curve, #everything") == []
    assert style(opened, ".list thead", "display") == "table-header-group"
    assert style(opened, ".list tbody tr", "break-inside") == "avoid"
    assert style(opened, "body", "color") == "rgb(0, 0, 0)"
    assert style(opened, "body", "background-color") == "rgb(255, 255, 255)"
    assert style(opened, ".list td.lv", "display") == "table-cell"
    media(opened)
    printed = opened.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})
    assert base64.b64decode(printed["data"]).startswith(b"%PDF-")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_either_light(opened, scheme):
    media(opened, scheme=scheme)
    shades = {}
    for name in ("color", "background-color"):
        red, green, blue = map(int, re.findall(r"\d+", style(opened, "body", name))[:3])
        shades[name] = (red + green + blue) / 3
    assert (shades["color"] > shades["background-color"]) == (scheme == "dark")
    assert abs(shades["color"] - shades["background-color"]) > 150
