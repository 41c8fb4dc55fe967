"""The times of facts: whole numbers from 0 on, or closed intervals of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from horae.data.intervals import ALWAYS, Interval, point
from horae.data.rationals import write_number
from horae.languages.lars.syntax import catalogue_syntax as catalogue
from horae.rules.terms import Constant, Term, Variable
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span


@dataclass(frozen=True, slots=True)
class WrittenBound:
    """One end of an interval as written; None is infinite."""

    term: Term | None
    span: Span


def build_point(term: Term, report: list[Diagnostic]) -> Interval:
    time = _time_point(term, term.span, report)
    return ALWAYS if time is None else point(time)


def build_interval(
    bounds: Sequence[WrittenBound], span: Span, report: list[Diagnostic]
) -> Interval:
    low, high = (_time_point(bound.term, bound.span, report) for bound in (bounds[0], bounds[-1]))
    if low is None or high is None:
        if len(bounds) == 1:
            report.pop()  # the only bound is the first and the last
        return ALWAYS
    if low > high:
        report.append(
            catalogue.EMPTY_INTERVAL(span, low=write_number(low), high=write_number(high))
        )
    return Interval(low, high)


def _time_point(term: Term | None, span: Span, report: list[Diagnostic]) -> Fraction | None:
    match term:
        case None:
            report.append(catalogue.ENDLESS_FACT(span))
        case Constant(int() as time) if time >= 0:
            return Fraction(time)
        case Variable() | Constant():
            report.append(catalogue.NO_FACT_TIME(span, text=_written(term)))
        case _:
            assert_never(term)
    return None


def _written(term: Term) -> str:
    if isinstance(term, Variable):
        return term.name
    return term.value if isinstance(term.value, str) else write_number(term.value)
