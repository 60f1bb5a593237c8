from __future__ import annotations

import pytest

from pilotta_solver.cards import cards_of
from pilotta_solver.errors import DealError, PlayError
from pilotta_solver.game import Game, play_out
from pilotta_solver.notation import parse_bid, parse_cards, parse_deal
from pilotta_solver.rules import legal_cards, play, start
from pilotta_solver.ruleset import load_ruleset
from pilotta_solver.scoring import Outcome, score_deal

TSAKA = load_ruleset("tsaka")

# Every trick is N's: spades against three hands without a spade.
SWEEP = parse_deal("N:AKQJT987... .AKQJT987.. ..AKQJT987. ...AKQJT987")
SWEPT = parse_cards(" ".join(f"S{r} H{r} D{r} C{r}" for r in "J9ATKQ87"))


def scored(points, level="80S", rules=TSAKA):
    return score_deal(parse_bid(level), Outcome(points), rules)


def test_deals_add_up_to_a_game():
    game = Game(TSAKA)
    assert (game.standing, game.winner) == ((0, 0), None)
    game = game.add(scored((100, 62)), declarer=1).add(scored((100, 62)), declarer=2)
    assert (game.standing, game.winner) == ((24, 24), None)


@pytest.mark.parametrize(
    ("deals", "winner"),
    [
        (((300, 0),), None),
        (((301, 0),), 0),
        (((300, 290), (2, 20)), 1),
        (((300, 290), (10, 20)), None),
        (((300, 290), (10, 20), (9, 10)), 1),
    ],
)
def test_who_wins_and_when(deals, winner):
    assert Game(TSAKA, deals).winner == winner


def test_a_game_that_is_won_goes_no_further():
    with pytest.raises(DealError, match="the game was won with 301-0 after 1 deals"):
        Game(TSAKA, ((301, 0),)).add(scored((100, 62)), 0)


def test_a_game_may_count_raw_points():
    rules = load_ruleset("tsaka", {"game_counts": "raw"})
    assert Game(rules).add(scored((100, 62), rules=rules), 3).standing == (62, 180)


def test_a_deal_from_its_cards():
    found = play_out(SWEEP, 0, 0, SWEPT, TSAKA)
    assert found.outcome == Outcome((162, 0), (200, 0), (20, 0), "declarers")
    assert (found.contest.winner, found.belotes) == (0, ((0, 0),))
    other = play_out(SWEEP, 0, 3, SWEPT, TSAKA)
    assert other.outcome == Outcome((0, 162), (0, 200), (0, 20), "defence")


def test_a_missed_belote_does_not_score():
    missed = play_out(SWEEP, 0, 3, SWEPT, TSAKA, "defence").outcome
    assert (missed.belote, missed.missed_belote) == ((0, 0), "defence")
    with pytest.raises(DealError, match="the declarers hold no belote"):
        play_out(SWEEP, 0, 3, SWEPT, TSAKA, "declarers")


def test_what_cannot_be_scored():
    with pytest.raises(DealError, match="no card was played"):
        play_out(SWEEP, 0, 0, (), TSAKA)
    with pytest.raises(DealError, match="4 of 32 cards were played"):
        play_out(SWEEP, 0, 0, SWEPT[:4], TSAKA)
    with pytest.raises(DealError, match="a deal of 1 cards a hand"):
        play_out(parse_deal("N:A... K... Q... J..."), 0, 0, SWEPT, TSAKA)
    with pytest.raises(PlayError, match="card 2: DA by W is not legal"):
        play_out(SWEEP, 0, 0, (SWEPT[0], *SWEPT[10:]), TSAKA)


@pytest.mark.parametrize(
    ("first", "declarations"), [("HK", (20, 0)), ("HJ", (20, 0)), ("DA", (0, 0))]
)
def test_the_suit_led_decides_a_tie(first, declarations):
    rules = load_ruleset("tsaka", {"declaration_tie": "led_suit"})
    deal = parse_deal("N:A.KQJ.A9.98 KT.A.KQJ.A7 Q97.T8.T.KJ J8.97.87.QT")
    position = play(start(deal, 3, 0), *parse_cards(first))
    played = [*parse_cards(first)]
    while not position.is_over:
        hand = position.hands[position.to_move]
        played.append(next(cards_of(legal_cards(hand, position.trick, 3))))
        position = play(position, played[-1])
    assert play_out(deal, 3, 0, played, rules).outcome.declarations == declarations
    assert play_out(deal, 3, 0, played, TSAKA).outcome.declarations == (0, 0)
