"""A live program over a stream of rows: the answers as a streaming DataFrame, and the late rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import islice, zip_longest
from math import ceil
from typing import Generic, TypeVar

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f
from pyspark.sql.pandas.types import from_arrow_schema

from horae.data.columns import plain_columns
from horae.engine.contract import Later, Routed
from horae.engine.typed_answers import TypedAnswers, known_output
from horae.spark import catalogue
from horae.spark.parcels import BAD, PARCELS, ParcelKind, unpack
from horae.spark.piped import Batches, Piped, through
from horae.spark.sinks.answer_parcels import opened as opened_answers
from horae.spark.streaming.forward import Forward
from horae.spark.streaming.outputs import EVERYTHING, AsRows, StreamOutput, is_plain
from horae.spark.streaming.processor import ShardProcessor
from horae.spark.streaming.route import ShardRoute
from horae.spark.streaming.shard_metrics import METRICS
from horae.spark.streaming.state_store import PROVIDER, ROCKSDB
from horae.spark.streaming.watermark import Watermark

LiveRows = TypeVar("LiveRows", bound=DataFrame | Piped, covariant=True)
Converted = TypeVar("Converted", bound=DataFrame | Piped)

_BAD = pa.schema({BAD: pa.string()})


@dataclass(frozen=True)
class LiveStage:
    """A stateful operator, by its number: its input, and the keys of its shards."""

    parcels: DataFrame
    program: Routed
    keys: tuple[int, ...]
    watermark: Watermark
    number: int = 0

    def results(self, output: StreamOutput) -> DataFrame:
        shards = ShardProcessor(self.program, self.keys, self.watermark, self.number, output)
        return self.parcels.groupBy("shard").transformWithStateInPandas(
            shards, outputStructType=output.schema, outputMode="Append", timeMode="None"
        )


@dataclass(frozen=True)
class Live:
    """A program over a stream, up to its last stage; `typed` gives answers their columns.

    One query may take all: write `results` with `foreachBatch`, and open each kind there.
    """

    program: Routed
    watermark: Watermark
    last: LiveStage
    typed: TypedAnswers | None = None

    @property
    def spark(self) -> SparkSession:
        return self.last.parcels.sparkSession

    @property
    def results(self) -> DataFrame:
        """Parcels of answers, of late and bad rows, and of metrics."""
        return self.last.results(EVERYTHING)

    @property
    def answers(self) -> DataFrame:
        """With the columns of a batch run."""
        return self.of_output(None)

    def of_output(self, output: str | None) -> DataFrame:
        """The typed answers of one output, or of all.

        What pandas has no columns for leaves the operator in parcels, and is opened in one more worker.
        """
        if self.typed is None:
            return self.last.results(AsRows(self.program.answers, plain_columns))
        if output is not None:
            known_output(output, self.typed.schemas)
        shape = self.typed.shape(output)
        if all(map(is_plain, shape.schema.types)):
            return self.last.results(AsRows(self.program.answers, shape))
        parcels = self.results.where(f.col("kind") == str(ParcelKind.ANSWERS))
        return opened_answers(parcels, shape, self.program.answers)

    @property
    def late(self) -> DataFrame:
        return opened(self.results, ParcelKind.LATE, self.program.rows)

    @property
    def bad(self) -> DataFrame:
        """What could not be read, as JSON."""
        return opened(self.results, ParcelKind.BAD, _BAD)

    @property
    def metrics(self) -> DataFrame:
        """A row for each shard and micro-batch."""
        return opened_metrics(self.results)


@dataclass(frozen=True)
class Settings:
    """How a stream is run; `lateness` and `idle` are in units of time.

    `idle` is how far a source may fall behind the others before they do not wait for it any more;
    None: they always wait. `control` is a stream of parcels for all shards.
    """

    shards: int
    lateness: Fraction = Fraction(0)
    idle: Fraction | None = None
    control: DataFrame | None = None

    def watermark(self, sources: int, resolution: int) -> Watermark:
        idle = None if self.idle is None else ceil(self.idle * resolution)
        return Watermark(ceil(self.lateness * resolution), sources, idle)


@dataclass(frozen=True)
class StreamSources(Generic[LiveRows]):
    """Streams; nothing waits for those that are `over`: all their rows are in the first micro-batch."""

    streams: Sequence[LiveRows]
    over: Sequence[LiveRows] = ()

    def map(self, convert: Callable[[LiveRows], Converted]) -> StreamSources[Converted]:
        return StreamSources(
            [convert(rows) for rows in self.streams], [convert(r) for r in self.over]
        )

    @property
    def spark(self) -> SparkSession:
        first = next(iter([*self.streams, *self.over]))
        return (first.frame if isinstance(first, Piped) else first).sparkSession

    @property
    def count(self) -> int:
        """Of those that are waited for; if nothing else comes, all are one."""
        return len(self.streams) or 1

    @property
    def numbered(self) -> list[tuple[int | None, LiveRows]]:
        """Those that nobody waits for have no number."""
        last = None if self.streams else 0
        return [*enumerate(self.streams), *((last, rows) for rows in self.over)]


def run_live(
    program: Routed,
    sources: StreamSources[DataFrame | Piped],
    settings: Settings,
    *,
    resolution: int = 1,
) -> Live:
    """The sources have the columns of the program, and maybe a column `BAD`.

    `resolution` is the number of ticks in a unit of time.
    """
    spark = sources.spark
    _check_store(spark)
    watermark = settings.watermark(sources.count, resolution)
    keys = shard_keys(spark, settings.shards, program.width)
    routed = [
        through(rows, ShardRoute(program, keys, number), PARCELS).rows
        for number, rows in sources.numbered
    ]
    parcels = reduce(DataFrame.unionAll, routed)
    if settings.control is not None:
        everyone = f.explode(f.array(*map(f.lit, keys))).alias("shard")
        parcels = parcels.unionAll(settings.control.select(everyone, "kind", "payload"))
    stage = LiveStage(parcels, program, keys, watermark)
    while stage.program.later is not None:
        stage = _next(stage, stage.program.later, settings.shards)
    return Live(program, watermark, stage)


def _next(stage: LiveStage, program: Later, shards: int) -> LiveStage:
    keys = shard_keys(stage.parcels.sparkSession, shards, program.width)
    number = stage.number + 1
    parcels = stage.results(EVERYTHING).mapInArrow(Forward(program, number, keys), PARCELS)
    return LiveStage(parcels, program, keys, stage.watermark, number)


def fingerprint(spark: SparkSession, live: Live) -> str:
    """Runs with the same one can go on with each other's checkpoint.

    The numbers of shards follow from how many partitions a shuffle has.
    """
    partitions = spark.conf.get("spark.sql.shuffle.partitions")
    return f"{live.program.fingerprint} {partitions} {live.watermark}"


def _check_store(spark: SparkSession) -> None:
    """The session is the caller's: nothing in it is changed."""
    if "RocksDB" not in str(spark.conf.get(PROVIDER, "")):
        raise catalogue.OTHER_STATE_STORE(setting=PROVIDER, value=ROCKSDB)


