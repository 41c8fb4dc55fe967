"""All languages on a cluster, in batch and as a stream: the answers of a run without Spark."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.cluster.commands import answers_without_spark, horae, running, written
from tests.cluster.inputs import ratings, signals, tram_rows, trams

pytestmark = pytest.mark.cluster

# DatalogMTL and RTLola run as streams in `test_kills`, too.
BATCHES = [signals(), ratings(), trams(), tram_rows()]
STREAMS = [trams(), tram_rows()]


@pytest.mark.parametrize("case", BATCHES, ids=lambda case: case.program)
def test_batch(case, two_workers, tmp_path):
    folder = case.write(tmp_path / "in")
    command = horae("run", case.spec, "--input", str(folder), "--master", two_workers.url)
    with running(command, tmp_path, two_workers) as run:
        assert run.finish() == answers_without_spark(case)


@pytest.mark.parametrize("case", STREAMS, ids=lambda case: case.program)
def test_stream(case, two_workers, tmp_path):
    folder, out = case.write(tmp_path / "in"), tmp_path / "out"
    options = ("--stream", "--finish", "--files-per-batch", "3", "--shards", "2")
    places = ("--checkpoint", str(tmp_path / "checkpoint"), "--output", str(out))
    command = horae("run", case.spec, "--input", str(folder), *options, *places)
    with running([*command, "--master", two_workers.url], tmp_path, two_workers) as run:
        assert run.finish() == ()
    assert written(out) == Counter(answers_without_spark(case))
