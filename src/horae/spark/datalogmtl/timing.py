"""A first look at the facts: ticks that are fine enough for all times, and ends as cuts."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, lcm

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from horae.data.cuts import FUTURE, PAST
from horae.data.fact_columns import ARGS, PREDICATE
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.languages.datalogmtl.kernel.evaluate import program_facts, timeline_for
from horae.languages.datalogmtl.kernel.fact_relations import HI, LO
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.spark.bad_rows import refuse_told
from horae.spark.failures import unmarked
from horae.spark.parcels import BAD

_ROUNDED = 1 + Fraction(1, 2**50)  # quotients are doubles: the exact one may be a little larger


def find_timeline(facts: DataFrame, normal: NormalProgram, extra: Iterable[Fraction]) -> Timeline:
    """One pass over the facts. Times that do not fit are an error now, not an overflow later.

    Where the facts come with what is wrong with others, that is an error first.
    """
    told = f.min(BAD) if BAD in facts.columns else f.lit(None).cast("string")
    quotients = [f.abs(f.col(end) / f.col(f"{end}_unit")) for end in ("low", "high")]
    with unmarked():
        row = facts.agg(
            f.collect_set("low_unit"), f.collect_set("high_unit"), *map(f.max, quotients), told
        ).first()
    assert row is not None, "an aggregate without groups has a row"
    refuse_told(row[4])
    needed = timeline_for(normal, program_facts(normal), extra).resolution
    timeline = Timeline(lcm(needed, *row[0], *row[1]))
    for largest in (row[2], row[3]):
        if largest is not None:
            timeline.after(ceil(Fraction(largest) * _ROUNDED * timeline.resolution))
    return timeline


def with_cuts(facts: DataFrame, timeline: Timeline) -> DataFrame:
    """Ends as cuts: a left end at t is 2t, or 2t + 1 if it is open; a right end the other way."""
    opened = f.col("low_open").cast("bigint")
    closed = (~f.col("high_open")).cast("bigint")
    low = f.coalesce(_ticks("low", timeline) * 2 + opened, f.lit(PAST))
    high = f.coalesce(_ticks("high", timeline) * 2 + closed, f.lit(FUTURE))
    return facts.select(PREDICATE, ARGS, low.alias(LO), high.alias(HI))


def _ticks(end: str, timeline: Timeline) -> Column:
    return f.expr(f"{end} * ({timeline.resolution}L div {end}_unit)")


def all_times(facts: DataFrame) -> list[Fraction]:
    """Every finite end, once."""
    ends = (facts.select(end, f"{end}_unit").distinct() for end in ("low", "high"))
    with unmarked():
        rows = [row for frame in ends for row in frame.dropna().collect()]
    return sorted({Fraction(row[0], row[1]) for row in rows})


def first_and_last(facts: DataFrame, timeline: Timeline) -> list[Fraction]:
    """The least and the greatest finite end; nothing if there is none."""
    low, high = _ticks("low", timeline), _ticks("high", timeline)
    least = f.min(f.least(low, high))
    greatest = f.max(f.greatest(low, high))
    with unmarked():
        row = facts.agg(least, greatest).first()
    assert row is not None, "an aggregate without groups has a row"
    return [timeline.time(tick) for tick in row if tick is not None]
