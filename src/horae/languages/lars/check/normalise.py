"""A rule into the form of the fast path, or the construct that keeps it out.

win[5] <> not p(X)       →   not win[5] [] p(X)
win[5] [] not p(X)       →   not win[5] <> p(X)
win[5] @T not p(X)       →   T inside win[5], not win[5] @T p(X)
not X < Y                →   X >= Y
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from horae.languages.lars.check.normal import (
    BodyLiteral,
    Excluded,
    FastRule,
    Inside,
    Lookup,
    Modality,
    StreamPart,
    time_variables,
)
from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
    Formula,
    NamedWindow,
    Not,
    PartitionWindow,
    Rule,
    Some,
    TimeWindow,
    TupleWindow,
    Window,
    WindowFunction,
)
from horae.rules.arithmetic import Comparator, Comparison
from horae.rules.terms import Atom, Constant, Term
from horae.source.text import Span

_OPPOSITE = {
    Comparator.EQUAL: Comparator.UNEQUAL,
    Comparator.LESS: Comparator.AT_LEAST,
    Comparator.GREATER: Comparator.AT_MOST,
}
_OPPOSITE |= {opposite: comparator for comparator, opposite in _OPPOSITE.items()}
_DUAL = {Modality.SOME: Modality.ALWAYS, Modality.ALWAYS: Modality.SOME}


class _OutsideError(Exception):
    """The rule is not in the form; `excluded` says why."""

    def __init__(self, construct: str, span: Span) -> None:
        super().__init__(construct)
        self.excluded = Excluded(construct, span)


def normalise(rule: Rule) -> FastRule | Excluded:
    try:
        head, when = _head(rule)
        body = tuple(literal for formula in rule.body for literal in _literals(formula))
    except _OutsideError as outside:
        return outside.excluded
    times = time_variables((when, *(t for literal in body for t in _times(literal))))
    return FastRule(head, when, body, times, rule)


def _head(rule: Rule) -> tuple[Atom, Term | None]:
    match rule.head:
        case Atom() as atom:
            return atom, None
        case At(time=time, operand=Atom() as atom):
            return atom, time
        case None:
            raise _OutsideError("a constraint", rule.span)
        case head:
            raise _OutsideError("a head other than an atom or `@T` and an atom", head.span)


def _times(literal: BodyLiteral) -> Iterator[Term | None]:
    match literal:
        case Lookup(place=place, when=when) | Inside(place=place, when=when):
            yield place.reference
            yield when
        case Comparison():
            pass


# --- bodies


def _literals(formula: Formula) -> Iterator[BodyLiteral]:
    match formula:
        case And(operands=operands):
            for operand in operands:
                yield from _literals(operand)
        case Comparison():
            yield formula
        case _:
            yield from _literal(formula)


def _literal(formula: Formula) -> Iterator[BodyLiteral]:
    inner, negated = _strip(formula)
    if isinstance(inner, Comparison):
        yield replace(inner, comparator=_OPPOSITE[inner.comparator]) if negated else inner
        return
    place, modal = _place(inner)
    modality, when, operand = _modality(modal)
    innermost, flipped = _strip(operand)
    if not isinstance(innermost, Atom):
        raise _OutsideError("a formula inside of a window that is no literal", innermost.span)
    if flipped and modality is Modality.AT:
        assert when is not None, "`@` has a time"
        if negated and place.window is not None:
            raise _OutsideError("the negation of a negation in a window", formula.span)
        if not negated and place.window is not None:
            yield Inside(place, when, span=formula.span)
    elif flipped:
        modality = _DUAL.get(modality, modality)
    yield Lookup(place, modality, when, innermost, negated != flipped, span=formula.span)


def _strip(formula: Formula) -> tuple[Formula, bool]:
    """The formula without its negations, and whether they were odd in number."""
    negated = False
    while isinstance(formula, Not):
        formula, negated = formula.operand, not negated
    return formula, negated


def _place(formula: Formula) -> tuple[StreamPart, Formula]:
    """`@T win[…] f`, `win[…] f`, or f in the whole stream."""
    match formula:
        case At(time=time, operand=Window(function=function, operand=operand)):
            reference: Term | None = time
        case Window(function=function, operand=operand):
            reference = None
        case _:
            return StreamPart(None, None), formula
    _check_window(function, reference)
    return StreamPart(reference, function), operand


def _check_window(function: WindowFunction, reference: Term | None) -> None:
    match function:
        case NamedWindow(span=span):
            raise _OutsideError("a window of the registry", span)
        case (
            TupleWindow(past=past, future=future, span=span)
            | PartitionWindow(past=past, future=future, span=span)
        ):
            if not (isinstance(past, Constant) and isinstance(future, Constant)):
                raise _OutsideError("a number of tuples that is not constant", span)
            if reference is not None:
                raise _OutsideError("a tuple window around another time", span)
        case TimeWindow():
            pass


def _modality(formula: Formula) -> tuple[Modality, Term | None, Formula]:
    match formula:
        case Some(operand=operand):
            return Modality.SOME, None, operand
        case Always(operand=operand):
            return Modality.ALWAYS, None, operand
        case At(time=time, operand=operand):
            return Modality.AT, time, operand
        case _:
            return Modality.HERE, None, formula
