"""Every language over a stream of files: the answers are those of the batch run, each once."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

import horae
from horae.spark.streaming.state_store import STORE
from horae.spark.streaming.stream import Live

Rows = Sequence[Mapping[str, Any]]


@pytest.fixture
def stream(spark: SparkSession) -> SparkSession:
    for name, value in STORE.items():
        spark.conf.set(name, value)
    return spark


class Folder:
    """A folder of files, one per micro-batch, as a stream; the end is told by a control file."""

    def __init__(
        self, spark: SparkSession, path: Path, schema: str, batches: Sequence[Rows]
    ) -> None:
        self.spark, self.path = spark, path
        (path / "rows").mkdir(parents=True)
        (path / "control").mkdir()
        for number, rows in enumerate(batches):
            lines = "\n".join(json.dumps(row) for row in rows)
            file = path / "rows" / f"{number:04}.json"
            file.write_text(lines)
            os.utime(file, (1000 + number,) * 2)  # Spark reads older files first
        self.rows = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1)
        self.control = spark.readStream.schema("kind string, payload binary").json(
            str(path / "control")
        )

    def frame(self) -> DataFrame:
        return self.rows.json(str(self.path / "rows"))

    def answers(self, live: Callable[[], Live]) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = []
        for ends in (False, True):
            if ends:
                (self.path / "control" / "finish.json").write_text('{"kind": "finish"}')
            query = (
                live()
                .answers.writeStream.foreachBatch(
                    lambda f, _: found.extend(map(tuple, f.collect()))
                )
                .option("checkpointLocation", str(self.path / "checkpoint"))
                .trigger(availableNow=True)
                .start()
            )
            query.awaitTermination()
        return sorted(found, key=repr)


def _batch(frame: DataFrame) -> list[tuple[Any, ...]]:
    return sorted(map(tuple, frame.collect()), key=repr)


@pytest.mark.long
@pytest.mark.spark
def test_rtlola_in_two_stages(stream: SparkSession, tmp_path: Path):
    program = horae.compile(
        "input int id\noutput int seen<int i>\n  invoke: id\n  extend: id = i\n"
        "  := seen(i)[-1, 0] + 1\noutput int alive\n  extend: 0.5Hz\n  := id[4s, 0, count]\n"
        "trigger count(seen > 1) > 1"
    )
    batches = [
        [{"time": 1, "id": 1}, {"time": 3, "id": 2}],
        [{"time": 2, "id": 1}, {"time": 9, "id": 1}],
        [{"time": 8, "id": 2}],
    ]
    folder = Folder(stream, tmp_path, "time long, id long", batches)
    live = folder.answers(
        lambda: program.live(folder.frame(), lateness="5 s", shards=2, control=folder.control)
    )
    whole = stream.createDataFrame([r for b in batches for r in b], "time long, id long")
    batch = program.answers(whole, shards=2)
    assert live == _batch(batch)


_TRAMS = [
    [{"id": "a1", "x": "p1", "time": 36}],
    [{"id": "a2", "x": "p2", "time": 40}, {"id": "a1", "x": "p3", "time": 38}],
    [{"id": "a2", "x": "p3", "time": 47}],
]


@pytest.mark.long
def test_lars(stream: SparkSession, tmp_path: Path):
    program = horae.compile(
        "rel(L,X) :- line(ID,L), win[10] <> tram(ID,X).\n"
        "@T exp(ID,Y) :- win[tram(ID,_) by ID #1] @T1 tram(ID,X), line(ID,L),\n"
        "    plan(L,X,Y,Z), T = T1 + Z.",
        language="lars",
    )
    tables = {
        "line": stream.createDataFrame([("a1", "l1"), ("a2", "l2")], "id string, l string"),
        "plan": stream.createDataFrame(
            [("l1", "p1", "p3", 8)], "l string, x string, y string, z long"
        ),
    }
    schema = "id string, x string, time long"
    folder = Folder(stream, tmp_path, schema, _TRAMS)
    live = folder.answers(
        lambda: program.live(
            {"tram": folder.frame(), **tables}, lateness=3, shards=2, control=folder.control
        )
    )
    whole = stream.createDataFrame([r for b in _TRAMS for r in b], schema)
    assert live == _batch(program.answers({"tram": whole, **tables}, shards=2))


@pytest.mark.long
def test_cql(stream: SparkSession, tmp_path: Path):
    program = horae.compile(
        "REGISTER STREAM tram(ID string, X string);\nREGISTER RELATION line(ID string, L string);\n"
        "rel: SELECT L, COUNT(*) AS n FROM tram [RANGE 5], line WHERE tram.ID = line.ID GROUP BY L;\n"
        "new: ISTREAM(SELECT ID FROM tram [PARTITION BY ID ROWS 1]);",
        language="cql",
    )
    lines = stream.createDataFrame([("a1", "l1"), ("a2", "l2")], "id string, l string")
    schema = "id string, x string, time long"
    folder = Folder(stream, tmp_path, schema, _TRAMS)
    live = folder.answers(
        lambda: program.live(
            {"tram": folder.frame(), "line": lines}, lateness=3, shards=2, control=folder.control
        )
    )
    whole = stream.createDataFrame([r for b in _TRAMS for r in b], schema)
    assert live == _batch(program.answers({"tram": whole, "line": lines}))


@pytest.mark.long
@pytest.mark.spark
def test_datalogmtl_in_two_stages(stream: SparkSession, tmp_path: Path):
    """`q` is spread by X, `r` by Y. Both predicates come in one stream of files, as two sources."""
    program = horae.compile(
        "q(X) :- Diamondminus[0,2] p(X,Y).\nr(Y) :- q(X), Diamondplus[0,1] s(X,Y).",
        language="datalogmtl",
    )
    assert len(program.report.plan.stages) == 2
    batches = [
        [_fact("p", "a", "b", 1), _fact("s", "a", "c", 3)],
        [_fact("s", "b", "d", 4), _fact("p", "b", "b", 6), _fact("s", "a", "d", 2)],
        [_fact("s", "b", "e", 7), _fact("p", "a", "b", 9), _fact("s", "a", "e", 8)],
    ]
    schema = "kind string, x string, y string, time long"
    folder = Folder(stream, tmp_path, schema, batches)
    live = folder.answers(
        lambda: program.live(
            _by_kind(folder.frame()), lateness=3, precision="1", shards=2, control=folder.control
        )
    )
    whole = stream.createDataFrame([r for b in batches for r in b], schema)
    assert live == _batch(program.answers(_by_kind(whole), shards=2))
    assert ("c", 2, 3, True, True) in [row[3] for row in live]


def _fact(kind: str, x: str, y: str, time: int) -> dict[str, Any]:
    return {"kind": kind, "x": x, "y": y, "time": time}


def _by_kind(rows: DataFrame) -> dict[str, DataFrame]:
    return {kind: rows.where(rows["kind"] == kind).drop("kind") for kind in ("p", "s")}
