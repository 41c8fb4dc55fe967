"""The order of rows: that of a sort by comparisons, also where numbers need all of their 64 bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from horae.rules.intervals import sorting

_NUMBERS = st.one_of(
    st.integers(-3, 3), st.integers(-(2**14), 2**14), st.integers(-(2**63), 2**63 - 1)
)


@given(st.lists(st.tuples(_NUMBERS, _NUMBERS, _NUMBERS), max_size=40), st.integers(0, 2))
def test_digit_by_digit(rows: list[tuple[int, int, int]], width: int) -> None:
    table = np.array(rows, np.int64).reshape(len(rows), 3)
    expected = np.lexsort((table[:, 2], *reversed(table[:, :width].T)))
    with pytest.MonkeyPatch.context() as few:
        few.setattr(sorting, "_FEW", -1 if rows else 0)
        assert sorting.sort_order(table[:, :width], table[:, 2]).tolist() == expected.tolist()


def test_many_rows_by_time() -> None:
    numbers = np.random.default_rng(7)
    arguments = numbers.integers(-5, 20_000, (5_000, 2))
    lo = np.arange(5_000) // 7
    expected = np.lexsort((lo, arguments[:, 1], arguments[:, 0]))
    assert (sorting.sort_order(arguments, lo) == expected).all()
