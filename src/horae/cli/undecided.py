"""What a stream says that ends without an answer: how far it is decided, and what decides the rest."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from horae.spark.streaming.snapshot import Snapshot

_REST = "later rows decide the rest, or --finish does: it says that none come"


def undecided_text(snapshot: Snapshot, resolution: int) -> str:
    """For a stream that was not finished; times are shown as those of the input."""
    if snapshot.last is None:
        return f"no answers: no rows came yet; {_REST}"
    last = _time(snapshot.last, resolution)
    if snapshot.decided is None:
        return f"no answers yet: nothing is decided of the rows up to time {last}; {_REST}"
    decided = _time(snapshot.decided, resolution)
    return (
        f"no answers yet: times up to {decided} are decided and have none, "
        f"rows came up to time {last}; {_REST}"
    )


def _time(ticks: int, resolution: int) -> str:
    time = Fraction(ticks, resolution)
    return str(time.numerator) if time.denominator == 1 else f"{float(time)!r}"
