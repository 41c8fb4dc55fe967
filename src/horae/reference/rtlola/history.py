"""What has been decided about a stream: the lives of its instances and their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Protocol

from horae.languages.rtlola.program import StreamValue
from horae.reference.rtlola.positions import Position

Parameters = tuple[StreamValue, ...]


class Pending(Enum):
    """Stands for a value that exists but cannot be known yet.

    Streams that read each other's past in a cycle (`a := b[-1, 0] + 1`, `b := a`) need to know
    *whether* the other is extended at this position before they can know *with what*.
    """

    PENDING = "pending"


PENDING = Pending.PENDING
Result = StreamValue | Pending


class AbsentError(Exception):
    """Raised where an expression has no value."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One extension of an instance."""

    position: int
    time: Fraction
    value: Result


@dataclass(slots=True)
class Life:
    """An instance from an invocation to its termination; a re-invoked one has a new life."""

    start: int
    entries: list[Entry] = field(default_factory=list)


class Streams(Protocol):
    """How expressions look at streams."""

    def active(self, stream: str, position: Position) -> Mapping[Parameters, Life]:
        """The instances of an output that are active at the position."""

    def until(self, stream: str, parameters: Parameters, position: Position) -> Sequence[Entry]:
        """The values of the instance's present life up to the position; none if not active."""

    def whole(self, stream: str, parameters: Parameters, position: Position) -> Sequence[Entry]:
        """All values, also later ones, of the life that is present at the position."""
