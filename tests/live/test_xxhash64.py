"""The hash is Spark's: the example of its documentation, and values that Spark 4 computed."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from horae.live.xxhash64 import hash_bytes, hash_column


def test_the_example_of_the_documentation():
    """`xxhash64('Spark', array(123), 2)`: each value is hashed with the hash before it as the seed."""
    text = hash_bytes(np.frombuffer(b"Spark", np.uint8).reshape(1, 5))
    seed = text.view(np.uint64)
    for number in (123, 2):
        word = np.array([number], "<i4").view(np.uint8).reshape(1, 4)
        seed = hash_bytes(word, seed).view(np.uint64)
    assert seed.view(np.int64).tolist() == [5602566077635097486]


def test_the_zeros_of_a_double_are_one_value():
    found = hash_column(pa.array([0.0, -0.0, 1.5]))
    assert found[0] == found[1] != found[2]
