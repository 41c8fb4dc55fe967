"""Answers in order, in the driver: one part after the other, however many there are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa
from pyspark import StorageLevel
from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from horae.data.columns import fitted
from horae.engine.answers import Answers
from horae.engine.contract import Routed
from horae.engine.merging import in_order
from horae.engine.run import Run
from horae.spark.parcels import unpack
from horae.spark.sinks.answer_parcels import PAYLOAD

_FETCHED = 1 << 22
"""Bytes of parcels, which are compressed, that the driver fetches at once."""


def sorted_answers(
    run: Run, program: Routed, parcels: DataFrame, *, brief: bool
) -> Iterator[Answers]:
    """Of parcels that are `PackedInTime`.

    `brief`: there is so little that partitions one after the other are no loss.
    """
    with _derived(parcels, brief=brief) as found:
        for part in in_order(_tables(run, program, found), run.order_column):
            yield run.answers(program, part)


@contextmanager
def _derived(parcels: DataFrame, *, brief: bool) -> Iterator[DataFrame]:
    """Partitions are fetched one by one: so that all are derived at once, they wait on disk.

    The JVM of the driver holds two of them at a time, so they must be small.
    """
    if brief:
        yield parcels
        return
    kept = parcels.persist(StorageLevel.DISK_ONLY)
    try:
        size = kept.agg(f.sum(f.octet_length(PAYLOAD))).first()
        count = 0 if size is None else -(-(size[0] or 0) // _FETCHED)
        yield kept if count < 2 else kept.repartition(count)
    finally:
        kept.unpersist()


def _tables(run: Run, program: Routed, parcels: DataFrame) -> Iterator[pa.Table]:
    schema = run.answer_rows(program, program.answers.empty_table()).schema
    for (payload,) in parcels.toLocalIterator(prefetchPartitions=True):
        yield fitted(unpack(payload), schema)
