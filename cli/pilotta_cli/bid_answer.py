"""The answer of ``pilotta bid`` for a person: a sentence, a table, and how it was found out."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from pilotta_cli.class_answer import class_of, class_sentence
from pilotta_cli.output import has_symbols, level_rows, make_console, make_table, percent

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from pilotta_solver.advice.answers import Advice, Contract, Level, Question
    from pilotta_solver.knowledge.auction_knowledge import PlayerView

# Cards named as reasons, and from what gap between the chances on.
_N_CARDS = 3
_TELLING = 0.03

# Wider than any table.
_ANY_WIDTH = 1000

_LEADS = {
    "you": "you lead",
    "right": "right opponent leads",
    "partner": "your partner leads",
    "left": "left opponent leads",
}


def show_advice(advice: Advice, view: PlayerView, *, with_worlds: bool) -> None:
    """Print the answer: the hand, the sentence, one table, the reasons, one line of method.

    Parameters
    ----------
    advice : Advice
        The answer.
    view : PlayerView
        What was known.
    with_worlds : bool
        Whether to write out the worlds chosen as examples.
    """
    from pilotta_solver.notation import format_hand

    console = make_console()
    shown = _Printer(console)
    place = f"seat {advice.seat}, {_LEADS[advice.method.leads]}"
    hand = format_hand(advice.hand, symbols=shown.symbols)
    shown.say(hand, "bold", f"   {place}   rules {advice.rules.name}")
    told = advice.method.known[: len(advice.method.known) - len(view.readings)]
    for line in (*told, *(one.sentence(symbols=shown.symbols) for one in view.readings)):
        shown.say(line, "dim")
    console.print()
    shown.sentences(advice)
    console.print()
    above = 0 if view.standing is None else view.standing.bid.level
    for table in shown.tables(advice, above):
        console.print(table)
        console.print()
    if advice.question is not None:
        shown.reasons(advice.question)
        if with_worlds:
            shown.worlds(advice.question)
        console.print()
    row = class_of(advice)
    if row is not None:
        shown.say(class_sentence(row, symbols=shown.symbols))
    shown.say(_method(advice), "dim")


def _method(advice: Advice) -> str:
    """One line: worlds, play, intervals, order of sequences, seed and version."""
    method, rules = advice.method, advice.rules
    n = advice.n_worlds if advice.question is None else advice.question.n_worlds
    count = f"{n:,} worlds"
    if n > advice.n_worlds:
        count += f" ({advice.n_worlds:,} solved)"
    if method.acceptance < 1:
        count += f", {percent(method.acceptance)} % of draws agree"
    order = "no declarations"
    if rules.declarations:
        order = f"{rules.sequence_order} order of sequences"
    model = "turned into play at the table"
    left_out = [_letter(one) for one in advice.contracts if one.mean_total_table is None]
    if left_out:
        model += f" but for {' and '.join(left_out)} (not calibrated)"
    if method.model == "dd":
        model = "not turned into play at the table"
        if not method.calibrated:
            model += " (not calibrated for this law of play)"
    return (
        f"{count}, solved double dummy, {model}; {_LEADS[method.leads]}; {order}; "
        f"seed {advice.seed}; v{advice.version}"
    )


class _Printer:
    """Prints the parts of an answer on one console."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.symbols = has_symbols(console)

    def say(self, lead: str, style: str = "", rest: str = "") -> None:
        """Print text, its beginning in a style, without parting a number from its unit."""
        from rich.text import Text

        whole = (lead + rest).replace(" %", "\xa0%").replace("± ", "±\xa0")
        lines = textwrap.wrap(whole, self.console.width, break_long_words=False)
        text = Text("\n".join(lines).replace("\xa0", " "))
        text.stylize(style, 0, len(lead))
        self.console.print(text, soft_wrap=True)

    def sentences(self, advice: Advice) -> None:
        """Print the answer in one sentence, and what is worth knowing besides."""
        if advice.question is None:
            self._unasked(advice)
        else:
            self._asked(advice, advice.question)
            self._besides(advice, advice.question)
        played = [one for one in advice.alternatives if one.meaning != "passed out"]
        if played:
            said = (f"{_DOING[x.call]} {x.sheet:+z.1f} ({self._call(x.meaning)})" for x in played)
            self.say(f"Instead, on the sheet: {', '.join(said)}.")

    def _asked(self, advice: Advice, question: Question) -> None:
        from pilotta_solver.notation import format_bid

        word, colour = {
            "yes": ("Yes", "green"),
            "no": ("No", "red"),
            "close": ("Close", "yellow"),
        }[question.verdict]
        bid = format_bid(question.bid, symbols=self.symbols)
        rest = f" makes {_sure(question.level)}; worth {self._worth(advice, question.level)}"
        if question.highest is not None:
            rest += f"; up to {question.highest}{bid[-1]} pays"
        self.say(f"{word}: {bid}", f"bold {colour}", f"{rest}.")

    def _unasked(self, advice: Advice) -> None:
        best = advice.best
        for contract in advice.contracts:
            for level in contract.levels:
                if f"{level.bid}{_letter(contract)}" == best.call:
                    rest = f" makes {_sure(level)}; worth {self._worth(advice, level)}"
                    if contract.highest is not None and contract.highest > level.bid:
                        highest = self._call(f"{contract.highest}{_letter(contract)}")
                        rest += f"; up to {highest} pays"
                    self.say(f"Best call: {self._call(best.call)}", "bold green", f"{rest}.")
                    return
        wins = "" if best.p_win is None else f"; {_wins(best.p_win)} of games"
        rest = f", {best.sheet:+z.1f} on the sheet{wins}."
        self.say(f"Best call: {_CALLS[best.call]}", "bold", rest)

    def _worth(self, advice: Advice, level: Level) -> str:
        alternative = advice.alternatives[0]
        doing = _DOING[alternative.call]
        if level.p_win is not None and level.p_win_gain is not None:
            return f"{_points(level.p_win_gain)} in chance of winning, against {doing}"
        return f"{level.worth:+z.1f} on the sheet against {doing}"

    def _besides(self, advice: Advice, question: Question) -> None:
        level = question.level
        parts = []
        if level.break_even is not None:
            parts.append(f"breaks even at {percent(level.break_even)} %")
        parts.append(f"doubled {level.sheet_doubled:+z.1f}")
        parts.append(f"redoubled {level.sheet_redoubled:+z.1f}")
        if level.p_win is not None:
            parts.append(f"wins the game {100 * level.p_win:.1f} %")
        best = advice.best
        said = f"{'; '.join(parts)}. "
        name = self._call(best.call) if best.call not in _CALLS else _CALLS[best.call]
        gain = f"{best.worth:+z.1f}" if advice.score is None else _wins(best.p_win)
        self.say(f"{said[0].upper()}{said[1:]}Best call: {name} ({gain}).")

    def tables(self, advice: Advice, above: int) -> list[Table]:
        """One table, or as many as it takes for each to fit into the width of the console."""
        from rich.measure import Measurement

        contracts = advice.contracts
        any_width = self.console.options.update(max_width=_ANY_WIDTH)
        for n in range(len(contracts), 0, -1):
            parts = [contracts[first : first + n] for first in range(0, len(contracts), n)]
            tables = [self._table(advice, part, above) for part in parts]
            widths = [Measurement.get(self.console, any_width, one).maximum for one in tables]
            if max(widths) <= self.console.width:
                break
        return tables

    def _table(self, advice: Advice, contracts: Sequence[Contract], above: int) -> Table:
        """Levels above the standing one down, trumps across: how often made, and what worth."""
        from pilotta_solver.notation import format_trump

        bid = None if advice.question is None else advice.question.bid
        names = (f"{format_trump(one.trump, symbols=self.symbols):>3}" for one in contracts)
        # The grid shows what the calls are judged by.
        head = "made %, worth" if advice.score is None else "made %, wins +%"
        table = make_table(head, *names, justify="left")
        for first, last in _rows(advice.contracts, above):
            low, top = (contracts[0].levels[end].bid for end in (first, last))
            label = f"{low}-{top}" if top > low else f"{low}"
            cells = [_cell(contract.levels[last]) for contract in contracts]
            trumps = [contract.trump for contract in contracts]
            if bid is not None and low <= bid.level <= top and bid.trump in trumps:
                asked = trumps.index(bid.trump)
                cells[asked] = f"[reverse]{cells[asked]}[/]"
            table.add_row(label, *cells)
        table.add_section()
        if any(one.mean_total_table is not None for one in advice.contracts):
            table.add_row("total", *(_number(one.mean_total_table, 1) for one in contracts))
            table.add_row("total, d.d.", *(f"{one.mean_total:3.0f}" for one in contracts))
        else:
            table.add_row("total", *(f"{one.mean_total:3.0f}" for one in contracts))
        table.add_row("capot %", *(_number(one.p_capot, 100) for one in contracts))
        if len({one.n_worlds for one in advice.contracts}) > 1:
            table.add_row("worlds", *(f"{one.n_worlds:3,}" for one in contracts))
        return table

    def reasons(self, question: Question) -> None:
        """Print what decides: the most telling cards, and partner's trumps."""
        cards: list[str] = []
        lengths: list[str] = []
        for about, facts in groupby(question.reasons, key=lambda reason: reason.about):
            chances = {reason.fact: reason.p_made for reason in facts}
            if about == "partner's trumps":
                lengths = [f"{fact}: {percent(p)} %" for fact, p in chances.items()]
            elif len(chances) == 2 and len(cards) < _N_CARDS:
                partner, opponent = chances["partner"], chances["opponent"]
                if abs(partner - opponent) >= _TELLING:
                    cards.append(
                        f"{self._card(about)} with partner {percent(partner)} %, with an "
                        f"opponent {percent(opponent)} %"
                    )
        if cards:
            self.say(f"What decides, double dummy: {'; '.join(cards)}.")
        else:
            self.say(
                "What decides, double dummy: no single hidden card changes the chance by much."
            )
        if lengths:
            self.say(f"By partner's trumps, double dummy: {', '.join(lengths)}.")

    def worlds(self, question: Question) -> None:
        """Print the examples: each deal, and what came of it."""
        for one in question.examples:
            made = "made" if one.made else "failed"
            kind = "near the median" if one.kind == "median" else "a typical failure"
            self.say(
                f"World {one.world}, {kind}: {one.total} ({one.card_points} points, "
                f"{one.declarations} declared, {one.belote} belote), {made}"
            )
            self.say(f"  {self._deal(one.deal)}")

    def _deal(self, text: str) -> str:
        from pilotta_solver.notation import format_deal, parse_deal

        return format_deal(parse_deal(text), symbols=self.symbols)

    def _call(self, text: str) -> str:
        """A bid, or a contract such as ``80H doubled``, with its symbol where there are symbols."""
        from pilotta_solver.notation import format_bid, parse_bid

        bid, *rest = text.split(" ")
        return " ".join([format_bid(parse_bid(bid), symbols=self.symbols), *rest])

    def _card(self, text: str) -> str:
        from pilotta_solver.notation import format_card, parse_cards

        return format_card(parse_cards(text)[0], symbols=self.symbols)


