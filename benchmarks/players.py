"""Players against one another over the same deals, with the seats exchanged.

python -m benchmarks.players [deals]     print a table of matches, in points a deal

Each match plays every deal twice: once with the first player at N and S and the second at W and E,
once the other way round. The difference, halved, is what the first player gains a deal; its
standard error is taken over the deals. Trumps and leaders go round.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pilotta_solver.cards import SUIT_MASKS, card_points, card_strength, cards_of, is_trump, suit_of
from pilotta_solver.deal import Hands
from pilotta_solver.knowledge.sampling import worlds
from pilotta_solver.rules import trick_winner
from pilotta_solver.ruleset import Ruleset, load_ruleset
from pilotta_solver.table_play.outlook import cheapest
from pilotta_solver.table_play.player import Player, Turn
from pilotta_solver.table_play.self_play import Table, decision_seed

Choose = Callable[[Turn, int], int]
"""A player: a card for what it knows at its turn and a seed."""

SEED = 8


def random_card(turn: Turn, seed: int) -> int:
    """Any legal card."""
    return random.Random(seed).choice(list(cards_of(turn.seen.legal(turn.hand))))


def ruled_card(turn: Turn, seed: int) -> int:
    """What a sensible player does by rule of thumb.

    Leads trumps while it holds the highest and others have some, then the highest card left of a
    plain suit, else its cheapest card. Gives a trick that partner surely wins its dearest card;
    wins what it surely can; else plays its cheapest card.
    """
    seen = turn.seen
    legal = list(cards_of(seen.legal(turn.hand)))
    if not seen.trick:
        return _lead(turn, legal)
    trump, trick = seen.trump, seen.trick
    winner = trick_winner(trick, trump)
    is_last = len(trick) == 3
    partner_wins = winner == len(trick) - 2
    if partner_wins and (is_last or _is_highest(turn, trick[winner])):
        return _dearest(legal, trump)
    winning = [card for card in legal if trick_winner([*trick, card], trump) == len(trick)]
    if is_last and winning:
        plain = [card for card in winning if not is_trump(card, trump)]
        return _dearest(plain, trump) if plain else cheapest(winning, trump)
    sure = [card for card in winning if _is_highest(turn, card)]
    return _dearest(sure, trump) if sure else cheapest(legal, trump)


def _lead(turn: Turn, legal: list[int]) -> int:
    trump = turn.seen.trump
    highest = [card for card in legal if _is_highest(turn, card)]
    trumps = [card for card in highest if suit_of(card) == trump]
    if trumps and _others_in(turn, trump):
        return cheapest(trumps, trump)
    plain = [card for card in highest if suit_of(card) != trump]
    if plain:
        return max(plain, key=lambda card: _others_in(turn, suit_of(card)).bit_count())
    plain = [card for card in legal if suit_of(card) != trump]
    return cheapest(plain or legal, trump)


def _others_in(turn: Turn, suit: int) -> int:
    """Cards of a suit that the others hold."""
    return turn.seen.unplayed & ~turn.hand & SUIT_MASKS[suit]


def _is_highest(turn: Turn, card: int) -> bool:
    """Whether nobody else holds a higher card of the suit."""
    trump = turn.seen.trump
    strength = card_strength(card, trump)
    others = cards_of(_others_in(turn, suit_of(card)))
    return all(card_strength(other, trump) < strength for other in others)


def _dearest(cards: list[int], trump: int) -> int:
    return max(cards, key=lambda card: (card_points(card, trump), -card_strength(card, trump)))


@dataclass(frozen=True)
class Match:
    """What the first player gained a deal on the second, with its standard error."""

    gain: float
    error: float
    n_deals: int

    @property
    def sigmas(self) -> float:
        """How many standard errors the gain is above nothing."""
        return self.gain / self.error


def play_match(first: Choose, second: Choose, n_deals: int, rules: Ruleset, seed: int) -> Match:
    """Play every deal twice, with the seats exchanged."""
    gains = []
    for number, hands in enumerate(worlds(0, 0, n_deals, seed).tolist()):
        four = (hands[0], hands[1], hands[2], hands[3])
        trump, leader = number % 4, number // 4 % 4
        values = [
            _play(four, trump, leader, players, rules, seed, number)
            for players in ((first, second), (second, first))
        ]
        gains.append((values[0] - values[1]) / 2)
    return Match(float(np.mean(gains)), float(np.std(gains, ddof=1) / np.sqrt(n_deals)), n_deals)


def _play(
    hands: Hands,
    trump: int,
    leader: int,
    players: tuple[Choose, Choose],
    rules: Ruleset,
    seed: int,
    number: int,
) -> int:
    """Play a deal, NS the first of the two players; return the NS value."""
    table = Table(hands, trump, leader, rules)
    for k in range(32):
        turn = table.turn(None)
        card_seed = decision_seed(seed, number, turn.seat, k)
        table.play(players[turn.seat & 1](turn, card_seed))
    return table.value


def searching(n_worlds: int, rules: Ruleset) -> Choose:
    """The player of `pilotta play`."""
    return Player(rules, n_worlds).choose


def decision_times(n_deals: int, n_worlds: int, rules: Ruleset) -> tuple[list[float], list[float]]:
    """Return the CPU seconds of each deal's first decision, and of all its decisions together."""
    player, firsts, wholes = Player(rules, n_worlds), [], []
    for number, hands in enumerate(worlds(0, 0, n_deals, SEED).tolist()):
        four = (hands[0], hands[1], hands[2], hands[3])
        table = Table(four, number % 4, 0, rules)
        started = time.process_time()
        for k in range(32):
            turn = table.turn(None)
            table.play(player.choose(turn, decision_seed(SEED, number, turn.seat, k)))
            if k == 0:
                firsts.append(time.process_time() - started)
        wholes.append(time.process_time() - started)
    return firsts, wholes


def main() -> None:
    """Print the table."""
    n_deals = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    rules = load_ruleset()
    players: dict[str, Choose] = {
        "random": random_card,
        "rules": ruled_card,
        "5 worlds": searching(5, rules),
        "20 worlds": searching(20, rules),
        "80 worlds": searching(80, rules),
    }
    matches = [
        ("rules", "random"),
        ("5 worlds", "rules"),
        ("20 worlds", "rules"),
        ("20 worlds", "5 worlds"),
        ("80 worlds", "20 worlds"),
    ]
    print("| first | second | deals | gain, points a deal | s.e. | CPU s |")
    print("| --- | --- | --- | --- | --- | --- |")
    for first, second in matches:
        started = time.process_time()
        match = play_match(players[first], players[second], n_deals, rules, SEED)
        seconds = time.process_time() - started
        print(
            f"| {first} | {second} | {n_deals} | {match.gain:+.1f} | {match.error:.1f} | "
            f"{seconds:.0f} |",
            flush=True,
        )
    firsts, wholes = decision_times(min(n_deals, 100), 20, rules)
    print(
        f"\n20 worlds a decision, CPU time: the first card {1e3 * np.mean(firsts):.0f} ms, at most "
        f"{1e3 * max(firsts):.0f}; a card on average {1e3 * np.mean(wholes) / 32:.1f} ms, a deal "
        f"{1e3 * np.mean(wholes):.0f}, at most {1e3 * max(wholes):.0f}"
    )


if __name__ == "__main__":
    main()
