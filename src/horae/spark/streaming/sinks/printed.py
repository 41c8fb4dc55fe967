"""Answers of a stream that the driver prints, sorted within a micro-batch, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar

from horae.engine.contract import Routed
from horae.engine.run import Run
from horae.spark.parcels import ParcelKind
from horae.spark.sinks.answer_lines import tables_in_order
from horae.spark.streaming.sinks.micro_batch import MicroBatch

Print = Callable[[Iterable[str]], None]


@dataclass(frozen=True)
class PrintedLines:
    """`print` takes chunks of whole lines."""

    print: Print
    run: Run
    program: Routed
    is_in_driver: ClassVar[bool] = True

    def write(self, batch: MicroBatch) -> None:
        payloads = batch.payloads(ParcelKind.ANSWERS)
        for table in tables_in_order(payloads, self.run, self.program):
            self.print(self.run.answers(self.program, table).json_lines())
