"""For each row of a stream, the evaluation times at which a window holds it: FROM and UNTIL."""

from __future__ import annotations

from typing import assert_never

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as f

from horae.languages.cql.kernel.windows import FOREVER, ORDER, TIME, place_name
from horae.languages.cql.syntax.tree import Now, Range, Rows, StreamWindow

FROM = "life_from"
UNTIL = "life_until"


def with_lives(window: StreamWindow, window_places: tuple[int, ...], rows: DataFrame) -> DataFrame:
    time = f.col(TIME)
    match window:
        case Now():
            start, until = time, time + 1
        case Range(length=length, slide=slide):
            start, until = _range(time, length, slide)
        case Rows(count=count):
            start, until = time, _until_pushed_out(rows, count, window_places)
        case _:
            assert_never(window)
    return rows.withColumns({FROM: start, UNTIL: until})


def _range(time: Column, length: int | None, slide: int) -> tuple[Column, Column]:
    """Remainders instead of divisions, which are double in Spark."""
    start = time + f.pmod(-time, f.lit(slide))
    if length is None or length + slide >= FOREVER:
        return start, f.lit(FOREVER)
    endless = time > FOREVER - length - slide
    last = f.when(~endless, time) + length
    return start, f.coalesce(last - f.pmod(last, f.lit(slide)) + slide, f.lit(FOREVER))


def _until_pushed_out(rows: DataFrame, count: int, window_places: tuple[int, ...]) -> Column:
    if count == 0:
        return f.col(TIME)
    values = sorted((n for n in rows.columns if n not in (TIME, ORDER)), key=lambda n: int(n[1:]))
    order = [ORDER] if ORDER in rows.columns else []
    age = [f.col(name).asc_nulls_first() for name in (TIME, *order, *values)]
    parts = [place_name(place) for place in window_places]
    newer = f.lead(TIME, count).over(Window.partitionBy(*parts).orderBy(*age))
    return f.coalesce(newer, f.lit(FOREVER))
