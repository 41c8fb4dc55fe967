"""A shard of a LARS program over a stream: a kernel, and what waits for it.

An evaluation at t is due when all input up to t + delay is decided. Then the kernel gets what it looks
at, evaluates, and forgets what no later evaluation looks at.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pyarrow as pa

from horae.data import catalogue_facts as catalogue
from horae.data.cuts import Cuts
from horae.data.fact_columns import facts_of_rows
from horae.data.symbols import Symbols
from horae.data.time_points import AtEvents
from horae.engine.chunks import load_texts, part, save_texts
from horae.engine.contract import StateSize
from horae.engine.evaluation_times import FOREVER, ReachedTimes
from horae.languages.lars.kernel.answers import no_answers
from horae.languages.lars.kernel.codes import Codes
from horae.languages.lars.kernel.facts import Encoded, Spans, encode, encode_spans, moments
from horae.languages.lars.kernel.kernel import AT_ONCE, LarsKernel
from horae.languages.lars.kernel.own_keys import OwnKeys
from horae.languages.lars.kernel.renumber import Renumbering, codes_in
from horae.languages.lars.kernel.saving import load_stream, save_stream
from horae.languages.lars.kernel.stream import HeldStream
from horae.languages.lars.kernel.time_windows import FUTURE
from horae.languages.lars.live.rows import MARK
from horae.languages.lars.live.waiting import Waiting
from horae.languages.lars.options import LARSOptions
from horae.languages.lars.program import Program

_CONSTANTS = "constants"
_NUMBERS = "numbers"

SPARE = 4096
"""So many constants may come, beyond twice those in use, before unused ones are dropped."""


@dataclass(frozen=True)
class Setting:
    """What a shard has besides its state. `own`: derive only what belongs to the shard."""

    program: Program
    options: LARSOptions
    delay: int
    background: pa.Table
    own: OwnKeys | None

    def kernel(self, codes: Codes, stream: HeldStream) -> LarsKernel:
        own = None if self.own is None else replace(self.own, _known={})
        kernel = LarsKernel(self.program, self.program.arities, codes, self.options, own)
        kernel.stream = stream
        return kernel


class LiveShard:
    """The constants of background data have the first codes, so that they need not be saved."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._codes = Codes()
        stream = HeldStream(encode(facts_of_rows(setting.background), self._codes).static)
        self._fixed = self._in_use = len(self._codes.symbols)
        self._kernel = setting.kernel(self._codes, stream)
        self._times = ReachedTimes(setting.options.at)
        self._waiting = Waiting()
        self._widths: dict[str, int] = {}

    # --- input

    def see(self, points: Cuts) -> None:
        self._times.see(points)

    def add(self, rows: pa.Table) -> None:
        if not len(rows):
            return
        spans = {own.predicate: encode_spans(own, self._codes) for own in facts_of_rows(rows)}
        self.see(self._points(spans.values()))
        for name, own in spans.items():
            if name != MARK:
                self._check(name, own.arguments.shape[1])
                self._waiting.add(name, own)

    def _points(self, facts: Collection[Spans]) -> Cuts:
        """The time points of facts; for a grid only the first and the last."""
        if isinstance(self._setting.options.at, AtEvents):
            return moments((spans.first, spans.last) for spans in facts)
        return np.array([min(s.first.min() for s in facts), max(s.last.max() for s in facts)])

    def _check(self, name: str, width: int) -> None:
        expected = self._setting.program.arities.get(name)
        if expected is not None and width != expected:
            raise catalogue.wrong_arity(name, width, expected)
        if expected is None and self._widths.setdefault(name, width) != width:
            raise catalogue.other_arity(name, width, self._widths[name])

    # --- answers

    def decide(self, until: int) -> pa.Table:
        return self._evaluate(self._times.decide(until - self._setting.delay), until)

    def finish(self) -> pa.Table:
        return self._evaluate(self._times.decide(FOREVER), FUTURE)

    def _evaluate(self, times: Cuts, until: int) -> pa.Table:
        """Facts come to the kernel no sooner than it needs them: then its work is small."""
        parts = [no_answers()]
        for start in range(0, len(times), AT_ONCE):
            part = times[start : start + AT_ONCE]
            self._push(min(int(part[-1]) + self._setting.delay, until))
            parts += self._kernel.evaluate(part)
        self._push(until)
        self._forget()
        return pa.concat_tables(parts)

    def _push(self, until: int) -> None:
        self._kernel.push(Encoded(logs=self._waiting.take(until)))

    def _forget(self) -> None:
        following = self._times.following
        if following == FOREVER:
            self._kernel.stream = HeldStream(self._kernel.stream.static)
            self._waiting = Waiting()
        else:
            self._kernel.forget(following - 1)
        if len(self._codes.symbols) > 2 * self._in_use + SPARE:
            self._renumber()

    def _renumber(self) -> None:
        stream = self._kernel.stream
        used = [*codes_in(stream), *self._waiting.codes()]
        renumbering = Renumbering(self._codes, self._fixed, (codes.reshape(-1) for codes in used))
        self._codes = renumbering.codes
        self._in_use = len(self._codes.symbols)
        self._waiting.renumber(renumbering)
        self._kernel = self._setting.kernel(self._codes, renumbering.stream(stream))

    # --- state

    def state_size(self) -> StateSize:
        """Values are atoms with their intervals, and time points that are yet to be evaluated."""
        stream, points = self._kernel.stream, self._times.waiting
        values = stream.size + self._waiting.size + len(points)
        return StateSize(0, values, stream.bytes + self._waiting.nbytes + points.nbytes)

    def save(self) -> Iterator[tuple[str, bytes]]:
        numbers = {"in_use": self._in_use, "widths": self._widths}
        yield _NUMBERS, json.dumps(numbers).encode()
        yield from save_texts(_CONSTANTS, self._codes.symbols.to_texts()[self._fixed :])
        yield from save_stream(self._kernel.stream)
        yield from self._waiting.save()
        for name, data in self._times.save():
            yield f"at/{name}", data

    @classmethod
    def restored(cls, setting: Setting, chunks: Mapping[str, bytes]) -> Self:
        shard = cls(setting)
        for value in Symbols.from_texts(load_texts(_CONSTANTS, chunks)).values:
            shard._codes.symbols.code(value)
        shard._kernel.stream = load_stream(chunks, shard._kernel.stream.static)
        shard._waiting = Waiting.load(chunks)
        shard._times = ReachedTimes.load(setting.options.at, part("at/", chunks))
        numbers = json.loads(chunks[_NUMBERS])
        shard._in_use, shard._widths = numbers["in_use"], numbers["widths"]
        return shard
