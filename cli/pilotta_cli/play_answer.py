"""The answers of ``pilotta play`` for a person."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from pilotta_cli.card_question import Answer, why
from pilotta_cli.output import has_symbols, make_console, make_table, percent

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from pilotta_cli.played_deal import PlayedByFour
    from pilotta_solver.table_play.account import Step
    from pilotta_solver.table_play.information import Goal
    from pilotta_solver.table_play.outlook import CardValue, Interval

_WORDS = {4: "no trump", 5: "all trump"}

# Room for the tricks of any deal.
_DEAL_WIDTH = 80


def show_answer(answer: Answer) -> None:
    """Print which card to play: what is known, a table of the cards, the choice, the method."""
    from pilotta_solver import __version__
    from pilotta_solver.cards import cards_of
    from pilotta_solver.deal import SEATS
    from pilotta_solver.notation import format_cards, format_hand

    console = make_console()
    symbols = has_symbols(console)
    information, decision = answer.information, answer.decision
    seen = information.replay()
    left = information.hand & ~seen.played[information.seat]
    if left == information.hand:
        hand = format_hand(left, symbols=symbols)
    else:
        hand = format_cards(cards_of(left), symbols=symbols)
    contract = _contract(information.trump, information.leader, information.goal, symbols=symbols)
    _say(console, f"{SEATS[information.seat]} to play from {hand}", "bold")
    _say(console, contract)
    if information.played:
        on_table = "you lead"
        if seen.trick:
            on_table = f"on the table {format_cards(tuple(seen.trick), symbols=symbols)}"
        ns, ew = seen.points
        _say(console, f"trick {sum(seen.tricks) + 1}, {on_table}; so far NS {ns}, EW {ew}")
    for line in answer.known:
        _say(console, line, "dim")
    console.print()
    table = make_table("card", "points", "95 %", "behind")
    has_goal = information.goal is not None
    if has_goal:
        table.add_column("made %", justify="right", no_wrap=True)
        table.add_column("95 %", justify="right", no_wrap=True)
    for value in decision.values:
        style = "bold green" if value.card == decision.card else ""
        table.add_row(*_row(value, symbols=symbols), style=style)
    console.print(table)
    console.print()
    _say(console, why(answer, symbols=symbols), "bold")
    deals = "deal agrees" if answer.n_deals == 1 else "deals agree"
    worlds = "world" if decision.n_worlds == 1 else "worlds"
    method = (
        f"{decision.n_worlds:,} {worlds}, double dummy; {answer.n_deals:,} {deals} with the cards "
        f"and lengths known; aim {answer.aim}; seed {answer.seed}; rules "
        f"{information.rules.name}; v{__version__}"
    )
    _say(console, method, "dim")


def _row(value: CardValue, *, symbols: bool) -> list[str]:
    from pilotta_solver.notation import format_card

    row = [
        format_card(value.card, symbols=symbols),
        f"{value.mean:.1f}",
        _interval(value.mean_interval, 1),
        f"{value.behind:.1f}" if value.behind else "",
    ]
    if value.p_made is not None and value.p_made_interval is not None:
        low, high = value.p_made_interval
        row += [percent(value.p_made), f"{percent(low)} to {percent(high)}"]
    return row


def _interval(interval: Interval, digits: int) -> str:
    low, high = interval
    return "" if high == float("inf") else f"{low:.{digits}f} to {high:.{digits}f}"


def _contract(trump: int, leader: int, goal: Goal | None, *, symbols: bool) -> str:
    """Say what is played, and who led."""
    from pilotta_solver.deal import SEATS
    from pilotta_solver.notation import Bid, format_bid, format_trump

    if goal is None:
        name = _WORDS.get(trump, f"{format_trump(trump, symbols=symbols)} trumps")
    else:
        bid = format_bid(Bid(goal.level, trump), symbols=symbols)
        name = f"{bid} by {SEATS[goal.declarer]}"
    return f"{name}, {SEATS[leader]} leads to the first trick"


def _say(console: Console, line: str, style: str = "") -> None:
    """Print text, wrapped between words, without parting a number from its unit."""
    kept = line.replace(" %", "\xa0%")
    lines = textwrap.wrap(kept, console.width, break_long_words=False)
    console.print("\n".join(lines).replace("\xa0", " "), style=style, markup=False, soft_wrap=True)


def show_played(told: PlayedByFour) -> None:
    """Print a deal trick by trick, with the double dummy value beside each card."""
    from pilotta_solver.deal import SEATS
    from pilotta_solver.notation import format_hand

    console = make_console()
    symbols = has_symbols(console)
    for seat, hand in zip(SEATS, told.deal.hands, strict=True):
        console.print(f"{seat}  {format_hand(hand, symbols=symbols)}")
    console.print()
    _say(console, _contract(told.trump, told.leader, told.goal, symbols=symbols))
    _say(console, f"NS value with all cards seen: {told.account.value}")
    console.print()
    table = make_table("trick", "led", "second", "third", "fourth", justify="left")
    table.add_column("to", no_wrap=True)
    table.add_column("NS-EW", justify="right", no_wrap=True)
    for number, winner in enumerate(told.account.winners):
        steps = told.account.steps[4 * number : 4 * number + 4]
        ns, ew = told.account.points[number]
        cells = [_cell(step, symbols=symbols) for step in steps]
        table.add_row(str(number + 1), *cells, SEATS[winner], f"{ns}-{ew}")
    # A trick that is cut short says nothing: rather let a narrow terminal break its line.
    width, console.width = console.width, max(console.width, _DEAL_WIDTH)
    console.print(table)
    console.width = width
    console.print()
    _show_result(console, told)


def _cell(step: Step, *, symbols: bool) -> Text:
    """Return seat, card and value after it; and, where it lost points, how many."""
    from rich.text import Text

    from pilotta_solver.deal import SEATS
    from pilotta_solver.notation import format_card

    cell = Text(f"{SEATS[step.seat]} {format_card(step.card, symbols=symbols)} ")
    cell.append(str(step.value), "dim")
    if step.lost:
        cell.append(f" -{step.lost}", "bold red")
    return cell


def _show_result(console: Console, told: PlayedByFour) -> None:
    """Print what the deal came to, who lost points, and one line of method."""
    from pilotta_solver import __version__
    from pilotta_solver.deal import SEATS

    ns, ew = told.played.points
    line = f"NS {ns}, EW {ew} card points"
    if told.goal is not None:
        verdict = "made" if told.is_made else "failed"
        line += f"; total of the declarers {told.total}: {verdict}"
    _say(console, f"{line}.", "bold")
    account = told.account
    by_seat = [f"{seat}\xa0{account.lost_by(place)}" for place, seat in enumerate(SEATS)]
    change = told.played.value - account.value
    beside = f"{change:+d} against" if change else "the same as"
    _say(
        console,
        f"NS value {told.played.value}, {beside} double dummy; points lost against the best card: "
        f"{', '.join(by_seat)}.",
    )
    _say(
        console,
        f"worlds a decision {told.n_worlds:,}, aim {told.aim}; values are NS points if all play "
        f"best from there, all cards seen; seed {told.seed}; rules {told.rules.name}; "
        f"v{__version__}",
        "dim",
    )
