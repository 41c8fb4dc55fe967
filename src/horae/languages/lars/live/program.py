"""A LARS program over its input, a whole one or a stream, as it travels to the workers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import pyarrow as pa
import pyarrow.compute as pc

from horae.data.fact_columns import (
    PREDICATE,
    background_rows,
    rows_of_facts,
    timed_rows,
)
from horae.data.ground_facts import GroundFact
from horae.data.key_homes import homes_of_values
from horae.data.predicate_facts import PredicateFacts, columns_of_facts
from horae.data.time_points import AtPoints
from horae.engine.contract import Wants
from horae.engine.evaluation_times import wanted_times
from horae.languages.lars.analysis.reach import find_reach
from horae.languages.lars.analysis.reasons import remedy_ahead, why_ahead
from horae.languages.lars.analysis.report_delay import endless_reads
from horae.languages.lars.analysis.written import written
from horae.languages.lars.catalogue import WAITS_FOR_EVER
from horae.languages.lars.check.occurrences import walk
from horae.languages.lars.check.window_functions import (
    RegisteredWindow,
    find_window,
    register_window,
)
from horae.languages.lars.kernel.answers import SCHEMA
from horae.languages.lars.kernel.facts import StreamCheck
from horae.languages.lars.kernel.own_keys import OwnKeys
from horae.languages.lars.kernel.time_windows import FUTURE
from horae.languages.lars.live.rows import ROWS, marks, route_rows, to_rows
from horae.languages.lars.live.shard import LiveShard, Setting
from horae.languages.lars.options import LARSOptions
from horae.languages.lars.plan.routes import RoutedProgram
from horae.languages.lars.program import Program
from horae.languages.lars.syntax.tree import NamedWindow, Window
from horae.rules.terms import Constant


def live_lars(
    plan: RoutedProgram,
    options: LARSOptions | None = None,
    *,
    shards: int = 1,
    given: Sequence[PredicateFacts] = (),
) -> LiveLARS:
    """`given`: facts that are there before the stream starts, all background data among them.

    Refuses a program that would have to wait for ever.
    """
    return _with_delay(_delay_of(plan.program), plan, options, shards, given)


def whole_lars(
    plan: RoutedProgram,
    options: LARSOptions | None = None,
    *,
    shards: int = 1,
    given: Sequence[PredicateFacts] = (),
) -> LiveLARS:
    """The same for an input that is there as a whole: its end is known, so nothing waits for ever."""
    delay = find_reach(plan.program).delay
    program = _with_delay(FUTURE if delay is None else delay, plan, options, shards, given)
    return replace(program, is_whole=True)


def _with_delay(
    delay: int,
    plan: RoutedProgram,
    options: LARSOptions | None,
    shards: int,
    given: Sequence[PredicateFacts],
) -> LiveLARS:
    program = plan.program
    StreamCheck(program.derived)(given)
    facts = pa.Table.from_batches([rows_of_facts([*program_facts(program), *given])])
    return LiveLARS(
        plan=plan,
        options=options or LARSOptions(),
        shards=shards if plan.is_spread else 1,
        delay=delay,
        background=background_rows(facts),
        facts=to_rows(timed_rows(facts), program.derived),
        windows=_used_windows(program),
    )


def program_facts(program: Program) -> list[PredicateFacts]:
    """Facts of the program text."""
    return columns_of_facts(
        GroundFact(
            fact.atom.predicate,
            tuple(t.value for t in fact.atom.arguments if isinstance(t, Constant)),
            fact.interval,
        )
        for fact in program.facts
    )


def _delay_of(program: Program) -> int:
    """How long an evaluation waits for input; an error if there is no bound."""
    reach = find_reach(program)
    if reach.delay is not None:
        return reach.delay
    cause, *_ = endless_reads(reach)
    source, span = program.source, cause.formula.span
    position = source.position(span.start)
    raise WAITS_FOR_EVER(
        text=written(source, span),
        why=why_ahead(cause),
        remedy=remedy_ahead(cause),
        place=f"{source.name}:{position.line}:{position.column}",
    )


@dataclass(frozen=True)
class LiveLARS:
    """`background` and `facts` are given before the stream starts, those of the program text too.

    `windows` are those of the registry that the program uses: a worker is a process of its own.
    """

    plan: RoutedProgram
    options: LARSOptions
    shards: int
    delay: int
    background: pa.Table
    facts: pa.Table
    windows: tuple[RegisteredWindow, ...]
    is_whole: bool = False

    @property
    def program(self) -> Program:
        return self.plan.program

    @property
    def rows(self) -> pa.Schema:
        return ROWS

    @property
    def answers(self) -> pa.Schema:
        return SCHEMA

    @property
    def wants(self) -> Wants:
        return wanted_times(self.options.at)

    @property
    def fingerprint(self) -> str:
        """Equal for programs that can go on with each other's state."""
        parts = [
            self.program.source.text,
            self.program.queries,
            *self.options.for_answers,
            self.shards,
        ]
        digest = hashlib.blake2b(repr(parts).encode(), digest_size=16)
        for table in (self.background, self.facts):
            digest.update(_bytes(table))
        return digest.hexdigest()

    # --- shards

    @property
    def width(self) -> int:
        return self.shards

    @property
    def later(self) -> None:
        return None

    def route(self, rows: pa.Table) -> Iterator[tuple[int, pa.Table]]:
        """The rows of each shard; a row may go to several."""
        shards = self.shards
        parts = [*route_rows(rows, self.plan, self._named_background, shards)]
        if shards > 1 and not isinstance(self.options.at, AtPoints):
            longer = marks(rows)
            parts += [(shard, longer) for shard in range(shards)]
        return ((shard, part) for shard, part in parts if len(part))

    @cached_property
    def _named_background(self) -> frozenset[str]:
        """The predicates with background data."""
        return frozenset(map(str, pc.unique(self.background.column(PREDICATE)).to_pylist()))

    def start(self, shard: int) -> LiveShard:
        kernel = LiveShard(self._setting(shard))
        for number, rows in self.route(self.facts):
            if number == shard:
                kernel.add(rows)
        kernel.see(self.facts.column("time").to_numpy())
        return kernel

    def restore(self, shard: int, chunks: Mapping[str, bytes]) -> LiveShard:
        return LiveShard.restored(self._setting(shard), chunks)

    def _setting(self, shard: int) -> Setting:
        _register_again(self.windows)
        own = route_rows(self.background, self.plan, self._named_background, self.shards)
        parts = [rows for number, rows in own if number == shard]
        background = pa.concat_tables([self.background.slice(0, 0), *parts])
        keys = self._own(shard)
        return Setting(self.program, self.options, self.delay, background, keys)

    def _own(self, shard: int) -> OwnKeys | None:
        if self.shards == 1:
            return None
        count = self.shards
        return OwnKeys(self.plan.pivots, lambda values: homes_of_values(values, count) == shard)


def _bytes(table: pa.Table) -> pa.Buffer:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks())
    return sink.getvalue()


def _used_windows(program: Program) -> tuple[RegisteredWindow, ...]:
    """The windows of the registry in bodies (heads have none): they go with it into other processes."""
    parts = (part for rule in program.rules for f in rule.body for part in walk(f))
    names = {
        part.function.name: None
        for part in parts
        if isinstance(part, Window) and isinstance(part.function, NamedWindow)
    }
    found = (find_window(name) for name in names)
    return tuple(window for window in found if window is not None)


def _register_again(windows: Iterable[RegisteredWindow]) -> None:
    """Make windows known in a worker, which is a process of its own."""
    for window in windows:
        names, past, future = window.parameters, window.back, window.ahead
        register_window(window.name, window.function, parameters=names, past=past, future=future)
