"""Running the RTLola kernel on rows, and comparing what it says with the reference."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import isclose
from typing import Any

import pyarrow as pa

from horae.data.layout import Layout
from horae.data.rows import read_rows
from horae.languages.rtlola.check.check import load
from horae.languages.rtlola.kernel.answers import parameter_columns
from horae.languages.rtlola.kernel.kernel import RTLolaKernel
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.options import Emit
from horae.languages.rtlola.plan.timing import resolution
from horae.languages.rtlola.program import Program
from horae.reference.rtlola import evaluate
from horae.source.errors import InputError
from horae.source.text import Source

Rows = Sequence[Mapping[str, object]]
Answer = dict[str, Any]


def checked(source: Source | str) -> Program:
    program, found = load(source if isinstance(source, Source) else Source("spec.lola", source))
    assert program is not None, [d.message for d in found]
    return program


def options_for(program: Program, emit: str = "all", origin: str = "0") -> Options:
    ticks = resolution(program, 6, Fraction(origin))
    return Options(ticks, int(Fraction(origin) * ticks), Emit(emit), scale=ticks // 10**6)


def events(program: Program, rows: Rows) -> pa.Table:
    """The rows as the door of the kernel wants them. A clock is the time where it is not given."""
    clock = program.clock
    time = "time"
    if clock is not None and not any("time" in row for row in rows):
        time = clock.name
    elif clock is not None:
        rows = [{clock.name: row["time"], **row} for row in rows]
    inputs = tuple((stream.name, stream.type) for stream in program.inputs)
    return read_rows(rows, Layout(inputs, time=time)).combine_chunks()


def run(
    program: Program, rows: Rows, emit: str = "all", origin: str = "0", *, compiled: bool = False
) -> list[Answer]:
    """The answers to all rows at once, in the order of the reference."""
    kernel = RTLolaKernel(program, options_for(program, emit, origin), compiled=compiled)
    table = events(program, rows)
    if not len(table):
        return []
    for batch in table.to_batches():
        kernel.push(batch)
    return in_order([kernel.finish(last_time(table))], kernel)


def last_time(table: pa.Table) -> int:
    return int(table.column("__time")[-1].as_py())


def in_order(batches: Iterable[pa.RecordBatch], kernel: RTLolaKernel) -> list[Answer]:
    ticks = kernel.options.resolution
    keyed = [_keyed(row, ticks, kernel.program) for batch in batches for row in batch.to_pylist()]
    return [answer for _, answer in sorted(keyed, key=lambda pair: pair[0])]


def _keyed(row: dict[str, Any], ticks: int, program: Program) -> tuple[tuple[Any, ...], Answer]:
    exact = Fraction(int(row["time"]), ticks)
    time = int(exact) if exact.denominator == 1 else float(exact)
    if row.get("trigger") is not None:
        (trigger,) = (t for t in program.triggers if t.number == row["trigger"])
        said = {"trigger": trigger.number, "message": trigger.message, "condition": trigger.text}
        return (exact, 1, row["trigger"], [], row["position"]), {"time": time, **said}
    (output,) = (output for output in program.outputs if output.name == row["stream"])
    params = [row[column] for column in parameter_columns(output)]
    value = row[str(output.type)]
    answer = {"time": time, "stream": output.name, "params": params, "value": value}
    return (exact, 0, row["stream"], params, row["position"]), answer


# --- comparing


def expect(program: Program, rows: Rows, emit: str, origin: str = "0") -> list[Answer] | str:
    """What the reference says: answers, or the code of an error."""
    try:
        return evaluate(program, rows, emit=emit, origin=Fraction(origin))
    except InputError as error:
        return error.code


def get(
    program: Program, rows: Rows, emit: str, origin: str = "0", *, compiled: bool = False
) -> list[Answer] | str:
    try:
        return run(program, rows, emit, origin, compiled=compiled)
    except InputError as error:
        return error.code


def agree(found: list[Answer] | str, expected: list[Answer] | str) -> bool:
    """Equal up to rounding: the reference rounds once, a kernel at every step."""
    if isinstance(found, str) or isinstance(expected, str):
        return found == expected
    one, other = list(_without_noise(found)), list(_without_noise(expected))
    return len(one) == len(other) and all(map(_same, one, other))


def _without_noise(answers: list[Answer]) -> Iterator[Answer]:
    """A double that changed by less than rounding did not change."""
    before: dict[tuple[str, str], float] = {}
    for answer in answers:
        value = answer.get("value")
        if isinstance(value, float):
            instance = (answer["stream"], json.dumps(answer["params"]))
            if instance in before and _close(before[instance], value):
                continue
            before[instance] = value
        yield answer


def _same(one: Answer, other: Answer) -> bool:
    return one.keys() == other.keys() and all(_close(one[name], other[name]) for name in one)


def _close(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return type(one) is type(other) and one == other
