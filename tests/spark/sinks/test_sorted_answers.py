"""Sorted answers come to the driver in parts of a bounded size."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from horae.spark.sinks import sorted_answers
from horae.spark.sinks.sorted_answers import _derived

pytestmark = pytest.mark.spark


@pytest.mark.parametrize(("fetched", "parts"), [(8, 5), (20, 2), (1000, 1)])
def test_parts_are_small(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, fetched: int, parts: int
):
    monkeypatch.setattr(sorted_answers, "_FETCHED", fetched)
    payloads = [(bytes([number] * 4),) for number in range(10)]
    frame = spark.createDataFrame(payloads, "payload binary").coalesce(1)
    with _derived(frame, brief=False) as found:
        assert found.rdd.getNumPartitions() == parts
        assert sorted(tuple(row) for row in found.collect()) == payloads


def test_nothing_has_no_part_to_cut(spark: SparkSession):
    with _derived(spark.createDataFrame([], "payload binary"), brief=False) as found:
        assert found.collect() == []
