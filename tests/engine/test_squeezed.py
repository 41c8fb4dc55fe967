"""Chunks in a store are what was put there."""

from __future__ import annotations

from random import Random

import pytest

from horae.engine.squeezed import squeeze, unsqueeze

ZEROS = bytes(100_000)


@pytest.mark.parametrize(
    "data",
    [b"", b"\0", b"\1", b"x" * 255, b"x" * 256, Random(1).randbytes(100_000), ZEROS],
    ids=["empty", "zero", "one", "short", "long", "random", "zeros"],
)
def test_there_and_back(data: bytes):
    assert unsqueeze(squeeze(data)) == data


def test_what_is_mostly_zero_becomes_small():
    assert len(squeeze(ZEROS)) < len(ZEROS) / 50


def test_nothing_becomes_much_larger():
    data = Random(1).randbytes(100_000)
    assert len(squeeze(data)) < len(data) + 1000
