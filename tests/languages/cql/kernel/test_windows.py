"""At which evaluation times a window holds a row: borders by hand, and all windows at all times."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from horae.languages.cql.kernel.windows import FOREVER, lifetimes
from horae.languages.cql.syntax.tree import NowWindow, RangeWindow, RowsWindow, StreamWindow
from horae.source.text import Span

SPAN = Span(0, 0)


def life(window: StreamWindow, *times: int, **columns: list[Any]) -> list[tuple[int, int]]:
    rows = pa.table({"time": pa.array(times, pa.int64()), **columns})
    start, until = lifetimes(
        window, (0,) if isinstance(window, RowsWindow) and window.by else (), rows
    )
    return list(zip(start.tolist(), until.tolist(), strict=True))


def test_now():
    assert life(NowWindow(span=SPAN), 3, 7) == [(3, 4), (7, 8)]


def test_range_is_closed_on_both_sides():
    """[RANGE 5] at τ holds [τ − 5, τ]: a row of 3 is seen from 3 up to 8."""
    assert life(RangeWindow(5, 1, span=SPAN), 3) == [(3, 9)]
    assert life(RangeWindow(0, 1, span=SPAN), 3) == [(3, 4)]
    assert life(RangeWindow(None, 1, span=SPAN), 3) == [(3, FOREVER)]


@pytest.mark.parametrize("slide", [1, 2, 3, 5])
@pytest.mark.parametrize("length", [5, 6, 9])
def test_slide_follows_the_pivot(length: int, slide: int):
    for time in range(20):
        ((start, until),) = life(RangeWindow(length, slide, span=SPAN), time)
        seen = [t for t in range(40) if t // slide * slide - length <= time <= t // slide * slide]
        assert seen == list(range(start, until))


def test_range_without_overflow():
    """A row that an endless window would hold beyond the last time is held forever."""
    far = FOREVER - 3
    assert life(RangeWindow(10, 1, span=SPAN), far) == [(far, FOREVER)]
    assert life(RangeWindow(FOREVER, 1, span=SPAN), 3) == [(3, FOREVER)]


def test_rows_leave_when_enough_newer_ones_arrive():
    found = life(RowsWindow(2, (), span=SPAN), 1, 4, 4, 9, c0=[7, 8, 9, 7])
    assert found == [(1, 4), (4, 9), (4, FOREVER), (9, FOREVER)]


def test_rows_of_equal_time_are_ordered_by_order_then_values():
    """Of the rows at 4, `order` makes the first the newest; without it the value 9 is newest."""
    assert life(RowsWindow(1, (), span=SPAN), 4, 4, c0=[1, 9], order=[2, 1]) == [
        (4, FOREVER),
        (4, 4),
    ]
    assert life(RowsWindow(1, (), span=SPAN), 4, 4, c0=[1, 9]) == [(4, 4), (4, FOREVER)]
    assert life(RowsWindow(1, (), span=SPAN), 4, 4, c0=[1, 9], order=[0, None]) == [
        (4, FOREVER),
        (4, 4),
    ]


def test_places_of_columns_are_numbers():
    """c10 comes after c2: the rows are equal up to c1, and c2 decides, not c10."""
    columns = {f"c{i}": [0, 0] for i in range(11)} | {"c2": [1, 2], "c10": [9, 8]}
    assert life(RowsWindow(1, (), span=SPAN), 4, 4, **columns) == [(4, 4), (4, FOREVER)]


def test_parts_count_for_themselves():
    window = RowsWindow(1, ("unused",), span=SPAN)  # type: ignore[arg-type]
    found = life(window, 1, 2, 3, c0=["a", "b", "a"])
    assert found == [(1, 3), (2, FOREVER), (3, FOREVER)]
