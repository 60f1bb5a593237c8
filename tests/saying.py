"""Expressions and hands for tests: hypothesis strategies, and a plain reading of restrictions."""

from __future__ import annotations

from hypothesis import strategies as st

from pilotta_solver.cards import N_SUITS, SUIT_MASKS
from pilotta_solver.knowledge.constraints import Restrictions
from pilotta_solver.knowledge.expression import COMPARE, And, Comparison, Expression, Not, Or, holds
from pilotta_solver.knowledge.quantities import Quantity
from pilotta_solver.ruleset import Ruleset

quantities = st.one_of(
    st.builds(Quantity, st.just("card"), st.integers(0, 31)),
    st.builds(Quantity, st.just("length"), st.integers(0, 3)),
    st.builds(Quantity, st.just("rank"), st.integers(0, 7)),
    st.builds(Quantity, st.just("points"), st.integers(0, 5)),
    st.builds(Quantity, st.just("belote"), st.integers(-1, 3)),
    st.just(Quantity("declarations")),
)

numbers = st.one_of(st.integers(-2, 8), st.sampled_from((20, 50, 100, -30)))

_terms = st.tuples(st.sampled_from((1, 1, 1, -1)), quantities)
comparisons = st.builds(
    Comparison,
    st.lists(_terms, min_size=1, max_size=4).map(tuple),
    st.sampled_from(sorted(COMPARE)),
    numbers,
)


def _joined(parts: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(parts, min_size=2, max_size=3).map(tuple)
    return st.one_of(st.builds(And, several), st.builds(Or, several), st.builds(Not, parts))


expressions: st.SearchStrategy[Expression] = st.recursive(
    comparisons | st.just(And(())), _joined, max_leaves=8
)
"""Any expression that the grammar can write."""

# Runs, fours of a kind and belotes are rare in hands dealt at random: some are built of them.
_shuffled = st.permutations(range(32))
_runs = st.builds(
    lambda deck, suit, low: [*(8 * suit + rank for rank in range(low, 8)), *deck],
    _shuffled,
    st.integers(0, 3),
    st.integers(0, 5),
)
_fours = st.builds(
    lambda deck, ranks: [*(8 * suit + rank for rank in ranks for suit in range(4)), *deck],
    _shuffled,
    st.lists(st.integers(0, 7), max_size=2, unique=True),
)
hands = st.one_of(_shuffled, _runs, _fours).map(
    lambda cards: sum(1 << card for card in list(dict.fromkeys(cards))[:8])
)
"""Hands of eight cards, many of them with declarations."""


def fulfils(hand: int, form: Restrictions, rules: Ruleset) -> bool:
    """Whether a hand fulfils restrictions and the rest, read card by card."""
    lengths = [(hand & SUIT_MASKS[suit]).bit_count() for suit in range(N_SUITS)]
    return (
        hand & form.held == form.held
        and not hand & form.excluded
        and all(form.lengths[suit] >> lengths[suit] & 1 for suit in range(N_SUITS))
        and all(holds(part, hand, rules) for part in form.rest)
    )
