"""Edges against the definitions: exact where the reference is, and the same error where that has one."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from tests.languages.rtlola.kernel.driving import agree
from tests.strategies.rtlola_edges import edge_program, edge_trace

from horae.data.layout import TIME, Layout
from horae.data.rows import read_rows
from horae.languages.rtlola.answers import rtlola_answers
from horae.languages.rtlola.kernel.kernel import RTLolaKernel
from horae.languages.rtlola.options import RTLolaOptions
from horae.languages.rtlola.program import Program
from horae.languages.rtlola.run import RTLolaRun
from horae.reference.rtlola import evaluate
from horae.source.errors import InputError

Rows = list[dict[str, object]]


def expected(program: Program, rows: Rows) -> list[dict[str, Any]] | str:
    try:
        return evaluate(program, rows)
    except InputError as error:
        return error.code


def table_of(program: Program, rows: Rows) -> pa.Table:
    """The rows as text, since no double holds nanoseconds since 1970."""
    layout = Layout(tuple((i.name, i.type) for i in program.inputs), decimals=9)
    texts = [row | {"time": _text(Fraction(str(row["time"])))} for row in rows]
    return read_rows(texts, layout).combine_chunks()


def _text(time: Fraction) -> str:
    return format(Decimal(time.numerator) / time.denominator, "f")


def found(program: Program, rows: Rows, *, compiled: bool) -> list[dict[str, Any]] | str:
    options = RTLolaRun(program, RTLolaOptions(precision="ns")).kernel_options
    table = table_of(program, rows)
    if not len(table):
        return []
    kernel = RTLolaKernel(program, options, compiled=compiled)
    parts: list[pa.RecordBatch] = []
    try:
        for batch in table.to_batches(max_chunksize=7):
            kernel.push(batch)
            parts.append(kernel.advance_to_rows())
        parts.append(kernel.finish(int(table.column(TIME)[-1].as_py())))
    except InputError as error:
        return error.code
    tables = [pa.Table.from_batches([part]) for part in parts]
    return list(rtlola_answers(tables, program, options.resolution))


def check(seed: int, *, compiled: bool = False) -> None:
    rng = Random(f"edges {seed}")
    program = edge_program(rng)
    rows = edge_trace(rng, program)
    one, other = found(program, rows, compiled=compiled), expected(program, rows)
    assert one == "RUN030" or agree(one, other), (seed, program.source.text, rows, one, other)


@pytest.mark.parametrize("block", range(4))
def test_random_edges(block: int):
    for seed in range(5 * block, 5 * block + 5):
        check(seed)


@pytest.mark.long
@pytest.mark.parametrize("block", range(40))
def test_many_random_edges(block: int):
    for seed in range(100 + 10 * block, 110 + 10 * block):
        check(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_compiled_edges(seed: int):
    check(seed, compiled=True)
