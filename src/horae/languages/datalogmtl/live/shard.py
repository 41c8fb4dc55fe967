"""A shard of a DatalogMTL program over a stream: the kernel, and the points that are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Self

import pyarrow as pa

from horae.data.answer_times import AnswerTimes
from horae.data.cuts import FUTURE, PAST, Cuts, Rows
from horae.data.fact_columns import PREDICATE, rows_by_predicate
from horae.data.symbols import Symbols
from horae.engine.chunks import part
from horae.engine.contract import StateSize
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.languages.datalogmtl.kernel.answers import INTERVALS, POINTS, interval_table, point_table
from horae.languages.datalogmtl.kernel.fact_relations import (
    argument_codes,
    relation_batches,
    to_relations,
)
from horae.languages.datalogmtl.kernel.fixpoint import Relations
from horae.languages.datalogmtl.kernel.forget import eternal
from horae.languages.datalogmtl.kernel.kernel import DatalogMTLKernel, up_to
from horae.languages.datalogmtl.kernel.time import Timeline
from horae.languages.datalogmtl.live.domains import Domain, domain_for
from horae.languages.datalogmtl.live.route_rows import MARK
from horae.languages.datalogmtl.live.rows import cuts_of_rows, finite_ends
from horae.rules.intervals.relation import clip, relation, union

_KERNEL, _DONE = "kernel/", "done"


@dataclass(frozen=True)
class Setting:
    """What a shard has besides its state.

    `emits`: what is asked for or read by later stages, and what it is called outside. `horizon` and
    `reach` are ticks: nothing after the one is asked, nothing after the other is read. `at` None:
    maximal intervals.
    """

    normal: NormalProgram
    emits: Mapping[str, str]
    asked: frozenset[str]
    delays: Mapping[str, Fraction]
    timeline: Timeline
    horizon: int | None
    reach: int | None
    at: AnswerTimes | None

    def kernel(self) -> DatalogMTLKernel:
        return DatalogMTLKernel(self.normal, Symbols(), self.timeline, {}, delays=self.delays)

    def domain(self) -> Domain | None:
        return None if self.at is None else domain_for(self.at, self.timeline, self.horizon)


class LiveShard:
    """Once all that can matter is behind, the shard is *done*: it takes and answers nothing more."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._kernel = setting.kernel()
        self._domain = setting.domain()
        self._read = frozenset(self._kernel.widths) | frozenset(setting.emits)
        self._derived: list[pa.RecordBatch] = []
        self._done = False

    # --- the contract

    def see(self, points: Cuts) -> None:
        if self._domain is not None and not self._done:
            self._domain.see(points)

    def add(self, rows: pa.Table) -> None:
        """Take facts, also those that are given before the stream starts."""
        if self._done or not len(rows):
            return
        if self._domain is not None:
            self._domain.see(finite_ends(rows, self._setting.timeline))
        for name, own in rows_by_predicate(rows):
            if name != MARK and name in self._read:
                self._push(name, own)

    def add_derived(self, rows: pa.Table) -> None:
        """What earlier stages derived."""
        if not self._done and len(rows):
            self._kernel.push(to_relations(rows, PREDICATE, self._kernel.symbols))

    def decide(self, until: int) -> pa.Table:
        if self._done:
            return self._nothing()
        if until >= self._last():
            return self.finish()
        first = self._kernel.state.decided == PAST
        fresh = self._kernel.decide(until, self._setting.reach)
        self._hand_on(self._whole(fresh) if first else fresh)
        asked, horizon = self._asked(fresh), self._setting.horizon
        if self._domain is None:
            answers = self._intervals(self._kernel.close(asked, horizon))
        else:
            answers = self._points(asked, self._domain)
        self._kernel.tidy()
        return answers

    def finish(self) -> pa.Table:
        if self._done:
            return self._nothing()
        self._done, horizon = True, self._setting.horizon
        fresh = self._kernel.decide_rest(self._setting.reach)
        self._hand_on(fresh)
        if self._domain is None:
            return self._intervals(self._kernel.close_all(self._asked(fresh), horizon))
        return self._points(self._asked(fresh), self._domain)

    def derived(self) -> pa.Table:
        found, self._derived = self._derived, []
        return pa.Table.from_batches(found) if found else pa.table({})

    # --- what is derived

    def _asked(self, fresh: Relations) -> Relations:
        """The answers of predicates that are asked for, up to the horizon."""
        setting = self._setting
        chosen = {name: r for name, r in fresh.items() if setting.emits[name] in setting.asked}
        return up_to(setting.horizon, chosen)

    def _hand_on(self, fresh: Relations) -> None:
        named = {self._setting.emits[name]: rows for name, rows in fresh.items() if len(rows)}
        self._derived.extend(relation_batches(named, self._kernel.symbols))

    def _whole(self, fresh: Relations) -> Relations:
        """What holds at all times is handed on at once: a part of it would say less."""
        window = self._kernel.state.window
        return {n: union(r, eternal(window[n])) if n in window else r for n, r in fresh.items()}

    # --- facts

    def _push(self, name: str, rows: pa.Table) -> None:
        lo, hi = cuts_of_rows(rows, self._setting.timeline)
        arguments = argument_codes(rows, self._kernel.symbols)
        matters = lo <= 2 * self._last()
        self._kernel.push({name: relation(arguments[matters], lo[matters], hi[matters])})

    def _last(self) -> int:
        """The last time point at which a fact can matter."""
        reach = self._setting.reach
        return FUTURE // 2 if reach is None else reach + self._kernel.ends.longest

    # --- answers

    def _nothing(self) -> pa.Table:
        return (INTERVALS if self._domain is None else POINTS).empty_table()

    def _intervals(self, found: Relations) -> pa.Table:
        shown = {self._setting.emits[name]: rows for name, rows in found.items()}
        return interval_table(shown, self._kernel.symbols, self._setting.timeline)

    def _points(self, fresh: Relations, domain: Domain) -> pa.Table:
        """Answers at time points; what lies where the domain is not known yet waits."""
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
        shard._kernel = DatalogMTLKernel.restore(
            setting.normal, part(_KERNEL, chunks), delays=setting.delays
        )
        if shard._domain is not None:
            shard._domain.load(chunks)
        return shard

    def state_size(self) -> StateSize:
        """Values are all that is stored: facts, answers that may grow, and points."""
        size = self._kernel.state_size()
        points = 0 if self._domain is None else self._domain.size()
        return StateSize(size.instances, self._kernel.state.stored() + points, size.bytes)
