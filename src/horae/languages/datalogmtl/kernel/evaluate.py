"""A program over a finite set of facts, in process: to the fixpoint at once, or chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from horae.data.cuts import FUTURE, PAST, TooNarrowError
from horae.data.predicate_facts import (
    PredicateFacts,
    columns_of_facts,
    common_denominator,
)
from horae.data.symbols import Symbols
from horae.languages.datalogmtl.check.facts import ground
from horae.languages.datalogmtl.check.normal import JoinRule, NormalProgram
from horae.languages.datalogmtl.kernel.facts import encode_facts
from horae.languages.datalogmtl.kernel.fixpoint import Relations
from horae.languages.datalogmtl.kernel.kernel import DatalogMTLKernel
from horae.languages.datalogmtl.kernel.materialise import Interest, materialise
from horae.languages.datalogmtl.kernel.one_by_one import consequences, read_one_by_one
from horae.languages.datalogmtl.kernel.time import Timeline, common_resolution
from horae.rules.intervals.relation import clip, union


@dataclass(frozen=True)
class Evaluation:
    """What holds, and how to read it."""

    found: Relations
    symbols: Symbols
    timeline: Timeline


def timeline_for(
    normal: NormalProgram, facts: Iterable[PredicateFacts], extra: Iterable[Fraction] = ()
) -> Timeline:
    """Ticks fine enough for every number of program and data."""
    own = common_resolution([*numbers_of(normal), *extra])
    return Timeline(lcm(own, common_denominator(facts)))


def program_facts(normal: NormalProgram) -> list[PredicateFacts]:
    """The facts of the program text."""
    return columns_of_facts(ground(normal.facts))


def numbers_of(normal: NormalProgram) -> list[Fraction]:
    """The finite bounds of all intervals in rules."""
    return [
        end
        for rule in normal.rules
        if not isinstance(rule, JoinRule)
        for end in (rule.interval.low, rule.interval.high)
        if end is not None
    ]


def evaluate(
    normal: NormalProgram,
    facts: Sequence[PredicateFacts],
    *,
    horizon: Fraction | None = None,
    at: Sequence[Fraction] | None = None,
) -> Evaluation:
    """Everything that follows, with the predicates of the query only.

    With times `at`, what holds there is right; the rest need not be. In int64, or once more in wide
    cuts where a time does not fit.
    """
    everything = [*program_facts(normal), *facts]
    ends = [*(at or ()), *([horizon] if horizon is not None else [])]
    timeline, interest = timeline_for(normal, everything, ends), interest_in(horizon, at)
    try:
        return _evaluate_on(timeline, normal, everything, horizon, interest)
    except TooNarrowError:
        wide = replace(timeline, wide=True)
        return _evaluate_on(wide, normal, everything, horizon, interest)


def _evaluate_on(
    timeline: Timeline,
    normal: NormalProgram,
    facts: Sequence[PredicateFacts],
    horizon: Fraction | None,
    interest: Interest,
) -> Evaluation:
    symbols = Symbols()
    alone = read_one_by_one(normal, facts, normal.program.queries)
    held = encode_facts([f for f in facts if f.predicate not in alone], symbols, timeline)
    ones = [part for part in facts if part.predicate in alone]
    _add(held, consequences(normal, ones, symbols, timeline))
    found = materialise(normal, held, symbols, timeline, interest)
    return Evaluation(asked_for(normal, found, timeline, horizon), symbols, timeline)


def interest_in(horizon: Fraction | None, at: Sequence[Fraction] | None) -> Interest:
    """The time up to the horizon, or between the first and the last of some times."""
    if at is None:
        return Interest(last=horizon)
    times = [time for time in at if horizon is None or time <= horizon] or [Fraction(0)]
    return Interest(min(times), max(times))


def asked_for(
    normal: NormalProgram, found: Relations, timeline: Timeline, horizon: Fraction | None
) -> Relations:
    """The answers to the query, up to the horizon."""
    end = FUTURE if horizon is None else 2 * timeline.ticks(horizon) + 1
    return {
        name: clip(found[name], PAST, end)
        for name in normal.program.queries
        if name in found and len(found[name])
    }


def evaluate_in_chunks(
    normal: NormalProgram,
    facts: Sequence[PredicateFacts],
    ends: Iterable[Fraction],
    *,
    horizon: Fraction | None = None,
    often: bool | None = None,
) -> Evaluation:
    """The same as a stream: decided up to each of `ends` in turn, then to the end."""
    everything = [*program_facts(normal), *facts]
    cuts = [end for end in ends if horizon is None or end < horizon]
    extra = [*cuts, *([horizon] if horizon is not None else [])]
    timeline, symbols = timeline_for(normal, everything, extra), Symbols()
    held = encode_facts(everything, symbols, timeline)
    widths = {name: rows.width for name, rows in held.items()}
    kernel = DatalogMTLKernel(normal, symbols, timeline, widths, often=often)
    kernel.push(held)
    found: Relations = {}
    for end in cuts:
        _add(found, kernel.advance(timeline.ticks(end)))
    _add(found, kernel.finish(None if horizon is None else timeline.ticks(horizon)))
    return Evaluation({n: r for n, r in found.items() if len(r)}, symbols, timeline)


def _add(found: Relations, more: Relations) -> None:
    for name, rows in more.items():
        found[name] = union(found[name], rows) if name in found else rows
