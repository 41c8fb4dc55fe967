"""A first look at the events: what every stage must know before it starts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pyspark.sql import Column
from pyspark.sql import functions as f

from horae.inputs.layout import ORDER, TIME
from horae.plan.rtlola.stages import Plan
from horae.spark.failures import unmarked
from horae.spark.rtlola.columns import column
from horae.spark.rtlola.door import Events
from horae.spark.rtlola.stage import Facts


@dataclass(frozen=True)
class Seen:
    """`fits`: rows hold together what the plan assumes. The order column of `events` has its type."""

    events: Events
    facts: Facts
    fits: bool


def look(events: Events, plan: Plan) -> Seen | None:
    """One pass over the events; None if there are none."""
    pairs = dict.fromkeys(pair for shards in plan.shards for pair in shards.present)
    lost = [f.count_if(_lost(events, key, other)) for key, other in pairs]
    orders = [f.count_if(_not_a(kind)) for kind in _NUMBERS] if ORDER in events.order else []
    with unmarked():
        row = events.frame.agg(f.count("*"), f.min(TIME), f.max(TIME), *lost, *orders).first()
    if row is None or not row[0]:
        return None
    fits = not any(row[3 : 3 + len(lost)])
    return Seen(_typed_order(events, row[3 + len(lost) :]), Facts(*row[:3]), fits)


def _lost(events: Events, key: str, other: str) -> Column:
    return column(events.columns[key]).isNotNull() & column(events.columns[other]).isNull()


# Numbers in text compare as numbers where all are: 9 comes before 10.
_NUMBERS = ("bigint", "double")


def _not_a(kind: str) -> Column:
    return f.col(ORDER).isNotNull() & f.expr(f"try_cast(`{ORDER}` AS {kind}) IS NULL")


def _typed_order(events: Events, misfits: tuple[int, ...]) -> Events:
    for kind, count in zip(_NUMBERS, misfits, strict=False):
        if not count:
            frame = events.frame.withColumn(ORDER, f.expr(f"try_cast(`{ORDER}` AS {kind})"))
            return replace(events, frame=frame)
    return events
