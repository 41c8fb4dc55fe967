"""The hash is Spark's: the example of its documentation, and values that Spark 4 computed."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from horae.engine.xxhash64 import hash_bytes, hash_column


def test_the_example_of_the_documentation():
    """`xxhash64('Spark', array(123), 2)`: each value is hashed with the hash before it as the seed."""
    text = hash_bytes(np.frombuffer(b"Spark", np.uint8).reshape(1, 5))
    seed = text.view(np.uint64)
    for number in (123, 2):
        word = np.array([number], "<i4").view(np.uint8).reshape(1, 4)
        seed = hash_bytes(word, seed).view(np.uint64)
    assert seed.view(np.int64).tolist() == [5602566077635097486]


def test_values_that_spark_computed():
    texts = ["", "a", "12345678", "größe und länge", "x" * 31, "x" * 32, "abcdefghij" * 7, "ü" * 50]
    assert hash_column(pa.array(texts)).tolist() == [
        -7444071767201028348,
        -8582455328737087284,
        6863040065134489090,
        8137742871207719021,
        -1716462135722163746,
        1299777543150008824,
        5764682169200671138,
        -455951651923921434,
    ]
    assert hash_column(pa.array([0, -1, 2**63 - 1])).tolist() == [
        -5252525462095825812,
        3858142552250413010,
        -3246596055638297850,
    ]
    assert hash_column(pa.array([1.5, 1e300])).tolist() == [
        7738255526519901366,
        -6660537626403695510,
    ]
    assert hash_column(pa.array([True, False])).tolist() == [
        -6698625589789238999,
        3614696996920510707,
    ]


def test_the_zeros_of_a_double_are_one_value():
    found = hash_column(pa.array([0.0, -0.0, 1.5]))
    assert found[0] == found[1] != found[2]
