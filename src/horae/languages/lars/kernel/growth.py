"""Long recursion or endless recursion? By what grows.

Rules without arithmetic have only the constants that are given, so they end, however long it takes.
Arithmetic makes new numbers; as long as these are whole and lie between those that are given, there are
finitely many of them too. Numbers that leave that range in thousands of rounds are taken to go on for
ever, and so are those that would need too many rounds to come to its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from horae.data.constants import Value
from horae.data.cuts import Rows
from horae.languages.lars import catalogue
from horae.languages.lars.check.constants import NoNumber, constant_value
from horae.languages.lars.check.normal import FastRule, Inside, Lookup
from horae.languages.lars.check.paths import Component
from horae.languages.lars.kernel.codes import Codes, are_named, are_time_points
from horae.languages.lars.kernel.held import AtomSource
from horae.languages.lars.kernel.lookups import View
from horae.rules.arithmetic import Comparison, Operation, TermExpression
from horae.rules.terms import Constant, Term
from horae.source.errors import InputError

_PATIENCE = 1_000
"""Rounds before anyone looks at the numbers."""
_MOST_GROWING = 10_000
"""Rounds that may give numbers beyond those that are given."""
_MOST_ROUNDS = 250_000
_MOST_ROWS = 20_000_000
"""Rows that may be new in one round."""


class Growth:
    """The rounds of one component over one chunk."""

    def __init__(self, component: Component, view: View) -> None:
        self._component = component
        self._view = view
        self._rounds = 0
        self._growing = 0
        self._range: range | None = None
        self._first: list[int] = []

    def check(self, changed: Mapping[str, AtomSource], known: Mapping[str, AtomSource]) -> None:
        """Another round has given the rows of `changed`; an error where there is no end in sight."""
        self._rounds += 1
        if sum(len(new.now) + len(new.at) for new in changed.values()) > _MOST_ROWS:
            raise self._error(f"gives more than {_MOST_ROWS:,} atoms at once")
        if self._rounds > _MOST_ROUNDS:
            raise self._error(f"goes on after {_MOST_ROUNDS:,} rounds")
        if self._rounds > _PATIENCE:
            self._look(changed, known)

    def _look(self, changed: Mapping[str, AtomSource], known: Mapping[str, AtomSource]) -> None:
        if self._range is None:
            self._range = _given_range(self._component, known, self._view)
            self._first = _new_ends(changed, self._view.codes)
        if self._rounds == _PATIENCE + _MOST_GROWING:
            self._estimate(_new_ends(changed, self._view.codes), self._range)
        beyond = _beyond(changed, self._range, self._view.codes)
        self._growing += beyond is not None
        if self._growing > _MOST_GROWING:
            raise self._error(f"does not end: it gives ever more numbers, such as {_short(beyond)}")

    def _estimate(self, now: list[int], given: range) -> None:
        """How many rounds it takes to the end of the range, at the speed of those so far."""
        if not self._first or not now:
            return
        up, down = max(now) - max(self._first), min(self._first) - min(now)
        for speed, way in ((up, given.stop - max(now)), (down, min(now) - given.start)):
            if speed > 0 and way * _MOST_GROWING > speed * _MOST_ROUNDS:
                raise self._error(f"would go on for more than {_MOST_ROUNDS:,} rounds")

    def _error(self, what: str) -> InputError:
        names = ", ".join(f"`{name}`" for name in sorted(self._component.predicates))
        return catalogue.ENDLESS_DERIVATION(names=names, what=what)


def _short(value: Value | None) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


_LONGEST = 40


# --- the numbers that are given


def _given_range(component: Component, known: Mapping[str, AtomSource], view: View) -> range:
    """From the least to the greatest whole number of program, data, and evaluation times."""
    ends = [0, view.chunk.lo, view.chunk.hi, view.horizon or 0]
    ends += [v for rule in component.rules for v in _numbers_of(rule)]
    for name, source in known.items():
        ends += _ends(source.static.arguments, view.codes)
        ends += _ends(source.spans.arguments, view.codes)
        ends += _ends(np.concatenate([source.spans.lo, source.spans.hi]), view.codes)
        if name not in component.predicates:
            ends += _ends(source.now.arguments, view.codes)
            ends += _ends(source.at.arguments, view.codes)
    return range(min(ends), max(ends) + 1)


def _ends(codes_of: Rows, codes: Codes) -> list[int]:
    """The least and the greatest whole number."""
    naturals = codes_of[are_time_points(codes_of)]
    named = [v for v in _named(codes_of, codes) if isinstance(v, int)]
    ends = [int(naturals.min()), int(naturals.max())] if len(naturals) else []
    return [*ends, min(named), max(named)] if named else ends


def _named(codes_of: Rows, codes: Codes) -> list[Value]:
    return codes.decode(np.unique(codes_of[are_named(codes_of)]))


def _numbers_of(rule: FastRule) -> Iterator[int]:
    for expression in _expressions(rule):
        value = constant_value(expression)
        if not isinstance(value, NoNumber):
            yield int(value)


def _expressions(rule: FastRule) -> Iterator[TermExpression]:
    terms: list[Term | None] = [*rule.head.arguments, rule.when]
    for literal in rule.body:
        match literal:
            case Comparison(left=left, right=right):
                yield from (*_parts(left), *_parts(right))
            case Lookup(atom=atom, when=when):
                terms += [*atom.arguments, when]
            case Inside(when=when):
                terms.append(when)
    yield from (term for term in terms if isinstance(term, Constant))


def _parts(expression: TermExpression) -> Iterator[TermExpression]:
    yield expression
    if isinstance(expression, Operation):
        yield from _parts(expression.left)
        yield from _parts(expression.right)


# --- those that are new


def _new_ends(changed: Mapping[str, AtomSource], codes: Codes) -> list[int]:
    """The least and the greatest whole numbers of the new rows."""
    rows = (r for new in changed.values() for r in (new.now.arguments, new.at.arguments))
    return [end for each in rows for end in _ends(each, codes)]


def _beyond(changed: Mapping[str, AtomSource], given: range, codes: Codes) -> Value | None:
    """A number of the new rows that is not whole, or outside of the range."""
    for source in changed.values():
        for rows in (source.now.arguments, source.at.arguments):
            naturals = rows[are_time_points(rows)]
            if len(naturals) and int(naturals.max()) not in given:
                return int(naturals.max())
            for value in _named(rows, codes):
                if not isinstance(value, str) and (
                    not isinstance(value, int) or value not in given
                ):
                    return value
    return None
