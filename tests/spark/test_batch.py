"""Kernel programs in batch on Spark: the answers are those of one shard in process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession
from tests.spark.streaming import test_random_operator as languages
from tests.spark.streaming.sums import Sums

from horae.engine.contract import Routed, stages_of
from horae.engine.in_process import run_in_process
from horae.source.errors import InputError
from horae.spark.bad_rows import telling
from horae.spark.batch import (
    FIRST,
    SCHEMA,
    WAKING,
    InnerStage,
    LastStage,
    RouteRows,
    refuse_bad,
    run_batch,
)
from horae.spark.failures import MarkedError, recognise
from horae.spark.kept import kept
from horae.spark.piped import Batches, Piped


def sums(rows: list[tuple[int, int, int]]) -> list[tuple[int, ...]]:
    """By hand: at each time point, the sum of each key that was there before or at it."""
    found: list[tuple[int, ...]] = []
    for point in sorted({time for time, _, _ in rows}):
        keys = sorted({key for time, key, _ in rows if time <= point})
        totals = {k: sum(v for t, key, v in rows if key == k and t <= point) for k in keys}
        found += [(point, key, total) for key, total in totals.items()]
    return found


def frame_of(spark: SparkSession, rows: list[tuple[int, int, int]]) -> DataFrame:
    return spark.createDataFrame(rows, "time long, key long, value long")


@pytest.mark.parametrize("rows", [[(3, 1, 5), (1, 4, 7), (1, 1, 2), (9, 7, 1)], [(5, 2, 2)]])
def test_shards_without_rows_run_too(spark: SparkSession, rows: list[tuple[int, int, int]]):
    given = Piped(frame_of(spark, rows), (), "time long, key long, value long")
    found = run_batch(Sums(), [given])
    assert sorted(tuple(row) for row in found.collect()) == sums(rows)


def test_what_is_kept_is_read_once(spark: SparkSession):
    rows = [(3, 1, 5), (1, 4, 7), (1, 1, 2), (9, 7, 1)]
    count = spark.sparkContext.accumulator(0)

    def counted(batches: Batches) -> Batches:
        for batch in batches:
            count.add(batch.num_rows)
            yield batch

    read = Piped(frame_of(spark, rows), (counted,), ROWS_OF_SPARK)
    with kept([read]) as records:
        found = run_batch(Sums(), records).collect()
    assert sorted(tuple(row) for row in found) == sums(rows)
    assert count.value == len(rows)


def test_a_row_that_cannot_be_read_is_an_error_before_anything_runs(spark: SparkSession):
    rows = telling(frame_of(spark, [(1, 1, 1), (2, -1, 1)]), refuse_negative, ROWS_OF_SPARK)
    with pytest.raises(InputError) as error:
        refuse_bad([rows])
    assert error.value.code == "INP017"


ROWS_OF_SPARK = "time long, key long, value long"


def refuse_negative(batches: Batches) -> Batches:
    for batch in batches:
        if min(map(int, batch.column(1).to_numpy()), default=0) < 0:
            raise MarkedError(InputError("INP017", "a key is negative"))
        yield batch


# --- the law, without Spark: its part, to move parcels and to sort them, is played here


def moved(batches: Iterator[pa.RecordBatch], width: int) -> Iterator[pa.RecordBatch]:
    """All parcels in one partition, some in each Arrow batch, with one that wakes each shard."""
    parcels = [row for batch in batches for row in batch.to_pylist()]
    parcels += [{"shard": n, "least": FIRST, "kind": WAKING, "payload": None} for n in range(width)]
    ordered = sorted(parcels, key=lambda row: (row["shard"], row["least"]))
    return iter(pa.Table.from_pylist(ordered, SCHEMA).to_batches(max_chunksize=3))


def in_parts(rng: Random, rows: pa.Table) -> Iterator[pa.RecordBatch]:
    places = sorted(rng.randint(0, len(rows)) for _ in range(rng.randint(0, 4)))
    for start, stop in zip([0, *places], [*places, len(rows)], strict=True):
        yield from rows.slice(start, stop - start).combine_chunks().to_batches()


def run(program: Routed, rows: pa.Table, rng: Random) -> list[pa.Table]:
    """Routed in several tasks, each with its own rows."""
    parts = [[part] for part in in_parts(rng, rows)]
    parcels = (batch for part in parts for batch in RouteRows(program)(iter(part)))
    for number, stage in enumerate(stages_of(program)):
        ordered = moved(parcels, stage.width)
        if stage.later is None:
            found = LastStage(stage, number)(ordered)
            return [pa.Table.from_batches([batch]) for batch in found]
        parcels = (batch for batch in InnerStage(stage, number, program.width)(ordered))
    raise AssertionError


def answered(make: Callable[[], object]) -> object:
    try:
        return make()
    except MarkedError as error:
        found = recognise(str(error))
        assert found is not None
        return found.code
    except InputError as error:
        return error.code


@pytest.mark.parametrize("language", ["lars", "datalogmtl", "cql", "rtlola"])
@pytest.mark.parametrize("seed", range(12))
def test_batch_gives_the_answers_of_one_place(
    language: str, seed: int, monkeypatch: pytest.MonkeyPatch
):
    rng = Random(f"{language} {seed}")
    monkeypatch.setattr("horae.spark.batch._WAITING", rng.choice((1, 4, 1 << 17)))
    monkeypatch.setattr("horae.spark.batch._TOGETHER", rng.choice((1, 1 << 16)))
    case = getattr(languages, language)(rng)
    expected = case.batch(range(len(case.rows)))
    assert answered(lambda: case.read(run(case.program, case.rows, rng))) == expected, case.shown
    assert answered(lambda: case.read([run_in_process(case.program, case.rows)])) == expected
