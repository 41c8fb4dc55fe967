"""How many bytes the state of a stream takes at most, where the analysis bounds what is kept.

The analysis says how many entries each window and offset has, the generated loops say how large an
entry is: links, times, partial results, and whatever finds an instance. A specification that looks
ahead has several loops, and each keeps what it computes again. Rows that are not decided yet, and
those that a loop has still to read, come on top: how many these are, the stream says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from horae.engine.report.bounds import Bound, Bounded, Unbounded, largest, total
from horae.languages.rtlola.analysis.graph import DependencyGraph, RealTime, Sliding
from horae.languages.rtlola.analysis.memory import Need
from horae.languages.rtlola.analysis.rates import ClockedRate
from horae.languages.rtlola.analysis.storage import StateBytes
from horae.languages.rtlola.kernel.families import ROOT
from horae.languages.rtlola.kernel.generate import generate
from horae.languages.rtlola.kernel.horizon import horizons, last_layer, layered
from horae.languages.rtlola.kernel.layout import Column, Extent
from horae.languages.rtlola.kernel.model import LagUse, WindowUse
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.kernel.source import LoopSource
from horae.languages.rtlola.program import Program

_COUNTER = 8
_ENTRIES_PER_SLOT = {Extent.POOL: 1, Extent.SLOTS: 1, Extent.TABLE: 2}
# A chain of values that are looked into begins with an entry of its own.
_CHAIN = 2


def bound_state(
    program: Program, graph: DependencyGraph, needs: tuple[Need, ...], options: Options
) -> StateBytes:
    """Of one shard; an instance counts in every loop that has it.

    `graph` and `needs` are those of the program, or of one of which it is a part.
    """
    program = layered(program)
    last, spans = last_layer(program), _spans(program, options.resolution)
    loops = [
        _Loop(
            generate(program, replace(options, layer=k, is_last=k == last)), graph, needs, spans[k]
        )
        for k in range(last + 1)
    ]
    each = [loop.per_instance(family) for loop in loops for family in loop.templates]
    return StateBytes(total(loop.fixed for loop in loops), largest([Bounded(0), *each]))


def _spans(program: Program, resolution: int) -> list[Fraction | None]:
    """How many seconds the next loop is behind each loop, 0 for the last one.

    None: it waits for the first value of a stream, or for the end.
    """
    lags = [None if h.awaited else h.lag for h in horizons(program, resolution)]
    return [
        None if lag is None or following is None else Fraction(following - lag, resolution)
        for lag, following in zip(lags, [*lags[1:], lags[-1]], strict=True)
    ]


@dataclass(frozen=True)
class _Loop:
    """`span` is how many seconds the next loop is behind; None: as long as it takes."""

    source: LoopSource
    graph: DependencyGraph
    needs: tuple[Need, ...]
    span: Fraction | None

    @property
    def templates(self) -> list[str]:
        return [f.name for f in self.source.model.families.values() if not f.is_single]

    @property
    def fixed(self) -> Bound:
        columns = self.source.layout.columns.values()
        arrays = sum(_item(c) * len(c.initial) for c in columns if c.extent is Extent.FIXED)
        counters = Bounded(_COUNTER * len(self.source.layout.counters) + arrays)
        singles = {c.of for c in columns if c.extent is Extent.SLOTS} - {*self.templates}
        return total([counters, *(self.per_instance(family) for family in sorted(singles))])

    def per_instance(self, family: str) -> Bound:
        """The slot of an instance, and the entries of all that is kept for it."""
        pools = [p for p in self._pools() if self._family(p.target) == family]
        return total([Bounded(self._size(family)), *(p.kept * self._entry(p.name) for p in pools)])

    def _family(self, stream: str) -> str:
        found = self.source.model.family_of.get(stream)
        return ROOT if found is None else found.name

    def _entry(self, pool: str) -> Bound:
        return Bounded(self._size(pool))

    def _size(self, of: str) -> int:
        """Bytes of one entry of a pool, or of one slot of a family."""
        columns = [c for c in self.source.layout.columns.values() if c.of == of]
        return sum(_item(c) * _ENTRIES_PER_SLOT.get(c.extent, 0) for c in columns)

    # --- what is kept

    def _pools(self) -> Iterator[_Pool]:
        """Those of streams that this loop computes."""
        known = {column.of for column in self.source.layout.columns.values()}
        return (pool for pool in self._all_pools() if pool.name in known)

    def _all_pools(self) -> Iterator[_Pool]:
        model = self.source.model
        for window in (use for uses in model.windows.values() for use in uses):
            kept = self._kept_in_window(window)
            yield _Pool(window.name, window.target, kept)
            yield _Pool(f"{window.name}h", window.target, kept)
        for lag in (use for uses in model.lags.values() for use in uses):
            yield _Pool(lag.name, lag.target, self._kept_for_lag(lag))
        for backlog in (use for uses in model.backlogs.values() for use in uses):
            yield _Pool(backlog.name, backlog.target, Bounded(backlog.depth + 1))
        for stream in sorted(model.lookahead):
            yield _Pool(f"ah_s_{stream}", stream, self._recorded(stream))
            yield _Pool(f"as_s_{stream}", stream, self._many(stream))

    def _kept_in_window(self, use: WindowUse) -> Bound:
        return largest(
            need.kept
            for need in self._needs(use.target)
            if isinstance(need.edge.label, Sliding) and need.edge.label.seconds == use.seconds
        )

    def _kept_for_lag(self, use: LagUse) -> Bound:
        label = RealTime(-use.seconds)
        return largest(need.kept for need in self._needs(use.target) if need.edge.label == label)

    def _needs(self, target: str) -> list[Need]:
        return [need for need in self.needs if need.edge.target == target]

    def _recorded(self, stream: str) -> Bound:
        """The values that the next loop has still to pass."""
        rate = self.graph.vertex(stream).rate
        if not isinstance(rate, ClockedRate) or self.span is None:
            return self._many(stream)
        return Bounded(rate.ticks_within(self.span) + _CHAIN)

    def _many(self, stream: str) -> Bound:
        why = f"any number of values and instances of `{stream}` can come while a loop waits"
        return Unbounded(why, self.source.model.program.stream(stream).span)


@dataclass(frozen=True, slots=True)
class _Pool:
    """The entries that are kept for one instance of `target`."""

    name: str
    target: str
    kept: Bound


def _item(column: Column) -> int:
    return np.dtype(column.dtype).itemsize * max(column.width, 1)
