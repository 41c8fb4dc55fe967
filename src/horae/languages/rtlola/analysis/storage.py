"""What each stream keeps in all: the needs of its readers, shared where they can be.

Discrete offsets read the same ring, so the farthest one decides; an offset in time has a queue of its
own. Windows with the same duration, aggregation and pace are one window however many readers it has.
All figures are per instance; the number of instances is a factor of its own, and often has no bound.
Bytes are those of values and their times.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from horae.data.types import Type
from horae.engine.report.bounds import Bound, Bounded, Unbounded, largest, total
from horae.engine.report.state_bound import StateBound
from horae.engine.report.units import duration
from horae.languages.rtlola.analysis.graph import (
    DependencyGraph,
    Discrete,
    RealTime,
    Sliding,
    Vertex,
    VertexKind,
)
from horae.languages.rtlola.analysis.memory import Keeping, Need
from horae.languages.rtlola.program import Output, Program

WORD = 8
# Per instance: how often it was extended, and since when it lives. Per store: where it begins.
_INSTANCE_WORDS = 2
_STORE_WORDS = 1


@dataclass(frozen=True, slots=True)
class Store:
    """One ring or window of one stream. `words` is the size of an entry."""

    title: str
    keeping: Keeping
    values: Bound
    kept: Bound
    words: int
    readers: tuple[str, ...]

    @property
    def bytes(self) -> Bound:
        return self.kept * Bounded(self.words * WORD) + Bounded(_STORE_WORDS * WORD)


@dataclass(frozen=True, slots=True)
class StreamMemory:
    """Everything that is kept of one stream; `values` and `bytes` are per instance."""

    name: str
    title: str
    stores: tuple[Store, ...]
    bookkeeping: int
    instances: Bound

    @property
    def values(self) -> Bound:
        return total(store.values for store in self.stores)

    @property
    def bytes(self) -> Bound:
        return total((Bounded(self.bookkeeping), *(store.bytes for store in self.stores)))


@dataclass(frozen=True, slots=True)
class Totals:
    """`fixed` sums the streams with a known number of instances; the others stay a rate each."""

    fixed: Bound
    per_instance: tuple[tuple[str, Bound], ...]


@dataclass(frozen=True, slots=True)
class StateBytes:
    """What the engine's state takes at most in one shard, with all that it needs to find values."""

    fixed: Bound
    per_instance: Bound

    @property
    def numbers(self) -> StateBound:
        """None where one of both has no bound."""
        if isinstance(self.fixed, Bounded) and isinstance(self.per_instance, Bounded):
            return StateBound(None, ceil(self.fixed.n), ceil(self.per_instance.n))
        return StateBound()


def find_storage(
    program: Program, graph: DependencyGraph, needs: tuple[Need, ...]
) -> tuple[StreamMemory, ...]:
    """One entry per input and output, in the order of the text."""
    return tuple(
        _stream_memory(program, v, tuple(n for n in needs if n.edge.target == v.name))
        for v in graph.vertices
        if v.kind is not VertexKind.TRIGGER
    )


def sum_storage(memory: tuple[StreamMemory, ...]) -> Totals:
    known = [m for m in memory if isinstance(m.instances, Bounded)]
    open_ended = [m for m in memory if isinstance(m.instances, Unbounded)]
    return Totals(
        total(m.bytes * m.instances for m in known),
        tuple((m.title, m.bytes) for m in open_ended),
    )


def _stream_memory(program: Program, vertex: Vertex, needs: tuple[Need, ...]) -> StreamMemory:
    stream = program.stream(vertex.name)
    parameters = stream.parameters if isinstance(stream, Output) else ()
    bookkeeping = (_INSTANCE_WORDS + len(parameters)) * WORD
    instances = count_instances(stream) if isinstance(stream, Output) else Bounded(1)
    return StreamMemory(vertex.name, vertex.title, _stores(needs), bookkeeping, instances)


def count_instances(output: Output) -> Bound:
    """The size of the parameters' domain: only `bool` is finite."""
    for parameter in output.parameters:
        if parameter.type is not Type.BOOL:
            why = f"one instance for each value of `{parameter.name}: {parameter.type}`"
            return Unbounded(why, output.span)
    return Bounded(2 ** len(output.parameters))


def _stores(needs: tuple[Need, ...]) -> tuple[Store, ...]:
    """Needs with an equal key share one store; the first of them gives it its place."""
    groups: dict[object, list[Need]] = {}
    for need in needs:
        groups.setdefault(_sharing_key(need), []).append(need)
    return tuple(_store(group) for group in groups.values())


def _sharing_key(need: Need) -> object:
    if need.keeping is Keeping.LAST:
        return need.keeping
    return (need.keeping, need.edge.label, need.pace)


def _store(group: list[Need]) -> Store:
    return Store(
        _title(group[0]),
        group[0].keeping,
        largest(n.values for n in group),
        _kept(group),
        max(_words(n) for n in group),
        tuple(dict.fromkeys(n.edge.reader for n in group)),
    )


def _kept(group: list[Need]) -> Bound:
    """In a ring and the queues beside it; what looks ahead reads one chain."""
    apart = {n.edge.label: n.kept for n in group if _has_queue(n.edge.label)}
    shared = [n.kept for n in group if not _has_queue(n.edge.label)]
    return total([*apart.values(), *([largest(shared)] if shared else [])])


def _has_queue(label: object) -> bool:
    return isinstance(label, RealTime) and label.seconds < 0


def _title(need: Need) -> str:
    match need.edge.label:
        case Sliding(aggregation=aggregation, seconds=seconds):
            return f"{aggregation} over {duration(seconds)}"
        case RealTime() as away if need.keeping is not Keeping.LAST:
            return f"values {away} away"
        case _:
            return str(need.keeping)


def _words(need: Need) -> int:
    """The entry, with its time wherever time decides when it can be forgotten."""
    match need.edge.label:
        case Discrete():
            return 1
        case RealTime():
            return 2
        case Sliding(homomorphic=homomorphic, words=words):
            return 1 + (words if homomorphic else 1)
