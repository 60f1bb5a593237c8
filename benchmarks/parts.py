"""The parts of a run: each measures something, checks the answers, and adds to the report."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from benchmarks import comparison, jobs, picture, rival
from benchmarks.comparison import Compared
from benchmarks.deals import CONTREE, N_SEATS, PILOTTA, Deals, hard
from benchmarks.jobs import DisagreementError, EngineJob
from benchmarks.measure import Cost, compile_seconds, measure, n_cores, speed_up
from benchmarks.report import Fact, Report, Row, card_ratio, format_seconds, ratio
from pilotta_solver import solve_many
from pilotta_solver.workers import new_workspace

THRESHOLD = 82
THREADS = 2

_THREAD_REPEATS, _THREAD_ROUNDS = 10, 5


def own_questions(report: Report, deals: Deals) -> None:
    """Measure the five questions that a caller can ask of a deal."""
    workspace = new_workspace(PILOTTA.law)
    value = jobs.one_value(deals, PILOTTA, workspace)
    threshold = jobs.at_least(deals, THRESHOLD, PILOTTA, workspace)
    first_lead = jobs.every_card(deals, PILOTTA, workspace)
    leaders = jobs.four_leaders(deals, PILOTTA, workspace)
    contree = jobs.one_value(deals, CONTREE)
    names = (
        "exact value",
        f"at least {THRESHOLD}?",
        "every card of the first lead",
        "all four leaders of one trump",
        "exact value, contrée law",
    )
    costs = measure([value, threshold, first_lead, leaders, contree], report.passes)
    check_values(deals, value)
    check_threshold(deals, threshold)
    check_first_lead(deals, first_lead)
    check_leaders(deals, leaders)
    report.rows += [Row.of(name, cost) for name, cost in zip(names, costs, strict=True)]
    report.facts += [
        _compared("first_lead", names[2], costs[2], costs[0]),
        _compared("leaders", names[3], costs[3], costs[0]),
    ]


def hard_deals(report: Report) -> None:
    """Measure the hard deals, which come in all six contracts."""
    deals = hard()
    job = jobs.one_value(deals, PILOTTA)
    cost = measure([job], report.passes)[0]
    check_values(deals, job)
    report.rows.append(Row.of(f"exact value of the {len(deals)} hard deals", cost))


def two_threads(report: Report, deals: Deals) -> None:
    """Compare the elapsed time of one thread and of two on many deals."""
    name = f"{THREADS} threads : one, elapsed time"
    if n_cores() < THREADS:
        report.facts.append(Fact("threads", name, "not measured: one core only", None))
        return
    hands = np.tile(deals.hands, (_THREAD_REPEATS, 1))
    trump, leader = (np.tile(each, _THREAD_REPEATS) for each in (deals.trump, deals.leader))
    gain = speed_up(
        lambda threads: solve_many(hands, trump, leader, PILOTTA, threads),
        THREADS,
        _THREAD_ROUNDS,
    )
    text = f"{gain.times:.2f} × as fast, {gain.cpu:.2f} × the CPU time"
    if gain.is_busy:
        text = f"not known, the machine was busy; {gain.cpu:.2f} × the CPU time"
    report.facts.append(Fact("threads", name, text, None if gain.is_busy else gain.times))


def beside_rival(report: Report, deals: Deals) -> None:
    """Measure colver and this solver in turn on the same deals, and compare every value."""
    if not rival.is_installed():
        text = "not installed, so not compared: pip install colver"
        report.facts.append(Fact("rival", "colver", text, None))
        return
    each = deals.take(np.sort(np.unique(deals.hands, axis=0, return_index=True)[1]))
    own_trumps, their_trumps = jobs.four_trumps(each, rival.RULES), rival.FourTrumps(each)
    own_cards, their_cards = jobs.every_card(deals, rival.RULES), rival.EveryCard(deals)
    trumps = measure([own_trumps, their_trumps], report.passes)
    same_values = comparison.compare_trumps(each, own_trumps, their_trumps)
    cards = measure([own_cards, their_cards], report.passes)
    same_cards = comparison.compare_cards(deals, own_cards, their_cards)
    them = f"colver {rival.version()}"
    for name, (own, theirs) in (
        ("all four trumps of a deal, contrée law, capots", trumps),
        ("every card of the first lead, contrée law, capots", cards),
    ):
        report.rows += [Row.of(name, own), Row.of(f"{them}: the same", theirs)]
    report.rival_errors += same_cards.rival_errors
    report.facts += [
        _beaten("rival_values", f"{them} : pilotta-solver, exact values", trumps, same_values),
        _beaten("rival_cards", f"{them} : pilotta-solver, every card", cards, same_cards),
    ]


def compilation(report: Report) -> None:
    """Measure what the first use of the engine on a machine costs."""
    seconds = compile_seconds()
    report.facts.append(
        Fact("compile", "compiling the whole engine from nothing", format_seconds(seconds), seconds)
    )


def tricks_left(report: Report, deals: Deals) -> None:
    """Measure endings of the deals with 2 to 8 tricks left."""
    report.by_tricks = picture.cost_by_tricks(deals, report.passes)


def check_values(deals: Deals, job: EngineJob) -> None:
    """Hold the answers against the values that the deals come with.

    Raises
    ------
    DisagreementError
        At the first deal with another value; the message names it, both values and each card's.
    """
    _check(deals, job.questions["value"], "value")


def check_threshold(deals: Deals, job: EngineJob) -> None:
    """Hold "at least 82?" against the known values."""
    said = job.questions["value"] != 0
    for row in np.flatnonzero(said != (deals.value >= THRESHOLD)).tolist():
        raise DisagreementError(
            f"{deals.describe(row)}: the known value is {deals.value[row]}, but the answer to "
            f"'at least {THRESHOLD}?' is {'yes' if said[row] else 'no'}"
        )


def check_first_lead(deals: Deals, job: EngineJob) -> None:
    """Hold the best card's value against the known one."""
    best = [
        (max, min)[leader & 1](jobs.card_values(question).values())
        for leader, question in zip(deals.leader.tolist(), job.questions, strict=True)
    ]
    _check(deals, np.array(best, dtype=np.int16), "value of the best card")


def check_leaders(deals: Deals, job: EngineJob) -> None:
    """Hold the value by the deal's own leader against the known one."""
    own = np.arange(len(deals)) * N_SEATS + deals.leader
    _check(deals, job.questions["value"][own], "value in the table of leaders")


def _check(deals: Deals, found: npt.NDArray[np.int16], what: str) -> None:
    for row in np.flatnonzero(found != deals.value).tolist():
        one = jobs.every_card(deals.take([row]), PILOTTA)
        one.run(0)
        cards = jobs.format_values(jobs.card_values(one.questions[0]))
        raise DisagreementError(
            f"{deals.describe(row)}: the known value is {deals.value[row]}, the {what} "
            f"{found[row]}; by card {cards}"
        )


def _compared(key: str, name: str, over: Cost, under: Cost) -> Fact:
    times = ratio(over, under)
    text = f"{times:.2f} × the time, {card_ratio(over, under):.2f} × the cards"
    return Fact(key, f"{name} : exact value", text, times)


def _beaten(key: str, name: str, costs: list[Cost], compared: Compared) -> Fact:
    own, theirs = costs
    times = ratio(theirs, own)
    equal = f"all {compared.values:,} values equal"
    if compared.equal < compared.values:
        equal = f"{compared.equal:,} of {compared.values:,} values equal, its error proved"
    return Fact(key, name, f"{times:.1f} × the time; {equal}", times)
