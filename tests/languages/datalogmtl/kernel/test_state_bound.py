"""What the kernel keeps stays within the bounds of Theorems 8 and 10, whatever the stream."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from tests.languages.datalogmtl.kernel.driving import Stream, grounded, prepared
from tests.strategies.datalogmtl_programs import HORIZON, random_facts, random_program

from horae.data.ground_facts import GroundFact, times_of
from horae.data.intervals import ALWAYS
from horae.data.predicate_facts import columns_of_facts
from horae.data.symbols import Symbols
from horae.languages.datalogmtl.analysis.theorems import (
    common_divisor,
    compacted_bound,
    find_sizes,
    theorem_8,
    theorem_10,
)
from horae.languages.datalogmtl.analysis.windows import find_windows
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.languages.datalogmtl.kernel.facts import encode_facts
from horae.languages.datalogmtl.kernel.kernel import DatalogMTLKernel
from horae.languages.datalogmtl.kernel.state import Elements
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.rules.intervals.relation import relation

STEPS = (Fraction(1, 2), Fraction(1), Fraction(3))


def objects(stream: Stream) -> int:
    """Constants of program and data have codes once the stream is over."""
    return max(len(stream.kernel.symbols), 1)


def _stream(seed: str, fragment: str, step: Fraction) -> tuple[NormalProgram, Stream]:
    rng = Random(seed)
    normal = prepared(random_program(rng, fragment))
    data = grounded(random_facts(rng, normal.program, unbounded=True))
    ends = [n * step for n in range(int(HORIZON / step) + 1)]
    return normal, Stream(normal, data, ends)


@pytest.mark.parametrize("step", STEPS, ids=str)
def test_without_punctual_intervals_the_bound_of_theorem_10_holds(step: Fraction):
    bounded = 0
    for seed in range(12):
        normal, stream = _stream(f"10 {seed}", "mitl-fp", step)
        most = max(kernel.elements().total for kernel in stream.steps())
        horizons, sizes = find_windows(normal), find_sizes(normal)
        bound = compacted_bound(horizons, sizes, objects=objects(stream), step=step)
        if bound is not None:
            bounded += 1
            whole = theorem_10(horizons, sizes, objects=objects(stream), step=step)
            assert whole is not None
            assert most <= bound <= whole, normal.program.source.text
    assert bounded > 6


@pytest.mark.parametrize("step", STEPS, ids=str)
def test_the_bound_of_theorem_8_holds(step: Fraction):
    for seed in range(12):
        normal, stream = _stream(f"8 {seed}", "mtl-fp", step)
        unit = common_divisor([*_times(stream.data), Fraction(1)])
        most = max(kernel.elements().total for kernel in stream.steps())
        bound = theorem_8(
            find_windows(normal),
            find_sizes(normal),
            objects=objects(stream),
            gcd_of_times=unit,
            step=step,
        )
        assert most <= bound, normal.program.source.text


def _times(data: list[GroundFact]) -> list[Fraction]:
    return [time for time in times_of(data) if time > 0]


# --- a dense signal

DENSE = """
flags(X) :- node(X), Boxminus[0,5] Diamondminus[0,2] signal(X).
Boxplus[0,10] alarm(X) :- flags(X), Diamondminus[3,7] signal(X).
quiet(X) :- alarm(X), Diamondminus[4,inf) signal(X).
"""
PER_SECOND = 1000


def dense_stream(
    normal: NormalProgram, seconds: int, often: bool | None = None
) -> Iterator[Elements]:
    """A point every 1/1000 s, in chunks of a second."""
    symbols, timeline = Symbols(), Timeline(PER_SECOND)
    code = symbols.code("s1")
    kernel = DatalogMTLKernel(normal, symbols, timeline, {}, often=often)
    node = columns_of_facts([GroundFact("node", ("s1",), ALWAYS)])
    kernel.push(encode_facts(node, symbols, timeline))
    for second in range(seconds):
        ticks = np.arange(second * PER_SECOND + 1, (second + 1) * PER_SECOND + 1, dtype=np.int64)
        same = np.full((PER_SECOND, 1), code, np.int64)
        kernel.push({"signal": relation(same, 2 * ticks, 2 * ticks + 1)})
        kernel.advance((second + 1) * PER_SECOND)
        yield kernel.elements()


def test_memory_does_not_depend_on_the_density_of_a_signal():
    """The stream grows 100-fold, from 20 s to 2,000 s; what is stored stays the same."""
    normal = prepared(DENSE)
    bound = compacted_bound(find_windows(normal), find_sizes(normal), objects=1, step=Fraction(1))
    assert bound is not None
    seen = [elements.total for elements in dense_stream(normal, 2000)]
    assert max(seen) <= bound
    assert max(seen[:20]) == max(seen) < 30
    assert seen[-1] == seen[19]


def test_intervals_without_end_only():
    rules = "old(X) :- Diamondminus[5,inf) signal(X), node(X). ever :- Boxminus[2,inf) old(X)."
    seen = [elements.total for elements in dense_stream(prepared(rules), 40)]
    assert max(seen) == seen[-1] < 10


def test_without_often_facts_every_point_of_the_window_is_stored():
    seen = [elements.total for elements in dense_stream(prepared(DENSE), 20, often=False)]
    assert seen[-1] > 7 * PER_SECOND
