"""The plan of a program: a DAG of stages, of one form for every language. Data only.

A stage is evaluated in shards that do not know each other. What it reads comes by a *way*: hashed by
key columns, to every shard, or to the one shard that there is. Stages are listed in an order in which
each reads only input tables and stages before it.

    stage 1, spread:       orders by `customer`, prices to every shard  →  spent(customer, sum)
    stage 2, in one shard: spent, of stage 1                            →  richest(customer)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from horae.data.schema import TableSchema
from horae.engine.report.bounds import Bound


@dataclass(frozen=True, slots=True)
class Key:
    """A column of a table: its place, from 0, and what readers of the program call it."""

    place: int
    name: str


@dataclass(frozen=True, slots=True)
class ByKey:
    """Rows that are equal in all key columns come to the same shard."""

    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class ToEvery:
    """Every shard has all rows: a broadcast."""


@dataclass(frozen=True, slots=True)
class ToOne:
    """There is one shard, and it has all rows."""


Way = ByKey | ToEvery | ToOne


DERIVED_HERE = "derived here"
"""The note of a table that the stage derives itself, and that may have rows in the input too."""


@dataclass(frozen=True, slots=True)
class StageInput:
    """A table of the input, or of the earlier `stage` that derives it, and its way to the shards.

    `note` is a condition on the way, in words.
    """

    table: str
    way: Way
    stage: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class StateItem:
    """The most that a shard keeps of one thing: so many of `unit` (in the singular), `per` something."""

    what: str
    bound: Bound
    unit: str
    per: str = ""


@dataclass(frozen=True, slots=True)
class PlanStage:
    """`runs` says what is evaluated, `kernel` is the language's own program for that.

    `one_shard` has the reasons why the stage is in one shard; without any, it is spread. `requires` is
    what must be true of the input for the stage to be spread. `steps` are the kernel's operators, one
    per line, where a language has such. `delay`: how long after a time point its rows are decided, in
    the unit of the plan.
    """

    name: str
    runs: str
    inputs: tuple[StageInput, ...]
    outputs: tuple[TableSchema, ...]
    delay: Bound
    state: tuple[StateItem, ...]
    one_shard: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    kernel: object = field(default=None, compare=False, repr=False)

    @property
    def is_spread(self) -> bool:
        return not self.one_shard


@dataclass(frozen=True, slots=True)
class Plan:
    """`time_unit` is what delays are counted in, in the singular: `second`, `time point`."""

    time_unit: str
    stages: tuple[PlanStage, ...]

    def __post_init__(self) -> None:
        known: set[str] = set()
        for stage in self.stages:
            assert stage.name not in known, f"two stages are called {stage.name}"
            assert {i.stage for i in stage.inputs} <= {None, *known}, "it reads a later stage"
            assert all(_fits(stage, given.way) for given in stage.inputs), "no way to its shards"
            known.add(stage.name)

    @property
    def is_spread(self) -> bool:
        return any(stage.is_spread for stage in self.stages)

    @property
    def tables(self) -> tuple[str, ...]:
        """The input tables that some stage reads, in the order of reading."""
        read = (i.table for stage in self.stages for i in stage.inputs if i.stage is None)
        return tuple(dict.fromkeys(read))


def _fits(stage: PlanStage, way: Way) -> bool:
    return isinstance(way, ByKey | ToEvery) if stage.is_spread else isinstance(way, ToOne)


def stage_names() -> Iterator[str]:
    """`stage 1`, `stage 2`, …"""
    number = 0
    while True:
        number += 1
        yield f"stage {number}"
