"""GROUP BY: one row per value of the keys, with its aggregates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from horae.kernels.cql import sums
from horae.kernels.cql.columns import (
    ARROW_TYPES,
    Array,
    Bools,
    Ints,
    codes,
    column,
    masked,
    numbers,
    ranks,
    taken,
    validity,
)
from horae.kernels.cql.faults import Fault, Kind, raise_first
from horae.languages.cql.tree import Aggregation, Type
from horae.plan.cql.algebra import Group, Measure


def group(node: Group, rows: pa.Table, every: pa.Table | None) -> pa.Table:
    names = [key.name for key in node.keys]
    keyed = rows.select(names)
    if every is not None:
        keyed = pa.concat_tables([keyed, every.select(names)])
    by = codes([column(keyed, name) for name in names], keyed.num_rows)
    _, first, groups = np.unique(by, return_index=True, return_inverse=True)
    result = keyed.take(first)
    members = groups[: rows.num_rows]
    for measure in node.measures:
        values = _measure(measure, rows, members, result)
        result = result.append_column(measure.result.name, values)
    return result


def _measure(measure: Measure, rows: pa.Table, members: Ints, groups: pa.Table) -> Array:
    if measure.argument is None:
        return pa.array(np.bincount(members, minlength=groups.num_rows))
    argument = column(rows, measure.argument.name)
    chosen = np.flatnonzero(validity(argument))
    if measure.distinct:
        chosen = _first_of_each(argument, members, chosen)
    if measure.function is Aggregation.COUNT:
        return pa.array(np.bincount(members[chosen], minlength=groups.num_rows))
    chosen = chosen[np.argsort(members[chosen], kind="stable")]
    return _of_sorted(measure, _Sorted(taken(argument, chosen), members[chosen]), groups)


def _first_of_each(argument: Array, members: Ints, chosen: Ints) -> Ints:
    pairs = [taken(argument, chosen), pa.array(members[chosen])]
    _, first = np.unique(codes(pairs, len(chosen)), return_index=True)
    return chosen[first]


@dataclass(frozen=True)
class _Sorted:
    """Values without nulls, sorted by the number of their group."""

    values: Array
    members: Ints

    @property
    def starts(self) -> Ints:
        return np.flatnonzero(np.diff(self.members, prepend=-1))


def _of_sorted(measure: Measure, found: _Sorted, groups: pa.Table) -> Array:
    match measure.function:
        case Aggregation.SUM | Aggregation.AVG:
            return _number(measure, found, groups)
        case Aggregation.MIN | Aggregation.MAX:
            return _extreme(measure.function, found, groups.num_rows)
        case Aggregation.COUNT:
            raise TypeError("rows are counted without their values")
        case _:
            assert_never(measure.function)


def _number(measure: Measure, found: _Sorted, groups: pa.Table) -> Array:
    values, starts = numbers(found.values), found.starts
    assert measure.argument is not None
    result, kind, wrong = _added(measure.function, measure.argument.type, values, starts)
    owners = found.members[starts]
    if wrong.any():
        faults = np.zeros(groups.num_rows, np.int64)
        faults[owners[wrong]] = 1
        raise_first([Fault(kind, measure.site)], faults, groups)
    every = np.zeros(groups.num_rows, result.dtype)
    every[owners] = result
    return masked(every, _has(owners, groups.num_rows)).cast(ARROW_TYPES[measure.result.type])


def _added(
    function: Aggregation, type: Type, values: npt.NDArray[np.generic], starts: Ints
) -> tuple[npt.NDArray[np.generic], Kind, Bools]:
    if type is Type.INT:
        ints = values.astype(np.int64)
        if function is Aggregation.SUM:
            total, wrong = sums.sum_ints(ints, starts)
            return total, Kind.OVERFLOW, wrong
        return sums.average_ints(ints, starts), Kind.NOT_FINITE, np.zeros(len(starts), bool)
    add = sums.sum_doubles if function is Aggregation.SUM else sums.average_doubles
    result = add(values.astype(np.float64), starts)
    return result, Kind.NOT_FINITE, ~np.isfinite(result)


def _extreme(function: Aggregation, found: _Sorted, size: int) -> Array:
    order = np.lexsort((ranks(found.values), found.members))
    starts = found.starts
    last = starts + np.diff(starts, append=len(order)) - 1
    picked = order[starts if function is Aggregation.MIN else last]
    places = np.zeros(size, np.int64)
    places[found.members[starts]] = picked
    known = _has(found.members[starts], size)
    return found.values.take(masked(places, known))


def _has(owners: Ints, size: int) -> Bools:
    result = np.zeros(size, bool)
    result[owners] = True
    return result
