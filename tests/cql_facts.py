"""Facts as text, read for a CQL program: values in the types of the columns, and evaluation times."""

from __future__ import annotations

from collections.abc import Sequence

from horae.data.constants import Value as WrittenValue
from horae.data.fact_lines.parse import parse_facts
from horae.data.ground_facts import GroundFact
from horae.data.intervals import ALWAYS, Interval
from horae.data.schema import RegisteredInput
from horae.data.types import Type
from horae.languages.cql.program import Program
from horae.reference.cql import Fact
from horae.source.text import Source


def read_facts(program: Program, text: str) -> list[Fact]:
    written, diagnostics = parse_facts(Source("input.facts", text))
    assert not diagnostics, [d.message for d in diagnostics]
    inputs = {item.name.lower(): item for item in program.inputs}
    return [_fact(inputs[fact.predicate.lower()], fact) for fact, _ in written]


def evaluation_times(program: Program, facts: Sequence[Fact], at: str | None) -> list[int]:
    """A list like `40,47`; None means each time point with a row of a stream."""
    if at is not None:
        return [int(time) for time in at.split(",")]
    streams = {item.name.lower() for item in program.inputs if item.is_stream}
    return sorted({fact[2] for fact in facts if fact[0].lower() in streams and fact[2] is not None})


def _fact(item: RegisteredInput, fact: GroundFact) -> Fact:
    types = [column.type for column in item.columns]
    row = tuple(_value(value, type) for value, type in zip(fact.arguments, types, strict=True))
    return item.name, row, _time(fact.interval)


def _value(value: WrittenValue, type: Type) -> int | float | str | bool:
    match type:
        case Type.BOOL:
            return {"true": True, "false": False}[str(value)]
        case Type.DOUBLE:
            return float(value)
        case Type.INT | Type.STRING:
            assert isinstance(value, int if type is Type.INT else str)
            return value


def _time(interval: Interval) -> int | None:
    if interval == ALWAYS:
        return None
    assert interval.is_punctual
    assert interval.low is not None
    return int(interval.low)
