"""Up to where each predicate is decided.

A cut says up to where all facts are there; a predicate that waits for later ones is decided up to
an earlier cut.
"""

from __future__ import annotations

from collections.abc import Mapping

from horae.data.cuts import FUTURE, PAST
from horae.languages.datalogmtl.kernel.fixpoint import Within


class DecidedEnds:
    """`delays` in ticks, of the predicates that wait."""

    def __init__(self, delays: Mapping[str, int]) -> None:
        self._delays = delays
        self.longest = max(delays.values(), default=0)

    def of(self, name: str, cut: int) -> int:
        """Beginning and end of time are the same for all."""
        return cut if cut in (PAST, FUTURE) else cut - 2 * self._delays.get(name, 0)

    def earliest(self, cut: int) -> int:
        """The cut up to which every predicate is decided."""
        return cut if cut in (PAST, FUTURE) else cut - 2 * self.longest

    def between(self, start: int, end: int) -> Within:
        """The region of each predicate that moving from one cut to another decides."""
        return lambda name: (self.of(name, start), self.of(name, end))
