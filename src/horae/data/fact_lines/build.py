"""Parse trees into facts.

The grammar takes more than facts have (variables, numbers that divide by zero, rules). What is too much
becomes a diagnostic here, and a harmless value takes its place: so one run reports all.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from lark import Token, Transformer, v_args
from lark.tree import Meta

from horae.data.clock import Clock
from horae.data.constants import Value
from horae.data.fact_lines import catalogue_lines as catalogue
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS, Interval, point
from horae.data.moments import seconds_since_1970
from horae.data.rationals import LONGEST, is_readable, read_number
from horae.data.roll import note_date, note_time
from horae.frontend.lalr import span_in, span_of
from horae.frontend.quoting import text_of_literal, wrong_escapes
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span

_Built = TypeVar("_Built")


@dataclass(frozen=True, slots=True)
class _Bound:
    """One end of an interval as written; None is infinite, `sign` says in which direction.

    `is_date` tells a date from a number.
    """

    value: Fraction | None
    text: str
    sign: int
    span: Span
    is_date: bool = False


@dataclass(frozen=True, slots=True)
class WrittenTimes:
    """The times of a fact as they stand behind its `@`; `dated` is their text, if it has dates."""

    interval: Interval
    dated: str = ""
    span: Span | None = None  # of an interval


@v_args(meta=True)
class FactValueBuilder(Transformer[Token, _Built]):
    """Constants, numbers, dates and intervals: one method per rule of a grammar that has them."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.diagnostics: list[Diagnostic] = []
        self._clock = clock

    def _constant(self, token: Token) -> Value:
        match token.type:
            case "STRING":
                return self._text(token)
            case "NUMBER":
                number = self._number(token)
                return number.numerator if number.denominator == 1 else number
            case _:
                return str(token)

    def _text(self, token: Token) -> str:
        start = span_of(token).start
        for place, escape in wrong_escapes(token):
            span = Span(start + place, start + place + len(escape))
            self.diagnostics.append(catalogue.unknown_escape(span, escape))
        return text_of_literal(token)

    def _number(self, token: Token) -> Fraction:
        if not is_readable(token):
            self.diagnostics.append(catalogue.number_too_long(span_of(token), LONGEST))
            return Fraction(0)
        number = read_number(token)
        if number is None:
            self.diagnostics.append(catalogue.zero_denominator(span_of(token)))
            return Fraction(0)
        return number

    # --- times

    def _when(self, last: object) -> WrittenTimes:
        """What the last piece of a fact says, if it stands behind an `@`."""
        match last:
            case WrittenTimes():
                return last
            case Token(type="NUMBER"):
                return WrittenTimes(point(self._counted(last)))
            case Token(type="MOMENT"):
                return WrittenTimes(point(self._moment(last)), str(last))
            case _:
                return WrittenTimes(ALWAYS)

    def bound(self, meta: Meta, children: list[Any]) -> _Bound:
        token, span = children[0], span_in(meta)
        if token.type == "INFINITE":
            return _Bound(None, str(token), -1 if token[0] in "-−" else 1, span)
        if token.type == "MOMENT":
            return _Bound(self._moment(token), str(token), 0, span, is_date=True)
        return _Bound(self._counted(token), str(token), 0, span)

    time = bound

    def _counted(self, token: Token) -> Fraction:
        time = self._clock.of_number(self._number(token))
        note_time(str(token), time, self._clock)
        return time

    def _moment(self, token: Token) -> Fraction:
        note_date()
        moment = seconds_since_1970(token)
        if moment is None:
            self.diagnostics.append(catalogue.NO_SUCH_DATE(span_of(token), text=str(token)))
        return self._clock.of_seconds(moment or Fraction(0))

    def times(self, meta: Meta, children: list[Any]) -> WrittenTimes:
        opening, *bounds, closing = children
        is_dated = any(bound.is_date for bound in bounds)
        text = f"{opening}{','.join(bound.text for bound in bounds)}{closing}"
        return WrittenTimes(self.interval(meta, children), text if is_dated else "", span_in(meta))

    def interval(self, meta: Meta, children: list[Any]) -> Interval:
        opening, *bounds, closing = children
        low, high = bounds[0], bounds[-1]
        if len(bounds) == 1 and (opening, closing) != ("[", "]"):
            text = f"{opening}{low.text}{closing}"
            self.diagnostics.append(catalogue.open_point(span_in(meta), text))
        if low.sign > 0:
            self.diagnostics.append(
                catalogue.MISPLACED_INFINITY(low.span, text=low.text, end="start")
            )
        elif high.sign < 0:
            self.diagnostics.append(
                catalogue.MISPLACED_INFINITY(high.span, text=high.text, end="end")
            )
        return Interval(low.value, high.value, opening == "(", closing == ")")


class PlacedFact(NamedTuple):
    """A fact, and where it stands in its text."""

    fact: GroundFact
    span: Span


class _Atom(NamedTuple):
    predicate: str
    arguments: tuple[Value, ...]
    span: Span


@v_args(meta=True)
class FactBuilder(FactValueBuilder[PlacedFact | None]):
    """Statements of a text of facts; None for those that belong into a program."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self._variables: list[Token] = []

    def fact(self, meta: Meta, children: list[Any]) -> PlacedFact:
        atom: _Atom = children[0]
        when = self._when(children[-1])
        if not self.diagnostics:
            self.diagnostics += [
                catalogue.variable_in_fact(span_of(token), str(token)) for token in self._variables
            ]
        if when.interval.is_empty and not self.diagnostics:
            assert when.span is not None, "a single time is not empty"
            self.diagnostics.append(catalogue.interval_without_times(when.span, when.interval))
        return PlacedFact(GroundFact(atom.predicate, atom.arguments, when.interval), span_in(meta))

    def atom(self, meta: Meta, children: list[Any]) -> _Atom:
        predicate, *arguments = children
        return _Atom(str(predicate), tuple(arguments), span_in(meta))

    def term(self, meta: Meta, children: list[Token]) -> Value:
        token = children[0]
        if token.type == "VARIABLE":
            self._variables.append(token)
        return self._constant(token)

    def other(self, meta: Meta, children: list[Any]) -> None:
        """A query, a rule, or an atom with something around it."""
        words: list[Token] = [child for child in children if isinstance(child, Token)]
        kinds = [word.type for word in words]
        if kinds[0] == "QUERY":
            found = catalogue.NO_FACT(span_in(meta), kind="a query")
        elif "IMPLIES" in kinds:
            found = catalogue.NO_FACT(span_in(meta), kind="a rule")
        elif kinds[0] in ("COMMA", "AND"):
            second = next(word for word in words[1:] if word.type != "LPAR")
            found = _with_operator(span_of(second), meta, "a conjunction")
        else:
            name = "not" if kinds[0] == "NOT" else words[0]
            start = children[0].span if isinstance(children[0], _Atom) else span_of(words[0])
            found = _with_operator(start, meta, f"`{name}`")
        self.diagnostics.append(found)


def _with_operator(start: Span, meta: Meta, what: str) -> Diagnostic:
    return catalogue.FACT_WITH_OPERATOR(Span(start.start, meta.end_pos), what=what)
