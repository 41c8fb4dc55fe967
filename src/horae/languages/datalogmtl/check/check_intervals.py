"""Intervals: none is empty, and those of operators are distances in time, so not negative."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import assert_never

from horae.data.fact_lines.catalogue_lines import interval_without_times
from horae.data.intervals import Interval
from horae.languages.datalogmtl.check import catalogue_checks as catalogue
from horae.languages.datalogmtl.syntax.tree import (
    Binary,
    BinaryOperator,
    Fact,
    Formula,
    Head,
    Modal,
    Operator,
    Rule,
    Tree,
)
from horae.rules.terms import Atom
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source, Span

_BRACKETS = re.compile(r"[\[(][^\])]*[\])]")
_OPPOSITE: dict[Operator | BinaryOperator, str] = {
    Operator.BOX_MINUS: Operator.BOX_PLUS,
    Operator.BOX_PLUS: Operator.BOX_MINUS,
    Operator.DIAMOND_MINUS: Operator.DIAMOND_PLUS,
    Operator.DIAMOND_PLUS: Operator.DIAMOND_MINUS,
    BinaryOperator.SINCE: BinaryOperator.UNTIL,
    BinaryOperator.UNTIL: BinaryOperator.SINCE,
}


def check_intervals(source: Source, tree: Tree) -> list[Diagnostic]:
    report: list[Diagnostic] = []
    for statement in tree.statements:
        if isinstance(statement, Fact):
            report += check_fact(source, statement)
        elif isinstance(statement, Rule):
            report += _check_head(source, statement.head)
            for literal in statement.body:
                report += _check_formula(source, literal.formula)
    return report


def check_fact(source: Source, fact: Fact) -> list[Diagnostic]:
    """Facts may lie before 0, but at some time."""
    if not fact.interval.is_empty:
        return []
    place = _written(source, Span(fact.atom.span.end, fact.span.end), fact.span)
    return [interval_without_times(place, fact.interval)]


def _check_head(source: Source, head: Head) -> Iterator[Diagnostic]:
    start = head.span.start
    for operator, interval in head.boxes:
        place = _written(source, Span(start, head.atom.span.start), head.span)
        yield from _check(operator, interval, place)
        start = place.end


def _check_formula(source: Source, formula: Formula) -> Iterator[Diagnostic]:
    match formula:
        case Modal(operator, interval, operand, span=span):
            place = _written(source, Span(span.start, operand.span.start), span)
            yield from _check(operator, interval, place)
            yield from _check_formula(source, operand)
        case Binary(binary, interval, left, right, span=span):
            yield from _check_formula(source, left)
            place = _written(source, Span(left.span.end, right.span.start), span)
            yield from _check(binary, interval, place)
            yield from _check_formula(source, right)
        case Atom():
            return
        case _:
            assert_never(formula)


def _check(
    operator: Operator | BinaryOperator, interval: Interval, place: Span
) -> Iterator[Diagnostic]:
    if interval.is_empty:
        yield interval_without_times(place, interval)
    elif interval.low is None or interval.low < 0:
        opposite = _OPPOSITE[operator]
        yield catalogue.NEGATIVE_INTERVAL(
            place, text=str(interval), operator=operator, opposite=opposite
        )


def _written(source: Source, between: Span, otherwise: Span) -> Span:
    """The place of the first brackets in a piece of text: trees keep no spans of intervals."""
    found = _BRACKETS.search(source.text, between.start, max(between.start, between.end))
    return Span(found.start(), found.end()) if found is not None else otherwise
