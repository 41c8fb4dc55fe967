"""Records of Kafka topics as lines of JSON, so that the doors read both in the same way.

A line of a file has no number on Spark; a record has its place, partition and offset: it is in every
error about the record, and orders those of equal times.
"""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from horae.data.layout import RECORD_PLACE
from horae.data.written_lines import PLACE_DIGITS

# The place of a record as one column, for tables whose order is the column of a name.
RECORD_ORDER = "__record"


def record_lines(records: DataFrame, line: str = "value") -> DataFrame:
    """The value of each record, null where it is not UTF-8 text, and its place."""
    text = f.try_validate_utf8(f.col("value").cast("string")).alias(line)
    places = zip(("partition", "offset"), RECORD_PLACE, strict=True)
    return records.select(text, *(f.col(found).cast("long").alias(name) for found, name in places))


def place_text(partition: Column, offset: Column) -> Column:
    """Partition, then offset, as text that sorts as the numbers do."""
    places = zip((partition, offset), PLACE_DIGITS, strict=True)
    return f.concat_ws(":", *(f.lpad(c.cast("string"), digits, "0") for c, digits in places))
