from __future__ import annotations

import random
from importlib.resources import files
from pathlib import Path

import pytest

from pilotta_solver import ConstraintError, holds, load_ruleset, load_system, system_names
from pilotta_solver.cards import cards_of, rank_of, suit_of
from pilotta_solver.knowledge.bidding_system import SITUATIONS, SYSTEMS

RULES = load_ruleset()
J, NINE, ACE = 4, 2, 7


def test_the_systems_that_come_with_the_program() -> None:
    assert system_names() == ("cyprus-basic", "none")
    folder = files("pilotta_solver") / "knowledge" / "systems"
    assert {f"{name}.toml" for name in system_names()} == {path.name for path in folder.iterdir()}
    for name, about in SYSTEMS.items():
        system = load_system(name)
        assert (system.name, system.about) == (name, about)
    assert load_system() == load_system("cyprus-basic")


def test_none_has_no_conventions() -> None:
    system = load_system("none")
    assert system.conventions == ()
    for situation in SITUATIONS:
        assert system.convention(80, situation, 0, 1) is None


class Hand:
    """A hand as a player reads it, for a suit."""

    def __init__(self, hand: int, suit: int) -> None:
        cards = [(suit_of(card), rank_of(card)) for card in cards_of(hand)]
        self.n_trumps = sum(own == suit for own, _ in cards)
        self.jack, self.nine = (suit, J) in cards, (suit, NINE) in cards
        self.side_aces = sum(own != suit and rank == ACE for own, rank in cards)

    def is_80(self) -> bool:
        with_one = (self.jack or self.nine) and self.n_trumps >= 3
        without = not (self.jack or self.nine) and self.n_trumps >= 5
        return (with_one or without) and self.side_aces >= 1

    def is_90(self) -> bool:
        return self.jack and self.nine and self.n_trumps >= 3 and self.side_aces >= 1

    def raises(self) -> int:
        return self.jack + self.nine + self.side_aces


@pytest.mark.parametrize("suit", range(4))
def test_cyprus_basic_says_what_the_players_say(suit: int) -> None:
    system = load_system("cyprus-basic")
    rng = random.Random(suit)
    seen = set()
    for _ in range(3000):
        deck = [8 * suit + rank for rank in range(8)] + rng.sample(range(32), 20)
        hand = sum(1 << card for card in set(rng.sample(list(dict.fromkeys(deck)), 8)))
        read = Hand(hand, suit)
        for situation in ("opening", "overcall", "new suit"):
            for level, truth in ((80, read.is_80()), (90, read.is_90())):
                found = system.convention(level, situation, suit)
                assert found is not None
                assert holds(found.expression(suit), hand, RULES) == truth
                seen.add((level, truth))
        for steps in range(1, 7):
            found = system.convention(80 + 10 * steps, "reply", suit, steps)
            assert found is not None
            assert holds(found.expression(suit, steps), hand, RULES) == (read.raises() == steps)
            seen.add((steps, read.raises() == steps))
    assert seen >= {(80, True), (90, True), (90, False), (1, True), (3, True)}
    assert system.convention(100, "opening", suit) is None
    assert system.convention(90, "rebid", suit) is None
    assert system.convention(90, "opening", 4) is None


def written(folder: Path, text: str) -> Path:
    path = folder / "ours.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_system_of_ones_own(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        """
        passes = "nothing"
        bids = "at least"
        [[call]]
        call = 80
        means = "{trump}>=4"
        [[call]]
        call = 90
        when = ["rebid"]
        trumps = "NA"
        means = "aces>=3 and points({trump})>=40"
        says = "three aces, for {trump}"
        [[call]]
        call = "X"
        means = "{trump}J and {trump}9"
        """,
    )
    system = load_system(path)
    assert (system.name, system.about) == ("ours", "ours")
    assert (system.passes, system.bids) == ("nothing", "at least")
    for situation in SITUATIONS:
        found = system.convention(80, situation, 2)
        assert found is not None
        assert found.words(2) == "D>=4"
    found = system.convention(90, "rebid", 5)
    assert found is not None
    assert found.words(5) == "three aces, for A"
    assert system.convention(90, "rebid", 1) is None
    doubled = system.convention("X", "overcall", 3)
    assert doubled is not None
    assert doubled.means == "{trump}J and {trump}9"
    assert system.convention("XX", "overcall", 3) is None


def test_the_first_convention_that_fits_counts(tmp_path: Path) -> None:
    both = '[[call]]\ncall = 80\nmeans = "{trump}>=4"\n[[call]]\ncall = 80\nmeans = "{trump}>=5"\n'
    found = load_system(written(tmp_path, both)).convention(80, "opening", 0)
    assert found is not None
    assert found.means == "{trump}>=4"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("pases = 'deny'", "unknown key 'pases'; did you mean passes?"),
        ("passes = 'maybe'", 'passes = \'maybe\' is not allowed; give "deny" or "nothing"'),
        ("bids = 1", 'bids = 1 is not allowed; give "highest" or "at least"'),
        ("about = 3", "about must be a text in quotes"),
        ("call = 80", "write each call under a heading of its own, [[call]]"),
        ("x = [", "not a TOML file"),
        ("[[call]]\nmeans = 'SJ'", "[[call]] number 1: call = None; give a level"),
        ("[[call]]\ncall = 'P'\nmeans = 'SJ'", "call = 'P'; give a level"),
        ("[[call]]\ncall = true\nmeans = 'SJ'", "call = True; give a level"),
        ("[[call]]\ncall = 80", "[[call]] number 1: means must be a text in quotes"),
        ("[[call]]\ncall = 80\nmeans = ' '", "means must be a text in quotes"),
        ("[[call]]\ncall = 80\nmean = 'SJ'", "unknown key 'mean'; did you mean means?"),
        ("[[call]]\ncall = 80\nwhen = ['first']\nmeans = 'SJ'", "when = ['first']; give a list of"),
        ("[[call]]\ncall = 80\nwhen = []\nmeans = 'SJ'", 'when = []; give a list of "opening"'),
        ("[[call]]\ncall = 'raise'\nwhen = ['rebid']\nmeans = 'SJ'", "a raise is always a reply"),
        ("[[call]]\ncall = 80\ntrumps = 'X'\nmeans = 'SJ'", "trumps = 'X'; give letters of"),
        ("[[call]]\ncall = 80\nmeans = '{suit}J'", "means has {suit}, which is not known here"),
        ("[[call]]\ncall = 80\nmeans = '{steps}=aces'", "means has {steps}, which is not known"),
        ("[[call]]\ncall = 80\nmeans = 'SJ'\nsays = '{x}'", "says has {x}, which is not known"),
        (
            "[[call]]\ncall = 80\nmeans = '{trump}>='",
            "[[call]] number 1, means: expression 'S>=', column 4: the text ends",
        ),
        (
            "[[call]]\ncall = 80\ntrumps = 'SN'\nmeans = '{trump}>=3'",
            "means: expression 'N>=3', column 1: 'N' is no card, suit or count",
        ),
    ],
)
def test_errors_name_the_file_and_the_entry(tmp_path: Path, text: str, says: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConstraintError) as error:
        load_system(path)
    assert str(error.value).startswith(str(path))
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_system_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConstraintError, match="no bidding system 'acol': name one of cyprus-basic"):
        load_system("acol")
    with pytest.raises(ConstraintError, match="cannot read the bidding system"):
        load_system(tmp_path)
    path = tmp_path / "latin.toml"
    path.write_bytes(b"about = '\xe9'")
    with pytest.raises(ConstraintError, match="it is not UTF-8 text"):
        load_system(path)
