"""Names of columns inside Spark.

Spark does not tell `a` from `A`, programs do. So every column carries its number in its name.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f


def numbered_names(names: Sequence[str]) -> list[str]:
    return [f"{number}:{name}" for number, name in enumerate(names)]


def plain_names(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The names of the program again."""
    return batch.rename_columns([name.partition(":")[2] or name for name in batch.schema.names])


def select_by_place(frame: DataFrame, names: Sequence[str]) -> DataFrame:
    """The columns with these names, each once, under their own names where Spark could mix them up."""
    numbered = numbered_names(frame.columns)
    chosen = [numbered[frame.columns.index(name)] for name in names]
    return frame.toDF(*numbered).select(*map(column, chosen))


def column(name: str) -> Column:
    """A column by its name, whatever characters are in it."""
    escaped = name.replace("`", "``")
    return f.col(f"`{escaped}`")
