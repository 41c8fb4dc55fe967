"""Typed tables of answers: one per predicate, and the time points without an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_never

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.columns import DataType
from horae.data.typed_times import times_of_ticks
from horae.engine.answers import one_of
from horae.engine.typed_answers import TIME, free_name
from horae.languages.lars.check.paths import find_paths
from horae.languages.lars.program import Program, atoms
from horae.languages.lars.syntax.tree import (
    Always,
    And,
    At,
    Formula,
    Implies,
    Not,
    Or,
    Rule,
    Some,
    Window,
)
from horae.rules.argument_types import Flow, Kind, chosen_types
from horae.rules.arithmetic import Comparator, Comparison
from horae.rules.terms import Atom, Variable
from horae.rules.typed_arguments import argument_names, columns_of_lists

_INCONSISTENT = "inconsistent"
_MOST_WAYS = 64
_Parts = tuple[Formula, ...]


def output_schemas(
    program: Program, kinds: Mapping[str, Sequence[Kind]], time: DataType, unknown: DataType
) -> dict[str, pa.Schema]:
    """`time`, `at`, `answer`, a column per argument; `kinds` are those of arguments."""
    found = {name: _schema(program, name, kinds, time, unknown) for name in program.queries}
    if find_paths(program).solved:
        fields: dict[str, Any] = {TIME: time}
        found[inconsistent_name(program)] = pa.schema(fields)
    return found


def inconsistent_name(program: Program) -> str:
    """Of the table of time points without an answer."""
    return free_name(_INCONSISTENT, program.arities)


def _schema(
    program: Program,
    name: str,
    kinds: Mapping[str, Sequence[Kind]],
    time: DataType,
    unknown: DataType,
) -> pa.Schema:
    arity = program.arities.get(name, 0)
    types = chosen_types(kinds.get(name, (None,) * arity), unknown)
    fields: dict[str, Any] = {TIME: time, "at": time, "answer": pa.int64()}
    return pa.schema(fields | dict(zip(argument_names(arity), types, strict=True)))


def typed_output(
    answers: pa.Table, program: Program, name: str, schema: pa.Schema, per_second: int, unit: int
) -> pa.Table:
    time = schema.field(TIME).type
    if name == inconsistent_name(program):
        own = answers.filter(pc.is_null(answers.column("predicate")))
        times = times_of_ticks(own.column("time"), per_second, time, unit)
        return pa.table([times], names=schema.names)
    own = answers.filter(one_of(answers.column("predicate"), [name]))
    times, at = (times_of_ticks(own.column(n), per_second, time, unit) for n in ("time", "at"))
    arguments = columns_of_lists(own.column("args"), schema.types[3:])
    return pa.table([times, at, own.column("answer"), *arguments], names=schema.names)


# --- how values flow


def flows(program: Program) -> list[Flow]:
    facts = [Flow(fact.atom) for fact in program.facts]
    return [*facts, *(flow for rule in program.rules for flow in _flows_of(rule))]


def _flows_of(rule: Rule) -> Iterator[Flow]:
    """One for each atom of the head and each way in which the body may hold."""
    if rule.head is None:
        return
    for parts in _ways_of_all(rule.body):
        always = [
            atom for part in parts if isinstance(part, Always) for atom in _atoms(part.operand)
        ]
        times = [p.time.name for p in parts if isinstance(p, At) and isinstance(p.time, Variable)]
        bound = tuple(part for part in parts if isinstance(part, Atom))
        for head in atoms(rule.head):
            yield Flow(head, bound, tuple(always), frozenset(times), tuple(_computed(parts)))


def _atoms(formula: Formula) -> list[Atom]:
    return [part for way in _ways(formula) for part in way if isinstance(part, Atom)]


def _ways(formula: Formula) -> list[_Parts]:
    """The parts that hold wherever the formula does, one list for each way in which it may.

    What is always so may be so of no time at all.
    """
    match formula:
        case And(operands=operands):
            return _ways_of_all(operands)
        case Or(operands=operands):
            return [way for operand in operands for way in _ways(operand)]
        case Some(operand=operand) | Window(operand=operand):
            return _ways(operand)
        case At(operand=operand):
            return [(formula, *way) for way in _ways(operand)]
        case Atom() | Comparison() | Always():
            return [(formula,)]
        case Not() | Implies():
            return [()]
        case _:
            assert_never(formula)


def _ways_of_all(formulas: Sequence[Formula]) -> list[_Parts]:
    """Formulas of which there would be too many ways tell nothing."""
    found: list[_Parts] = [()]
    for formula in formulas:
        ways = _ways(formula)
        if len(found) * len(ways) <= _MOST_WAYS:
            found = [(*before, *way) for before in found for way in ways]
    return found


def _computed(parts: Sequence[Formula]) -> Iterator[tuple[str, Any]]:
    """Variables that equal an expression, on either side."""
    for part in parts:
        if isinstance(part, Comparison) and part.comparator is Comparator.EQUAL:
            for one, other in ((part.left, part.right), (part.right, part.left)):
                if isinstance(one, Variable):
                    yield one.name, other
