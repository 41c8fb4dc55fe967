"""Many constants as texts at once: the same texts as one by one."""

from __future__ import annotations

from fractions import Fraction

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horae.data.constant_texts import json_texts, read_constants, short_numbers, write_constants
from horae.data.constants import Value
from horae.data.fact_values import json_text, write_constant

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
NUMBERS = st.one_of(st.integers(), st.integers(-(2**64), 2**64))
RATIONALS = st.fractions().filter(lambda number: number.denominator > 1)
COLUMNS = st.one_of(
    st.lists(TEXTS), st.lists(NUMBERS), st.lists(st.one_of(TEXTS, NUMBERS, RATIONALS))
)


@given(COLUMNS)
def test_texts_are_those_of_single_constants(values: list[Value]):
    assert write_constants(values).to_pylist() == [*map(write_constant, values)]
    assert json_texts(values).to_pylist() == [*map(json_text, values)]


@given(COLUMNS)
def test_texts_read_back_as_the_same_constants(values: list[Value]):
    found = read_constants(write_constants(values))
    assert found == values
    assert [*map(type, found)] == [*map(type, values)]


@pytest.mark.parametrize("text", ['a"b', "a\\b", "a\nb", "\x7f", "\0", "é", "", "7", "5/2"])
def test_names_that_are_written_with_care(text: str):
    assert write_constants([text, "plain"]).to_pylist() == [write_constant(text), '"plain"']
    assert read_constants(write_constants([text])) == [text]


@pytest.mark.parametrize(
    ("texts", "is_short"),
    [
        (["0", "-7", "9" * 18], True),
        ([], True),
        (["9" * 19], False),
        (["07"], False),
        (["-0"], False),
        (["5/2"], False),
        (["7", '"7"'], False),
    ],
)
def test_numbers_that_arrow_reads(texts: list[str], is_short: bool):
    assert (short_numbers(pa.array(texts, pa.string())) is not None) == is_short


def test_rationals_are_texts_in_json():
    assert json_texts([Fraction(5, 2), 3]).to_pylist() == ['"5/2"', "3"]
