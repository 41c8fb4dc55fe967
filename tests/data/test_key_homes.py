"""Hashes of the values of columns: equal for equal values, and spread over all shards."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from horae.data.key_homes import hash_column, hash_texts, homes_of_texts, homes_of_values

COLUMNS: dict[str, Any] = {
    "ints": pa.array(range(-2000, 2000)),
    "even ints": pa.array(range(0, 64000, 16)),
    "doubles": pa.array([n / 8 for n in range(4000)]),
    "texts": pa.array([f"sensor {n}" for n in range(4000)]),
    "long texts": pa.array(
        [f"sensor {n} of the second hall of the third house" for n in range(4000)]
    ),
    "short texts": pa.array([chr(n) for n in range(1, 4001)]),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_they_are_spread(kind: str):
    for shards in (2, 7, 16):
        counts = np.bincount(hash_column(COLUMNS[kind]) % shards, minlength=shards)
        assert counts.min() > 0.8 * 4000 / shards


@pytest.mark.parametrize("kind", COLUMNS)
def test_a_value_has_one_hash_wherever_it_stands(kind: str):
    column = COLUMNS[kind]
    places = np.random.default_rng(3).permutation(len(column))
    assert hash_column(column.take(places)).tolist() == hash_column(column)[places].tolist()
    assert len(set(hash_column(column).tolist())) == len(column)


def test_the_zeros_of_a_double_are_one_value():
    found = hash_column(pa.array([0.0, -0.0, 1.5]))
    assert found[0] == found[1] != found[2]


def test_nulls_do_not_disturb_others():
    for column in (pa.array([None, 1]), pa.array([None, "a"]), pa.array([None, 1.5])):
        assert hash_column(column)[1] == hash_column(column.slice(1))[0]
    assert hash_column(pa.array([None, True, False]))[1] != hash_column(pa.array([False]))[0]


@pytest.mark.parametrize("size", range(40))
def test_every_byte_of_a_text_counts(size: int):
    text = "a" * size
    others = [text[:place] + "b" + text[place + 1 :] for place in range(size)]
    texts = [text, f"{text}a", f"{text}\0", *others]
    assert len({*hash_texts(pa.array(texts)).tolist()}) == len(texts)


def test_texts_are_hashed_alike_beside_any_others():
    texts = ["", "é", "sensor 1", "a" * 33, "b" * 8, "\0", "", "x" * 31]
    alone = [int(hash_texts(pa.array([text]))[0]) for text in texts]
    assert hash_texts(pa.array(texts)).tolist() == alone
    assert hash_texts(pa.array(["skipped", *texts]).slice(1)).tolist() == alone
    assert len(hash_texts(pa.array([], pa.string()))) == 0


def test_a_constant_is_at_home_where_its_text_is():
    texts = pa.array(["7", '"7"', "5/2", '"a"'])
    assert homes_of_values([7, "7", Fraction(5, 2), "a"], 5).tolist() == (
        homes_of_texts(texts, 5).tolist()
    )
