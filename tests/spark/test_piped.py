"""Steps of one worker, without a JVM; through Spark they run in the tests of every door."""

from __future__ import annotations

import json
from typing import cast

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from pyspark.sql import DataFrame
from tests.spark.streaming.sums import ROWS, Sums
from tests.spark.test_bad_rows import FILE_NAME, SCHEMA
from tests.spark.test_bad_rows import LINES as LINES_DOOR

from horae.data.columns import Array
from horae.spark.bad_rows import BROKEN, FILE, gate_for
from horae.spark.failures import MarkedError, recognise
from horae.spark.parcels import BAD, ParcelKind, unpack
from horae.spark.piped import Batches, Piped, _Steps, through
from horae.spark.streaming.route import TOGETHER, ShardRoute

NO_FRAME = cast("DataFrame", None)
LINES = ['{"time": 1, "a": 2}', '{"time": 2, "a": "x"}', '{"time": 3, "a": 4}']


def _doubled(batches: Batches) -> Batches:
    for batch in batches:
        doubled: Array = pc.multiply(batch.column(1), pa.scalar(2))
        yield batch.set_column(1, "0:a", doubled)


def _piped(bad_rows: str) -> Piped:
    gate = gate_for(bad_rows)
    return gate(gate(NO_FRAME, LINES_DOOR, SCHEMA), _doubled, SCHEMA)


def _run(piped: Piped) -> list[dict[str, object]]:
    columns = {"value": LINES, FILE: [FILE_NAME] * 3, BROKEN: pa.nulls(3, pa.string())}
    rows = pa.record_batch(columns)
    return [row for batch in _Steps(piped.steps)(iter([rows])) for row in batch.to_pylist()]


def test_bad_rows_of_a_step_go_past_those_after_it():
    rows = _run(_piped("keep"))
    good = [(row["time"], row["0:a"]) for row in rows if row[BAD] is None]
    assert good == [(1_000_000, 4), (3_000_000, 8)]
    (note,) = [json.loads(str(row[BAD])) for row in rows if row[BAD] is not None]
    assert (note["row"], note["file"]) == (LINES[1], "/data/a b.jsonl")


def test_a_bad_row_of_a_step_ends_all():
    with pytest.raises(MarkedError) as found:
        _run(_piped("fail"))
    error = recognise(str(found.value))
    assert error is not None
    assert error.code == "INP009"


def test_the_schema_is_that_of_the_last_step():
    piped = through(through(NO_FRAME, iter, "a long"), iter, "b long")
    assert (len(piped.steps), piped.schema) == (2, "b long")


@pytest.mark.parametrize(("sizes", "parcels"), [([1] * 50, 1), ([TOGETHER, 5], 2), ([], 0)])
def test_few_rows_at_a_time_are_routed_together(sizes: list[int], parcels: int):
    batches = [pa.record_batch([pa.array([1] * n)] * 3, schema=ROWS) for n in sizes]
    found = [row for b in ShardRoute(Sums(1), (0,))(iter(batches)) for row in b.to_pylist()]
    rows = [unpack(row["payload"]) for row in found if row["kind"] == ParcelKind.ROWS]
    assert (len(rows), sum(map(len, rows))) == (parcels, sum(sizes))