def shard_keys(spark: SparkSession, partitions: int, shards: int) -> tuple[int, ...]:
    """Numbers that Spark's hash spreads evenly over so many partitions.

    They depend on nothing but the two numbers: state is found again by them. The first is always 0,
    so that a run with other ones meets the state of this one, and is refused.
    """
    found = spark.range(64 * max(partitions, shards)).selectExpr(
        "cast(id as int) AS key", f"pmod(hash(cast(id as int)), {partitions}) AS place"
    )
    by_place: dict[int, list[int]] = {}
    for row in found.orderBy("key").collect():
        by_place.setdefault(row.place, []).append(row.key)
    rounds = zip_longest(*by_place.values())
    return tuple(islice((key for keys in rounds for key in keys if key is not None), shards))


def opened(results: DataFrame, kind: ParcelKind, schema: pa.Schema) -> DataFrame:
    chosen = results.where(f.col("kind") == kind.value)
    plain = plain_columns(schema.empty_table()).schema
    return chosen.mapInArrow(_Open(schema), from_arrow_schema(plain))


def opened_metrics(results: DataFrame) -> DataFrame:
    chosen = results.where(f.col("kind") == ParcelKind.METRICS.value)
    read = f.from_json(f.col("payload").cast("string"), METRICS)
    return chosen.select(read.alias("metrics")).select("metrics.*")


@dataclass(frozen=True)
class _Open:
    schema: pa.Schema

    def __call__(self, batches: Batches) -> Batches:
        for batch in batches:
            for payload in batch.column("payload").to_pylist():
                assert payload is not None, "parcels are never empty"
                yield from plain_columns(unpack(payload).cast(self.schema)).to_batches()
