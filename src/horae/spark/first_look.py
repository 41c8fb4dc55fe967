"""A first look at tables of typed columns: one query of Spark, instead of Python that reads all rows.

It tells that no row can be wrong, and gives *witnesses*: rows made up such that a door notes of them,
and a survey finds in them, what it would in the whole table.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, assert_never

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import to_arrow_schema

from horae.data.columns import Array, DataType
from horae.data.sound_columns import (
    DIGITS,
    Anything,
    Condition,
    Counts,
    Finite,
    Given,
    Moments,
    NearDecimals,
    SoundTable,
)
from horae.data.values import is_text
from horae.engine.run import Run, SoundDoor
from horae.spark.bad_rows import columns_beside
from horae.spark.columns import column
from horae.spark.failures import unmarked
from horae.spark.piped import Piped

_BITS = 63
"""So many columns have a bit each in a number of Spark."""
_FEW = 6
"""So many columns have a bit in a number for each pattern of what is given: grouping takes longer."""
_PATTERNS = 4096
"""A table with more patterns of missing values is read."""
_NEAR = 2.0**-51
"""Times a double: at most 4 of the distances to its neighbours, by which it may miss a decimal."""
_LARGEST = sys.float_info.max
_TABLE, _GIVEN, _WRONG, _FIRST, _LAST = "table", "given", "wrong", "first", "last"


@dataclass(frozen=True)
class FirstLook:
    """Records that stand for those of sound tables, and the other tables: their rows must be read."""

    witnesses: pa.Table
    unread: tuple[Piped, ...]


def look_at(run: Run, records: Sequence[Piped]) -> FirstLook:
    """All tables are asked at once, if they have times of the same type."""
    asked = [_question(run, piped) for piped in records]
    found = _answers([question for question in asked if question is not None])
    told, unread = [run.records.empty_table()], list[Piped]()
    for piped, question in zip(records, asked, strict=True):
        own = None if question is None else _witnesses(run, question, next(found))
        if own is None:
            unread.append(piped)
        else:
            told.append(own)
    return FirstLook(pa.concat_tables(told), tuple(unread))


@dataclass(frozen=True)
class _Question:
    """`frame` asks; with `is_coded`, all patterns of missing values are in one row."""

    door: SoundDoor
    schema: pa.Schema
    sound: SoundTable
    frame: DataFrame
    is_coded: bool


def _question(run: Run, piped: Piped) -> _Question | None:
    """None for tables that must be read."""
    frame, door = piped.frame, piped.door
    if door is None or columns_beside(frame):
        return None
    schema = _schema(frame, door)
    sound = door.sound(schema)
    if sound is None or len(sound.others) > _BITS:
        return None
    is_coded = run.surveys and len(sound.others) <= _FEW
    looked = _looked_at(frame, schema, sound, each=run.surveys)
    return _Question(door, schema, sound, looked, is_coded)


def _answers(questions: Sequence[_Question]) -> Iterator[pa.Table]:
    """What each question found, in their order."""
    together = dict[str, list[tuple[int, DataFrame]]]()
    for number, question in enumerate(questions):
        frame = question.frame.select(f.lit(number).alias(_TABLE), "*")
        together.setdefault(str(frame.dtypes), []).append((number, frame))
    found = dict[int, pa.Table]()
    for same in together.values():
        with unmarked():
            answers = reduce(DataFrame.unionAll, [frame for _, frame in same]).toArrow()
        for number, _ in same:
            own = answers.filter(pc.field(_TABLE) == number)
            found[number] = own.drop_columns([_TABLE])
    for number, question in enumerate(questions):
        yield _each(found[number]) if question.is_coded else found[number]


def _witnesses(run: Run, question: _Question, found: pa.Table) -> pa.Table | None:
    if len(found) > _PATTERNS or True in found.column(_WRONG).to_pylist():
        return None
    return question.door.read(_rows(found, question.schema, question.sound)).cast(run.records)


def _schema(frame: DataFrame, door: SoundDoor) -> pa.Schema:
    """The columns under the names that the door has for them."""
    found = to_arrow_schema(frame.schema, timezone="UTC")
    return pa.schema([(n, kind) for n, kind in zip(door.columns, found.types, strict=False)])


# --- the question


def _looked_at(frame: DataFrame, schema: pa.Schema, sound: SoundTable, *, each: bool) -> DataFrame:
    """What is given, whether something is wrong, the first and the last time: of all rows, or of `each`
    pattern of nulls.
    """
    places = frame.toDF(*map(str, range(len(frame.columns))))
    found = {name: column(str(place)) for place, name in enumerate(schema.names)}
    given = _bits([found[name].isNotNull() for name in sound.others])
    wrong = [_is_wrong(found[name], how) for name, how in sound.conditions]
    answers = [
        f.bool_or(reduce(Column.__or__, wrong)).alias(_WRONG),
        f.min(found[sound.time]).alias(_FIRST),
        f.max(found[sound.time]).alias(_LAST),
    ]
    if not each:
        return places.agg(f.bit_or(given).alias(_GIVEN), *answers)
    if len(sound.others) > _FEW:
        return places.groupBy(given.alias(_GIVEN)).agg(*answers).limit(_PATTERNS + 1)
    pattern = f.call_function("shiftleft", f.lit(1).cast("long"), given.cast("int"))
    return places.agg(f.bit_or(pattern).alias(_GIVEN), *answers)


def _each(found: pa.Table) -> pa.Table:
    """Patterns that were noted as bits of one number: a row for each."""
    noted: Any = found.column(_GIVEN)[0].as_py() or 0
    given = [pattern for pattern in range(1 << _FEW) if noted >> pattern & 1]
    rows = found.take(pa.array([0] * len(given), pa.int64()))
    return rows.set_column(0, _GIVEN, pa.array(given, pa.int64()))


def _bits(truths: Sequence[Column]) -> Column:
    """As one number, the first in the last bit."""
    if not truths:
        return f.lit(0).cast("long")
    bits = (f.when(truth, f.lit(1 << bit)).otherwise(f.lit(0)) for bit, truth in enumerate(truths))
    return reduce(Column.bitwiseOR, (bit.cast("long") for bit in bits))


def _is_wrong(values: Column, condition: Condition) -> Column:
    """Never null."""
    match condition:
        case Anything():
            return f.lit(False)
        case Given():
            return values.isNull()
        case Finite():
            return f.coalesce(~values.between(-_LARGEST, _LARGEST), f.lit(False))
        case Counts():
            return f.coalesce(~_are_counts(values, condition), f.lit(True))
        case Moments(micros):
            return f.coalesce(
                ~_are_counts(f.unix_micros(values.cast("timestamp")), micros), f.lit(True)
            )
        case NearDecimals(places):
            return f.coalesce(~_are_near(values, places), f.lit(True))
        case _:
            assert_never(condition)


def _are_counts(values: Column, counts: Counts) -> Column:
    within = values.between(0 if counts.is_natural else -counts.most, counts.most)
    return within if counts.step == 1 else within & (values % counts.step == 0)


def _are_near(values: Column, places: int) -> Column:
    """As `data.times` looks at them; a NaN is greater than all numbers."""
    one = 10.0**places
    units = f.rint(values * one)
    is_near = f.abs(units / one - values) <= f.abs(values) * _NEAR
    return units.between(-float(DIGITS), float(DIGITS)) & is_near


# --- the witnesses


def _rows(found: pa.Table, schema: pa.Schema, sound: SoundTable) -> pa.RecordBatch:
    """Made up of what was found, with a value in each column that has one, at the first and the last
    time; none of an empty table.
    """
    seen = found.filter(found.column(_LAST).is_valid()).combine_chunks()
    seen = pa.concat_tables([_at(seen, _FIRST), _at(seen, _LAST)]).combine_chunks()
    given: list[Any] = seen.column(_GIVEN).to_pylist()
    bits = {name: 1 << bit for bit, name in enumerate(sound.others)}
    columns = {
        field.name: _values(field.type, [bool(row & bits.get(field.name, 0)) for row in given])
        for field in schema
    }
    columns[sound.time] = seen.column(_LAST).combine_chunks()
    return pa.record_batch(columns)


def _at(seen: pa.Table, time: str) -> pa.Table:
    return seen.select([_GIVEN, time]).rename_columns([_GIVEN, _LAST])


def _values(kind: DataType, given: Sequence[bool]) -> Array:
    """Some value where there is one."""
    some: Any = "" if is_text(kind) else 0
    found: Array = pa.array([some if here else None for here in given]).cast(kind)
    return found
