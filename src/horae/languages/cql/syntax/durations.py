"""The sizes of windows: whole numbers of time points, or durations, which are counted in them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from horae.data.durations import UNITS, points_of
from horae.languages.cql.syntax import catalogue_syntax as catalogue
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span

GREATEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class WrittenDuration:
    """A duration as it is written: `-5 min`."""

    number: Fraction
    unit: str | None
    unit_span: Span
    span: Span


def read_size(size: WrittenDuration, what: str, precision: str, report: list[Diagnostic]) -> int:
    """The size in time points or rows; a harmless one if it is wrong. `what` is the keyword."""
    wrong = _wrong_unit(size, what)
    unit = None if size.unit is None else UNITS.get(size.unit.lower())
    value = size.number if unit is None else points_of(size.number * unit, precision)
    wrong = wrong or _wrong_value(value, what, size, precision)
    if wrong is not None:
        report.append(wrong)
        return 1
    return int(value)


def _wrong_unit(size: WrittenDuration, what: str) -> Diagnostic | None:
    if size.unit is None:
        return None
    if what == "ROWS":
        return catalogue.UNIT_OF_ROWS(size.unit_span)
    is_known = size.unit.lower() in UNITS
    return None if is_known else catalogue.unknown_unit(size.unit_span, size.unit)


def _wrong_value(
    value: Fraction, what: str, size: WrittenDuration, precision: str
) -> Diagnostic | None:
    span = size.span
    if value < 0:
        return catalogue.negative_size(span, what)
    if value == 0 and what != "RANGE":
        return catalogue.zero_size(span, what)
    if value.denominator != 1:
        return catalogue.not_whole(span, what, precision if size.unit else None)
    return catalogue.size_too_large(span, what) if value > GREATEST else None
