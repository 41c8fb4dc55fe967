"""The columns of answers are the same in batch and over a stream, in their order and types."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

import horae
from horae.spark.streaming.state_store import STORE

RULES = "q(X) :- s(X)."
TEXTS: dict[str, str] = {
    "rtlola": "input int a\noutput int b := a",
    "lars": RULES,
    "datalogmtl": RULES,
    "cql": "REGISTER STREAM s(A int);\nq: SELECT A FROM s [NOW];",
}
SCHEMA = "time long, a long"


@pytest.mark.parametrize(
    ("language", "output", "options"),
    [
        ("rtlola", None, {}),
        ("rtlola", "b", {}),
        ("lars", None, {}),
        ("datalogmtl", None, {}),
        ("datalogmtl", None, {"at": "1"}),
        ("cql", None, {}),
    ],
)
def test_one_schema(
    spark: SparkSession,
    tmp_path: Path,
    language: Any,
    output: str | None,
    options: dict[str, Any],
):
    for name, value in STORE.items():
        spark.conf.set(name, value)
    program = horae.compile(TEXTS[language], language=language)
    frames: list[Any] = [
        reader.schema(SCHEMA).json(str(tmp_path)) for reader in (spark.read, spark.readStream)
    ]
    if language != "rtlola":
        frames = [{"s": frame} for frame in frames]
    batch, stream = (program.answers(frame, output, **options) for frame in frames)
    assert stream.isStreaming
    assert stream.schema == batch.schema
