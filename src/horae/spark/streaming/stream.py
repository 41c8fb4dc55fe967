"""A live program over a stream of rows: the answers as a streaming DataFrame, and the late rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from horae.live.routing import Routed
from horae.source.errors import InputError
from horae.spark.streaming.parcels import PARCELS, Kind, unpack
from horae.spark.streaming.processor import OUTPUT, ShardProcessor
from horae.spark.streaming.route import Route
from horae.spark.streaming.shard_metrics import METRICS

Batches = Iterator[pa.RecordBatch]

_PROVIDER = "spark.sql.streaming.stateStore.providerClass"
ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
STORE = {
    _PROVIDER: ROCKSDB,
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled": "true",
}
"""What a session needs for streams: state in RocksDB, of which only changes are written."""


@dataclass(frozen=True)
class Live:
    """`results` has parcels of answers, of late rows and of metrics; the frames below open them.

    One query may take all: write `results` with `foreachBatch`, and open each kind there.
    """

    program: Routed
    results: DataFrame
    shape: Callable[[DataFrame], DataFrame] = lambda answers: answers

    @property
    def answers(self) -> DataFrame:
        """With the columns of a batch run."""
        return self.shape(opened(self.results, Kind.ANSWERS, self.program.answers))

    @property
    def late(self) -> DataFrame:
        return opened(self.results, Kind.LATE, self.program.rows)

    @property
    def metrics(self) -> DataFrame:
        """A row for each shard and micro-batch."""
        return opened_metrics(self.results)


def run_live(
    program: Routed,
    rows: DataFrame,
    *,
    lateness: int,
    shards: int,
    control: DataFrame | None = None,
) -> Live:
    """`rows` has the schema of the program; `control` is a stream of parcels for all shards."""
    _check_store(rows.sparkSession)
    keys = shard_keys(rows.sparkSession, shards if program.spread else 1)
    parcels = rows.mapInArrow(Route(program, keys), PARCELS)
    if control is not None:
        everyone = f.explode(f.array(*map(f.lit, keys))).alias("shard")
        parcels = parcels.unionAll(control.select(everyone, "kind", "payload"))
    results = parcels.groupBy("shard").transformWithStateInPandas(
        ShardProcessor(program, keys, lateness),
        outputStructType=OUTPUT,
        outputMode="Append",
        timeMode="None",
    )
    return Live(program, results)


def fingerprint(spark: SparkSession, live: Live, lateness: object) -> str:
    """Runs with the same one can go on with each other's checkpoint.

    The numbers of shards follow from how many partitions a shuffle has.
    """
    partitions = spark.conf.get("spark.sql.shuffle.partitions")
    return f"{live.program.fingerprint} {partitions} {lateness}"


def _check_store(spark: SparkSession) -> None:
    """The session is the caller's: nothing in it is changed."""
    if "RocksDB" not in str(spark.conf.get(_PROVIDER, "")):
        raise InputError(
            "ENV010",
            "a stream keeps its state in RocksDB, but the Spark session is set to another store",
            help=f"set {_PROVIDER} to {ROCKSDB}",
        )


def shard_keys(spark: SparkSession, shards: int) -> tuple[int, ...]:
    """Numbers that Spark's hash spreads evenly over as many partitions as there are shards.

    They depend on nothing but the number of shards: state is found again by them. The first is always 0,
    so that a run with another number of shards meets the state of this one, and is refused.
    """
    found = spark.range(64 * shards).selectExpr(
        "cast(id as int) AS key", f"pmod(hash(cast(id as int)), {shards}) AS place"
    )
    keys: dict[int, int] = {}
    for row in found.orderBy("key").collect():
        keys.setdefault(row.place, row.key)
    chosen = sorted(keys.values())
    spare = range(64 * shards, 128 * shards)
    return (*chosen, *islice(spare, shards - len(chosen)))


def opened(results: DataFrame, kind: Kind, schema: pa.Schema) -> DataFrame:
    chosen = results.where(f.col("kind") == kind.value)
    return chosen.mapInArrow(_Open(schema), from_arrow_schema(schema))


def opened_metrics(results: DataFrame) -> DataFrame:
    chosen = results.where(f.col("kind") == Kind.METRICS.value)
    read = f.from_json(f.col("payload").cast("string"), METRICS)
    return chosen.select(read.alias("metrics")).select("metrics.*")


@dataclass(frozen=True)
class _Open:
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for payload in batch.column("payload").to_pylist():
                assert payload is not None, "parcels are never empty"
                yield from unpack(payload).cast(self.schema).to_batches()
