"""The driver that is killed: `python -m tests.kafka.driver URL FOLDER live|finish`.

`live` runs all programs over the topic until it is killed. `finish` goes on from their checkpoints
to the end of the topic, ends the streams, and writes what they have answered, and what a batch run does.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from tests.kafka.programs import CASES

from horae.spark.kafka import kafka_frame
from horae.spark.session import JAVA_OPTIONS, java_options, session
from horae.spark.streaming.state_store import STORE

_PER_BATCH = 20


def main(arguments: Sequence[str]) -> None:
    url, folder, mode = arguments
    spark = _started()
    match mode:
        case "live":
            _start(spark, url, Path(folder), to_end=False)
            spark.streams.awaitAnyTermination()  # none ends but by a failure
        case "finish":
            _finish(spark, url, Path(folder))
            _write_both(spark, url, Path(folder))
        case _:
            raise ValueError(f"live or finish, not {mode}")
    spark.stop()


def _started() -> SparkSession:
    jars = ",".join(map(str, sorted(Path(os.environ["HORAE_KAFKA_JARS"]).glob("*.jar"))))
    more = {"spark.jars": jars, "spark.driver.memory": "2g", JAVA_OPTIONS: java_options(brief=True)}
    return session("local[2]", shards=2, more={**STORE, **more})


def _start(spark: SparkSession, url: str, folder: Path, *, to_end: bool) -> list[StreamingQuery]:
    return [_query(spark, name, url, folder, to_end) for name in CASES]


def _query(spark: SparkSession, name: str, url: str, folder: Path, to_end: bool) -> StreamingQuery:
    case, control = CASES[name], folder / "control"
    told = spark.readStream.schema("kind string, payload binary").json(str(control))
    rows = case.rows(kafka_frame(spark, url, per_batch=_PER_BATCH))
    writer = (
        case.live(rows, told)
        .answers.writeStream.format("parquet")
        .option("path", str(folder / "answers" / name))
        .option("checkpointLocation", str(folder / "checkpoints" / name))
    )
    return (writer.trigger(availableNow=True) if to_end else writer).start()


def _finish(spark: SparkSession, url: str, folder: Path) -> None:
    for ends in (False, True):
        if ends:
            (folder / "control" / "finish.json").write_text('{"kind": "finish"}')
        for query in _start(spark, url, folder, to_end=True):
            query.awaitTermination()


def _write_both(spark: SparkSession, url: str, folder: Path) -> None:
    records = kafka_frame(spark, url, live=False)
    _write(records.selectExpr("cast(value AS string)"), folder / "events.json")
    for name, case in CASES.items():
        written = spark.read.parquet(str(folder / "answers" / name))
        _write(case.kept(written), folder / f"{name}.live.json")
        _write(case.kept(case.batch(case.rows(records))), folder / f"{name}.batch.json")


def _write(frame: DataFrame, file: Path) -> None:
    rows = sorted(json.dumps(row, default=str) for row in frame.collect())
    file.write_text(json.dumps({"columns": frame.columns, "rows": rows}))


if __name__ == "__main__":
    main(sys.argv[1:])
