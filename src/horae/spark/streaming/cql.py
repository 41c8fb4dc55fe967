"""CQL over streams of rows; relations are frames that are not streams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import pyarrow as pa
from pyspark.sql import DataFrame

from horae.data.rows_of_inputs import find_input, schema_of
from horae.data.schema import Input
from horae.data.time_points import EvaluationTimes
from horae.languages.cql.live.program import LiveCQL
from horae.languages.cql.plan.algebra import Algebra
from horae.source.errors import InputError
from horae.spark import catalogue
from horae.spark.bad_rows import Gate, strict
from horae.spark.cql.door import COLUMNS, packed_rows, rows_of_frame, rows_of_frames
from horae.spark.streaming.stream import Live, Settings, StreamSources, run_live


def live_cql(
    frames: Mapping[str, DataFrame],
    plan: Algebra,
    inputs: Mapping[str, Input],
    at: EvaluationTimes,
    settings: Settings,
    *,
    time: str,
    order: str | None,
    gate: Gate = strict,
) -> Live:
    items = {name: find_input(name, inputs, name) for name in frames}
    static = {name: frame for name, frame in frames.items() if not items[name].is_stream}
    live = LiveCQL(plan, at, _relations(static, inputs, time), settings.shards)
    parts = []
    for name, frame in frames.items():
        if name not in static:
            if not frame.isStreaming:
                raise _not_live(items[name])
            rows = rows_of_frame(items[name], name, frame, time=time, order=order, gate=gate)
            parts.append(packed_rows(rows, live.layout, items[name], gate))
    found = run_live(live, StreamSources(parts), settings)
    return replace(found, shape=partial(pa.Table.select, columns=COLUMNS))


def _relations(
    frames: Mapping[str, DataFrame], inputs: Mapping[str, Input], time: str
) -> dict[str, pa.Table]:
    """All of them; without rows where there is no frame."""
    found = rows_of_frames(frames, inputs, time=time) if frames else {}
    return {
        item.name: found[item.name].toArrow() if found else schema_of(item).empty_table()
        for item in inputs.values()
        if not item.is_stream
    }


def _not_live(item: Input) -> InputError:
    return catalogue.STREAM_IS_NOT_LIVE(name=item.name)
