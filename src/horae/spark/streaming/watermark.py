"""How far a stream is decided: by the greatest times of its sources, and how long rows may be late."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Greatest = Sequence[int | None]
"""The greatest time of each source; None before its first row."""


@dataclass(frozen=True, slots=True)
class Watermark:
    """All in ticks. A source that is more than `idle` behind another one is not waited for.

    None: all sources are waited for, however long it takes.
    """

    lateness: int
    sources: int = 1
    idle: int | None = None

    def limit(self, greatest: Greatest) -> int | None:
        """Rows before it are late, and all before it is decided; None: it is not known yet."""
        known = [time for time in greatest if time is not None]
        if not known:
            return None
        if self.idle is None:
            return None if len(known) < self.sources else min(known) - self.lateness
        floor = max(known) - self.idle
        slowest = min(known) if len(known) == self.sources else floor
        return max(slowest, floor) - self.lateness


def later(before: Greatest, now: Greatest) -> list[int | None]:
    """The greater time of each source."""
    return [_greater(a, b) for a, b in zip(before, now, strict=True)]


def _greater(a: int | None, b: int | None) -> int | None:
    return max((time for time in (a, b) if time is not None), default=None)
