"""Random programs of each language over Arrow tables whose columns have random types.

Times come as numbers of all kinds, with a unit or without, and as timestamps; arguments and values in
any type that holds them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import pyarrow as pa
from tests.cql_facts import read_facts
from tests.languages.cql.kernel.driving import checked as checked_queries
from tests.live.lars_streams import facts_of
from tests.strategies.cql_queries import random_queries
from tests.strategies.cql_tables import SMALL, random_scale
from tests.strategies.datalogmtl_programs import random_facts as datalogmtl_facts
from tests.strategies.datalogmtl_programs import random_program as datalogmtl_program
from tests.strategies.lars_programs import random_program as lars_program
from tests.strategies.rtlola_specs import random_program as rtlola_program
from tests.strategies.rtlola_spreadable import spreadable_program
from tests.strategies.rtlola_traces import random_trace

from horae.data.columns import DataType
from horae.data.intervals import ALWAYS, Interval
from horae.data.types import Type
from horae.languages.datalogmtl.check.check import load as load_datalogmtl
from horae.languages.lars.check.check import load as load_lars
from horae.source.text import Source

Given = Sequence[object]
"""Events or facts one by one, whose columns have no types."""
Inputs = pa.Table | Mapping[str, pa.Table] | Given
Fact = tuple[str, Sequence[object], Interval]


@dataclass(frozen=True)
class TypedSample:
    language: str
    text: str
    inputs: Inputs
    options: Mapping[str, Any]


def random_sample(rng: Random, language: str, kinds: Sequence[TimeKind] = ()) -> TypedSample:
    """`kinds` are those that times may be of; any, if there are none, and then also no tables."""
    makers: dict[str, Callable[[Random, TimeKind], TypedSample]] = {
        "rtlola": _rtlola,
        "datalogmtl": _datalogmtl,
        "lars": _lars,
        "cql": _cql,
    }
    sample = makers[language](rng, rng.choice(kinds or KINDS))
    return sample if kinds or rng.random() < 0.8 else _one_by_one(sample)


def _one_by_one(sample: TypedSample) -> TypedSample:
    """The same rows as events or facts: text, numbers, and timestamps as text."""
    if isinstance(sample.inputs, pa.Table):
        return replace(sample, inputs=_plain_rows(sample.inputs))
    assert isinstance(sample.inputs, Mapping)
    found = [
        (name.partition("(")[0], _arguments(row), _when(row))
        for name, table in sample.inputs.items()
        for row in _plain_rows(table)
    ]
    return replace(sample, inputs=found)


def _plain_rows(table: pa.Table) -> list[dict[str, Any]]:
    stamps = [pa.types.is_timestamp(type) for type in table.schema.types]
    columns: list[Any] = [
        column.cast(pa.string()) if is_stamp else column
        for column, is_stamp in zip(table.columns, stamps, strict=True)
    ]
    return pa.table(columns, names=table.column_names).to_pylist()


_NO_ARGUMENTS = ("time", "from", "to", "from_open", "to_open", "other")


def _arguments(row: Mapping[str, Any]) -> list[object]:
    return [value for name, value in row.items() if name not in _NO_ARGUMENTS]


def _when(row: Mapping[str, Any]) -> object:
    if "from" not in row:
        return row.get("time")
    low = f"{'(' if row['from_open'] else '['}{row['from']}"
    high = f"{row['to']}{')' if row['to_open'] else ']'}"
    return f"{'(-inf' if row['from'] is None else low},{'inf)' if row['to'] is None else high}"


# --- times


@dataclass(frozen=True)
class TimeKind:
    """How times are written: `make` of seconds or time points, and the options that say so."""

    type: Any
    make: Callable[[Fraction], object]
    options: Mapping[str, Any]

    def column(self, times: Sequence[Fraction | None]) -> Any:
        return pa.array([None if t is None else self.make(t) for t in times], self.type)


def _counted(per_second: int) -> Callable[[Fraction], int]:
    return lambda time: int(time * per_second)


def _decimal(time: Fraction) -> Decimal:
    return Decimal(round(time * 1000)) / 1000


_STAMPS = [
    TimeKind(pa.timestamp(unit, zone), _counted(per_second), {})
    for unit, per_second in (("ms", 10**3), ("us", 10**6), ("ns", 10**9))
    for zone in (None, "UTC", "Europe/Rome")
]
_NUMBERS = [
    TimeKind(pa.int64(), _counted(1), {}),
    TimeKind(pa.int32(), _counted(1), {}),
    TimeKind(pa.int64(), _counted(10**3), {"time_unit": "ms"}),
    TimeKind(pa.int64(), _counted(10**6), {"time_unit": "us"}),
    TimeKind(pa.float64(), float, {}),
    TimeKind(pa.decimal128(20, 3), _decimal, {}),
]


KINDS = (*_STAMPS, *_NUMBERS, *_NUMBERS)
MICROSECONDS = tuple(kind for kind in _STAMPS if kind.type.unit == "us")
"""Those that Spark has; its timestamps have no zones of their own, or that of the session."""


def _with_points(rng: Random, kind: TimeKind) -> tuple[TimeKind, dict[str, Any]]:
    """Time points are seconds, or milliseconds; numbers count these unless they have a unit."""
    if rng.random() < 0.6:
        return kind, {}
    counts_points = not kind.options and not pa.types.is_timestamp(kind.type)
    if counts_points and rng.random() < 0.5:
        return kind, {"precision": "ms"}
    if kind.type in (pa.int32(), pa.int64()) and "time_unit" not in kind.options:
        return kind, {}
    finer = TimeKind(kind.type, lambda time: kind.make(time / 1000), kind.options)
    unit = {"time_unit": "s"} if counts_points else {}
    return finer, {"precision": "ms", **unit}


# --- values

_FIRST_DAY = date(2024, 2, 28)


def _values(rng: Random, values: Sequence[object]) -> Any:
    """A column of constants in a type that holds them; text may be other things than text."""
    if any(isinstance(value, str) for value in values):
        return _texts(rng, [str(value) for value in values])
    if all(isinstance(value, int) for value in values):
        return _numbers(values, rng.choice((pa.int64(), pa.int32(), pa.float64(), _DECIMALS)))
    return _numbers(values, rng.choice((pa.float64(), _DECIMALS)))


_DECIMALS = pa.decimal128(9, 2)


def _numbers(values: Sequence[Any], type: DataType) -> Any:
    exact = [Fraction(value) for value in values]
    if pa.types.is_decimal(type):
        return pa.array([Decimal(n.numerator) / n.denominator for n in exact], type)
    return pa.array([float(number) for number in exact]).cast(type)


def _texts(rng: Random, values: Sequence[str]) -> Any:
    column = pa.array(values, pa.string())
    distinct = sorted(set(values))
    match rng.choice(("text", "text", "text", "large", "coded", "bool", "date")):
        case "large":
            return column.cast(pa.large_string())
        case "coded":
            return column.dictionary_encode()
        case "bool":
            return pa.array([value == distinct[0] for value in values])
        case "date":
            days = {value: _FIRST_DAY + timedelta(n) for n, value in enumerate(distinct)}
            return pa.array([days[value] for value in values], pa.date32())
        case _:
            return column


# --- RTLola


def _rtlola(rng: Random, kind: TimeKind) -> TypedSample:
    program = rng.choice((rtlola_program, rtlola_program, spreadable_program))(rng)
    rows = random_trace(rng, program)
    start = rng.choice((0, 0, 1_700_000_000))
    clock = program.clock.name if program.clock is not None else "time"
    times = [Fraction(str(row.get("time", row.get(clock)))) + start for row in rows]
    columns = {clock: kind.column(times)}
    for item in program.inputs:
        if not item.is_clock:
            columns[item.name] = _stream(rng, item.type, [row.get(item.name) for row in rows])
    precision = {"precision": rng.choice(("ms", "us"))} if rng.random() < 0.5 else {}
    options = {"emit": rng.choice(("all", "all", "changes", "triggers"))}
    return TypedSample(
        "rtlola",
        program.source.text,
        pa.table(columns),
        {**options, **precision, **kind.options},
    )


_TYPES: dict[Type, tuple[DataType, ...]] = {
    Type.INT: (pa.int64(), pa.int8()),
    Type.DOUBLE: (pa.float64(), pa.float32()),
    Type.BOOL: (pa.bool_(),),
    Type.STRING: (pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())),
}


def _stream(rng: Random, type: Type, values: Sequence[object]) -> Any:
    plain: Any = pa.array(values, _TYPES[type][0])
    return plain.cast(rng.choice(_TYPES[type]))


# --- rules


def _datalogmtl(rng: Random, kind: TimeKind) -> TypedSample:
    text = datalogmtl_program(rng, rng.choice(("datalog", "mitl-fp", "mtl-fp", "full")))
    program, _ = load_datalogmtl(Source("random.dmtl", text))
    assert program is not None
    facts = datalogmtl_facts(rng, program, unbounded=rng.random() < 0.5)
    at = rng.choice((None, None, "events", "every 1/2", [1, Fraction(5, 2), 7]))
    options = {"horizon": 9, "at": at, **kind.options}
    return TypedSample("datalogmtl", text, _fact_tables(rng, facts, kind), options)


def _lars(rng: Random, kind: TimeKind) -> TypedSample:
    text, data, times = lars_program(rng, kind=rng.choice(("fast", "fast", "solver", "mixed")))
    program, _ = load_lars(Source("random.lars", text))
    assert program is not None
    facts: list[Fact] = [(f.predicate, f.arguments, f.interval) for f in facts_of(program, data)]
    known = [fact for fact in facts if fact[0] in program.arities]
    at = rng.choice((None, "all", times))
    mode = {"mode": rng.choice(("stateless", "history"))}
    kind, precision = _with_points(rng, kind)
    options = {"at": at, **mode, **precision, **kind.options}
    return TypedSample("lars", text, _fact_tables(rng, known, kind), options)


def _fact_tables(rng: Random, facts: Sequence[Fact], kind: TimeKind) -> dict[str, pa.Table]:
    """A table for each predicate, sometimes under a name that picks its columns."""
    found: dict[str, pa.Table] = {}
    for name in sorted({fact[0] for fact in facts}):
        own = [fact for fact in facts if fact[0] == name]
        arguments = {
            f"x{place}": _values(rng, [fact[1][place] for fact in own])
            for place in range(len(own[0][1]))
        }
        table = pa.table({**arguments, **_ends([fact[2] for fact in own], kind)})
        if arguments and rng.random() < 0.2:
            picked = f"{name}({', '.join(arguments)})"
            found[picked] = table.append_column("other", pa.array(range(len(own)), pa.int16()))
        else:
            found[name] = table
    return found


def _ends(intervals: Sequence[Interval], kind: TimeKind) -> dict[str, Any]:
    if all(interval == ALWAYS for interval in intervals):
        return {}
    if all(interval.is_punctual for interval in intervals):
        return {"time": kind.column([interval.low for interval in intervals])}
    fitted = [_fitted(interval, kind) for interval in intervals]
    return {
        "from": kind.column([interval.low for interval in fitted]),
        "to": kind.column([interval.high for interval in fitted]),
        "from_open": pa.array([interval.low_open for interval in fitted]),
        "to_open": pa.array([interval.high_open for interval in fitted]),
    }


def _fitted(interval: Interval, kind: TimeKind) -> Interval:
    """Where its ends become one, they are closed."""
    if interval.low is None or interval.high is None:
        return interval
    if kind.make(interval.low) == kind.make(interval.high):
        return Interval(interval.low, interval.high)
    return interval


# --- CQL


def _cql(rng: Random, kind: TimeKind) -> TypedSample:
    scale = random_scale(rng) if rng.random() < 0.3 else SMALL
    text, data, points = random_queries(rng, core=False, scale=scale)
    program = checked_queries(text)
    facts = read_facts(program, data)
    kind = kind if scale.start <= 1_700_000_000 else _NUMBERS[0]
    kind, precision = _with_points(rng, kind) if scale is SMALL else (kind, {})
    tables: dict[str, pa.Table] = {}
    for item in program.inputs:
        own = [fact for fact in facts if fact[0] == item.name]
        columns: dict[str, Any] = {
            column.name: pa.array([fact[1][place] for fact in own], _TYPES[column.type][0])
            for place, column in enumerate(item.columns)
        }
        if item.is_stream:
            columns["time"] = kind.column([Fraction(fact[2] or 0) for fact in own])
        tables[item.name] = pa.table(columns)
    at = rng.choice((None, None, points)) if scale.start else rng.choice((None, "all", points))
    return TypedSample("cql", text, tables, {"at": at, **precision, **kind.options})
