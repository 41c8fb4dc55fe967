"""Times at the edges of what a kernel can count: exact, or an error before the first answer."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from tests.languages.rtlola.kernel.driving import agree, checked, in_order, run

import horae
from horae.data.layout import Layout
from horae.data.rows import read_rows
from horae.data.seconds import wide_in_seconds
from horae.languages.rtlola.kernel.kernel import RTLolaKernel
from horae.languages.rtlola.kernel.times import LAST, NEVER, absolute
from horae.languages.rtlola.options import RTLolaOptions
from horae.languages.rtlola.run import RTLolaRun
from horae.reference.rtlola import evaluate
from horae.source.errors import InputError

SINCE_1970 = 1_700_000_000
RATES = "\n".join(f"output int r{hz} extend: {hz}Hz := a" for hz in (3, 7, 11, 13))


def ticks_of(text: str, *, precision: str = "us") -> dict[str, int]:
    """How many answers each stream has for two rows, one second apart."""
    rows = [{"time": SINCE_1970, "a": 1}, {"time": SINCE_1970 + 1, "a": 2}]
    found = horae.compile(text).evaluate(rows, precision=precision)
    return {
        name: sum(a["stream"] == name for a in found)
        for name in sorted({a["stream"] for a in found})
    }


def test_nanoseconds_since_1970_and_a_rate_that_no_nanosecond_divides():
    # 60 ticks in a second, and both ends are ticks: 1700000000 is a multiple of 1/60.
    text = "input int a output int o := a output int t extend: 60Hz := a"
    assert ticks_of(text, precision="ns") == {"o": 2, "t": 61}


@pytest.mark.parametrize("precision", ["s", "ms", "us", "ns"])
def test_rates_without_a_common_fraction(precision: str):
    found = ticks_of(f"input int a {RATES}", precision=precision)
    assert found == {"r3": 4, "r7": 8, "r11": 12, "r13": 14}


@pytest.mark.parametrize("length", ["88000 d", "365000000 d", "53375 d"])
def test_durations_that_are_longer_than_any_input(length: str):
    # Nothing is ever so old that it leaves the window, nor so that it is seen by the offset.
    text = f"""input int a
output int total := a[{length}, 0, sum]
output int most extend: 7Hz := a[{length}, 0, max]
output double half := a[{length}, 0.0, median]
output int before := a[-{length}, -1]
output int later extend: 7Hz := a[-{length}, -1]
output int behind := a[{length}, -1]
output int rare extend: {length} := a
"""
    rows = [{"time": SINCE_1970, "a": 1}, {"time": SINCE_1970 + 1, "a": 2}]
    found = [a for a in horae.compile(text).evaluate(rows, precision="ns") if a["time"] % 1 == 0]
    at_end = {a["stream"]: a["value"] for a in found if a["time"] == SINCE_1970 + 1}
    assert at_end == {
        "total": 3,
        "most": 2,
        "half": 1.5,
        "before": -1,
        "later": -1,
        "behind": 2,
    }


SPEC = """input int a
output int o := a
output int kept := a[4611686018427387904 ms, 0, sum]
output int left := a[4611686018427387903 ms, 0, sum]
output int seen := a[-4611686018427387904 ms, 0]
output int rare extend: 4611686018427387904 ms := a
output int panes extend: 1537228672809129301 ms := a[1537228672809129302 ms, 0, max]
"""


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.long)])
def test_an_input_may_span_all_ticks(compiled: bool):
    # 2^62 ms lie between the rows: the window of just that length holds both, one that is shorter
    # by a tick only the last; a third of the span is 1537228672809129301 ms and a bit.
    program = checked(SPEC)
    options = RTLolaRun(program, RTLolaOptions(precision="ms")).kernel_options
    times = [Fraction(0), Fraction(1), Fraction(2**62, 1000)]
    rows = [
        {"time": str(Decimal(t.numerator) / t.denominator), "a": n + 1} for n, t in enumerate(times)
    ]
    table = read_rows(rows, Layout((("a", program.inputs[0].type),), decimals=3))
    kernel = RTLolaKernel(program, options, compiled=compiled)
    for batch in table.to_batches():
        kernel.push(batch)
    found = in_order([kernel.finish(2**62)], kernel)
    exact = [{**row, "time": time} for row, time in zip(rows, times, strict=True)]
    assert agree(found, evaluate(program, exact))


def test_beyond_that_is_an_error_that_names_the_rates():
    text = f"input int a output int o := a {RATES}"
    rows = [{"time": 0, "a": 1}, {"time": 3_000_000, "a": 2}]
    with pytest.raises(InputError) as error:
        horae.compile(text).evaluate(rows, precision="ns")
    assert error.value.code == "RUN030"
    assert "3 Hz, 7 Hz, 11 Hz, 13 Hz" in str(error.value)
    assert "--precision" in (error.value.help or "")


def test_one_row_fits_however_fine_the_ticks_are():
    text = "input int a output int o := a[1e-30 s, 0, sum] output int t extend: 1e30Hz := a"
    found = horae.compile(text).evaluate([{"time": 5, "a": 1}])
    assert [(a["stream"], a["value"]) for a in found] == [("o", 1), ("t", 1)]


def test_a_time_beyond_the_ticks_of_the_precision_is_refused_at_the_door():
    with pytest.raises(InputError, match="INP015"):
        horae.compile("input int a output int o := a").evaluate(
            [{"time": 2**62 + 1, "a": 1}], precision="s"
        )
    found = horae.compile("input int a output int o := a").evaluate(
        [{"time": 2**62, "a": 1}], precision="s"
    )
    assert [answer["time"] for answer in found] == [2**62]


def test_the_origin_may_be_far_away():
    # Ticks lie at 1/7 + n/2 s.
    text = "input int a output int t extend: 2Hz := a"
    rows = [{"time": SINCE_1970, "a": 1}, {"time": SINCE_1970 + 1, "a": 2}]
    found = run(checked(text), rows, origin="1/7")
    expected = [float(SINCE_1970 + Fraction(1, 7)), float(SINCE_1970 + Fraction(9, 14))]
    assert [answer["time"] for answer in found] == expected


def test_ticks_since_time_0_need_not_fit_into_64_bits():
    times = np.array([0, 1, LAST], np.int64)
    for start in (0, 5, -5, -LAST, 2**63, 2**64 - 1, 2**70, -(2**70)):
        assert absolute(times, start).to_pylist() == [start + int(t) for t in times]
    assert wide_in_seconds(absolute(times, 2**70), 7).tolist() == [
        (2**70 + int(t)) / 7 for t in times
    ]
    assert NEVER == LAST + 1
