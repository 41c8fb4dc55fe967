"""The benchmarks: a specification and a generator of events each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from horae.data.columns import Doubles, Ints

EventColumns = dict[str, Doubles | Ints | npt.NDArray[np.str_]]

_SHOP = """\
input int prod_id
output int sold<int id>
    invoke: prod_id
    extend: id = prod_id
    := sold(id)[-1, 0] + 1
output int sales_freq<int id>
    invoke: prod_id
    extend: id = prod_id
    := sold(id)[1h, 0, count]
trigger any(sales_freq > 100000)
"""

_RATINGS = """\
input string pid
input double stars
output double rating<string p>
    invoke: pid
    extend: pid = p
    := stars
output double average<string p>
    invoke: pid
    extend: pid = p
    := rating(p)[30d, 0.0, avg]
trigger any(average < 0.5)
"""

_SENSOR = """\
input double speed
output double mean
    extend: 1Hz
    := speed[1min, 0.0, avg]
trigger mean > 1000.0
"""


@dataclass(frozen=True, slots=True)
class Benchmark:
    """`make(n)` gives the columns of n events, in order of time, the same at every call."""

    name: str
    about: str
    spec: str
    make: Callable[[int], EventColumns]

    def write_events(self, count: int, path: Path) -> None:
        columns = {name: pa.array(values) for name, values in self.make(count).items()}
        pq.write_table(pa.table(columns), path)


def _shop(count: int) -> EventColumns:
    """A hundred sales a second; a few products sell most, as in a real shop."""
    return {"time": np.arange(count) / 100, "prod_id": _popular(count)}


def _ratings(count: int) -> EventColumns:
    """Ratings of products with the shares of stars that electronics have in a real shop."""
    random = np.random.default_rng(1)
    stars = random.choice([5.0, 4.0, 3.0, 2.0, 1.0], count, p=[0.556, 0.19, 0.081, 0.058, 0.115])
    names = np.char.add("B", np.char.zfill(_popular(count).astype(str), 9))
    return {"time": np.arange(count), "pid": names, "stars": stars}


def _sensor(count: int) -> EventColumns:
    """A thousand readings a second of one sensor."""
    readings = np.random.default_rng(2).normal(50, 5, count)
    return {"time": np.arange(count) / 1000, "speed": readings}


def _popular(count: int) -> Ints:
    """Ids with a heavy tail: most have a handful of events, a few have thousands."""
    drawn = np.random.default_rng(0).pareto(0.5, count) * 300
    return np.fmod(drawn, max(1, count // 12)).astype(np.int64)


BENCHMARKS = (
    Benchmark("shop", "sales per product within the last hour", _SHOP, _shop),
    Benchmark("ratings", "average rating per product over 30 days", _RATINGS, _ratings),
    Benchmark("sensor", "one stream, averaged over a minute every second", _SENSOR, _sensor),
)
