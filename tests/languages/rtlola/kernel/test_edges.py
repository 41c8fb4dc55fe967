"""Edges against the definitions: exact where the reference is, and the same error where that has one."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any, NamedTuple

import pyarrow as pa
import pytest
from tests.languages.rtlola.kernel.driving import agree, checked
from tests.strategies.rtlola_edges import edge_program, edge_trace
from tests.strategies.rtlola_specs import thinned_program
from tests.strategies.shrinking import hold, thinned

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


class Sample(NamedTuple):
    text: str
    rows: Rows


def random_sample(rng: Random) -> Sample:
    program = thinned_program(rng, edge_program(rng).source.text)
    return Sample(program.source.text, thinned(rng, edge_trace(rng, program)))


def check(sample: Sample, *, compiled: bool = False) -> None:
    program = checked(sample.text)
    one, other = found(program, sample.rows, compiled=compiled), expected(program, sample.rows)
    assert one == "RUN030" or agree(one, other), (one, other)


def seeds(numbers: Iterable[int]) -> list[str]:
    return [f"edges {number}" for number in numbers]


@pytest.mark.parametrize("block", range(4))
def test_random_edges(block: int):
    hold(random_sample, check, seeds(range(5 * block, 5 * block + 5)))


@pytest.mark.long
@pytest.mark.parametrize("block", range(40))
def test_many_random_edges(block: int):
    hold(random_sample, check, seeds(range(100 + 10 * block, 110 + 10 * block)))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_compiled_edges(seed: int):
    check(random_sample(Random(f"edges {seed}")), compiled=True)
