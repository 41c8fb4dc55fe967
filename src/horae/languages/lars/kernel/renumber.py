"""New codes for the constants that are still in use.

A dictionary of constants only grows. A stream has ever new ones and forgets its atoms, so from time to
time what is left gets a dictionary of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from horae.data.cuts import Rows
from horae.languages.lars.kernel.codes import Codes, are_named, dictionary_places
from horae.languages.lars.kernel.stream import HeldStream
from horae.languages.lars.kernel.tuple_windows import AtomLog
from horae.rules.intervals.relation import Relation, relation


class Renumbering:
    """From the codes of one dictionary to those of a smaller one, `codes`.

    The first `fixed` constants keep their codes: those of background data.
    """

    def __init__(self, old: Codes, fixed: int, used: Iterable[Rows]) -> None:
        places = np.unique(np.concatenate([np.arange(fixed), *map(_places, used)]))
        self.codes = Codes()
        self._new = np.full(len(old.symbols), -1)
        for place in places.tolist():
            self._new[place] = self.codes.symbols.code(old.symbols.values[place])

    def __call__(self, codes: Rows) -> Rows:
        renumbered = codes.copy()
        named = are_named(codes)
        renumbered[named] = dictionary_places(self._new[dictionary_places(codes[named])])
        return renumbered

    def stream(self, stream: HeldStream) -> HeldStream:
        return HeldStream(
            stream.static,
            {name: self._spans(spans) for name, spans in stream.spans.items()},
            {name: self._log(log) for name, log in stream.logs.items()},
        )

    def _spans(self, spans: Relation) -> Relation:
        """Sorted anew: by the new codes."""
        return relation(self(spans.arguments), spans.lo, spans.hi)

    def _log(self, log: AtomLog) -> AtomLog:
        return AtomLog(self(log.arguments), log.times, self(log.order))


def codes_in(stream: HeldStream) -> Iterator[Rows]:
    """All codes of atoms at time points."""
    yield from (spans.arguments for spans in stream.spans.values())
    for log in stream.logs.values():
        yield log.arguments
        yield log.order


def _places(codes: Rows) -> Rows:
    """The places of constants in the dictionary."""
    return dictionary_places(codes[are_named(codes)])
