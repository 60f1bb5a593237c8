"""Expressions read back as they were written, and mean the same in every way they are read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from saying import expressions, fulfils, hands, quantities

from pilotta_solver import NotationError, load_ruleset
from pilotta_solver.knowledge.constraints import normal_form
from pilotta_solver.knowledge.expression import And, Not, Or, holds, holds_many
from pilotta_solver.knowledge.expression_text import (
    format_expression,
    parse_expression,
    parse_statements,
)
from pilotta_solver.knowledge.quantities import Quantity, measure, measure_many

RULES = [load_ruleset(name) for name in ("tsaka", "classic", "contree")]


@given(expressions, st.booleans())
def test_what_is_written_reads_back(expression, symbols):
    assert parse_expression(format_expression(expression, symbols=symbols)) == expression


@given(expressions)
def test_statements_are_the_parts_of_the_outermost_and(expression):
    pieces = parse_statements(format_expression(expression))
    parts = expression.parts if isinstance(expression, And) else ()
    assert [part for part, _ in pieces] == (list(parts) or [expression])
    for part, text in pieces:
        assert parse_expression(text) == part


@given(quantities, st.lists(hands, min_size=1, max_size=20), st.sampled_from(RULES))
def test_quantities_of_many_hands_are_those_of_each(quantity, many, rules):
    measured = measure_many(quantity, np.array(many, np.uint32), rules)
    assert measured.tolist() == [measure(quantity, hand, rules) for hand in many]


@settings(max_examples=400)
@given(st.lists(hands, min_size=1, max_size=20), st.sampled_from(RULES))
def test_declarations_of_many_hands_are_those_of_each(many, rules):
    quantity = Quantity("declarations")
    measured = measure_many(quantity, np.array(many, np.uint32), rules)
    assert measured.tolist() == [measure(quantity, hand, rules) for hand in many]


@given(expressions, st.lists(hands, min_size=1, max_size=20), st.sampled_from(RULES))
def test_what_holds_for_many_hands_holds_for_each(expression, many, rules):
    found = holds_many(expression, np.array(many, np.uint32), rules)
    assert found.dtype == np.bool_
    assert found.tolist() == [holds(expression, hand, rules) for hand in many]


@settings(max_examples=400)
@given(expressions, st.lists(hands, min_size=1, max_size=20), st.sampled_from(RULES))
def test_the_normal_form_says_what_the_expression_says(expression, many, rules):
    form = normal_form(expression)
    for hand in many:
        assert fulfils(hand, form, rules) == holds(expression, hand, rules)


@given(expressions, expressions, hands)
def test_de_morgan(first, second, hand):
    rules = RULES[0]
    both = Not(And((first, second)))
    either = Or((Not(first), Not(second)))
    assert holds(both, hand, rules) == holds(either, hand, rules)
    assert fulfils(hand, normal_form(both), rules) == fulfils(hand, normal_form(either), rules)


@given(st.text(alphabet="SHDC♠♥ AKQJT9871023<>=!()+-andorty,ces", max_size=30))
def test_any_text_is_read_or_refused_in_one_line(text):
    expression, refusal = None, ""
    try:
        expression = parse_expression(text)
    except NotationError as error:
        refusal = str(error)
    if expression is None:
        assert "expression" in refusal
        assert "\n" not in refusal
    else:
        assert parse_expression(format_expression(expression)) == expression


@pytest.mark.parametrize("opening", ["(", "not ", "!"])
def test_nesting_has_an_end(opening):
    with pytest.raises(ValueError, match="nested more than 50 deep"):
        parse_expression(opening * 5000 + "SJ")
