"""Running the DatalogMTL kernel on programs and facts, at once and as a stream."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any

from horae.data.constants import Value
from horae.data.fact_lines.parse import parse_facts
from horae.data.ground_facts import GroundFact
from horae.data.intervals import Interval
from horae.data.predicate_facts import columns_of_facts
from horae.data.symbols import Symbols
from horae.languages.datalogmtl.analysis.delays import Infeasible, find_delays
from horae.languages.datalogmtl.check.check import load
from horae.languages.datalogmtl.check.facts import ground
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.languages.datalogmtl.check.normalise import normalise
from horae.languages.datalogmtl.kernel.answers import interval_answers, point_answers
from horae.languages.datalogmtl.kernel.evaluate import (
    Evaluation,
    evaluate,
    evaluate_in_chunks,
    timeline_for,
)
from horae.languages.datalogmtl.kernel.facts import encode_facts
from horae.languages.datalogmtl.kernel.fixpoint import Relations
from horae.languages.datalogmtl.kernel.kernel import DatalogMTLKernel
from horae.languages.datalogmtl.program import Program
from horae.rules.intervals.relation import union
from horae.source.text import Source

Answer = dict[str, Any]
Data = Iterable[tuple[str, Sequence[Value], Interval]]


def prepared(text: str | Source) -> NormalProgram:
    program, found = load(text if isinstance(text, Source) else Source("spec.dmtl", text))
    assert program is not None, [d.message for d in found]
    return normalise(program)


def facts(text: str) -> list[GroundFact]:
    found, diagnostics = parse_facts(Source("input.facts", text))
    assert not diagnostics, [d.message for d in diagnostics]
    return [fact for fact, _ in found]


def grounded(data: Data) -> list[GroundFact]:
    return [GroundFact(name, tuple(arguments), interval) for name, arguments, interval in data]


def runs_in_a_stream(normal: NormalProgram) -> bool:
    """Rules may look ahead, by a bounded time."""
    return not isinstance(find_delays(normal), Infeasible)


def written(found: Evaluation, at: Iterable[Fraction] | None = None) -> list[Answer]:
    if at is None:
        return list(interval_answers(found.found, found.symbols, found.timeline))
    ticks = [found.timeline.ticks(time) for time in at]
    return list(point_answers(found.found, found.symbols, found.timeline, ticks))


def at_once(
    normal: NormalProgram,
    data: Sequence[GroundFact],
    horizon: Fraction | None = None,
    at: Sequence[Fraction] | None = None,
) -> list[Answer]:
    return written(evaluate(normal, columns_of_facts(data), horizon=horizon, at=at), at)


def in_chunks(
    normal: NormalProgram,
    data: Sequence[GroundFact],
    ends: Sequence[Fraction],
    horizon: Fraction | None = None,
    often: bool | None = None,
) -> list[Answer]:
    facts = columns_of_facts(data)
    return written(evaluate_in_chunks(normal, facts, ends, horizon=horizon, often=often))


def random_ends(rng: Random, program: Program, last: Fraction) -> list[Fraction]:
    """None, a few or many; on whole numbers, where facts end, and beside them."""
    grain = rng.choice((1, 3) if "/3" in program.source.text else (1, 2))
    count = rng.choice((0, 1, 3, 12, 40))
    drawn = {Fraction(rng.randint(-3 * grain, int(last) * grain), grain) for _ in range(count)}
    return sorted(drawn)


class Stream:
    """Facts reach the kernel chunk by chunk, those of a chunk just before it is decided."""

    def __init__(
        self,
        normal: NormalProgram,
        data: Sequence[GroundFact],
        ends: Sequence[Fraction],
        often: bool | None = None,
    ) -> None:
        self.data = [*ground(normal.facts), *data]
        self.ends = ends
        timeline = timeline_for(normal, columns_of_facts(self.data), ends)
        widths = {fact.predicate: len(fact.arguments) for fact in self.data}
        self.kernel = DatalogMTLKernel(normal, Symbols(), timeline, widths, often=often)
        self.found: Relations = {}

    def steps(self) -> Iterator[DatalogMTLKernel]:
        """The kernel after each chunk. A caller may put another kernel in its place."""
        previous = None
        for end in self.ends:
            self._push(previous, end)
            self._take(self.kernel.advance(self.kernel.timeline.ticks(end)))
            yield self.kernel
            previous = end
        self._push(previous, None)

    def finish(self, horizon: Fraction | None) -> list[Answer]:
        timeline = self.kernel.timeline
        self._take(self.kernel.finish(None if horizon is None else timeline.ticks(horizon)))
        return list(interval_answers(self.found, self.kernel.symbols, timeline))

    def _push(self, after: Fraction | None, until: Fraction | None) -> None:
        timeline, symbols = self.kernel.timeline, self.kernel.symbols
        chunk = [f for f in self.data if _begins_in(f.interval, after, until)]
        self.kernel.push(encode_facts(columns_of_facts(chunk), symbols, timeline))

    def _take(self, more: Relations) -> None:
        for name, rows in more.items():
            self.found[name] = union(self.found[name], rows) if name in self.found else rows


def _begins_in(interval: Interval, after: Fraction | None, until: Fraction | None) -> bool:
    """An interval that is open at the end of a chunk belongs to the next one."""
    if interval.low is None:
        return after is None
    begun = after is None or interval.low > after or (interval.low == after and interval.low_open)
    inside = interval.low < until if until is not None else True
    return begun and (inside or (interval.low == until and not interval.low_open))
