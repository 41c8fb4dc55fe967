"""A program of each language over the topic of the tests.

Events have many equal times, and what the programs tell of the last ones depends on their order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame

import horae
from horae.spark.streaming.kafka import kafka_rows
from horae.spark.streaming.stream import Live

LATENESS = 20

_RTLOLA = horae.compile(
    "input int id\ninput int x\noutput int seen<int i>\n  invoke: id\n  extend: id = i\n"
    "  := seen(i)[-1, 0] + 1\noutput int step\n  := x - x[-1, 0]\n"
    "output int alive\n  extend: 0.5Hz\n  := id[4s, 0, count]"
)
_DATALOGMTL = horae.compile(
    "often(X) :- Boxminus[0,4] Diamondminus[0,3] beat(X).\nBoxplus[0,2] calm(X) :- often(X).",
    language="datalogmtl",
)
_LARS = horae.compile(
    "near(I) :- win[6] <> beat(I,X), X > 90.\nlast(I,X) :- win[#2] <> beat(I,X).", language="lars"
)
_CQL = horae.compile(
    "REGISTER STREAM beat(id int, x int);\n"
    "sums: SELECT id, COUNT(*) AS n, SUM(x) AS total FROM beat [RANGE 5] GROUP BY id;\n"
    "last: ISTREAM(SELECT id, x FROM beat [PARTITION BY id ROWS 1]);",
    language="cql",
)


@dataclass(frozen=True)
class Case:
    """`kept`: the columns of answers that are compared; RTLola's positions are those of a batch."""

    rows: Callable[[DataFrame], DataFrame]
    live: Callable[[DataFrame, DataFrame], Live]
    batch: Callable[[DataFrame], DataFrame]
    kept: Callable[[DataFrame], DataFrame]


def _events(frame: DataFrame) -> DataFrame:
    return kafka_rows(frame, "id long, x long, time long")


def _facts(frame: DataFrame) -> DataFrame:
    return kafka_rows(frame, "id long, time long", order=None)


_common: dict[str, Any] = {"lateness": LATENESS, "shards": 2}
CASES = {
    "rtlola": Case(
        _events,
        lambda rows, control: _RTLOLA.live(
            rows, order="order", lateness=f"{LATENESS} s", shards=2, control=control
        ),
        lambda rows: _RTLOLA.answers(rows, order="order", shards=2),
        lambda answers: answers.drop("position"),
    ),
    "datalogmtl": Case(
        _facts,
        lambda rows, control: _DATALOGMTL.live(
            {"beat": rows}, precision="1", control=control, **_common
        ),
        lambda rows: _DATALOGMTL.answers({"beat": rows}, shards=2),
        lambda answers: answers.select("predicate", "args", "interval"),
    ),
    "lars": Case(
        _events,
        lambda rows, control: _LARS.live({"beat": rows}, order="order", control=control, **_common),
        lambda rows: _LARS.answers({"beat": rows}, order="order", shards=2),
        lambda answers: answers,
    ),
    "cql": Case(
        _events,
        lambda rows, control: _CQL.live({"beat": rows}, order="order", control=control, **_common),
        lambda rows: _CQL.answers({"beat": rows}, order="order"),
        lambda answers: answers.select("time", "query", "kind", "row", "rank"),
    ),
}
