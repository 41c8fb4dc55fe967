"""Facts inside Spark: what the columns of its frames are called."""

from __future__ import annotations

from pyspark.sql import types as t

from horae.data.fact_columns import ARGS, ORDER, PREDICATE

SHARD = "shard"

_ARGS = t.StructField(ARGS, t.ArrayType(t.StringType()))

# As `data.fact_columns` has them: ends are quotients.
FACTS = t.StructType(
    [
        t.StructField(PREDICATE, t.StringType()),
        _ARGS,
        t.StructField("low", t.LongType()),
        t.StructField("low_unit", t.LongType()),
        t.StructField("low_open", t.BooleanType()),
        t.StructField("high", t.LongType()),
        t.StructField("high_unit", t.LongType()),
        t.StructField("high_open", t.BooleanType()),
        t.StructField(ORDER, t.StringType()),
    ]
)
