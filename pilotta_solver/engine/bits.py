"""Bit operations on card sets; every set and every card is an int64 that holds 32 bits."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from pilotta_solver.engine.annotations import Int
from pilotta_solver.engine.jit import inner


def _unary(build: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return build(builder, args[0])

    return types.int64(types.int64), codegen


@intrinsic
def popcount(typing_context: Any, word: Any) -> Any:
    """Number of bits set in an int64."""
    return _unary(lambda builder, value: builder.ctpop(value))


@intrinsic
def lowest_index(typing_context: Any, word: Any) -> Any:
    """Index of the lowest bit set in a non-zero int64."""
    return _unary(lambda builder, value: builder.cttz(value, ir.Constant(ir.IntType(1), 1)))


@intrinsic
def highest_index(typing_context: Any, word: Any) -> Any:
    """Index of the highest bit set in a non-zero int64."""

    def build(builder: Any, value: Any) -> Any:
        leading = builder.ctlz(value, ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), leading)

    return _unary(build)


@inner
def lowest(cards: Int) -> Int:
    """Lowest card of a set, as a set of one; 0 for the empty set."""
    return cards & -cards


@inner
def below(card: Int) -> Int:
    """All bits under a single bit."""
    return card - 1


@inner
def above(card: Int) -> Int:
    """All bits over a single bit."""
    return ~(card | (card - 1))
