"""The sizes of windows: whole numbers of time points, or durations, which count seconds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from horae.languages.cql.syntax import catalogue_syntax as catalogue
from horae.languages.cql.syntax.tokens import scan
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source, Span

GREATEST = 2**63 - 1
_SECONDS = {
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "sec": Fraction(1),
    "m": Fraction(60),
    "min": Fraction(60),
    "h": Fraction(3600),
    "d": Fraction(86400),
}


@dataclass(frozen=True, slots=True)
class WrittenDuration:
    """As written: `-5 min`."""

    number: Fraction
    unit: str | None
    unit_span: Span
    span: Span


def has_durations(source: Source) -> bool:
    """Whether some window is given with a unit, so that time points count seconds."""
    tokens = scan(source).tokens
    return any(
        number.type == "NUMBER" and unit.lower() in _SECONDS for number, unit in pairwise(tokens)
    )


def read_size(size: WrittenDuration, what: str, report: list[Diagnostic]) -> int:
    """The size in time points or rows; a harmless one if it is wrong. `what` is the keyword."""
    wrong = _wrong_unit(size, what)
    value = size.number * _SECONDS.get((size.unit or "s").lower(), Fraction(1))
    wrong = wrong or _wrong_value(value, what, size.span)
    if wrong is not None:
        report.append(wrong)
        return 1
    return int(value)


def _wrong_unit(size: WrittenDuration, what: str) -> Diagnostic | None:
    if size.unit is None:
        return None
    if what == "ROWS":
        return catalogue.UNIT_OF_ROWS(size.unit_span)
    is_known = size.unit.lower() in _SECONDS
    return None if is_known else catalogue.unknown_unit(size.unit_span, size.unit)


def _wrong_value(value: Fraction, what: str, span: Span) -> Diagnostic | None:
    if value < 0:
        return catalogue.negative_size(span, what)
    if value == 0 and what != "RANGE":
        return catalogue.zero_size(span, what)
    if value.denominator != 1:
        return catalogue.not_whole(span, what)
    return catalogue.size_too_large(span, what) if value > GREATEST else None
