"""CQL over streams of rows; relations are frames that are not streams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_schema

from horae.inputs.rows_of_inputs import schema_of
from horae.inputs.time_points import EvaluationTimes
from horae.languages.cql.program import Input
from horae.live.cql.program import LiveCQL
from horae.live.cql.row_layout import RowLayout
from horae.plan.cql.algebra import Plan
from horae.source.errors import InputError
from horae.spark.bad_rows import Gate, strict
from horae.spark.cql.door import rows_of_frames
from horae.spark.failures import marked
from horae.spark.streaming.stream import Live, Settings, Sources, run_live

Batches = Iterator[pa.RecordBatch]


def live_cql(
    frames: Mapping[str, DataFrame],
    plan: Plan,
    inputs: Mapping[str, Input],
    at: EvaluationTimes,
    settings: Settings,
    *,
    time: str,
    order: str | None,
    gate: Gate = strict,
) -> Live:
    given = {name.lower() for name in frames}
    rows = rows_of_frames(frames, inputs, time=time, order=order, gate=gate)
    relations = {i.name: rows[i.name].toArrow() for i in inputs.values() if not i.is_stream}
    live = LiveCQL(plan, at, relations, settings.shards)
    streams = [i for i in inputs.values() if i.is_stream and i.name.lower() in given]
    for item in streams:
        if not rows[item.name].isStreaming:
            raise _not_live(item)
    parts = [packed_rows(rows[item.name], live.layout, item, gate) for item in streams]
    return run_live(live, Sources(parts), settings)


def _not_live(item: Input) -> InputError:
    return InputError(
        "INP056",
        f"`{item.name}` is registered as a stream, but its DataFrame is not one",
        help="read it with `spark.readStream`, or register it as a relation",
    )


def packed_rows(rows: DataFrame, layout: RowLayout, item: Input, gate: Gate = strict) -> DataFrame:
    return gate(rows, _Pack(layout, item), from_arrow_schema(layout.schema))


@dataclass(frozen=True)
class _Pack:
    layout: RowLayout
    item: Input

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                rows = pa.Table.from_batches([batch]).cast(schema_of(self.item))
                yield from self.layout.pack(self.item, rows).to_batches()
