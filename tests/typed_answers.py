"""Typed answers, one table per output or all outputs in one, as the dicts that `evaluate` gives."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from math import ulp
from typing import Any

import pyarrow as pa

from horae.program import Program

Answer = Mapping[str, Any]
Rows = list[dict[str, Any]]
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


# --- one output


def output_of(answer: Answer) -> str:
    """The output that has an answer."""
    if "trigger" in answer:
        return "trigger"
    if "inconsistent" in answer:
        return "inconsistent"
    return next(str(answer[key]) for key in ("stream", "predicate", "query") if key in answer)


@dataclass(frozen=True)
class Counted:
    """How many to the second: of the numbers of the input, and of the times in dicts."""

    numbers: int = 1
    shown: int = 1


def says(schema: pa.Schema, row: Answer, answer: Answer, counted: Counted) -> bool:
    """Whether a row of a typed table, with its timestamps as numbers, says what a dict does."""
    rest = dict(row)
    if "interval" in answer:
        low, high = (rest.pop("start"), rest.pop("end"))
        closed = rest.pop("start_closed"), rest.pop("end_closed")
        begin, end = answer["interval"][1:-1].split(",")
        written = answer["interval"][0] == "[", answer["interval"][-1] == "]"
        times = [(low, begin, "start"), (high, end, "end")]
        if closed != written:
            return False
    else:
        times = [(rest.pop("time"), answer["time"], "time")]
    if "at" in answer:
        times.append((rest.pop("at"), answer["at"], "at"))
    is_then = all(is_time(own, schema.field(n).type, said, counted) for own, said, n in times)
    return is_then and all(
        is_value(own, said) for own, said in zip(rest.values(), _said(answer), strict=True)
    )


def _said(answer: Answer) -> list[Any]:
    """What an answer says besides its time, in the order of the columns."""
    if "trigger" in answer:
        return [answer["trigger"], answer["message"]]
    if "stream" in answer:
        return [*answer["params"], answer["value"]]
    if "query" in answer:
        return [*answer["row"], answer["kind"]]
    return [*([answer["answer"]] if "answer" in answer else []), *answer.get("args", ())]


def is_value(own: Any, said: Any) -> bool:
    """A value of a typed column, and that of a dict, where exact rationals are text."""
    if own is None or said is None:
        return own is said
    if isinstance(own, bool):
        return own == (said if isinstance(said, bool) else said == "true")
    if isinstance(own, date):
        return bool(own.isoformat() == said)
    if isinstance(own, float):
        return own == (said if isinstance(said, float) else float(Fraction(said)))
    if isinstance(own, Decimal):
        return Fraction(own) == Fraction(said)
    return bool(own == (str(said) if isinstance(own, str) else said))


def is_time(own: Any, type: Any, said: Any, counted: Counted) -> bool:
    """A typed time is the nearest to that of a dict, which may be a double itself."""
    if own is None or said in ("-inf", "inf"):
        return own is None and said in ("-inf", "inf")
    per_second = _PER_SECOND[type.unit] if pa.types.is_timestamp(type) else counted.numbers
    scale = Fraction(per_second, counted.shown)
    exact, doubt = (
        Fraction(said) * scale,
        scale * Fraction(ulp(said) if isinstance(said, float) else 0),
    )
    if pa.types.is_decimal(type):
        places = 10**type.scale
        return _is_nearest(int(Fraction(own) * places), exact * places, doubt * places)
    if pa.types.is_floating(type):
        return bool(abs(Fraction(own) - exact) <= doubt) if doubt else own == float(exact)
    return _is_nearest(own, exact, doubt)


def _is_nearest(own: int, exact: Fraction, doubt: Fraction) -> bool:
    """The even one of two, where it is known exactly."""
    return abs(own - exact) <= Fraction(1, 2) + doubt if doubt else own == round(exact)


def numbered(table: pa.Table) -> Rows:
    """Its rows, with timestamps as numbers: those of Python have no nanoseconds."""
    stamps = [pa.types.is_timestamp(type) for type in table.schema.types]
    columns: list[Any] = [
        column.cast(pa.int64()) if is_stamp else column
        for column, is_stamp in zip(table.columns, stamps, strict=True)
    ]
    return pa.table(columns, names=table.column_names).to_pylist()


# --- all outputs


def stream_answers(table: pa.Table, program: Program) -> Rows:
    """Of an RTLola specification."""
    conditions = {trigger.number: trigger.text for trigger in program.checked.triggers}
    found: Rows = []
    for name, time, row in answers_in(table):
        when = {"time": seconds(time)}
        if name == "trigger":
            said = {"trigger": row["number"], "message": row["message"]}
            found.append(when | said | {"condition": conditions[row["number"]]})
        else:
            *parameters, value = row.values()
            found.append(when | {"stream": name, "params": parameters, "value": value})
    return found


def answers_in(table: pa.Table) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Each with the name of its output, its time, and the struct of that output: no other has one."""
    names = table.column_names[2:]
    for row in table.to_pylist():
        given = {name: row[name] for name in names if row[name] is not None}
        ((column, struct),) = given.items()
        assert column.rstrip("_") == row["name"].rstrip("_")
        yield row["name"], row["time"], struct


def seconds(time: Any) -> int | float:
    """Whole seconds as whole numbers."""
    if isinstance(time, datetime):
        aware = time if time.tzinfo is not None else time.replace(tzinfo=UTC)
        since = aware - datetime(1970, 1, 1, tzinfo=UTC)
        exact = Fraction(since.days * 86_400 + since.seconds) + Fraction(since.microseconds, 10**6)
    else:
        exact = Fraction(time)
    return exact.numerator if exact.denominator == 1 else float(exact)
