"""Answers and late rows as lines of JSON, in the workers: the lines that a run prints."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import DataFrame

from horae.data.columns import fitted
from horae.engine.contract import Routed
from horae.engine.merging import in_order, pieces_of
from horae.engine.run import Run
from horae.spark.failures import marked
from horae.spark.parcels import BAD, ParcelKind, unpack
from horae.spark.piped import Batches
from horae.spark.sinks.answer_parcels import PAYLOAD

LINE = "value"
_SCHEMA = f"{LINE} string"
_LATE = "it came after the time points up to it had been decided: allow for more with --lateness"


def answer_lines(parcels: DataFrame, run: Run, program: Routed) -> DataFrame:
    """A row per answer. Those of a partition are sorted, however many they are."""
    return parcels.select(PAYLOAD).mapInArrow(_AnswerLines(run, program), _SCHEMA)


def dead_letters(parcels: DataFrame, run: Run) -> DataFrame:
    """A row per late row, or per row that could not be read."""
    return parcels.select("kind", PAYLOAD).mapInArrow(_DeadLetters(run), _SCHEMA)


def tables_in_order(payloads: Iterable[bytes], run: Run, program: Routed) -> Iterator[pa.Table]:
    """Parcels of kernels as tables that follow each other, in bounded memory."""
    return in_order(_pieces(payloads, run, program), run.order_column)


def _pieces(payloads: Iterable[bytes], run: Run, program: Routed) -> Iterator[pa.Table]:
    for payload in payloads:
        answers = fitted(unpack(payload), program.answers)
        yield from pieces_of(run.answer_rows(program, answers), run.order_column)


def lines_of(text: str) -> list[str]:
    """Lines of JSON end with `\n` alone: other separators may stand in their strings."""
    return text.removesuffix("\n").split("\n")


def _rows(lines: Iterable[str]) -> pa.RecordBatch:
    return pa.record_batch([pa.array(lines, pa.string())], names=[LINE])


@dataclass(frozen=True)
class _AnswerLines:
    run: Run
    program: Routed

    def __call__(self, batches: Batches) -> Batches:
        payloads = (cell.as_py() for batch in batches for cell in batch.column(PAYLOAD))
        with marked():
            for table in tables_in_order(payloads, self.run, self.program):
                for text in self.run.answers(self.program, table).json_lines():
                    yield _rows(lines_of(text))


@dataclass(frozen=True)
class _DeadLetters:
    run: Run

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                for kind, payload in zip(*map(pa.Array.to_pylist, batch.columns), strict=True):
                    yield _rows(self._letters(kind, unpack(payload)))

    def _letters(self, kind: str, rows: pa.Table) -> list[str]:
        if kind == ParcelKind.BAD:
            return [_line("bad", json.loads(str(text))) for text in rows[BAD].to_pylist()]
        shown = filter(None, map(self.run.shown, rows.to_pylist()))
        return [_line("late", {**row, "note": _LATE}) for row in shown]


def _line(reason: str, row: dict[str, object]) -> str:
    return json.dumps({"reason": reason, **row}, ensure_ascii=False)
