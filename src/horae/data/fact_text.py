"""The facts of a `.facts` text, with the places where they stand."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from horae.data import catalogue_facts as messages
from horae.data.clock import SECONDS, Clock
from horae.data.cuts import Rows
from horae.data.fact_lines.parse import parse_facts
from horae.data.formats.facts import read_lines
from horae.data.predicate_facts import PredicateFacts, columns_of_facts
from horae.data.roll import note
from horae.source.errors import InputError
from horae.source.text import Source


@dataclass(frozen=True, eq=False)
class FactText:
    """Fact number n begins at the byte `starts[n]` of the text."""

    name: str
    data: bytes
    facts: list[PredicateFacts]
    starts: Rows

    def about(self, predicates: Collection[str]) -> FactText:
        """Only the facts about some predicates."""
        if all(part.predicate in predicates for part in self.facts):
            return self
        kept = [part for part in self.facts if part.predicate in predicates]
        return _numbered(self.name, self.data, [_at_bytes(part, self.starts) for part in kept])

    def place(self, number: int) -> str:
        return _place(self.name, self.data, int(self.starts[number]))

    @contextmanager
    def places(self) -> Iterator[None]:
        """Errors about the n-th fact: they are where it stands in the text."""
        try:
            yield
        except InputError as error:
            if error.row is None:
                raise error.at(self.name) from None
            raise error.at(self.place(error.row - 1)) from None


def _at_bytes(part: PredicateFacts, starts: Rows) -> PredicateFacts:
    return replace(part, counted=starts[part.numbers])


def _numbered(name: str, data: bytes, parts: Sequence[PredicateFacts]) -> FactText:
    """Facts that are numbered by the bytes where they begin, counted."""
    starts = np.concatenate([np.empty(0, np.int64), *(part.numbers for part in parts)])
    if (starts[1:] > starts[:-1]).all():
        ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
        numbers = [np.arange(end - len(part), end) for part, end in zip(parts, ends, strict=True)]
    else:
        starts = np.sort(starts)
        numbers = [np.searchsorted(starts, part.numbers) for part in parts]
    facts = [replace(part, counted=own) for part, own in zip(parts, numbers, strict=True)]
    return FactText(name, data, facts, starts)


def _place(name: str, data: bytes, start: int) -> str:
    """File, line and column of a byte."""
    before = data[data.rfind(b"\n", 0, start) + 1 : start]
    line = data.count(b"\n", 0, start) + 1
    return f"{name}:{line}:{len(_decoded(before)) + 1}"


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def facts_of_text(text: str, name: str, clock: Clock = SECONDS) -> FactText:
    """All facts of a text; the first line that is none is an error."""
    data = _encoded(text.replace("\r\n", "\n"))
    lines = read_lines(data, clock)
    parts = lines.facts + (_Rest(name, data, lines.others, clock).read() if lines.others else [])
    first: dict[str, int] = {}
    for part in parts:
        start = int(part.numbers.min())
        first[part.predicate] = min(start, first.get(part.predicate, start))
    for predicate, start in first.items():
        note(predicate, name, _place(name, data, start))
    return _numbered(name, data, parts)


@dataclass(frozen=True)
class _Rest:
    """Lines that a parser reads, as one text: what stood between them makes no difference to it."""

    name: str
    data: bytes
    lines: Sequence[tuple[int, int]]
    clock: Clock

    def read(self) -> list[PredicateFacts]:
        texts = [_decoded(self.data[start:end]) for start, end in self.lines]
        source = Source(self.name, "\n".join(texts))
        begins = [0, *accumulate(len(text) + 1 for text in texts)]
        found, diagnostics = parse_facts(source, self.clock)
        wrong = next((d for d in diagnostics if d.is_error), None)
        if wrong is not None:
            start = self._byte(source, begins, wrong.span.start)
            raise messages.bad_line(wrong, _place(self.name, self.data, start))
        starts = np.array([self._byte(source, begins, f.span.start) for f in found], np.int64)
        return [_at_bytes(part, starts) for part in columns_of_facts(f.fact for f in found)]

    def _byte(self, source: Source, begins: Sequence[int], offset: int) -> int:
        """Where a character of the rest stands in the whole text."""
        number = min(bisect_right(begins, offset), len(self.lines)) - 1
        return self.lines[number][0] + len(_encoded(source.text[begins[number] : offset]))
