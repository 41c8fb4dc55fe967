"""Columns that fit as a whole have the values that reading them one by one would give."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horae.data.clock import TIME_POINTS
from horae.data.layout import Place
from horae.data.rows_of_inputs import InputLayout, read_input_rows
from horae.data.typed_columns import (
    fitting_orders,
    fitting_values,
    typed_column,
    typed_times,
)
from horae.data.types import Type
from horae.languages.cql.check.check import load
from horae.source.errors import InputError
from horae.source.text import Source

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


def one_by_one(type: Type, values, times, orders):
    """A table of a stream with one column, from Python values or from Arrow arrays."""
    text = f"REGISTER STREAM s(v {type}); SELECT v FROM s [NOW];"
    program, _ = load(Source("spec.cql", text))
    assert program is not None
    layout = InputLayout(program.inputs[0], ("v",), "time", "seq", True)
    columns = {"v": values, "time": times, "seq": orders}
    return read_input_rows(layout, columns, len(values), Place())


@pytest.mark.parametrize(
    ("type", "array"),
    [
        (Type.INT, pa.array([-(2**63), 0, 2**63 - 1])),
        (Type.INT, pa.array([1, -2, 3], pa.int8())),
        (Type.INT, pa.array([1, 2, 2**32 - 1], pa.uint32())),
        (Type.DOUBLE, pa.array([0.1, -0.0, 1e300])),
        (Type.DOUBLE, pa.array([0.1, 2.5, -1], pa.float32())),
        (Type.DOUBLE, pa.array([2**53, -(2**53), 7])),
        (Type.STRING, pa.array(["", "ä", "7"])),
        (Type.STRING, pa.array(["", "ä", "7"], pa.large_string())),
        (Type.BOOL, pa.array([True, False, True])),
    ],
)
def test_values_that_fit(type, array):
    fitting = fitting_values(array, type)
    assert fitting is not None
    times, orders = [0, 1, 2**62], [0, 10, 2**63 - 1]
    expected = one_by_one(type, array.to_pylist(), times, orders)
    assert one_by_one(type, array, pa.array(times), pa.array(orders)) == expected
    assert expected.column("c0").combine_chunks() == fitting


@pytest.mark.parametrize(
    ("type", "array"),
    [
        (Type.INT, pa.array([1, None])),
        (Type.INT, pa.array([2**63], pa.uint64())),
        (Type.INT, pa.array([1.0])),
        (Type.INT, pa.array(["1"])),
        (Type.INT, pa.array([True])),
        (Type.DOUBLE, pa.array([float("nan")])),
        (Type.DOUBLE, pa.array([float("inf")])),
        (Type.DOUBLE, pa.array([2**53 + 1])),
        (Type.DOUBLE, pa.array([Decimal("0.1")])),
        (Type.STRING, pa.array([1])),
        (Type.STRING, pa.array([date(2024, 5, 1)])),
        (Type.BOOL, pa.array([1])),
    ],
)
def test_values_that_need_a_look(type, array):
    assert fitting_values(array, type) is None


def test_a_look_takes_what_has_the_value_of_another_type():
    found = one_by_one(Type.INT, pa.array([7.0]), pa.array(["3"]), pa.array([-1]))
    assert found.column("c0").to_pylist() == [7]
    assert found.column("time").to_pylist() == [3]


@pytest.mark.parametrize(
    ("array", "points"),
    [
        (pa.array([0, 2**62]), [0, 2**62]),
        (pa.array([3], pa.int16()), [3]),
        (pa.array([NOON]), [1714564800]),
        (pa.array([NOON.replace(tzinfo=None)]), [1714564800]),
    ],
)
def test_times_that_fit(array, points):
    quickly = one_by_one(Type.INT, points, array, [None] * len(points))
    assert quickly.column("time").to_pylist() == points
    slowly = one_by_one(Type.INT, points, array.to_pylist(), [None] * len(points))
    assert slowly.column("time").to_pylist() == points


@pytest.mark.parametrize(
    "array",
    [
        pa.array([-1]),
        pa.array([2**62 + 1]),
        pa.array([None], pa.int64()),
        pa.array([NOON.replace(microsecond=5)]),
        pa.array([NOON.replace(year=1960)]),
    ],
)
def test_times_that_do_not_fit(array):
    with pytest.raises(InputError, match=r"INP04[68]"):
        one_by_one(Type.INT, pa.array([7]), array, pa.array([0]))


def test_orders_are_text_in_the_order_of_values():
    orders = [2**63 - 1, 10, 9, 0, -1, 2.5, None, "b", "a"]
    read = [
        one_by_one(Type.INT, [7], [0], [value]).column("order").to_pylist()[0] for value in orders
    ]
    assert sorted(x for x in read if x is not None) == [read[i] for i in (4, 3, 5, 2, 1, 0, 8, 7)]
    fitting = fitting_orders(pa.array([2**63 - 1, 10, 9, 0]))
    assert fitting is not None
    assert fitting.to_pylist() == read[:4]


def test_no_rows_fit():
    for type in Type:
        array = pa.array([], pa.int64())
        assert one_by_one(type, array, array, array).num_rows == 0


numbers = st.sampled_from(
    ["7", "-7", "+7", "007", " 7", "7.5", "7.0", ".5", "1e2", "1e-500", "0x1F", "inf", "nan"]
)
long = st.sampled_from(
    ["9" * 18, "9" * 19, "9" * 40, "1/2", "1_0", "-", "", "x", "9223372036854775808"]
)


@given(st.sampled_from(Type), st.lists(numbers | long | st.none(), max_size=4))
def test_text_of_columns_is_read_as_each_text_is(type: Type, texts: list[str | None]):
    def read(values: Any) -> Any:
        try:
            return typed_column(values, type, "v", False, Place()).to_pylist()
        except InputError as error:
            return str(error)

    assert read(pa.array(texts, pa.string())) == read(texts)


@given(
    st.lists(numbers | long | st.sampled_from(["2024-05-01", "2024-05-01T12:00:00Z"]), max_size=4)
)
def test_times_of_columns_are_read_as_each_time_is(texts: list[str]):
    def read(values: Any) -> Any:
        try:
            return typed_times(values, "time", TIME_POINTS, Place()).to_pylist()
        except InputError as error:
            return str(error)

    assert read(pa.array(texts, pa.string())) == read(texts)


def test_a_value_without_a_hash_is_refused():
    with pytest.raises(InputError, match="INP047"):
        typed_column([1, {1, 2}], Type.INT, "v", True, Place())
