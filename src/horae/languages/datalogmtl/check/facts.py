"""The reader of `.facts` files: one fact per line, tens of thousands of lines.

Lines of the common shapes, `p(a,7)@3`, `p(a)@[1,5/2)`, `p("x y")`, are read with one regular
expression. All others (several facts on a line, escapes, mistakes) go to the parser of programs,
over a text in which the lines already read are blank: so every place stays where it is.

Facts have no variables, so a name in capitals is a constant here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from horae.data.clock import SECONDS
from horae.data.constants import Value
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS, Interval, point
from horae.data.moments import MOMENT, is_moment, seconds_since_1970
from horae.data.rationals import is_readable, read_number
from horae.data.roll import note_large_time
from horae.languages.datalogmtl.check.check_intervals import check_fact
from horae.languages.datalogmtl.syntax import catalogue_syntax as catalogue
from horae.languages.datalogmtl.syntax.parse import parse_chunks
from horae.languages.datalogmtl.syntax.tokens import scan
from horae.languages.datalogmtl.syntax.tree import Fact, Query, Rule
from horae.rules.terms import Atom, Constant
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source, Span

_NUMBER = r"[+-]?[0-9]+(?:\.[0-9]+)?(?:/[0-9]+)?"
_NAME = r"[^\W\d]\w*(?::+\w+)*"
_TERM = rf'(?:{_NAME}|{MOMENT}|{_NUMBER}|"[^"\\\n\ud800-\udfff]*")'
_COMMA = r"[ \t]*,[ \t]*"
_TIME = rf"(?:{_NUMBER}|{MOMENT})"
_WHEN = rf"{_TIME}|[\[(](?:{_TIME}|-inf){_COMMA}(?:{_TIME}|inf)[\])]"
_LINE = re.compile(
    rf"[ \t]*({_NAME})\([ \t]*({_TERM}(?:{_COMMA}{_TERM})*)[ \t]*\)"
    rf"(?:[ \t]*@[ \t]*({_WHEN}))?[ \t]*\.?[ \t]*\r?"
)
_ARGUMENT = re.compile(_TERM)
_IS_NUMBER = re.compile(_NUMBER)


class _OddLineError(Exception):
    """A line that only looks common; the parser will say what it is."""


def parse_facts(source: Source) -> tuple[tuple[Fact, ...], list[Diagnostic]]:
    """The facts that could be read, and what is wrong with the other lines, in source order."""
    facts, odd = _read_lines(source.text)
    diagnostics: list[Diagnostic] = []
    if odd:
        rest, diagnostics = _parse_rest(_only(source, odd))
        facts = sorted([*facts, *rest], key=lambda fact: fact.span.start)
    return tuple(facts), diagnostics


def ground(facts: Iterable[Fact]) -> list[GroundFact]:
    """Facts of a program text; the checker has seen to it that they have no variables."""
    return [
        GroundFact(
            fact.atom.predicate,
            tuple(t.value for t in fact.atom.arguments if isinstance(t, Constant)),
            fact.interval,
        )
        for fact in facts
    ]


# --- the common shapes


def _read_lines(text: str) -> tuple[list[Fact], list[tuple[int, int]]]:
    """The facts of the common lines, and the places of all other lines that are not blank."""
    facts: list[Fact] = []
    odd: list[tuple[int, int]] = []
    reader = _LineReader()
    start = 0
    for line in text.split("\n"):
        match = _LINE.fullmatch(line)
        try:
            if match is not None:
                facts.append(reader.read(match, start))
            elif line and not line.isspace():
                odd.append((start, start + len(line)))
        except _OddLineError:
            odd.append((start, start + len(line)))
        start += len(line) + 1
    return facts, odd


class _LineReader:
    """Constants and times repeat: each spelling is understood once."""

    def __init__(self) -> None:
        self._values: dict[str, Value] = {}
        self._intervals: dict[str | None, Interval] = {None: ALWAYS}

    def read(self, match: re.Match[str], start: int) -> Fact:
        predicate, written, when = match.groups()
        first = start + match.start(2)
        arguments = tuple(
            Constant(self._value(term[0]), span=Span(first + term.start(), first + term.end()))
            for term in _ARGUMENT.finditer(written)
        )
        begin = start + match.start(1)
        closed = start + match.string.index(")", match.end(2)) + 1
        end = closed if when is None else start + match.end(3)
        atom = Atom(predicate, arguments, span=Span(begin, closed))
        return Fact(atom, self._interval(when), span=Span(begin, end))

    def _value(self, text: str) -> Value:
        value = self._values.get(text)
        if value is None:
            value = self._values[text] = _value(text)
        return value

    def _interval(self, text: str | None) -> Interval:
        interval = self._intervals.get(text)
        if interval is None:
            assert text is not None
            interval = self._intervals[text] = _interval(text)
        return interval


def _value(text: str) -> Value:
    if text[0] == '"':
        return text[1:-1]
    if _IS_NUMBER.fullmatch(text):
        number = _rational(text)
        return number.numerator if number.denominator == 1 else number
    if text[0] == "_":
        raise _OddLineError
    return text


def _interval(text: str) -> Interval:
    if text[0] not in "[(":
        return point(_time(text))
    low, high = (bound.strip() for bound in text[1:-1].split(","))
    interval = Interval(
        None if low == "-inf" else _time(low),
        None if high == "inf" else _time(high),
        text[0] == "(",
        text[-1] == ")",
    )
    if interval.is_empty:
        raise _OddLineError
    return interval


def _time(text: str) -> Fraction:
    time = _rational(text)
    note_large_time(text, time, SECONDS)
    return time


def _rational(text: str) -> Fraction:
    if is_moment(text):
        number = seconds_since_1970(text)
    else:
        number = read_number(text) if is_readable(text) else None
    if number is None:
        raise _OddLineError
    return number


# --- all other lines


def _only(source: Source, lines: list[tuple[int, int]]) -> Source:
    """The same text with blanks for all but these lines."""
    pieces: list[str] = []
    end = 0
    for start, stop in lines:
        pieces += [_blank(source.text[end:start]), source.text[start:stop]]
        end = stop
    return Source(source.name, "".join(pieces) + _blank(source.text[end:]))


def _blank(text: str) -> str:
    return "\n".join(" " * len(line) for line in text.split("\n"))


def _parse_rest(source: Source) -> tuple[list[Fact], list[Diagnostic]]:
    scanned = scan(source)
    facts: list[Fact] = []
    diagnostics = list(scanned.diagnostics)
    for parsed in parse_chunks(source, scanned.tokens, scanned.diagnostics, ground=True):
        diagnostics += parsed.diagnostics
        match parsed.statement:
            case Fact() as fact if not parsed.diagnostics:
                found = check_fact(source, fact)
                diagnostics += found
                facts += [] if found else [fact]
            case Rule(span=span):
                diagnostics.append(catalogue.NO_FACT(span, kind="a rule"))
            case Query(span=span):
                diagnostics.append(catalogue.NO_FACT(span, kind="a query"))
            case _:
                pass
    return facts, sorted(diagnostics, key=lambda d: (d.span.start, d.code))
