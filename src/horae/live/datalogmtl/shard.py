"""A shard of a DatalogMTL program over a stream: the kernel, and the points that are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Self

import pyarrow as pa

from horae.inputs.answer_times import AnswerTimes
from horae.inputs.encode_rows import by_predicate
from horae.inputs.fact_relations import argument_codes
from horae.kernels.chunks import part
from horae.kernels.contract import StateSize
from horae.kernels.datalogmtl.fixpoint import Relations
from horae.kernels.datalogmtl.kernel import DatalogMTLKernel
from horae.kernels.datalogmtl.symbols import Symbols
from horae.kernels.datalogmtl.time import Timeline
from horae.kernels.intervals.cuts import FUTURE, PAST, Cuts, Rows
from horae.kernels.intervals.relation import clip, relation, union
from horae.languages.datalogmtl.normal import NormalProgram
from horae.live.datalogmtl.answers import INTERVALS, POINTS, interval_table, point_table
from horae.live.datalogmtl.domains import Domain, domain_for
from horae.live.datalogmtl.route_rows import MARK
from horae.live.datalogmtl.rows import cuts_of, ends_of

_KERNEL, _DONE = "kernel/", "done"


@dataclass(frozen=True)
class Setting:
    """What a shard has besides its state. `emits`: its answers, and what they are called outside.

    `horizon` is a tick; nothing after it is asked. `at` None: maximal intervals.
    """

    normal: NormalProgram
    emits: Mapping[str, str]
    timeline: Timeline
    horizon: int | None
    at: AnswerTimes | None

    def kernel(self) -> DatalogMTLKernel:
        return DatalogMTLKernel(self.normal, Symbols(), self.timeline, {})

    def domain(self) -> Domain | None:
        return None if self.at is None else domain_for(self.at, self.timeline, self.horizon)


class LiveShard:
    """Once the horizon is behind, the shard is *done*: it takes and answers nothing more."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._kernel = setting.kernel()
        self._domain = setting.domain()
        self._read = frozenset(self._kernel.widths) | frozenset(setting.emits)
        self._done = False

    # --- the contract

    def see(self, points: Cuts) -> None:
        if self._domain is not None and not self._done:
            self._domain.see(points)

    def add(self, rows: pa.Table) -> None:
        """Also the facts that are given before the stream starts."""
        if self._done or not len(rows):
            return
        if self._domain is not None:
            self._domain.see(ends_of(rows, self._setting.timeline))
        for name, own in by_predicate(rows):
            if name != MARK and name in self._read:
                self._push(name, own)

    def decide(self, until: int) -> pa.Table:
        if self._done:
            return self._nothing()
        if until >= self._last():
            return self.finish()
        horizon = self._setting.horizon
        if self._domain is None:
            answers = self._intervals(self._kernel.advance(until, horizon))
        else:
            answers = self._points(self._kernel.decide(until, horizon), self._domain)
        self._kernel.tidy()
        return answers

    def finish(self) -> pa.Table:
        if self._done:
            return self._nothing()
        self._done, horizon = True, self._setting.horizon
        if self._domain is None:
            return self._intervals(self._kernel.finish(horizon))
        return self._points(self._kernel.decide_rest(horizon), self._domain)

    # --- facts

    def _push(self, name: str, rows: pa.Table) -> None:
        lo, hi = cuts_of(rows, self._setting.timeline)
        arguments = argument_codes(rows, self._kernel.symbols)
        matters = lo <= 2 * self._last()
        self._kernel.push({name: relation(arguments[matters], lo[matters], hi[matters])})

    def _last(self) -> int:
        """The last time point at which a fact can matter."""
        horizon = self._setting.horizon
        return FUTURE // 2 if horizon is None else horizon + self._kernel.ends.longest

    # --- answers

    def _nothing(self) -> pa.Table:
        return (INTERVALS if self._domain is None else POINTS).empty_table()

    def _intervals(self, found: Relations) -> pa.Table:
        shown = {self._setting.emits[name]: rows for name, rows in found.items()}
        return interval_table(shown, self._kernel.symbols, self._setting.timeline)

    def _points(self, fresh: Relations, domain: Domain) -> pa.Table:
        """What lies where the domain is not known yet waits."""
        found: dict[str, tuple[Rows, Cuts]] = {}
        state, known = self._kernel.state, domain.known()
        for name in state.open_answers.keys() | fresh.keys():
            parts = [held[name] for held in (state.open_answers, fresh) if name in held]
            whole = reduce(union, parts)
            state.open_answers[name] = clip(whole, known, FUTURE)
            due = clip(whole, PAST, known)
            each, ticks = domain.within(due.lo, due.hi)
            found[self._setting.emits[name]] = due.arguments[each], ticks
        domain.forget(self._kernel.ends.earliest(state.decided))
        return point_table(found, self._kernel.symbols, self._setting.timeline)

    # --- state

    def save(self) -> Iterator[tuple[str, bytes]]:
        yield _DONE, str(self._done).encode()
        yield from ((_KERNEL + name, data) for name, data in self._kernel.snapshot().items())
        if self._domain is not None:
            yield from self._domain.save()

    @classmethod
    def restored(cls, setting: Setting, chunks: Mapping[str, bytes]) -> Self:
        shard = cls(setting)
        shard._done = chunks[_DONE] == b"True"
        shard._kernel = DatalogMTLKernel.restore(setting.normal, part(_KERNEL, chunks))
        if shard._domain is not None:
            shard._domain.load(chunks)
        return shard

    def state_size(self) -> StateSize:
        """Values are all that is stored: facts, answers that may grow, and points."""
        size = self._kernel.state_size()
        points = 0 if self._domain is None else self._domain.size()
        return StateSize(size.instances, self._kernel.state.stored() + points, size.bytes)
