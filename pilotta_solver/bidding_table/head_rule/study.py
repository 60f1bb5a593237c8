"""A rule with all that is known of it: fitted to some deals of a dataset, tried on the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import pilotta_solver
from pilotta_solver.bidding_table.hand_class import DEFAULT_BY
from pilotta_solver.bidding_table.head_rule.calls import (
    ClassCalls,
    Hands,
    Places,
    Way,
    by_rule,
    by_system,
    naive_systems,
)
from pilotta_solver.bidding_table.head_rule.deciders import Deciders, add, deciders
from pilotta_solver.bidding_table.head_rule.fitting import Fit, fit_rule
from pilotta_solver.bidding_table.head_rule.items import FEWEST_TRUMPS, count_items, n_trumps
from pilotta_solver.bidding_table.head_rule.tally import Cells, taken, tally, together
from pilotta_solver.bidding_table.head_rule.trial import (
    Accuracy,
    WayOnDeals,
    WaysOnDeals,
    accuracy,
)
from pilotta_solver.bidding_table.merging import packed_codes
from pilotta_solver.bidding_table.observations import N_SEATS
from pilotta_solver.bidding_table.sources import Progress, SolvedDeals
from pilotta_solver.cards import N_SUITS, SUITS
from pilotta_solver.errors import PilottaError

ONE_IN = 5
"""One deal in so many is kept from the fit: those whose number is a multiple of it."""

HIGHEST = 160
"""The highest level of the rule: what is higher needs a sweep, or declarations."""


@dataclass(frozen=True)
class Study:
    """A rule for the head and its trial.

    Attributes
    ----------
    fit : Fit
        The rule and the fits behind it.
    levels : tuple of int
        The levels that it was fitted to.
    accuracy : Accuracy
        How near it comes to the deals that were kept from the fit.
    ways : tuple of WayOnDeals
        What it brings on them, and what other ways to bid bring: the default bidding table, made
        of the same deals as the rule, and what players are told.
    best_bids, highest_bids : Deciders
        What makes the rule's bids on them: the best ones, and those as high as the sum is worth.
    metadata : dict
        Where it comes from: ``rules``, ``seed``, ``n_deals``, ``n_deals_unseen``, ``version``,
        ``model`` and more.
    """

    fit: Fit
    levels: tuple[int, ...]
    accuracy: Accuracy
    ways: tuple[WayOnDeals, ...]
    best_bids: Deciders
    highest_bids: Deciders
    metadata: dict[str, Any]


def study(deals: SolvedDeals, progress: Progress | None = None) -> tuple[Study, dict[str, Way]]:
    """Fit a rule to solved deals, and try it on those that were kept from the fit.

    Parameters
    ----------
    deals : SolvedDeals
        The deals; they are read twice.
    progress : callable, optional
        Called with the deals read so far and their number in all; each deal counts twice.

    Returns
    -------
    tuple
        The study, and the ways to bid that were tried, by name, the rule first.

    Raises
    ------
    PilottaError
        If scikit-learn is not installed, the deals are too few, or they are not solved in all
        four suits.
    """
    if sorted(deals.trumps) != list(range(N_SUITS)):
        raise PilottaError(
            "a rule chooses among the four suits: take deals that are solved with --contracts "
            f"{SUITS}"
        )
    levels = tuple(range(deals.rules.first_bid, HIGHEST + 1, deals.rules.bid_step))
    seen, unseen, classes = _tally(deals, levels, _part(progress, 0))
    fit = fit_rule(seen, levels)
    ways = {
        "this rule": by_rule(fit.rule, deals.rules),
        "bidding table": ClassCalls.of(classes, levels).way(deals.rules),
        **{name: by_system(system, deals.rules) for name, system in naive_systems().items()},
    }
    trial = WaysOnDeals(ways, levels, deals.rules)
    to_the_limit = by_rule(fit.rule, deals.rules, to_the_limit=True)
    n_unseen, best, highest = 0, [], []
    for part in deals.observations(_part(progress, 1)):
        kept = taken(part, part.deal % ONE_IN == 0)
        trial.add(kept)
        best.append(deciders(kept, ways["this rule"]))
        highest.append(deciders(kept, to_the_limit))
        n_unseen += len(kept) // (N_SEATS * N_SUITS)
    metadata = {
        **deals.provenance(),
        "n_deals_unseen": n_unseen,
        "version": pilotta_solver.__version__,
    }
    found = Study(
        fit,
        levels,
        accuracy(fit, unseen),
        trial.results(),
        add(best),
        add(highest),
        metadata,
    )
    return found, ways


def unseen_hands(deals: SolvedDeals, n: int) -> tuple[Hands, Places]:
    """Return hands that were kept from the fit: of each such deal one, seat by seat in turn.

    Raises
    ------
    PilottaError
        If the deals are too few.
    """
    hands: list[npt.NDArray[np.uint32]] = []
    places: list[npt.NDArray[np.int8]] = []
    for part in deals.observations():
        kept = taken(part, (part.deal % ONE_IN == 0) & (part.trump == 0))
        hands.append(kept.hand.reshape(-1, N_SEATS))
        places.append(kept.place.reshape(-1, N_SEATS))
        if sum(map(len, hands)) >= n:
            break
    every = np.concatenate(hands)[:n]
    if len(every) < n:
        raise PilottaError(f"only {len(every)} deals were kept from the fit: ask for no more hands")
    seats = np.arange(n) % N_SEATS
    return every[np.arange(n), seats], np.concatenate(places)[:n][np.arange(n), seats]


def _part(progress: Progress | None, before: int) -> Progress | None:
    """Show the deals of one of two readings, some having been read before."""
    if progress is None:
        return None

    def show(done: int, total: int | None) -> None:
        progress(done + before * (total or 0), None if total is None else 2 * total)

    return show


def _tally(
    deals: SolvedDeals, levels: tuple[int, ...], progress: Progress | None
) -> tuple[Cells, Cells, Cells]:
    """Put observations together: those for the fit, those kept from it, and classes for the fit."""
    seen: list[Cells] = []
    unseen: list[Cells] = []
    classes: list[Cells] = []
    for part in deals.observations(progress):
        kept = part.deal % ONE_IN == 0
        known = taken(part, ~kept)
        classes.append(tally(known, packed_codes(known, DEFAULT_BY)[:, None], levels, deals.rules))
        for into, some in ((seen, known), (unseen, taken(part, kept))):
            counted = taken(some, n_trumps(some) >= FEWEST_TRUMPS)
            if len(counted):
                into.append(tally(counted, count_items(counted), levels, deals.rules))
    if not seen or not unseen:
        raise PilottaError(f"{deals.n_deals} deals are too few to fit a rule; take more")
    return together(seen), together(unseen), together(classes)
