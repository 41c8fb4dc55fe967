"""Files of events for the benchmarks of live streams, a micro-batch each, and a session to read them."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from horae.spark.session import session
from horae.spark.streaming.state_store import STORE

Keys = npt.NDArray[np.int64]
SPAN = 100_000_000
"""Microseconds of a micro-batch."""
FILES = 4
"""Of a micro-batch: as many partitions as a topic would have, so that reading them takes all cores."""


def start(shards: int, heap: str | None = None) -> SparkSession:
    """Spark on two cores; native queries keep their state in the same store as Horae."""
    more = STORE if heap is None else {**STORE, "spark.driver.memory": heap}
    return session("local[2]", shards, more=more)


def write_batch(folder: Path, number: int, keys: Keys) -> None:
    """An event for each of the keys, in the order of time; none of them at a full second."""
    numbers = np.random.default_rng(number)
    times = np.sort(numbers.integers(0, SPAN // 2, len(keys))) * 2 + 1 + SPAN * number
    columns = {
        "time": pa.array(times, pa.timestamp("us", tz="UTC")),
        "key": pa.array(keys, pa.int64()),
        "value": numbers.random(len(keys)),
    }
    table = pa.table(columns)
    size = -(-len(table) // FILES)
    for part in range(FILES):
        file = folder / f"{number:04}-{part}.parquet"
        pq.write_table(table.slice(part * size, size), file)
        os.utime(file, (1000 + number,) * 2)


def read_stream(spark: SparkSession, folder: Path) -> DataFrame:
    reader = spark.readStream.schema("time timestamp, key long, value double")
    return reader.option("maxFilesPerTrigger", FILES).parquet(str(folder))
