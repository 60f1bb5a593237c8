"""Which card? The question as it was typed, and its answer in the forms that are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from pilotta_cli.options import current_tongue
from pilotta_solver.errors import PilottaError

if TYPE_CHECKING:
    from pilotta_cli.knowledge import Told
    from pilotta_solver.notation import Bid
    from pilotta_solver.ruleset import Ruleset
    from pilotta_solver.table_play.information import Goal, Information
    from pilotta_solver.table_play.outlook import Aim, CardValue
    from pilotta_solver.table_play.player import Decision


_TOO_CLOSE = ": too close to tell; -n draws more worlds"


@dataclass(frozen=True)
class Typed:
    """The options that say what is played and what has been, as they were typed; None if not given.

    Attributes
    ----------
    trump, bid, declarer, leader, seat
        ``--trump`` and so on.
    played
        ``--played``; empty if nothing was.
    told
        What is said of the other hands.
    """

    trump: int | None
    bid: str | None
    declarer: int | None
    leader: int | None
    seat: int | None
    played: tuple[int, ...]
    told: Told

    def contract(self, rules: Ruleset) -> tuple[int, Callable[[int], Goal | None]]:
        """Return the trump, and what gives the declarer and level once it is known who led.

        Raises
        ------
        click.UsageError
            If something is missing or two options contradict each other.
        """
        from pilotta_solver.table_play.information import Goal

        said = None if self.bid is None else _read_bid(self.bid, rules)
        standing = self.told.view(rules, None, is_playing=True).standing
        if standing is not None:
            if said is not None or self.declarer is not None:
                raise click.UsageError(
                    "--auction says who bid what: leave --bid and --declarer out."
                )
            said = standing.bid
        elif (said is None) != (self.declarer is None):
            raise click.UsageError("--bid and --declarer go together: give both or neither.")
        if said is None:
            if self.trump is None:
                raise click.UsageError("Missing option '--trump'; or give --bid and --declarer.")
            return self.trump, lambda _leader: None
        if self.trump not in (None, said.trump):
            raise click.UsageError("--trump contradicts the bid; leave it out: the bid says it.")
        level, declarer = said.level, self.declarer
        if declarer is not None:
            return said.trump, lambda _leader: Goal(declarer, level)
        assert standing is not None
        # In an auction N speaks first; at the table the leader does.
        return said.trump, lambda leader: Goal((standing.declarer + leader) & 3, level)


@dataclass(frozen=True)
class Answer:
    """A decision, with what it was asked on.

    Attributes
    ----------
    information : Information
        What the player knows.
    decision : Decision
        What it would play, and what each card promises.
    aim : str
        What it wants most.
    n_deals : int
        The deals that agree with what is known of cards and lengths.
    seed : int
        The seed of the worlds.
    known : tuple of str
        What is said of the other hands, a sentence each.
    """

    information: Information
    decision: Decision
    aim: Aim
    n_deals: int
    seed: int
    known: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the answer as JSON has it."""
        from pilotta_solver.cards import cards_of
        from pilotta_solver.deal import SIDES
        from pilotta_solver.notation import format_cards

        seen = self.information.replay()
        return {
            **self._head(),
            "points_so_far": dict(zip(SIDES, seen.points, strict=True)),
            "tricks_so_far": dict(zip(SIDES, seen.tricks, strict=True)),
            "legal": format_cards(cards_of(self.decision.legal)).split(),
            "why": why(self),
            "known": list(self.known),
            "cards": [_card(value) for value in self.decision.values],
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows of `schemas.PLAY`, one a card that may be played."""
        return [{**self._head(), **_card(value)} for value in self.decision.values]

    def _head(self) -> dict[str, Any]:
        """Return what every row of the answer says."""
        from pilotta_solver import __version__
        from pilotta_solver.deal import SEATS
        from pilotta_solver.notation import format_card, format_cards, format_hand, format_trump

        information, goal = self.information, self.information.goal
        return {
            "rules": information.rules.name,
            "version": __version__,
            "seed": self.seed,
            "hand": format_hand(information.hand),
            "seat": SEATS[information.seat],
            "trump": format_trump(information.trump),
            "leader": SEATS[information.leader],
            "played": format_cards(information.played),
            "declarer": None if goal is None else SEATS[goal.declarer],
            "level": None if goal is None else goal.level,
            "aim": self.aim,
            "n_worlds": self.decision.n_worlds,
            "n_deals": self.n_deals,
            "choice": format_card(self.decision.card),
        }


def _card(value: CardValue) -> dict[str, Any]:
    from pilotta_solver.notation import format_card

    chances = (None, None) if value.p_made_interval is None else value.p_made_interval
    numbers = {
        "mean": value.mean,
        "mean_low": value.mean_interval[0],
        "mean_high": value.mean_interval[1],
        "behind": value.behind,
        "behind_low": value.behind_interval[0],
        "behind_high": value.behind_interval[1],
        "p_made": value.p_made,
        "p_made_low": chances[0],
        "p_made_high": chances[1],
    }
    # One world has no interval.
    finite = {
        key: None if number is None or abs(number) == float("inf") else number
        for key, number in numbers.items()
    }
    return {"card": format_card(value.card), **finite}


def why(answer: Answer, *, symbols: bool = False) -> str:
    """Say in a line why the card was chosen."""
    from pilotta_solver.notation import format_card

    decision, information = answer.decision, answer.information
    chosen, *others = decision.values
    name = format_card(chosen.card, symbols=symbols)
    if not others:
        return f"{name} is the only card that may be played."
    other = next((one for one in others if _differs(one, chosen)), None)
    if other is None:
        return f"{name}: all cards came to the same in every world; it is the cheapest."
    second = format_card(other.card, symbols=symbols)
    if answer.aim == "contract" and other.p_made != chosen.p_made:
        return f"{name}: {_contract_first(chosen, other, second, is_declaring(information))}"
    if other.behind == 0:
        return f"{name}: {second} does as well on average; {name} is the cheaper card."
    low, high = other.behind_interval
    points = f"{other.behind:.1f} points more than {second}, the next best"
    if low == -float("inf"):
        return f"{name}: {points}, in the one world drawn."
    told = f"{name}: {points} ({low:z.1f} to {high:z.1f})"
    return f"{told}{'' if low > 0 else _TOO_CLOSE}."


def _contract_first(chosen: CardValue, other: CardValue, name: str, is_declaring: bool) -> str:
    """Say how much oftener the contract is made, or broken, than after the next best card."""
    assert chosen.p_made is not None
    assert other.p_made is not None
    assert other.p_made_interval is not None
    made, less = chosen.p_made, other.p_made
    low, high = other.p_made_interval
    doubt = _TOO_CLOSE if low < made < high else ""
    if not is_declaring:
        made, less = 1 - made, 1 - less
    return (
        f"the contract is {'made' if is_declaring else 'broken'} in {100 * made:.0f} % of the "
        f"worlds, after {name} in {100 * less:.0f} %{doubt}."
    )


def is_declaring(information: Information) -> bool:
    """Tell whether the player is on the declarers' side."""
    goal = information.goal
    return goal is not None and goal.declarer & 1 == information.seat & 1


def _differs(one: CardValue, chosen: CardValue) -> bool:
    """Whether a card came to anything else than the one chosen in any world, as far as told."""
    return (one.behind, one.behind_interval, one.p_made) != (0, (0, 0), chosen.p_made)


def _read_bid(text: str, rules: Ruleset) -> Bid:
    from pilotta_solver.notation import parse_bid

    try:
        return parse_bid(text, rules, current_tongue())
    except PilottaError as error:
        raise click.BadParameter(str(error), param_hint="'--bid'") from error


def read_information(
    hand: int, typed: Typed, rules: Ruleset
) -> tuple[Information, tuple[str, ...]]:
    """Return what the player knows, and what is said of the other hands, a sentence each.

    Raises
    ------
    click.UsageError
        If something is missing or two options contradict each other.
    PilottaError
        If a card cannot have been played.
    """
    from pilotta_solver.knowledge.constraints import Knowledge
    from pilotta_solver.table_play.information import Information

    trump, goal_from = typed.contract(rules)
    seat, leader = _read_seats(typed, trump, rules)
    view = typed.told.view(rules, (seat - leader) % 4 + 1, is_playing=True)
    statements = tuple(
        replace(one, seat=(one.seat + leader) & 3) for one in view.knowledge.statements
    )
    knowledge = Knowledge(statements, rules)
    information = Information(
        seat, hand, trump, leader, typed.played, goal_from(leader), knowledge=knowledge
    )
    heard = {reading.statement for reading in view.readings}
    known = [str(one) for one in view.knowledge.statements if one not in heard]
    return information, (*known, *(one.sentence() for one in view.readings))


def _read_seats(typed: Typed, trump: int, rules: Ruleset) -> tuple[int, int]:
    """Return the seat to move and the seat that led; N led where neither was given."""
    from pilotta_solver.cards import N_CARDS
    from pilotta_solver.deal import SEATS
    from pilotta_solver.table_play.seen_play import SeenPlay

    seen = SeenPlay(trump, 0, rules.law)
    for card in typed.played[: N_CARDS - 1]:
        seen.play(card)
    leader = typed.leader
    if leader is None:
        leader = 0 if typed.seat is None else (typed.seat - seen.to_move) & 3
    turn = (leader + seen.to_move) & 3
    if typed.seat not in (None, turn):
        raise click.UsageError(
            f"After these cards it is the turn of {SEATS[turn]}: leave --seat or --leader out, or "
            "give every card played up to your turn."
        )
    return turn, leader
