"""What an event table must hold for a program, and where rows are in the input. Data only."""

from __future__ import annotations

from dataclasses import dataclass

from horae.data.clock import DECIMALS, Clock
from horae.data.types import Type

TIME = "__time"  # int64 ticks
ROW = "__row"  # int64, rows of the input counted from 1
ORDER = "__order"  # the column that orders rows of equal time, only before sorting
# Where a row stands in its file: the start of its block, and its place after that.
FILE_PLACE = ("__block", "__at")
# Where a record stands in its topic.
RECORD_PLACE = ("__partition", "__offset")

_NAMES = {decimals: name for name, decimals in DECIMALS.items()}


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns that a program reads, and the ticks that its time is counted in.

    `decimals` is the declared precision of the input: a tick is the last of so many decimal places of
    a second. Times that are numbers count `unit`s, and seconds if it is
    not known; those that are dates need none.
    """

    inputs: tuple[tuple[str, Type], ...]
    time: str = "time"
    order: str | None = None
    decimals: int = 6
    unit: str | None = None

    @property
    def clock(self) -> Clock:
        return Clock(self.unit, _NAMES[self.decimals])

    @property
    def resolution(self) -> int:
        """Ticks in a second."""
        return int(10**self.decimals)

    @property
    def counts_seconds(self) -> bool:
        return self.unit in (None, "s")

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns that are read, each once."""
        order = () if self.order is None else (self.order,)
        return tuple(dict.fromkeys((self.time, *(name for name, _ in self.inputs), *order)))


@dataclass(frozen=True, slots=True)
class Place:
    """Where a batch of rows comes from. Without `first_row`, row numbers are not known."""

    name: str = ""
    first_row: int | None = 1

    def row(self, index: int) -> int | None:
        return None if self.first_row is None else self.first_row + index
