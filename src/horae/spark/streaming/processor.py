"""The stateful operator: a shard per key, its kernel's chunks in the state store.

A kernel that is still in this worker from the last micro-batch is used again, if it is the very
one whose state was stored: each stored state has a random mark. In another worker it is restored, from
a copy on the same machine if there is one; after a failure, from the store.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, cast

from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from horae.engine.contract import Incremental, Kernel, Routed
from horae.engine.journal import Change
from horae.engine.squeezed import squeeze, unsqueeze
from horae.engine.stored import Stored, digest
from horae.source.errors import InputError
from horae.spark import catalogue
from horae.spark.failures import marked
from horae.spark.parcels import ParcelKind, Parcels, pack
from horae.spark.streaming.local_copy import LocalCopy, local_copy, query_of_task
from horae.spark.streaming.outputs import EVERYTHING, Results, StreamOutput
from horae.spark.streaming.shard import Arrival, SeenTimes, arrival, step
from horae.spark.streaming.shard_metrics import Written, measure
from horae.spark.streaming.watermark import Watermark

if TYPE_CHECKING:
    import pandas as pd

    from horae.engine.contract import Earlier

LAYOUT = 7
"""The layout of the state; a checkpoint of another one cannot be read."""


@dataclass
class _Running:
    """A kernel, the mark of its stored state, and the digests of its stored chunks."""

    mark: str
    kernel: Kernel
    digests: dict[str, str]
    step: int = 0

    def changes(self) -> Iterator[Change]:
        """As they are stored."""
        if isinstance(self.kernel, Incremental):
            return ((n, None if d is None else squeeze(d)) for n, d in self.kernel.changes())
        return Stored(self.digests).changes((n, squeeze(d)) for n, d in self.kernel.save())


_RUNNING: dict[tuple[str, int], _Running] = {}
_STEPS: dict[str, int] = {}


class ShardProcessor(StatefulProcessor):
    def __init__(
        self,
        program: Routed,
        keys: tuple[int, ...],
        watermark: Watermark,
        stage: int = 0,
        output: StreamOutput = EVERYTHING,
    ) -> None:
        self._program = program
        self._stage = stage
        self._shards = {key: shard for shard, key in enumerate(keys)}
        self._watermark = watermark
        self._output = output
        self._fingerprint = f"{stage} {program.fingerprint} {keys} {watermark}"

    def init(self, handle: StatefulProcessorHandle) -> None:
        self._query = query_of_task()
        self._meta = handle.getValueState("meta", "text string")
        self._chunks = handle.getMapState("chunks", "name string", "data binary")

    def handleInputRows(  # noqa: N802
        self,
        key: Any,
        rows: Iterator[pd.DataFrame],
        timerValues: Any,  # noqa: N803
    ) -> Iterator[pd.DataFrame]:
        with marked():
            parcels = [
                (str(kind), bytes(payload or b""))
                for frame in rows
                for kind, payload in zip(frame["kind"], frame["payload"], strict=True)
            ]
            results = self._step(int(key[0]), parcels)
        yield from self._output.frames(results)

    @property
    def _home(self) -> str:
        """Of kernels: two queries with the same program have their own."""
        return f"{self._query} {self._fingerprint}"

    def close(self) -> None:
        """Nothing is held open."""

    # --- one micro-batch

    def _step(self, key: int, parcels: Parcels) -> Results:
        meta = self._read_meta()
        seen = _seen(meta["seen"]) if meta else SeenTimes((None,) * self._watermark.sources)
        if seen.finished:
            raise _finished()
        running, arrived = self._running(key, meta), arrival(parcels)
        after, results = step(running.kernel, seen, arrived, self._watermark)
        later = self._for_later(key, running.kernel, arrived)
        written = self._store(key, running, after)
        place, size = (self._stage, self._shards[key]), running.kernel.state_size()
        metrics = measure(place, seen, after, self._watermark, size, written)
        told = (ParcelKind.METRICS, metrics.to_json())
        return Results(results.answers, [*results.parcels, *later, told])

    def _for_later(self, key: int, kernel: Kernel, arrived: Arrival) -> Parcels:
        """What this shard derived; the first one also hands on what all shards must know."""
        if self._program.later is None:
            return []
        derived = cast("Earlier", kernel).derived()
        told = arrived.told if self._shards[key] == 0 else []
        return [*told, *([(ParcelKind.DERIVED, pack(derived))] if len(derived) else [])]

    def _read_meta(self) -> dict[str, Any]:
        stored = self._meta.get()
        if stored is None:
            return {}
        meta: dict[str, Any] = json.loads(stored[0])
        if meta["layout"] != LAYOUT or meta["fingerprint"] != self._fingerprint:
            raise another_program(meta["layout"] != LAYOUT)
        return meta

    def _running(self, key: int, meta: dict[str, Any]) -> _Running:
        """Taken out of the cache: what fails on the way must not be found there again."""
        cached = _RUNNING.pop((self._home, key), None)
        if not meta:
            return _Running("", self._program.start(self._shards[key]), {})
        if cached is not None and cached.mark == meta["mark"]:
            return cached
        copy = local_copy(self._query, self._stage, key)
        near = self._restored(key, meta, copy.read())
        return near or self._from_store(key, meta, copy)

    def _from_store(self, key: int, meta: dict[str, Any], copy: LocalCopy) -> _Running:
        chunks = {name[0]: bytes(data[0]) for name, data in self._chunks.iterator()}
        found = self._restored(key, meta, chunks)
        if found is None:
            raise _damaged()
        copy.replace(chunks)
        return found

    def _restored(
        self, key: int, meta: dict[str, Any], chunks: Mapping[str, bytes]
    ) -> _Running | None:
        """None: these are not the chunks that were stored."""
        digests = {name: digest(data) for name, data in chunks.items()}
        if _digest_of(digests) != meta["digest"]:
            return None
        plain = {name: unsqueeze(data) for name, data in chunks.items()}
        return _Running(meta["mark"], self._program.restore(self._shards[key], plain), digests)

    def _store(self, key: int, running: _Running, seen: SeenTimes) -> Written:
        """Only chunks that changed are written."""
        chunks = size = 0
        digests, copy = dict(running.digests), local_copy(self._query, self._stage, key)
        for name, data in running.changes():
            copy.write(name, data)
            if data is None:
                del digests[name]
                self._chunks.removeKey((name,))
            else:
                digests[name] = digest(data)
                self._chunks.updateValue((name,), (data,))
                chunks, size = chunks + 1, size + len(data)
        mark = uuid.uuid4().hex
        meta = {
            "layout": LAYOUT,
            "fingerprint": self._fingerprint,
            "mark": mark,
            "digest": _digest_of(digests),
            "seen": asdict(seen),
        }
        self._meta.update((json.dumps(meta),))
        self._keep(key, _Running(mark, running.kernel, digests))
        return Written(chunks, size)

    def _keep(self, key: int, running: _Running) -> None:
        """Kernels whose shards have gone to another worker are given up: their turn has passed."""
        mine = self._home
        running.step = _STEPS[mine] = _STEPS.get(mine, 0) + 1
        _RUNNING[mine, key] = running
        oldest = running.step - 2 * len(self._shards)
        for place in [p for p, kept in _RUNNING.items() if p[0] == mine and kept.step < oldest]:
            del _RUNNING[place]


def _digest_of(digests: Mapping[str, str]) -> str:
    return digest(json.dumps(digests, sort_keys=True).encode())


def _seen(stored: dict[str, Any]) -> SeenTimes:
    return SeenTimes(**{**stored, "greatest": tuple(stored["greatest"])})


def another_program(is_layout: bool) -> InputError:
    what = "an older layout" if is_layout else "another program, or other options"
    return catalogue.OTHER_CHECKPOINT(what=what)


def _damaged() -> InputError:
    return catalogue.DAMAGED_STATE()


def _finished() -> InputError:
    return catalogue.FINISHED_CHECKPOINT()
