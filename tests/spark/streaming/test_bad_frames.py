"""`program.live(…, bad_rows="keep")`: answers of the good rows, and the bad ones as a DataFrame."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

import horae
from horae.spark.streaming.state_store import STORE

pytestmark = pytest.mark.long

ROWS = [
    {"x": "a", "n": "1", "time": "1"},
    {"x": "a", "n": "many", "time": "2"},
    {"x": "b", "n": "2", "time": "soon"},
    {"x": "b", "n": "3", "time": "9"},
]
SPEC = "input string x\ninput int n\noutput int sum := sum[-1, 0] + n"
QUERY = "REGISTER STREAM s(X string, N string);\nq: SELECT X, N FROM s [NOW];"


@pytest.fixture
def frame(spark: SparkSession, tmp_path: Path) -> DataFrame:
    for name, value in STORE.items():
        spark.conf.set(name, value)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.json").write_text("\n".join(map(json.dumps, ROWS)))
    schema = "x string, n string, time string"
    return spark.readStream.schema(schema).json(str(tmp_path / "in"))


def _all(frame: DataFrame, place: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    writer = frame.writeStream.foreachBatch(
        lambda batch, _: found.extend(row.asDict() for row in batch.collect())
    )
    options = writer.option("checkpointLocation", str(place))
    options.trigger(availableNow=True).start().awaitTermination()
    return found


def test_events(frame: DataFrame, tmp_path: Path):
    program = horae.compile(SPEC)
    live = program.live(frame, shards=2, bad_rows="keep")
    assert [row["value"] for row in _all(live.answers, tmp_path / "answers")] == ["1"]
    notes = [json.loads(row["__bad"]) for row in _all(live.bad, tmp_path / "bad")]
    assert [note["row"]["time"] for note in notes] == ["2", "soon"]
    assert all(note["code"].startswith("INP") for note in notes)


@pytest.mark.parametrize("language", ["lars", "datalogmtl", "cql"])
def test_facts_and_rows(language: Any, frame: DataFrame, tmp_path: Path):
    texts = {"lars": "q(X) :- s(X,N).", "datalogmtl": "q(X) :- s(X,N).", "cql": QUERY}
    program = horae.compile(texts[language], language=language)
    live = program.live({"s": frame}, shards=2, bad_rows="keep")
    (note,) = [json.loads(row["__bad"]) for row in _all(live.bad, tmp_path / "bad")]
    assert note["row"] == {"x": "b", "n": "2", "time": "soon"}
    assert len(_all(live.answers, tmp_path / "answers")) == 2
