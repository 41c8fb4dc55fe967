"""A survey of the events: what every stage must know before it starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pyspark.sql import Column
from pyspark.sql import functions as f

from horae.data.layout import ORDER, TIME
from horae.languages.rtlola.plan.stages import Partition
from horae.spark.bad_rows import refuse_told
from horae.spark.columns import column
from horae.spark.failures import unmarked
from horae.spark.parcels import BAD
from horae.spark.rtlola.door import Events
from horae.spark.rtlola.stage import InputSpan


@dataclass(frozen=True)
class Survey:
    """`fits`: rows hold together what the plan assumes. The order column of `events` has its type."""

    events: Events
    span: InputSpan
    fits: bool


def survey(events: Events, plan: Partition) -> Survey | None:
    """One pass over the events; None if there are none."""
    pairs = dict.fromkeys(pair for shards in plan.shards for pair in shards.present)
    lost = [f.count_if(_lost(events, key, other)) for key, other in pairs]
    orders = [f.count_if(_not_a(kind)) for kind in _NUMBERS] if ORDER in events.order else []
    with unmarked():
        seen = (f.min(BAD), f.count("*"), f.min(TIME), f.max(TIME))
        row = events.with_faults.agg(*seen, *lost, *orders).first()
    assert row is not None, "an aggregate without groups has a row"
    fault, count, first, last, *counts = row
    refuse_told(fault)
    if not count:
        return None
    order = _typed_order(events, counts[len(lost) :])
    return Survey(order, InputSpan(count, first, last), not any(counts[: len(lost)]))


def _lost(events: Events, key: str, other: str) -> Column:
    return column(events.columns[key]).isNotNull() & column(events.columns[other]).isNull()


# Numbers in text compare as numbers where all are: 9 comes before 10.
_NUMBERS = ("bigint", "double")


def _not_a(kind: str) -> Column:
    return f.col(ORDER).isNotNull() & f.expr(f"try_cast(`{ORDER}` AS {kind}) IS NULL")


def _typed_order(events: Events, misfits: Sequence[int]) -> Events:
    for kind, count in zip(_NUMBERS, misfits, strict=False):
        if not count:
            frame = events.frame.withColumn(ORDER, f.expr(f"try_cast(`{ORDER}` AS {kind})"))
            return replace(events, frame=frame)
    return events
