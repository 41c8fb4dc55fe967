"""A node of the algebra over tables of rows with spans: one operator after the other, each node once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import assert_never

import numpy as np
import pyarrow as pa

from horae.data.columns import Ints
from horae.languages.cql.kernel.bags import combine, distinct
from horae.languages.cql.kernel.expressions import lenient_values_of, rows_where, values_of
from horae.languages.cql.kernel.faults import FaultAtTimeError
from horae.languages.cql.kernel.group import group
from horae.languages.cql.kernel.join import join
from horae.languages.cql.kernel.mark import mark
from horae.languages.cql.kernel.order import limit_rows
from horae.languages.cql.kernel.room import TooManyRowsError
from horae.languages.cql.kernel.spans import Spans, is_timed, spanned, spans_of
from horae.languages.cql.plan.algebra import (
    TAU,
    DistinctRows,
    EvaluationTimesNode,
    Filter,
    Group,
    Join,
    Limit,
    Node,
    Project,
    SetOperation,
    SubqueryMark,
    TableScan,
)
from horae.rules.intervals.join import TooManyPairsError


@dataclass(frozen=True)
class Nodes:
    """`read` gives the rows of a scan at these evaluation times. What was computed once is kept."""

    times: Ints
    read: Callable[[TableScan], pa.Table]
    _known: dict[int, pa.Table] = field(default_factory=dict)

    def table(self, node: Node) -> pa.Table:
        if id(node) not in self._known:
            try:
                self._known[id(node)] = self._compute(node)
            except FaultAtTimeError as found:
                raise found.fault.error(str(self.times[found.place])) from None
            except TooManyPairsError as found:
                raise TooManyRowsError(node, found.most) from None
        return self._known[id(node)]

    @property
    def computed(self) -> int:
        """How many operators were evaluated: of a query, always in the same order."""
        return len(self._known)

    def _compute(self, node: Node) -> pa.Table:
        match node:
            case EvaluationTimesNode():
                return _always(len(self.times))
            case TableScan():
                return self.read(node)
            case Join(left=left, right=right):
                return join(node, self.table(left), self.table(right))
            case Filter(input=input, condition=condition):
                return rows_where(condition, self.table(input))
            case Project():
                return self._project(node)
            case DistinctRows(input=input):
                return distinct(self.table(input))
            case Group(input=input, every=every):
                return group(node, self.table(input), None if every is None else self.table(every))
            case SetOperation(left=left, right=right):
                return combine(node, self.table(left), self.table(right))
            case SubqueryMark(input=input, query=query):
                return mark(node, self.table(input), self.table(query))
            case Limit(input=input):
                return limit_rows(node, self.table(input))
            case _:
                assert_never(node)

    def _project(self, node: Project) -> pa.Table:
        rows = self.table(node.input)
        values = lenient_values_of if node.is_lenient else values_of
        columns = [(ref, scalar) for ref, scalar in node.columns if ref != TAU]
        found = pa.table({ref.name: values(scalar, rows) for ref, scalar in columns})
        return spanned(found, spans_of(rows)) if is_timed(rows) else found


def _always(count: int) -> pa.Table:
    """One row that is there at all times, if there are any."""
    rows = np.zeros(min(count, 1), np.int64)
    return spanned(pa.table({}), Spans(rows, rows + count))
