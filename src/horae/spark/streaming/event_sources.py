"""Events from files that keep coming."""

from __future__ import annotations

from typing import Any

from pyspark.sql import DataFrame, SparkSession

from horae.data import catalogue as inputs
from horae.data.endings import JSON_LINES
from horae.data.formats.jsonl import check_keys
from horae.data.layout import Layout, Place
from horae.data.seconds import seconds_of_ticks
from horae.data.validate import check_columns
from horae.languages.rtlola.live.columns import ORDER, TIME
from horae.source.errors import InputError
from horae.spark import catalogue
from horae.spark.bad_rows import LINE, columns_beside
from horae.spark.columns import select_by_place
from horae.spark.rtlola.topics import are_topics, event_lines, event_topic
from horae.spark.streaming.open_stream import OpenStream
from horae.spark.streaming.sources import (
    StreamSource,
    stream_csv,
    stream_lines,
    stream_typed,
    together,
)
from horae.spark.streaming.stream import StreamSources


def event_stream(
    opened: OpenStream, layout: Layout, header: bool | None, columns: tuple[str, ...] | None
) -> StreamSources[DataFrame]:
    """The rows of all files, or of all topics; `header` and `columns` are for CSV."""
    spark, paths = opened.spark, opened.inputs
    if are_topics(paths):
        topics = [event_topic(path, layout) for path in paths]
        return together([(topic, event_lines(spark, topic)) for topic in topics])
    sources = [opened.source(path) for path in paths]
    endings = {source.ending for source in sources}
    if len(endings) > 1:
        raise inputs.mixed_endings(sorted(endings))
    if layout.order is not None and not endings <= {".parquet", ".orc"}:
        raise _untyped_order(layout.order)
    has_header = header or (header is None and not columns)
    frames = [(s, _read(spark, s, layout, columns, has_header)) for s in sources]
    return together(frames)


def _untyped_order(name: str) -> InputError:
    return catalogue.UNTYPED_ORDER(name=name)


def _read(
    spark: SparkSession,
    source: StreamSource,
    layout: Layout,
    columns: tuple[str, ...] | None,
    has_header: bool,
) -> DataFrame:
    match source.ending:
        case ".csv":
            return _chosen(stream_csv(spark, source, columns, has_header), layout, source)
        case ending if ending in JSON_LINES:
            check_keys(source.files, layout, keeps_bad=source.keeps_bad)
            return stream_lines(spark, source).withColumnRenamed("value", LINE)
        case _:
            return _chosen(stream_typed(spark, source), layout, source)


def _chosen(frame: DataFrame, layout: Layout, source: StreamSource) -> DataFrame:
    check_columns(frame.columns, layout, Place(source.path))
    chosen = [*layout.columns, *columns_beside(frame)]
    return select_by_place(frame, chosen).toDF(*chosen)


def late_event(row: dict[str, Any], resolution: int) -> dict[str, Any]:
    """Under the names of the inputs, which carry their numbers in a stream."""
    values = {name.partition(":")[2]: v for name, v in row.items() if name not in (TIME, ORDER)}
    return {"time": seconds_of_ticks(row[TIME], resolution), "inputs": values}
