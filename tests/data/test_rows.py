"""Events as dicts."""

from __future__ import annotations

import numpy as np
import pytest

from horae.data.layout import Layout
from horae.data.rows import read_rows
from horae.data.types import Type
from horae.source.errors import InputError

LAYOUT = Layout(
    (("a", Type.INT), ("x", Type.DOUBLE), ("ok", Type.BOOL), ("who", Type.STRING)), order="n"
)


def read(*rows, layout=LAYOUT):
    return read_rows(list(rows), layout).to_pydict()


def refusal(*rows):
    with pytest.raises(InputError) as caught:
        read(*({"n": 0, **row} for row in rows))
    return str(caught.value).splitlines()[0]


def test_a_key_that_is_not_there_is_no_value():
    table = read(
        {"time": 1, "a": 5, "n": 0}, {"time": 2.5, "x": 3, "ok": True, "who": "me", "n": 0}
    )
    assert table == {
        "__time": [1_000_000, 2_500_000],
        "a": [5, None],
        "x": [None, 3.0],
        "ok": [None, True],
        "who": [None, "me"],
        "__row": [1, 2],
    }


def test_rows_are_sorted_by_time_then_order_then_place():
    rows = [
        {"time": 2, "n": 1, "a": 1},
        {"time": 1, "n": 9, "a": 2},
        {"time": 1, "n": 3, "a": 3},
        {"time": 1, "n": 3, "a": 4},
    ]
    assert read(*rows)["a"] == [3, 4, 2, 1]
    unordered = Layout((("a", Type.INT),))
    assert read(*({"time": r["time"], "a": r["a"]} for r in rows), layout=unordered)["a"] == [
        2,
        3,
        4,
        1,
    ]


def test_no_rows_are_a_table_without_rows():
    assert read() == {"__time": [], "a": [], "x": [], "ok": [], "who": [], "__row": []}


def test_numbers_of_numpy_are_numbers():
    row = {"time": np.int64(3), "a": np.int64(1), "x": np.float64(2), "ok": np.bool_(True), "n": 0}
    assert read(row)["a"] == [1]


def test_times_may_be_text():
    rows = [{"time": "1970-01-01T00:00:02Z", "n": 0}, {"time": "1", "n": 0}, {"time": 0.5, "n": 0}]
    assert read(*rows)["__time"] == [500_000, 1_000_000, 2_000_000]


def test_the_clock_is_readable_as_a_stream():
    clock = Layout((("ts", Type.DOUBLE),), time="ts")
    assert read({"ts": 1.5}, layout=clock)["ts"] == [1.5]
    assert read({"ts": 1}, layout=clock)["ts"] == [1.0]
    assert read({"ts": "1970-01-02"}, layout=clock)["ts"] == [86400.0]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"time": 1, "a": 3.0}, "INP009: the column `a` holds `3.0`, which is not an int (row 2)"),
        (
            {"time": 1, "a": True},
            "INP009: the column `a` holds `True`, which is not an int (row 2)",
        ),
        ({"time": 1, "a": "3"}, "INP009: the column `a` holds `3`, which is not an int (row 2)"),
        (
            {"time": 1, "a": 2**63},
            f"INP009: the column `a` holds `{2**63}`, which is not an int (row 2)",
        ),
        ({"time": 1, "x": "3"}, "INP009: the column `x` holds `3`, which is not a double (row 2)"),
        (
            {"time": 1, "x": False},
            "INP009: the column `x` holds `False`, which is not a double (row 2)",
        ),
        ({"time": 1, "ok": 1}, "INP009: the column `ok` holds `1`, which is not a bool (row 2)"),
        (
            {"time": 1, "who": 7},
            "INP009: the column `who` holds `7`, which is not a string (row 2)",
        ),
        (
            {"time": 1, "x": float("nan")},
            "INP010: the column `x` holds `nan`, which is not a finite number (row 2)",
        ),
        (
            {"time": 1, "x": 10**400},
            "INP010: the column `x` holds `inf`, which is not a finite number (row 2)",
        ),
        ({"a": 1}, "INP011: the time in `time` is missing (row 2)"),
        ({"time": None}, "INP011: the time in `time` is missing (row 2)"),
        ({"time": True}, "INP012: the column `time` holds `True`, which is not a time (row 2)"),
        ({"time": [1]}, "INP012: the column `time` holds `[1]`, which is not a time (row 2)"),
        (
            {"time": 1, "whu": "me"},
            "INP016: the key `whu` is neither the time nor an input of the program (row 2)",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_its_row(row, message):
    assert refusal({"time": 0}, row) == message


def test_a_misspelt_key_gets_a_proposal():
    with pytest.raises(InputError) as caught:
        read({"time": 1, "whom": "me"})
    assert caught.value.help == "did you mean `who`? the keys are: time, a, x, ok, who, n"


def test_an_event_must_be_a_dict():
    with pytest.raises(InputError) as caught:
        read_rows([(1, 2)], LAYOUT)  # type: ignore[list-item]
    assert (caught.value.code, caught.value.row) == ("INP017", 1)
    assert "an event must be a dict, not" in caught.value.message


def test_order_values_of_several_types_cannot_be_compared():
    with pytest.raises(InputError) as caught:
        read({"time": 1, "n": 1}, {"time": 1, "n": "x"})
    assert str(caught.value) == (
        "INP017: the values of `n` are of several types and cannot be ordered"
    )
