"""DatalogMTL over streams of facts; frames that are not streams are given before they start."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.pandas.types import from_arrow_schema

from horae.data.answer_times import AnswerTimes
from horae.data.fact_columns import shown_fact, to_facts
from horae.data.ground_facts import GroundFact
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.languages.datalogmtl.live.program import live_datalogmtl as datalogmtl_program
from horae.spark.bad_rows import Gate, strict
from horae.spark.datalogmtl.door import facts_of_frame, facts_of_frames
from horae.spark.failures import marked
from horae.spark.piped import Batches, Piped
from horae.spark.streaming.stream import Live, Settings, StreamSources, run_live

Frames = Mapping[str, DataFrame]


def live_datalogmtl(
    frames: Frames,
    normal: NormalProgram,
    settings: Settings,
    *,
    time: str,
    precision: Fraction,
    at: AnswerTimes | None,
    horizon: Fraction | None,
    gate: Gate = strict,
) -> Live:
    streams, tables = apart(frames)
    arities, clock = normal.program.arities, normal.program.clock
    given = collected(facts_of_frames(tables, arities, time=time, clock=clock)) if tables else []
    facts = [
        facts_of_frame(name, frame, arities, time=time, clock=clock, gate=gate)
        for name, frame in streams.items()
    ]
    return datalogmtl_facts(
        StreamSources(facts),
        given,
        normal,
        settings,
        precision=precision,
        at=at,
        horizon=horizon,
        gate=gate,
    )


def datalogmtl_facts(
    facts: StreamSources[DataFrame | Piped],
    given: Sequence[GroundFact],
    normal: NormalProgram,
    settings: Settings,
    *,
    precision: Fraction,
    at: AnswerTimes | None,
    horizon: Fraction | None,
    gate: Gate = strict,
) -> Live:
    """`facts` have the columns of facts; `given` is there before they start."""
    live = datalogmtl_program(
        normal, given=given, precision=precision, at=at, horizon=horizon, shards=settings.shards
    )
    worker, schema = _Rows(live.read), from_arrow_schema(live.rows)
    rows = facts.map(lambda frame: gate(frame, worker, schema))
    return run_live(live, rows, settings, resolution=live.resolution)


def apart(frames: Frames) -> tuple[Frames, Frames]:
    """Streams, and what is there before they start."""
    streams = {name: frame for name, frame in frames.items() if frame.isStreaming}
    return streams, {name: frame for name, frame in frames.items() if name not in streams}


def collected(facts: DataFrame) -> list[GroundFact]:
    return [fact for batch in facts.toArrow().to_batches() for fact in to_facts(batch)]


@dataclass(frozen=True)
class _Rows:
    convert: Callable[[pa.Table], pa.Table]

    def show(self, row: dict[str, Any]) -> object:
        return shown_fact(row)

    def __call__(self, batches: Batches) -> Batches:
        with marked():
            for batch in batches:
                yield from self.convert(pa.Table.from_batches([batch])).to_batches()
