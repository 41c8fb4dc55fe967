"""Answers as Spark keeps them for several readers: tables as bytes.

A run derives its answers once, however many outputs they are written to. Spark neither looks into the
parcels nor copies their columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_schema

from horae.data.columns import fitted
from horae.engine.contract import Routed
from horae.engine.merging import PIECE, pieces_of
from horae.engine.run import Run
from horae.engine.typed_answers import AllOutputs, OneOutput
from horae.spark.failures import marked
from horae.spark.parcels import pack, unpack
from horae.spark.piped import Batches

PAYLOAD = "payload"
TypedShape = OneOutput | AllOutputs
_SCHEMA = pa.schema([(PAYLOAD, pa.binary())])


@dataclass(frozen=True)
class Packed:
    """The shape of answers in parcels: as kernels gave them."""

    def __call__(self, answers: pa.Table) -> pa.Table:
        payloads = [pack(piece) for piece in self._pieces(answers)]
        return pa.Table.from_arrays([pa.array(payloads, pa.binary())], schema=_SCHEMA)

    def _pieces(self, answers: pa.Table) -> Iterator[pa.Table]:
        return (answers.slice(start, PIECE) for start in range(0, len(answers), PIECE))


@dataclass(frozen=True)
class PackedInTime(Packed):
    """The rows of answers in parcels, each of which spans little of the time."""

    run: Run
    program: Routed

    def _pieces(self, answers: pa.Table) -> Iterator[pa.Table]:
        return pieces_of(self.run.answer_rows(self.program, answers), self.run.order_column)


@dataclass(frozen=True)
class _Opened:
    """Parcels → rows of a typed table."""

    shape: TypedShape
    answers: pa.Schema

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                for payload in batch.column(PAYLOAD):
                    found = fitted(unpack(payload.as_py()), self.answers)
                    yield from self.shape(found).to_batches()


def opened(parcels: DataFrame, shape: TypedShape, answers: pa.Schema) -> DataFrame:
    """The typed table of one output, or of all; `answers` is the schema of the kernels."""
    schema = from_arrow_schema(shape.schema)
    return parcels.select(PAYLOAD).mapInArrow(_Opened(shape, answers), schema)