_CALLS = {"P": "pass", "X": "double", "XX": "redouble"}
_DOING = {"P": "passing", "X": "doubling", "XX": "redoubling"}


def _letter(contract: Contract) -> str:
    from pilotta_solver.notation import format_trump

    return format_trump(contract.trump)


def _sure(level: Level) -> str:
    """The chance at the table and double dummy, as far as known, with half-widths."""
    double_dummy = f"{percent(level.p_made)} % ± {50 * (level.ci_high - level.ci_low):.1f}"
    if level.p_table is None or level.table_low is None or level.table_high is None:
        return double_dummy
    at_table = f"{percent(level.p_table)} % ± {50 * (level.table_high - level.table_low):.1f}"
    return f"{at_table} (double dummy {double_dummy})"


def _shown(level: Level) -> tuple[float, float]:
    """The chance that the table shows, and the half-width of its interval."""
    if level.p_table is None or level.table_low is None or level.table_high is None:
        return level.p_made, (level.ci_high - level.ci_low) / 2
    return level.p_table, (level.table_high - level.table_low) / 2


def _points(gain: float) -> str:
    return f"{100 * gain:+z.1f} points"


def _wins(p_win: float | None) -> str:
    return "" if p_win is None else f"wins {100 * p_win:.1f} %"


def _cell(level: Level) -> str:
    """The chance in percent, half the width of its interval, and what counts.

    That is the worth, or, with the score of a game, by how much it is won more often.
    """
    p, half = _shown(level)
    wide = f"±{100 * half:.0f}"
    gain = level.worth if level.p_win_gain is None else 100 * level.p_win_gain
    colour = "green" if gain > 0 else "red"
    return f"{percent(p):>3} [dim]{wide:<3}[/] [{colour}]{gain:+z5.1f}[/]"


def _rows(contracts: tuple[Contract, ...], above: int) -> Iterator[tuple[int, int]]:
    """The first and the last level of each row of the table, by index."""
    bids = [level.bid for level in contracts[0].levels]
    start = sum(bid <= above for bid in bids)
    by_level = zip(*(contract.levels for contract in contracts), strict=True)
    chances = [[_shown(level)[0] for level in row] for row in by_level]
    for first, last in level_rows(bids[start:], chances[start:]):
        yield start + first, start + last


def _number(value: float | None, scale: float) -> str:
    return "  -" if value is None else f"{scale * value:3.0f}"
