"""Random specifications as streams: rows in any order, what the batch run says, what the stream says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from random import Random

import pyarrow as pa
from tests.languages.rtlola.evaluating import evaluate_table
from tests.languages.rtlola.kernel.driving import Answer, Rows, events, expect, options_for
from tests.languages.rtlola.kernel.sleepy_specs import silent_trace, sleepy_specification
from tests.live.driving import Driver, Step, arrivals, cuts
from tests.strategies.rtlola_ahead import ahead_program
from tests.strategies.rtlola_edges import edge_program
from tests.strategies.rtlola_specs import random_program
from tests.strategies.rtlola_spreadable import spreadable_program, templates_only
from tests.strategies.rtlola_traces import random_trace

from horae.data import layout
from horae.data.columns import fitted
from horae.data.types import Type
from horae.data.validate import in_order
from horae.languages.rtlola.answers import rtlola_answers, sort_answers
from horae.languages.rtlola.kernel.horizon import horizons, layered, trigger_layers
from horae.languages.rtlola.live.columns import ORDER, TIME, input_columns
from horae.languages.rtlola.live.program import LiveRTLola
from horae.languages.rtlola.program import Program
from horae.source.errors import InputError

EMITS = ("all", "changes", "triggers")
ORIGINS = ("0", "0", "0", "1/2", "-7/4", "100")
Answers = list[dict[str, object]] | str


@dataclass(frozen=True)
class Stream:
    """A program, its rows as they are and in the order of a batch run, and how they arrive."""

    live: LiveRTLola
    table: pa.Table
    events: pa.Table
    rows: pa.Table
    lateness: int
    batches: list[list[int]]
    restart: Callable[[int], bool]

    @property
    def program(self) -> Program:
        return self.live.program

    def shown(self) -> str:
        return f"{self.program.source.text}\n{self.rows.to_pylist()}\n{self.batches} {self.live}"


def random_stream(rng: Random) -> Stream:
    kinds = (_any, _sleepy, _ahead, _spreadable, _joined, _spread, _edges)
    program, rows = rng.choice(kinds)(rng)
    start = rng.choice((0, 0, 0, 1_700_000_000))
    rows = [{**row, "time": float(str(row["time"])) + start} for row in rows]
    return stream_of(rng, program, rows, rng.choice(EMITS), rng.choice(ORIGINS))


def _edges(rng: Random) -> tuple[Program, Rows]:
    """Rates without a common fraction, durations beyond all time, long expressions."""
    program = edge_program(rng)
    return program, random_trace(rng, program)


def _any(rng: Random) -> tuple[Program, Rows]:
    program = random_program(rng)
    return program, random_trace(rng, program)


def _sleepy(rng: Random) -> tuple[Program, Rows]:
    return sleepy_specification(rng)[1], silent_trace(rng)


def _ahead(rng: Random) -> tuple[Program, Rows]:
    program = ahead_program(rng)
    return program, random_trace(rng, program)


def _spreadable(rng: Random) -> tuple[Program, Rows]:
    program = spreadable_program(rng)
    return program, random_trace(rng, program)


def _spread(rng: Random) -> tuple[Program, Rows]:
    """One spread stage; most plans need whole rows."""
    whole = rng.random() < 0.7
    program = templates_only(rng)
    while LiveRTLola(program, options_for(program), 2, whole_rows=whole).width == 1:
        program = templates_only(rng)
    rows = random_trace(rng, program)
    return program, [_completed(rng, program, row) for row in rows] if whole else rows


def _joined(rng: Random) -> tuple[Program, Rows]:
    """Operators over spread instances, whose join is a second stage."""
    program = spreadable_program(rng)
    while LiveRTLola(program, options_for(program), 2, whole_rows=True).later is None:
        program = spreadable_program(rng)
    rows = random_trace(rng, program)
    return program, [_completed(rng, program, row) for row in rows]


def _completed(rng: Random, program: Program, row: Mapping[str, object]) -> dict[str, object]:
    drawn: dict[Type, object] = {
        Type.INT: rng.randint(0, 3),
        Type.DOUBLE: rng.choice((0.0, -0.0, 0.25, 1.5)),
        Type.BOOL: rng.random() < 0.5,
        Type.STRING: rng.choice(("u", "v", "w1")),
    }
    given = {name: value for name, value in row.items() if value is not None}
    return {stream.name: drawn[stream.type] for stream in program.inputs} | given


def stream_of(rng: Random, program: Program, rows: Rows, emit: str, origin: str) -> Stream:
    options = options_for(program, emit, origin)
    table = events(program, rows)
    order = rng.choice((None, None, pa.int64(), pa.string()))
    if order is not None:
        numbers = [rng.choice((None, *range(12))) for _ in range(len(table))]
        table = table.append_column(layout.ORDER, pa.array(numbers, pa.int64()).cast(order))
    lateness = int(rng.choice((Fraction(0), Fraction(1), Fraction(7, 2))) * options.row_resolution)
    shards, whole = rng.randint(1, 4), _whole(program, table)
    live = LiveRTLola(program, options, shards, order is not None, whole)
    order_of_arrival = arrivals(rng, table.column(layout.TIME).to_pylist(), lateness)  # type: ignore[arg-type]
    chance = rng.choice((0, 0.4, 1))
    restarts = [rng.random() < chance for _ in range(len(table) + 10)]
    return Stream(
        live,
        table,
        in_order(table, by_content=True),
        live_rows(table, live),
        lateness,
        cuts(rng, order_of_arrival),
        restarts.__getitem__,
    )


def _whole(program: Program, table: pa.Table) -> bool:
    return all(table.column(stream.name).null_count == 0 for stream in program.inputs)


def live_rows(table: pa.Table, live: LiveRTLola) -> pa.Table:
    """Event tables as rows of a stream."""
    names = {layout.TIME: TIME, layout.ORDER: ORDER} | input_columns(live.program.inputs)
    kept = table.drop_columns([layout.ROW])
    renamed = kept.rename_columns([names[name] for name in kept.column_names])
    return fitted(renamed, live.rows)


# --- running


def drive(stream: Stream) -> list[Step]:
    driver = Driver(stream.live, stream.lateness, stream.restart)
    return driver.run(stream.rows, stream.batches)


def streamed(stream: Stream) -> list[Step] | str:
    try:
        return drive(stream)
    except InputError as error:
        return error.code


def joined(steps: list[Step] | str) -> Answers:
    """All answers, or the code of an error."""
    if isinstance(steps, str):
        return steps
    return plain(pa.concat_tables([step.answers for step in steps]))


def batched(stream: Stream) -> Answers:
    try:
        answers = evaluate_table(stream.program, stream.events, stream.live.options)
        return plain(pa.concat_tables(answers))
    except InputError as error:
        return error.code


def plain(answers: pa.Table) -> list[dict[str, object]]:
    """Sorted; `position` orders the values of one instance, its number means nothing."""
    parameters = [name for name in answers.column_names if ":" in name]
    return sort_answers([answers], parameters).drop_columns(["position"]).to_pylist()


def referred(stream: Stream) -> list[Answer] | str:
    """What the definitions say."""
    options = stream.live.options
    origin = str(Fraction(options.origin, options.resolution))
    rows = [_dict_of(row, options.row_resolution) for row in stream.events.to_pylist()]
    return expect(stream.program, rows, options.emit.value, origin)


def _dict_of(row: dict[str, object], resolution: int) -> dict[str, object]:
    ticks = row[layout.TIME]
    assert isinstance(ticks, int)
    values = {n: v for n, v in row.items() if n not in (layout.TIME, layout.ROW) and v is not None}
    return {"time": float(Fraction(ticks, resolution)), **values}


def rendered(answers: Answers, stream: Stream) -> list[Answer] | str:
    """As the reference writes them; what comes from `plain` is sorted already."""
    if isinstance(answers, str):
        return answers
    program, resolution = stream.program, stream.live.options.resolution
    tables = (_one(row, stream.live.answers) for row in answers)
    return [answer for one in tables for answer in rtlola_answers([one], program, resolution)]


def _one(row: dict[str, object], schema: pa.Schema) -> pa.Table:
    return pa.Table.from_pylist([{"position": 0, **row}], schema=schema)


def lags(live: LiveRTLola) -> dict[str, int | None]:
    """How many ticks the answers of a stream or trigger may wait; None where that is not bounded."""
    program = layered(live.program)
    found = horizons(program, live.options.resolution)
    bounds = [None if horizon.awaited else horizon.lag for horizon in found]
    for layer in range(1, len(bounds)):
        if bounds[layer - 1] is None:
            bounds[layer] = None
    names = {o.name: bounds[program.layers[o.name]] for o in program.outputs}
    return names | {str(n): bounds[layer] for n, layer in trigger_layers(program).items()}


def _decided(stream: Stream, step: Step) -> int | None:
    """Ticks of clocks between the last time of a row that is decided and the next are decided too."""
    return None if step.until is None else (step.until + 1) * stream.live.options.scale - 1


def overdue(stream: Stream, steps: list[Step]) -> list[dict[str, object]]:
    """Answers that an earlier step could have given, or that came before they were decided."""
    allowed = lags(stream.live)
    before: int | None = None
    found: list[dict[str, object]] = []
    for step in steps:
        for row in step.answers.to_pylist():
            lag, time = allowed[str(row.get("stream") or row["trigger"])], row["time"]
            assert isinstance(time, int | Decimal)
            late = lag is not None and before is not None and time <= before - lag
            decided = _decided(stream, step)
            if late or (decided is not None and time > decided):
                found.append(row)
        before = _decided(stream, step)
    return found
