"""The order column of events: one order for all values, whatever their types."""

from __future__ import annotations

from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from horae.data.order_texts import order_keys

LISTS: dict[str, list[Any]] = {
    "numbers before text": [None, "-5", "9", "10", "10.5", "1e3", "", "a", "b10", "b9"],
    "short numbers": [None, "-12", "-3", "0", "7", "123456789012345678"],
    "numbers of any length": ["-92233720368547758070", "-92233720368547758069", "5", "1" * 25],
    "equal numbers are told apart": ["7.0", "07", "7"],
    "whole numbers": [None, -(2**63), -1, 2**63 - 1],
    "doubles": [float("-inf"), -1.5, 0.25, 1e20, float("inf")],
    "truth values": [False, True],
}


@pytest.mark.parametrize("name", LISTS)
def test_order(name: str):
    values: Any = pa.array(LISTS[name])
    for seed in range(5):
        shuffled = values.take(Random(seed).sample(range(len(values)), len(values)))
        keys = list(order_keys(shuffled))
        table = pa.table(keys, names=[str(number) for number in range(len(keys))])
        by: Any = [(number, "ascending", "at_start") for number in table.column_names]
        assert shuffled.take(pc.sort_indices(table, by)).to_pylist() == values.to_pylist()
