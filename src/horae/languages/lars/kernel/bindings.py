"""The instances of a rule under construction: values of variables, with evaluation times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from horae.data.cuts import Cuts, Rows
from horae.languages.lars.kernel.codes import Codes
from horae.languages.lars.kernel.held import EvaluationChunk, spread
from horae.rules.intervals.join import join_pairs, subtract
from horae.rules.intervals.relation import Relation, relation
from horae.rules.terms import Constant, Term, Variable

_MOST_CELLS = 2**26
"""Numbers of the instances that a join makes at once: half a gigabyte."""
_BESIDE = 4
"""Numbers of an instance beside its variables: the pair of rows, and its interval."""

ROW = "#"  # a column with the number of the row, where rows must be found again


@dataclass(frozen=True, slots=True)
class Bindings:
    """`names` are the variables of the columns of `rows`. Rows may repeat and overlap."""

    names: tuple[str, ...]
    rows: Relation

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, name: str) -> Rows:
        return self.rows.arguments[:, self.names.index(name)]

    def columns(self) -> dict[str, Rows]:
        return {name: self.rows.arguments[:, i] for i, name in enumerate(self.names)}

    def take(self, rows: Rows | np.ndarray) -> Bindings:
        return Bindings(self.names, self.rows.take(rows))

    def within(self, lo: Cuts, hi: Cuts) -> Bindings:
        """Each row at those of its evaluation times that lie in [lo, hi) of the row."""
        low, high = np.maximum(self.rows.lo, lo), np.minimum(self.rows.hi, hi)
        kept = low < high
        return Bindings(self.names, Relation(self.rows.arguments[kept], low[kept], high[kept]))

    def bind(self, name: str, column: Rows) -> Bindings:
        """A new variable, or a check of one that is bound already."""
        if name in self.names:
            return self.take(self.column(name) == column)
        rows = self.rows
        arguments = np.concatenate([rows.arguments, column.reshape(-1, 1)], axis=1)
        return Bindings((*self.names, name), Relation(arguments, rows.lo, rows.hi))

    def only(self, names: frozenset[str]) -> Bindings:
        """The rows without the other variables; those that are equal then become one."""
        places = [place for place, name in enumerate(self.names) if name in names]
        rows = self.rows
        kept = relation(rows.arguments[:, places], rows.lo, rows.hi)
        return Bindings(tuple(self.names[place] for place in places), kept)

    def bind_term(self, term: Term, column: Rows, codes: Codes) -> Bindings:
        if isinstance(term, Constant):
            return self.take(column == codes.code(term.value))
        return self.bind(term.name, column)

    def numbered(self) -> Bindings:
        return self.bind(ROW, np.arange(len(self)))

    def at_points(self, chunk: EvaluationChunk) -> tuple[Bindings, Cuts]:
        """A row per evaluation time, and these times."""
        rows, times = spread(self.rows.lo, self.rows.hi, chunk.times)
        return (
            Bindings(self.names, Relation(self.rows.arguments[rows], times, times + 1)),
            times,
        )

    def without(self, found: Bindings) -> Bindings:
        """The rows where no row of `found` with the same number is."""
        numbers = found.column(ROW).reshape(-1, 1)
        gone = relation(numbers, found.rows.lo, found.rows.hi)
        own = Relation(np.arange(len(self)).reshape(-1, 1), self.rows.lo, self.rows.hi)
        rows, lo, hi = subtract(own, gone, ((0, 0),))
        return Bindings(self.names, Relation(self.rows.arguments[rows], lo, hi))


def start(chunk: EvaluationChunk) -> Bindings:
    """No variable yet, at all evaluation times."""
    one = np.array([chunk.lo], np.int64), np.array([chunk.hi], np.int64)
    return Bindings((), Relation(np.empty((1, 0), np.int64), *one))


def agreeing_rows(terms: Sequence[Term], rows: Relation, codes: Codes) -> Relation:
    """The rows that agree with the constants, and with variables that occur twice."""
    mask = np.ones(len(rows), bool)
    seen: dict[str, int] = {}
    for place, term in enumerate(terms):
        if isinstance(term, Constant):
            mask &= rows.arguments[:, place] == codes.code(term.value)
        elif term.name in seen:
            mask &= rows.arguments[:, place] == rows.arguments[:, seen[term.name]]
        else:
            seen[term.name] = place
    return rows if mask.all() else rows.take(mask)


def join(
    left: Bindings, terms: Sequence[Term], rows: Relation, codes: Codes
) -> tuple[Bindings, Rows]:
    """Each instance with each row that agrees with it, where their evaluation times overlap.

    The columns of `rows` behind those of the terms are the caller's: the second result has the
    row of each instance, to find them.
    """
    fitting = agreeing_rows(terms, rows, codes)
    places: dict[str, int] = {}
    for place, term in enumerate(terms):
        if isinstance(term, Variable):
            places.setdefault(term.name, place)
    on = tuple((left.names.index(n), p) for n, p in places.items() if n in left.names)
    new = {n: p for n, p in places.items() if n not in left.names}
    width = len(left.names) + len(new) + fitting.width - len(terms)
    first, second = join_pairs(left.rows, fitting, on, _MOST_CELLS // (width + _BESIDE))
    arguments = np.concatenate(
        [left.rows.arguments[first], fitting.arguments[second][:, list(new.values())]], axis=1
    )
    lo = np.maximum(left.rows.lo[first], fitting.lo[second])
    hi = np.minimum(left.rows.hi[first], fitting.hi[second])
    own = fitting.arguments[second][:, len(terms) :]
    return Bindings((*left.names, *new), Relation(arguments, lo, hi)), own
