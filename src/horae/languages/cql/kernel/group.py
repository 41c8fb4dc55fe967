"""GROUP BY: per value of the keys and per step of its rows, one row with the aggregates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

import numpy as np
import pyarrow as pa

from horae.data.columns import Array, Ints
from horae.data.types import Type
from horae.data.values import ARROW_TYPES
from horae.languages.cql.kernel import running_sums as sums
from horae.languages.cql.kernel.columns import (
    array_ranks,
    classes,
    codes,
    masked,
    numbers,
    taken,
    validity,
    whole_column,
)
from horae.languages.cql.kernel.faults import Fault, FaultKind, raise_first
from horae.languages.cql.kernel.running_least import least_over_steps
from horae.languages.cql.kernel.spans import Spans, spanned, spans_of, united
from horae.languages.cql.kernel.steps import Steps
from horae.languages.cql.plan.algebra import TAU, Group, Measure
from horae.languages.cql.syntax.tree import Aggregation


def group(node: Group, rows: pa.Table, every: pa.Table | None) -> pa.Table:
    names = [key.name for key in node.keys if key != TAU]
    members = rows if every is None else _with_contexts(rows, every, names)
    by = codes([whole_column(members, name) for name in names], members.num_rows)
    first, groups = classes(by)
    steps = Steps.of([(groups, spans_of(members))])
    which, spans = steps.spans(steps.totals(steps.rows[0]) > 0)
    result = spanned(members.select(names).take(first[steps.keys[which]]), spans)
    own = _Members(rows, groups[: rows.num_rows], steps, which)
    for measure in node.measures:
        result = result.append_column(measure.result.name, own.measure(measure, result))
    return result


def _with_contexts(rows: pa.Table, every: pa.Table, names: list[str]) -> pa.Table:
    """Contexts have a group while they are there, also without rows."""
    spans, others = spans_of(rows), spans_of(every)
    both = pa.concat_tables([_bare(rows, names), _bare(every, names)])
    first = np.concatenate([spans.first, others.first])
    return spanned(both, Spans(first, np.concatenate([spans.after, others.after])))


def _bare(table: pa.Table, names: list[str]) -> pa.Table:
    """A table without columns would not know how many rows it has."""
    counted = table.append_column("member", pa.nulls(table.num_rows))
    return counted.select([*names, "member"])


@dataclass(frozen=True)
class _Values:
    """Those that an aggregate takes: no nulls, and each once if it asks for that."""

    values: Array
    rows: Spans  # the steps at which they come and go


@dataclass(frozen=True)
class _Members:
    """Rows, the numbers of their groups, and the steps of these, of which `which` are in the result."""

    rows: pa.Table
    groups: Ints
    steps: Steps
    which: Ints

    @property
    def there(self) -> Spans:
        """The steps at which the rows come and go."""
        return self.steps.rows[0].take(slice(self.rows.num_rows))

    def measure(self, measure: Measure, result: pa.Table) -> Array:
        if measure.argument is None:
            return pa.array(self._count(self.there))
        taking = self._taking(whole_column(self.rows, measure.argument.name), measure.distinct)
        match measure.function:
            case Aggregation.COUNT:
                return pa.array(self._count(taking.rows))
            case Aggregation.SUM | Aggregation.AVG:
                return self._number(measure, measure.argument.type, taking, result)
            case Aggregation.MIN | Aggregation.MAX:
                return self._extreme(measure.function, taking)
            case _:
                assert_never(measure.function)

    def _count(self, rows: Spans) -> Ints:
        return self.steps.totals(rows)[self.which]

    def _taking(self, argument: Array, distinct: bool) -> _Values:
        chosen = np.flatnonzero(validity(argument))
        values = taken(argument, chosen)
        if not distinct:
            return _Values(values, self.there.take(chosen))
        groups, spans = self.groups[chosen], spans_of(self.rows).take(chosen)
        once, spans = united(codes([values, pa.array(groups)], len(chosen)), spans)
        return _Values(taken(values, once), self.steps.at((groups[once], spans)))

    def _number(self, measure: Measure, type: Type, taking: _Values, result: pa.Table) -> Array:
        counts = self._count(taking.rows)
        add = sums.of_ints if type is Type.INT else sums.of_doubles
        totals = add(numbers(taking.values), taking.rows, self.steps, self.which)
        if measure.function is Aggregation.AVG:
            found, kind = totals.averages(counts), FaultKind.NOT_FINITE
        else:
            found, kind = totals.values(), totals.kind
        wrong = totals.is_wrong(found) & (counts > 0)
        if wrong.any():
            raise_first([Fault(kind, measure.site)], wrong.astype(np.int64), result)
        return masked(found, counts > 0).cast(ARROW_TYPES[measure.result.type])

    def _extreme(self, function: Aggregation, taking: _Values) -> Array:
        """At each step, the first of the rows that are there, with the best values first."""
        rank = array_ranks(taking.values)
        order = np.argsort(rank if function is Aggregation.MIN else -rank, kind="stable")
        best = least_over_steps(taking.rows.take(order), len(self.steps))[self.which]
        return taking.values.take(masked(np.append(order, 0)[best], best < len(order)))
