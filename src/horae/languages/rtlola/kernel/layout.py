"""The state of a generated loop: named arrays and counters, and how large each has to be.

Arrays are dense columns. What they are indexed by is their *extent*: the slots of a family of
instances, the nodes of a pool, a hash table, or a fixed number. Counters live in one array.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from horae.data.types import Type

StateArray = npt.NDArray[Any]

DTYPES: dict[Type, str] = {
    Type.INT: "int64",
    Type.DOUBLE: "float64",
    Type.BOOL: "bool",
    Type.STRING: "int64",
}


class Extent(Enum):
    SLOTS = "slots"  # one entry per instance of the family `of`
    TABLE = "table"  # the hash table of the family or histogram `of`
    POOL = "pool"  # one entry per node of the pool `of`
    FIXED = "fixed"


@dataclass(frozen=True, slots=True)
class Column:
    """A state array: `width` > 0 makes it two-dimensional; `fill` is what new entries hold.

    One of fixed size starts with `initial`.
    """

    name: str
    dtype: str
    extent: Extent
    of: str
    width: int = 0
    fill: float = 0
    initial: tuple[int, ...] = ()

    def make(self, size: int) -> StateArray:
        if self.extent is Extent.FIXED:
            return np.array(self.initial, self.dtype)
        shape = (size, self.width) if self.width else (size,)
        return np.full(shape, self.fill, dtype=self.dtype)


@dataclass
class StateLayout:
    """Collects what the code generator asks for, in order."""

    columns: dict[str, Column] = field(default_factory=dict)
    counters: dict[str, int] = field(default_factory=dict)
    initial: list[int] = field(default_factory=list)

    def column(
        self, name: str, dtype: str, extent: Extent, of: str, *, width: int = 0, fill: float = 0
    ) -> None:
        self.columns.setdefault(name, Column(name, dtype, extent, of, width, fill))

    def fixed(self, name: str, dtype: str, initial: tuple[int, ...]) -> None:
        self.columns[name] = Column(name, dtype, Extent.FIXED, name, initial=initial)

    def counter(self, name: str, initial: int = 0) -> None:
        """A number that survives between calls; a local variable of the loop inside."""
        if name not in self.counters:
            self.counters[name] = len(self.counters)
            self.initial.append(initial)
