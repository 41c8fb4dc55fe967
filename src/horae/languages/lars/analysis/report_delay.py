"""What keeps a stream waiting for ever: looks at input that have no end ahead."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from horae.languages.lars.analysis.ranges import Cause, Range
from horae.languages.lars.analysis.reach import Reach


def endless_reads(reach: Reach) -> tuple[Cause, ...]:
    """Each cause once: per input predicate the first one, and all windows that count."""
    found = (r.ahead for r in _of_input(reach) if r.last == inf)
    return tuple(dict.fromkeys(cause for cause in found if cause is not None))


def _of_input(reach: Reach) -> Iterator[Range]:
    yield from (where for name, where in reach.ranges.items() if name not in reach.derived)
    yield from (counted.where for counted in reach.counted)
    yield reach.named
