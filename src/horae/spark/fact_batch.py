"""A program of rules over all facts at once, as any kernel program: a look at the facts, then a batch.

What concerns all shards is found before facts are spread: those that always hold, and the time points
that all shards must see.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_schema

from horae.data.fact_columns import SCHEMA, background_rows, timed_rows
from horae.engine.contract import Routed
from horae.spark.bad_rows import refuse_told, strict, telling
from horae.spark.batch import look_up, run_batch
from horae.spark.failures import marked, unmarked
from horae.spark.parcels import BAD
from horae.spark.piped import Batches

Convert = Callable[[pa.Table], pa.Table]


def answer_facts(
    facts: DataFrame,
    make_program: Callable[[pa.Table], Routed],
    to_rows: Convert,
    *,
    told: DataFrame | None = None,
) -> DataFrame:
    """The answers of the kernels, not sorted. `facts` have the columns of `data.fact_columns`.

    `make_program` gets those that always hold; `to_rows` makes rows of the program of the others. The
    facts are scanned at once; the rest is lazy. `told` has the same facts for these scans, and what is
    wrong with other rows.
    """
    seen, gate = (facts, strict) if told is None else (told, telling)
    program = make_program(_background(seen))
    worker, schema = _Timed(to_rows), from_arrow_schema(program.rows)
    points = look_up(program.wants, [gate(seen, worker, schema)])
    return run_batch(program, [strict(facts, worker, schema)], points)


def _background(facts: DataFrame) -> pa.Table:
    """A row that could not be read is an error now."""
    always = facts.where("low IS NULL AND high IS NULL")
    with unmarked():
        found = always.toArrow()
    if BAD in found.column_names:
        notes = found.column(BAD).drop_null().to_pylist()
        refuse_told(min(map(str, notes), default=None))
    return background_rows(found.select(SCHEMA.names).cast(SCHEMA))


# --- in the workers


@dataclass(frozen=True)
class _Timed:
    """Facts with times → rows of the program."""

    to_rows: Convert

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                timed = timed_rows(pa.Table.from_batches([batch]).select(SCHEMA.names))
                yield from self.to_rows(timed).to_batches()
