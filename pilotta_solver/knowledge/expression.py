"""Expressions: what is said of one hand, as in ``SJ and S>=3 and (aces>=2 or points(S)>=40)``.

An expression compares sums of quantities (`quantities`) with numbers, and joins comparisons by
and, or, not. `expression_text` reads and writes the text form. `holds` reads one hand plainly, and
`holds_many` answers for arrays of hands; tests hold the two together.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pilotta_solver.cards import N_RANKS, N_SUITS
from pilotta_solver.knowledge.quantities import (
    Hands,
    Quantity,
    Terms,
    look_up,
    measure,
    measure_many,
    ranks_of,
    suit_tables,
)
from pilotta_solver.ruleset import Ruleset

Truths = npt.NDArray[np.bool_]
Relation = Literal["<", "<=", "=", "!=", ">=", ">"]

COMPARE: dict[Relation, Callable[[Any, Any], Any]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}
"""What each relation does, for numbers and for arrays of them."""

# Tables are kept for so many expressions, enough for those of one question and of many alike.
_REMEMBERED = 1024

OPPOSITE: dict[Relation, Relation] = {
    "<": ">=",
    "<=": ">",
    "=": "!=",
    "!=": "=",
    ">=": "<",
    ">": "<=",
}
"""The relation that holds exactly where another does not."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A sum of quantities compared with a number.

    Attributes
    ----------
    terms
        The quantities, each with its factor: ``aces - SA`` is ``((1, aces), (-1, SA))``.
    relation
        How the sum compares.
    number
        With what.
    """

    terms: Terms
    relation: Relation
    number: int


@dataclass(frozen=True, slots=True)
class And:
    """All of the parts hold; without parts, whatever the hand."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one of the parts holds."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: Expression


Expression = Comparison | And | Or | Not
"""What is said of one hand."""

ANY = And(())
"""Nothing is said: every hand agrees."""


def at_least(quantity: Quantity, number: int = 1) -> Comparison:
    """Say that a quantity is at least a number; of a card, that it is held."""
    return Comparison(((1, quantity),), ">=", number)


def holds(expression: Expression, hand: int, rules: Ruleset) -> bool:
    """Tell whether an expression holds for one hand, a card set.

    This is the readable twin of `holds_many`.
    """
    if isinstance(expression, Comparison):
        total = sum(factor * measure(one, hand, rules) for factor, one in expression.terms)
        return bool(COMPARE[expression.relation](total, expression.number))
    if isinstance(expression, Not):
        return not holds(expression.part, hand, rules)
    join = all if isinstance(expression, And) else any
    return join(holds(part, hand, rules) for part in expression.parts)


def holds_many(expression: Expression, hands: Hands, rules: Ruleset) -> Truths:
    """Tell for which hands an expression holds.

    Parameters
    ----------
    expression
        What is said.
    hands
        Card sets of shape (n,), uint32.
    rules
        The ruleset, which says what is a sequence.

    Returns
    -------
    numpy.ndarray
        bool of shape (n,).
    """
    suits = suits_of(expression)
    if len(suits) == 1:
        (suit,) = suits
        table = _suit_table(expression, suit, rules)
        return table[ranks_of(hands, suit)]
    return _holds_many(expression, hands, rules)


def _holds_many(expression: Expression, hands: Hands, rules: Ruleset) -> Truths:
    if isinstance(expression, Comparison):
        found = _total_many(expression.terms, hands, rules)
        answer: Truths = COMPARE[expression.relation](found, expression.number)
        return answer
    if isinstance(expression, Not):
        return ~holds_many(expression.part, hands, rules)
    is_and = isinstance(expression, And)
    together = np.full(len(hands), is_and)
    join = np.logical_and if is_and else np.logical_or
    for part in expression.parts:
        join(together, holds_many(part, hands, rules), out=together)
    return together


def _total_many(terms: Terms, hands: Hands, rules: Ruleset) -> npt.NDArray[np.int32]:
    """Add up terms: one set of tables for all that can be looked up, then declarations."""
    total = look_up(tables_of(terms), hands)
    for factor, quantity in terms:
        if quantity.kind == "declarations":
            total += factor * measure_many(quantity, hands, rules)
    return total


@lru_cache(_REMEMBERED)
def tables_of(terms: Terms) -> npt.NDArray[np.int32]:
    """Return the tables of a sum of terms without its declarations (`quantities.suit_tables`)."""
    tables = np.zeros((N_SUITS, 1 << N_RANKS), np.int32)
    for factor, quantity in terms:
        if quantity.kind != "declarations":
            tables += factor * suit_tables(quantity)
    return tables


@lru_cache(_REMEMBERED)
def suits_of(expression: Expression) -> frozenset[int]:
    """Return the suits whose cards an expression looks at."""
    if isinstance(expression, Comparison):
        if any(quantity.kind == "declarations" for _, quantity in expression.terms):
            return frozenset(range(N_SUITS))
        used = np.flatnonzero(tables_of(expression.terms).any(axis=1))
        return frozenset(map(int, used))
    return frozenset[int]().union(*(suits_of(part) for part in parts_of(expression)))


def parts_of(expression: Expression) -> tuple[Expression, ...]:
    """Return the expressions that an expression joins."""
    if isinstance(expression, Comparison):
        return ()
    return (expression.part,) if isinstance(expression, Not) else expression.parts


def sums_of(expression: Expression) -> Iterator[Terms]:
    """Iterate over the sums that an expression compares, one by one as they stand in it."""
    if isinstance(expression, Comparison):
        yield expression.terms
    for part in parts_of(expression):
        yield from sums_of(part)


@lru_cache(_REMEMBERED)
def _suit_table(expression: Expression, suit: int, rules: Ruleset) -> Truths:
    """Return for each set of ranks of the only suit that matters whether an expression holds."""
    every = np.arange(1 << N_RANKS, dtype=np.uint32) << np.uint32(N_RANKS * suit)
    return _holds_many(expression, every, rules)
