"""What cannot be computed stops the run: with the words of the kernels, which `failures.unmarked`
finds again.

Spark may move a condition to where it sees more rows, and an error with it. It does not move what
is not deterministic, so the test of a fault pretends to be that.
"""

from __future__ import annotations

import json

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from horae.languages.cql.kernel.faults import Fault
from horae.languages.cql.plan.algebra import TAU
from horae.spark.failures import MarkedError

_TIME = "\0"  # stands for the evaluation time, and in no program


def fault_text(fault: Fault) -> Column:
    """The error as marked text, with the evaluation time of the row."""
    text = str(MarkedError(fault.error(_TIME)))
    before, after = text.split(json.dumps(_TIME)[1:-1])
    return f.concat(f.lit(before), f.col(TAU.name).cast("string"), f.lit(after))


def stop_on(rows: DataFrame, faults: list[Column]) -> DataFrame:
    """The rows as they are, unless one has a fault: a text that is not null."""
    if not faults:
        return rows
    text = f.coalesce(*faults)
    stop = f.when(f.rand(0) >= 0, f.raise_error(text).cast("boolean"))
    return rows.where(f.when(text.isNotNull(), stop).otherwise(f.lit(True)))
