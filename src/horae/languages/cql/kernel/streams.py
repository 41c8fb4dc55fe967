"""From relations to streams: what is more, or less, than at the evaluation time before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import assert_never

import numpy as np
import pyarrow as pa

from horae.data.columns import Array, Ints, Mask
from horae.data.rows_of_inputs import TIME, place_name
from horae.languages.cql.kernel.columns import classes, codes, whole_column
from horae.languages.cql.kernel.matching import Keys, matching_pairs
from horae.languages.cql.kernel.order import occurrence, places
from horae.languages.cql.kernel.parts import pieces
from horae.languages.cql.kernel.spans import (
    Spans,
    at_each_time,
    cut_spans,
    row_codes,
    sizes,
    spanned,
    spans_of,
)
from horae.languages.cql.kernel.steps import Steps
from horae.languages.cql.plan.algebra import TAU, OrderKey, QueryPlan
from horae.languages.cql.plan.expressions import Ref
from horae.languages.cql.plan.spread import gathered_columns
from horae.languages.cql.syntax.tree import StreamOperator

RANK = "rank"
"""The place of an answer among those of its query at its time; of a row, among all rows there."""


def by_places(query: QueryPlan, table: pa.Table) -> pa.Table:
    """The columns that are gathered, by their places, with the spans."""
    named = {place_name(i): table.column(r.name) for i, r in enumerate(gathered_columns(query))}
    return spanned(pa.table(named), spans_of(table))


@dataclass(frozen=True)
class QueryRows:
    """The rows of a query in a part, by places, with spans over these evaluation times.

    Where not all rows of the query are here, their places in its order are not known: `is_ranked` is
    false, and ranks are null.
    """

    query: QueryPlan
    table: pa.Table
    times: Ints
    is_ranked: bool = True

    @property
    def order(self) -> tuple[OrderKey, ...]:
        columns = gathered_columns(self.query)
        return tuple(
            replace(key, column=Ref(place_name(columns.index(key.column)), key.column.type))
            for key in self.query.order
        )

    @property
    def outputs(self) -> list[str]:
        return [place_name(place) for place in range(len(self.query.outputs))]

    @property
    def is_ordered_by_outputs(self) -> bool:
        """Then equal rows are alike in all that counts."""
        return all(key.column in self.query.outputs for key in self.query.order)

    def at(self, begin: int, end: int) -> pa.Table:
        """`time`, the outputs and `rank`, one row for each of these times."""
        return self.ranked(at_each_time(cut_spans(self.table, begin, end), self.times))

    def last(self) -> pa.Table:
        return self.at(len(self.times) - 1, len(self.times))

    def ranked(self, rows: pa.Table) -> pa.Table:
        rank = self._ranks(rows)
        columns = [rows.column(TAU.name), *(rows.column(name) for name in self.outputs), rank]
        return pa.table(columns, names=[TIME, *self.outputs, RANK])

    def _ranks(self, rows: pa.Table) -> Array:
        if not self.is_ranked:
            return pa.nulls(rows.num_rows, pa.int64())
        return pa.array(places(rows, (TAU,), self.order), pa.int64())

    def pieces(self, budget: int) -> Iterator[pa.Table]:
        """All rows at all times. They are cut by time; in any other way they are not ranked."""
        if self.is_ranked:
            for begin, end in pieces(sizes(self.table, len(self.times)), budget):
                yield self.at(begin, end)
        else:
            spans = spans_of(self.table)
            for begin, end in pieces(spans.after - spans.first, budget):
                rows = self.table.slice(begin, end - begin)
                yield self.ranked(at_each_time(rows, self.times))


def stream(rows: QueryRows, before: pa.Table, budget: int) -> Iterator[pa.Table]:
    """The answers: `time`, the outputs and `rank`. `before` are the rows before the first time."""
    operator = rows.query.stream
    if operator is StreamOperator.RSTREAM:
        yield from rows.pieces(budget)
    elif rows.is_ordered_by_outputs:
        yield _changed(rows, before)
    else:
        change = _change(rows.at(0, len(rows.times)), before, rows.times)
        yield _ranked_anew(change.more if operator is StreamOperator.ISTREAM else change.less)


# --- where equal rows are alike, it is enough to count them


def _changed(rows: QueryRows, before: pa.Table) -> pa.Table:
    """Place 0 is the time before the first."""
    spans, old = spans_of(rows.table), np.zeros(before.num_rows, np.int64)
    tables = [before.select(rows.outputs), rows.table.select(rows.outputs)]
    every = pa.concat_tables(tables)
    first, keys = classes(row_codes(every))
    whole = Spans(
        np.concatenate([old, spans.first + 1]), np.concatenate([old + 1, spans.after + 1])
    )
    steps = Steps.of([(keys, whole)])
    changes = np.diff(steps.totals(steps.rows[0]), prepend=0)
    is_here = (steps.places > 0) & (steps.places <= len(rows.times))
    counts = np.where(is_here, _wanted(rows.query.stream, changes), 0)
    which = np.repeat(np.arange(len(steps)), counts)
    found = every.take(first[steps.keys[which]])
    times = pa.array(rows.times[steps.places[which] - 1], pa.int64())
    return rows.ranked(found.append_column(TAU.name, times))


def _wanted(operator: StreamOperator, changes: Ints) -> Ints:
    match operator:
        case StreamOperator.ISTREAM:
            return np.maximum(changes, 0)
        case StreamOperator.DSTREAM:
            return np.maximum(-changes, 0)
        case StreamOperator.RSTREAM:
            raise TypeError("all rows are answers, not their changes")
        case _:
            assert_never(operator)


# --- where they differ in what they are ordered by, each is looked at


@dataclass(frozen=True)
class _Change:
    """Rows with the number of their time (0: before the first), and which one of equal rows each is."""

    rows: pa.Table
    times: Ints
    steps: Ints
    values: Ints
    numbers: Ints

    @property
    def more(self) -> pa.Table:
        """Of equal rows, the first ones are those that were there before."""
        new = (self.steps > 0) & ~self._is_there(-1)
        return self.rows.filter(pa.array(new))

    @property
    def less(self) -> pa.Table:
        """Given at the next evaluation time."""
        old = (self.steps < len(self.times)) & ~self._is_there(1)
        left = self.rows.filter(pa.array(old))
        place = left.column_names.index(TIME)
        return left.set_column(place, TIME, pa.array(self.times[self.steps[old]], pa.int64()))

    def _is_there(self, step: int) -> Mask:
        """At the evaluation time before or after, the same row as often."""
        columns = [self.steps, self.values, self.numbers]
        wanted = [self.steps + step, self.values, self.numbers]
        both = [pa.array(np.concatenate(pair)) for pair in zip(wanted, columns, strict=True)]
        size = len(self.steps)
        found = codes(both, 2 * size)
        every = np.ones(size, bool)
        result = np.zeros(size, bool)
        result[matching_pairs(Keys(found[:size], found[size:], every, every))[0]] = True
        return result


def _ranked_anew(answers: pa.Table) -> pa.Table:
    """Among the answers alone."""
    times, rank = answers.column(TIME).to_numpy(), answers.column(RANK).to_numpy()
    places = occurrence(times, np.lexsort((rank, times)))
    return answers.drop_columns(RANK).append_column(RANK, pa.array(places, pa.int64()))


def _change(rows: pa.Table, before: pa.Table, times: Ints) -> _Change:
    every = pa.concat_tables([before, rows])
    steps = np.searchsorted(times, rows.column(TIME).to_numpy()) + 1
    steps = np.concatenate([np.zeros(before.num_rows, np.int64), steps])
    names = [name for name in every.column_names if name not in (TIME, RANK)]
    values = codes([whole_column(every, name) for name in names], every.num_rows)
    at = codes([pa.array(steps), pa.array(values)], every.num_rows)
    rank = every.column(RANK).to_numpy()
    return _Change(every, times, steps, values, occurrence(at, np.lexsort((rank, at))))
