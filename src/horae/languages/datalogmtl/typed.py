"""Typed tables of answers: one per predicate, with intervals or time points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, assert_never

import numpy as np
import pyarrow as pa

from horae.data.columns import Array, DataType
from horae.data.cuts import FUTURE, PAST
from horae.data.typed_times import times_of_ticks
from horae.engine.answers import one_of
from horae.engine.typed_answers import TIME
from horae.languages.datalogmtl.program import Program
from horae.languages.datalogmtl.syntax.tree import Binary, Formula, Modal, Rule
from horae.rules.argument_types import Flow, Kind, chosen_types
from horae.rules.terms import Atom
from horae.rules.typed_arguments import argument_names, columns_of_lists

START, END = "start", "end"


def output_schemas(
    program: Program,
    kinds: Mapping[str, Sequence[Kind]],
    time: DataType,
    unknown: DataType,
    *,
    at_points: bool,
) -> dict[str, pa.Schema]:
    """A column per argument, and `start`, `end`, `start_closed`, `end_closed`; or `time` before them."""
    found: dict[str, pa.Schema] = {}
    for name in program.queries:
        arity = program.arities.get(name, 0)
        types = chosen_types(kinds.get(name, (None,) * arity), unknown)
        arguments: dict[str, Any] = dict(zip(argument_names(arity), types, strict=True))
        ends = {START: time, END: time, "start_closed": pa.bool_(), "end_closed": pa.bool_()}
        found[name] = pa.schema({TIME: time, **arguments} if at_points else {**arguments, **ends})
    return found


def typed_output(
    answers: pa.Table, name: str, schema: pa.Schema, resolution: int, unit: int
) -> pa.Table:
    """Infinite ends are null, and open."""
    own = answers.filter(one_of(answers.column("predicate"), [name]))
    is_point = TIME in schema.names
    types = [field.type for field in schema if field.name.startswith("arg")]
    arguments = columns_of_lists(own.column("args"), types)
    if is_point:
        ticks = own.column("ticks")
        times = times_of_ticks(ticks, resolution, schema.field(TIME).type, unit)
        return pa.table([times, *arguments], names=schema.names)
    time = schema.field(START).type
    low, high = ends_of_cuts(own.column("lo"), PAST), ends_of_cuts(own.column("hi"), FUTURE)
    start, end = (times_of_ticks(each.ticks, resolution, time, unit) for each in (low, high))
    closed = [pa.array(~low.is_odd & ~low.is_infinite), pa.array(high.is_odd & ~high.is_infinite)]
    return pa.table([*arguments, start, end, *closed], names=schema.names)


class _Ends(NamedTuple):
    """Ticks are null where there is no end; `is_odd` of cuts right after them."""

    ticks: Array
    is_odd: Any
    is_infinite: Any


def ends_of_cuts(cuts: Any, infinite: int) -> _Ends:
    """Of integers, or of the text of those that do not fit into 64 bits."""
    if cuts.type == pa.int64():
        numbers = cuts.to_numpy()
        nowhere = numbers == infinite
        return _Ends(pa.array(numbers >> 1, mask=nowhere), (numbers & 1) == 1, nowhere)
    wide = [int(text) for text in cuts.to_pylist()]
    nowhere = np.array([cut == infinite for cut in wide], bool)
    odd = np.array([cut % 2 == 1 for cut in wide], bool)
    ticks = pa.array([str(cut >> 1) for cut in wide], pa.string(), mask=nowhere)
    return _Ends(ticks, odd, nowhere)


# --- how values flow


def flows(program: Program) -> list[Flow]:
    facts = [Flow(fact.atom) for fact in program.facts]
    return [*facts, *map(_flow, program.rules)]


def _flow(rule: Rule) -> Flow:
    bodies = [literal.formula for literal in rule.body if not literal.negated]
    found = [pair for formula in bodies for pair in _atoms(formula, True)]
    bound = tuple(atom for atom, is_certain in found if is_certain)
    return Flow(rule.head.atom, bound, tuple(atom for atom, is_certain in found if not is_certain))


def _atoms(formula: Formula, certain: bool) -> Iterator[tuple[Atom, bool]]:
    """With whether they hold at some time; the left side of `Since` may have none to hold at."""
    match formula:
        case Atom():
            yield formula, certain
        case Modal(operand=operand):
            yield from _atoms(operand, certain)
        case Binary(left=left, right=right):
            yield from _atoms(left, False)
            yield from _atoms(right, certain)
        case _:
            assert_never(formula)
