"""The law for RTLola: however a stream is cut, disordered, spread and restarted, its answers are those
of a batch run.
"""

from __future__ import annotations

from random import Random

import pytest
from tests.live.rtlola_streams import batched, random_stream, streamed


def check(seed: int) -> None:
    stream = random_stream(Random(seed))
    found, expected = streamed(stream), batched(stream)
    assert found == expected, (seed, stream.shown())


@pytest.mark.parametrize("block", range(4))
def test_a_stream_answers_as_a_batch(block: int):
    for seed in range(10 * block, 10 * block + 10):
        check(seed)


@pytest.mark.long
@pytest.mark.parametrize("block", range(30))
def test_many_streams_answer_as_batches(block: int):
    for seed in range(1000 + 10 * block, 1010 + 10 * block):
        check(seed)
