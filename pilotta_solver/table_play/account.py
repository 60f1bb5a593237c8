"""Where points were lost: a deal as it was played, with the double dummy value beside each card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pilotta_solver.deal import SEATS, Deal, side_of
from pilotta_solver.double_dummy import Rules, as_ruleset, solve_cards_of
from pilotta_solver.rules import play, start


@dataclass(frozen=True, slots=True)
class Step:
    """One card, and what it cost.

    Attributes
    ----------
    trick, place
        The trick, 1 to 8, and the place in it, 0 for its lead.
    seat
        Who played the card.
    card
        The card.
    value
        NS points over the whole deal if all play best, with all cards seen, after this card; a
        sweep counts ``capot_points``.
    lost
        Points that the card lost its own side against the best card, with all cards seen.
    """

    trick: int
    place: int
    seat: int
    card: int
    value: int
    lost: int


@dataclass(frozen=True, slots=True)
class Account:
    """A deal as it was played.

    Attributes
    ----------
    value
        The NS value of the deal before the first card.
    steps
        The cards, in order.
    winners
        The seats that took the tricks.
    points
        Card points of NS and EW after each trick.
    """

    value: int
    steps: tuple[Step, ...]
    winners: tuple[int, ...]
    points: tuple[tuple[int, int], ...]

    def lost_by(self, seat: int) -> int:
        """Return the points that a seat lost its side, against the best card at each turn."""
        return sum(step.lost for step in self.steps if step.seat == seat)


def account(
    deal: Deal, trump: int, leader: int, played: Sequence[int], rules: Rules = None
) -> Account:
    """Solve a deal before and after each card with which it was played.

    Parameters
    ----------
    deal, trump, leader
        The deal, its contract, and who led.
    played
        The cards played, in order, at least one; the deal need not have been played to its end.
    rules
        The ruleset; default ``tsaka``.

    Raises
    ------
    PlayError
        If a card is not legal where it was played.

    Examples
    --------
    >>> from pilotta_solver import parse_cards, parse_deal
    >>> told = account(parse_deal("N:.A.7. .T.8. .7.9. .8.T."), 0, 0, parse_cards("HA HT H7 H8"))
    >>> told.value, [(step.value, step.lost) for step in told.steps]
    (31, [(21, 10), (21, 0), (21, 0), (21, 0)])
    """
    rules = as_ruleset(rules)
    positions = [start(deal, trump, leader)]
    for card in played:
        positions.append(play(positions[-1], card, rules.law))
    steps, winners, points = [], [], []
    valued = solve_cards_of(positions[:-1], rules, jobs=1)
    for k, (card, values) in enumerate(zip(played, valued, strict=True)):
        trick, place = divmod(k, len(SEATS))
        seat = positions[k].to_move
        sign = 1 if side_of(seat) == 0 else -1
        best = max(sign * value for value in values.values())
        steps.append(Step(trick + 1, place, seat, card, values[card], best - sign * values[card]))
        if place == len(SEATS) - 1:
            winners.append(positions[k + 1].leader)
            points.append(positions[k + 1].points)
    first = steps[0]
    value = first.value + (1 if side_of(first.seat) == 0 else -1) * first.lost
    return Account(value, tuple(steps), tuple(winners), tuple(points))
