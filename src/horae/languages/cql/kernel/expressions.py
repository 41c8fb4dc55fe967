"""Expressions over the columns of a table.

A fault in a row counts only if the value is needed there: AND and OR go from the left and stop
when the result is certain. So each result carries the numbers of its faults, and whoever needs
the value raises.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from typing import Any, assert_never

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import Array, Ints, Mask
from horae.data.types import Type
from horae.data.values import ARROW_TYPES
from horae.languages.cql.kernel.arithmetic import compute_doubles, compute_ints
from horae.languages.cql.kernel.columns import masked, numbers, validity, whole_column
from horae.languages.cql.kernel.compare import compare
from horae.languages.cql.kernel.faults import Fault, raise_first
from horae.languages.cql.plan.expressions import (
    CheckedScalar,
    Compute,
    Conjunction,
    Disjunction,
    Missing,
    Negation,
    Ref,
    Scalar,
    ScalarComparison,
    ScalarConstant,
    ToDouble,
)


def values_of(scalar: Scalar, table: pa.Table) -> Array:
    """Raises the first fault, if there is one."""
    evaluation = _Evaluation(table)
    found = evaluation.result(scalar)
    if found.faults is not None and found.faults.any():
        raise_first(evaluation.faults, found.faults, table)
    return found.values


def lenient_values_of(scalar: Scalar, table: pa.Table) -> Array:
    """Any values where there is a fault."""
    return _Evaluation(table).result(scalar).values


def rows_where(scalar: Scalar, table: pa.Table) -> pa.Table:
    """Rows for which the condition is true."""
    return table.filter(values_of(scalar, table))


@dataclass(frozen=True)
class _Result:
    """`faults` has per row the number of a fault, 0 for none; None: no row has any."""

    values: Array
    faults: Ints | None = None


@dataclass(frozen=True)
class _Evaluation:
    table: pa.Table
    faults: list[Fault] = field(default_factory=list)

    def result(self, scalar: Scalar) -> _Result:
        match scalar:
            case Ref(name=name):
                return _Result(whole_column(self.table, name))
            case ScalarConstant(value=value, type=type):
                fixed: Any = pa.scalar(value, ARROW_TYPES[type])
                return _Result(pa.repeat(fixed, self.table.num_rows))
            case ToDouble(operand=operand):
                found = self.result(operand)
                return _Result(_as_double(found.values), found.faults)
            case Compute():
                return self._compute(scalar)
            case ScalarComparison(comparator=comparator, left=left, right=right):
                a, b = self.result(left), self.result(right)
                return _Result(compare(comparator, a.values, b.values), _either(a.faults, b.faults))
            case Missing(operand=operand):
                found = self.result(operand)
                return _Result(found.values.is_null(), found.faults)
            case Negation(operand=operand):
                found = self.result(operand)
                return _Result(pc.invert(found.values), found.faults)
            case Conjunction(operands=operands):
                return self._fold(operands, stop=False)
            case Disjunction(operands=operands):
                return self._fold(operands, stop=True)
            case CheckedScalar(operands=operands, result=result):
                faults = [self.result(operand).faults for operand in operands]
                return _Result(whole_column(self.table, result.name), reduce(_either, faults))
            case _:
                assert_never(scalar)

    def _compute(self, scalar: Compute) -> _Result:
        left, right = self.result(scalar.left), self.result(scalar.right)
        valid = validity(left.values) & validity(right.values)
        a, b = numbers(left.values), numbers(right.values)
        if scalar.type is Type.INT:
            values, wrong = compute_ints(scalar.sign, a, b)
        else:
            values, wrong = compute_doubles(scalar.sign, a.astype(np.float64), b.astype(np.float64))
        faults = _either(left.faults, right.faults)
        for kind, mask in wrong:
            if (mask & valid).any():
                self.faults.append(Fault(kind, scalar.site))
                own = np.where(mask & valid, len(self.faults), 0)
                faults = _either(faults, own)
        return _Result(masked(values, valid), faults)

    def _fold(self, operands: tuple[Scalar, ...], *, stop: bool) -> _Result:
        combine = pc.or_kleene if stop else pc.and_kleene
        so_far = self.result(operands[0])
        for operand in operands[1:]:
            certain = _is(so_far.values, stop)
            found = self.result(operand)
            needed = None if found.faults is None else np.where(certain, 0, found.faults)
            values = combine(so_far.values, found.values)
            so_far = _Result(values, _either(so_far.faults, needed))
        return so_far


def _as_double(values: Array) -> Array:
    return masked(numbers(values).astype(np.float64), validity(values))


def _is(values: Array, truth: bool) -> Mask:
    same: Mask = numbers(values) == truth
    return same & validity(values)


def _either(first: Ints | None, second: Ints | None) -> Ints | None:
    """The first fault of each row."""
    if first is None or second is None:
        return second if first is None else first
    return np.where(first != 0, first, second)
