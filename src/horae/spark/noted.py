"""Names that workers note while they read: the driver hears of them as soon as a task is done."""

from __future__ import annotations

from pyspark import Accumulator, AccumulatorParam
from pyspark.sql import SparkSession

from horae.data.roll import current_roll

Noted = Accumulator[dict[str, str]]


class _Union(AccumulatorParam[dict[str, str]]):
    """A task that runs again notes the same names again."""

    def zero(self, value: dict[str, str]) -> dict[str, str]:
        return {}

    def addInPlace(self, value1: dict[str, str], value2: dict[str, str]) -> dict[str, str]:  # noqa: N802
        for name, place in value2.items():
            value1.setdefault(name, place)
        return value1


def noted_by_workers(spark: SparkSession) -> Noted | None:
    """For the roll that is open; None if there is none."""
    roll = current_roll()
    if roll is None:
        return None
    noted = spark.sparkContext.accumulator({}, _Union())
    roll.sources.append(lambda: noted.value)
    return noted
