"""A program of each language over the topic of the tests.

Events have many equal times, and what the programs tell of the last ones depends on their order.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pyspark.sql import DataFrame

import horae
from horae.spark.kafka import kafka_rows
from horae.spark.streaming.stream import Live

COUNT = 160
LATENESS = 20

TEXTS = {
    "rtlola": "input int id\ninput int x\noutput int seen<int i>\n  invoke: id\n  extend: id = i\n"
    "  := seen(i)[-1, 0] + 1\noutput int step\n  := x - x[-1, 0]\n"
    "output int alive\n  extend: 0.5Hz\n  := id[4s, 0, count]\n",
    "datalogmtl": "seen(I) :- beat(I,_).\noften(I) :- Boxminus[0,3] Diamondminus[0,2] seen(I).\n"
    "Boxplus[0,2] calm(I) :- often(I).\nhigh(I) :- Diamondminus[0,1] beat(I,X), top(X).\n"
    "top(99). top(98). top(97). top(96). top(95).\n",
    "lars": "near(I) :- win[6] <> beat(I,X), X > 90.\nlast(I,X) :- win[#2] <> beat(I,X).\n",
    "cql": "REGISTER STREAM beat(id int, x int);\n"
    "sums: SELECT id, COUNT(*) AS n, SUM(x) AS total FROM beat [RANGE 5] GROUP BY id;\n"
    "last: ISTREAM(SELECT id, x FROM beat [PARTITION BY id ROWS 1]);\n",
}


def records() -> list[tuple[str, str]]:
    """Keys and values. Three events at most times, up to six time points before earlier ones."""
    chance = random.Random(5)
    order = sorted(range(COUNT), key=lambda place: place // 3 + chance.uniform(0, 6))
    events = [
        {"id": chance.randrange(5), "x": chance.randrange(100), "time": place // 3}
        for place in order
    ]
    return [(f"key{chance.randrange(8)}", json.dumps(event)) for event in events]


_RTLOLA = horae.compile(TEXTS["rtlola"])
_DATALOGMTL = horae.compile(TEXTS["datalogmtl"], language="datalogmtl")
_LARS = horae.compile(TEXTS["lars"], language="lars")
_CQL = horae.compile(TEXTS["cql"], language="cql")


@dataclass(frozen=True)
class Case:
    """`kept`: the columns of answers that are compared."""

    live: Callable[[DataFrame, DataFrame], Live]
    batch: Callable[[DataFrame], DataFrame]
    kept: Callable[[DataFrame], DataFrame]
    order: str | None = "order"

    def rows(self, frame: DataFrame) -> DataFrame:
        return kafka_rows(frame, "id long, x long, time long", order=self.order)


_common: dict[str, Any] = {"lateness": LATENESS, "shards": 2}
CASES = {
    "rtlola": Case(
        lambda rows, control: _RTLOLA.live(
            rows, order="order", lateness=f"{LATENESS} s", shards=2, control=control
        ),
        lambda rows: _RTLOLA.answers(rows, order="order", shards=2),
        lambda answers: answers,
    ),
    "datalogmtl": Case(
        lambda rows, control: _DATALOGMTL.live(
            {"beat": rows}, precision="1", control=control, **_common
        ),
        lambda rows: _DATALOGMTL.answers({"beat": rows}, shards=2),
        lambda answers: answers,
        order=None,
    ),
    "lars": Case(
        lambda rows, control: _LARS.live({"beat": rows}, order="order", control=control, **_common),
        lambda rows: _LARS.answers({"beat": rows}, order="order", shards=2),
        lambda answers: answers,
    ),
    "cql": Case(
        lambda rows, control: _CQL.live({"beat": rows}, order="order", control=control, **_common),
        lambda rows: _CQL.answers({"beat": rows}, order="order"),
        lambda answers: answers,
    ),
}
