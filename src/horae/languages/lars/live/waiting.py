"""Facts that have come, and whose time points are not needed yet.

A fact with an interval waits as a whole, however long it is; its time points become atoms when they
are due.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from horae.data.cuts import Rows
from horae.languages.lars.kernel.facts import Spans
from horae.languages.lars.kernel.renumber import Renumbering
from horae.languages.lars.kernel.saving import load_tables, save_tables
from horae.languages.lars.kernel.tuple_windows import AtomLog

_PREFIX = "waiting/"


@dataclass
class Waiting:
    """Per predicate the facts `ahead`, by their first time points, so that taking some leaves a slice.

    `running` are facts of which some time points were taken, and the others are still to come.
    """

    ahead: dict[str, Spans] = field(default_factory=dict)
    running: dict[str, Spans] = field(default_factory=dict)

    def add(self, name: str, spans: Spans) -> None:
        some = spans.first <= spans.last
        known = spans if some.all() else spans.take(some)
        self.ahead[name] = _sorted(
            _joined([self.ahead[name], known]) if name in self.ahead else known
        )

    def take(self, until: int) -> dict[str, AtomLog]:
        """The atoms up to a time point; they wait no longer."""
        due: dict[str, AtomLog] = {}
        for name in {**self.running, **self.ahead}:
            begun = self._begun(name, until)
            if len(begun):
                due[name] = begun.log(until)
                self.running[name] = _rest(begun, until)
        self.running = {name: spans for name, spans in self.running.items() if len(spans)}
        self.ahead = {name: spans for name, spans in self.ahead.items() if len(spans)}
        return due

    def _begun(self, name: str, until: int) -> Spans:
        """The facts that begin up to a time point; they are not ahead any more."""
        parts = [self.running[name]] if name in self.running else []
        if name in self.ahead:
            ahead = self.ahead[name]
            end = int(np.searchsorted(ahead.first, until, side="right"))
            self.ahead[name] = ahead.take(slice(end, None))
            parts.append(ahead.take(slice(0, end)))
        return _joined(parts)

    @property
    def size(self) -> int:
        return sum(map(len, self._all()))

    @property
    def nbytes(self) -> int:
        return sum(spans.arguments.nbytes + 3 * spans.first.nbytes for spans in self._all())

    def _all(self) -> Iterator[Spans]:
        yield from self.running.values()
        yield from self.ahead.values()

    # --- codes and chunks

    def codes(self) -> Iterator[Rows]:
        for spans in self._all():
            yield spans.arguments
            yield spans.order

    def renumber(self, renumbering: Renumbering) -> None:
        self.running = {n: _renumbered(s, renumbering) for n, s in self.running.items()}
        self.ahead = {n: _renumbered(s, renumbering) for n, s in self.ahead.items()}

    def save(self) -> Iterator[tuple[str, bytes]]:
        parts = (self.running, self.ahead)
        names = {**self.running, **self.ahead}
        known = {name: _joined([part[name] for part in parts if name in part]) for name in names}
        return save_tables(_PREFIX, {name: _table(spans) for name, spans in known.items()})

    @classmethod
    def load(cls, chunks: Mapping[str, bytes]) -> Self:
        tables = load_tables(_PREFIX, chunks)
        return cls({name: _sorted(_spans(table)) for name, table in tables.items()})


def _joined(parts: Sequence[Spans]) -> Spans:
    if len(parts) == 1:
        return parts[0]
    return Spans(
        np.concatenate([part.arguments for part in parts]),
        np.concatenate([part.order for part in parts]),
        np.concatenate([part.first for part in parts]),
        np.concatenate([part.last for part in parts]),
    )


def _sorted(spans: Spans) -> Spans:
    first = spans.first
    if (first[1:] >= first[:-1]).all():
        return spans
    return spans.take(np.argsort(first, kind="stable"))


def _rest(begun: Spans, until: int) -> Spans:
    """What is left of intervals that go on."""
    longer = begun.take(begun.last > until)
    return replace(longer, first=np.full(len(longer), until + 1))


def _renumbered(spans: Spans, renumbering: Renumbering) -> Spans:
    arguments, order = renumbering(spans.arguments), renumbering(spans.order)
    return replace(spans, arguments=arguments, order=order)


# --- tables: first and last time point, order, arguments


def _table(spans: Spans) -> Rows:
    return np.column_stack([spans.first, spans.last, spans.order, spans.arguments])


def _spans(table: Rows) -> Spans:
    return Spans(table[:, 3:], table[:, 2], table[:, 0], table[:, 1])
