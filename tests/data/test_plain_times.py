"""Large columns of times in plain digits: the same ticks as value by value, or left to others."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horae.data.clock import Clock, Problem, WrongTimeError
from horae.data.plain_times import plain_ticks, read_plain
from horae.data.times import to_ticks

MANY = 50_000


def ticks_of(texts, places):
    """The function that becomes machine code, as it is written."""
    column = pa.array(texts)
    _, offsets, text = column.buffers()
    found = np.empty(len(texts), np.int64)
    ends = np.frombuffer(offsets, np.int32)
    read = read_plain(np.frombuffer(text, np.uint8), ends, places, found)
    return found.tolist() if read else None


@given(
    st.lists(
        st.from_regex(r"[+-]?[0-9]{1,15}(\.[0-9]{0,12})?|[+-]?\.[0-9]{1,9}", fullmatch=True),
        min_size=1,
    ),
    st.sampled_from([0, 3, 6, 9]),
)
def test_plain_numbers_are_read_exactly_or_not_at_all(texts, places):
    exact = [Fraction(text) * 10**places for text in texts]
    found = ticks_of(texts, places)
    assert found is None or found == exact
    digits = [text.lstrip("+-").partition(".") for text in texts]
    if all(len(w) + places <= 18 and len(rest) <= places for w, _, rest in digits):
        assert found == exact


@pytest.mark.parametrize(
    "text",
    [
        *("", "-", "+", ".", "-.", "1e3", " 1", "1 ", "1.2.3", "--1", "0x1F", "1_0", "nan"),
        *("9" * 19, "1.0000000", "2026-11-16", "1/2", "٣", "9999999999999.1"),
    ],
)
def test_what_is_not_plain_is_left_to_others(text):
    assert ticks_of(["1", text], 6) is None


def test_columns_in_chunks_and_slices():
    texts = [f"{number / 1000:.3f}" for number in range(MANY + 100)]
    chunks = pa.chunked_array([texts[:70], [], texts[70:]], pa.string())
    found = plain_ticks(chunks.slice(33), 6)
    assert found is not None
    assert found.tolist() == [n * 1000 for n in range(33, MANY + 100)]
    assert plain_ticks(chunks.slice(0, 99), 6) is None, "too few to load machine code for"


def test_large_columns_are_refused_with_the_words_of_small_ones():
    texts = ["1.5"] * MANY + ["7.0000001", "x"]
    for rows in (texts, texts[-2:]):
        with pytest.raises(WrongTimeError) as caught:
            to_ticks(pa.chunked_array([rows]), Clock(None, "us"))
        assert caught.value.problem is Problem.NO_TIME
        assert (caught.value.index, caught.value.value) == (len(rows) - 1, "x")
    with pytest.raises(WrongTimeError) as caught:
        to_ticks(pa.chunked_array([texts[:-1]]), Clock(None, "us"))
    assert (caught.value.problem, caught.value.index) == (Problem.TOO_FINE, MANY)


@pytest.mark.parametrize("unit", [None, "s", "ms", "us", "ns"])
@pytest.mark.parametrize("precision", ["s", "ms", "us", "ns"])
def test_every_unit_and_precision(unit, precision):
    clock = Clock(unit, precision)
    texts = ["0", "-1000000000", "3000000000.000", "+2000000000"] * (MANY // 4)
    few = to_ticks(pa.chunked_array([texts[:4]]), clock)
    assert to_ticks(pa.chunked_array([texts]), clock).tolist() == few.tolist() * (MANY // 4)
