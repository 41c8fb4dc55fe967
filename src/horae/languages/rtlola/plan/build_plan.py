"""The plan of a specification: groups of shards, the join of what they count, and the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Protocol

from horae.data.schema import TableSchema
from horae.engine.plan import (
    ByKey,
    Key,
    Plan,
    PlanStage,
    StageInput,
    StateItem,
    ToOne,
    stage_names,
)
from horae.engine.report.bounds import Bound, Bounded, largest, total
from horae.languages.rtlola.analysis.storage import StateBytes
from horae.languages.rtlola.analysis.written import written
from horae.languages.rtlola.kernel.options import Options, QuantifiedMode
from horae.languages.rtlola.options import Emit
from horae.languages.rtlola.plan.reads import name_of, things
from horae.languages.rtlola.plan.spread import make_partition
from horae.languages.rtlola.plan.stages import Join, Joined, Partition, Shards, Single
from horae.languages.rtlola.program import Evaluated, Output, Program
from horae.languages.rtlola.tables import output_tables

ROWS = "rows"
"""The table that a specification reads, with a column per input."""


class BoundOfState(Protocol):
    def __call__(self, program: Program, *, options: Options) -> StateBytes: ...


def build_plan(
    program: Program, delays: Mapping[str, Bound], options: Options, bound: BoundOfState
) -> Plan:
    """`delays` has the seconds of each stream and trigger; `options` are those of a loop by itself."""
    return Plan("second", tuple(_Builder(program, delays, options, bound).stages()))


class _Builder:
    def __init__(
        self, program: Program, delays: Mapping[str, Bound], options: Options, bound: BoundOfState
    ) -> None:
        self._program, self._delays, self._options = program, delays, options
        self._bound = bound
        self._names = stage_names()

    def stages(self) -> Iterator[PlanStage]:
        partition: Partition = make_partition(self._program)
        spread = [self._shards(shards) for shards in partition.shards]
        yield from spread
        if partition.join is not None:
            yield self._join(partition.join, spread)
        if partition.single is not None:
            yield self._single(partition.single)

    def _shards(self, shards: Shards) -> PlanStage:
        """Rows go to the shard of each key that they have."""
        columns = [item.name for item in self._program.inputs]
        keys = [Key(columns.index(name), f"`{name}`") for name in shards.keys]
        return replace(
            self._stage(shards.program, shards),
            inputs=tuple(
                StageInput(ROWS, ByKey((key,)), note=f"those with a value of {key.name}")
                for key in keys
            ),
            outputs=(*output_tables(shards.program), *map(self._counter, shards.exported)),
            state=tuple(_items(self._states_of(shards))),
            requires=tuple(_requires(shards)),
        )

    def _join(self, join: Join, spread: list[PlanStage]) -> PlanStage:
        imported = [self._counter(joined).name for joined in join.imported]
        given = (
            StageInput(name, ToOne(), stage.name)
            for stage in spread
            for name in imported
            if name in {schema.name for schema in stage.outputs}
        )
        options = replace(self._options, quantified=QuantifiedMode.IMPORT, joined=join.imported)
        return replace(
            self._stage(join.program, join),
            inputs=tuple(given),
            state=tuple(_items([self._bound(join.program, options=options)])),
            one_shard=("it sums what all shards count",),
        )

    def _single(self, single: Single) -> PlanStage:
        names = ", ".join(map(name_of, _without_parameters(single.program)))
        one_each = [f"there is one instance of {names}"] if names else []
        return replace(
            self._stage(single.program, single),
            inputs=(StageInput(ROWS, ToOne()),),
            state=tuple(_items([self._bound(single.program, options=self._options)])),
            one_shard=(*single.reasons, *one_each) or ("there is nothing to evaluate",),
        )

    def _stage(self, program: Program, kernel: Shards | Join | Single) -> PlanStage:
        evaluated = things(program)
        return PlanStage(
            next(self._names),
            ", ".join(map(name_of, evaluated)) or "nothing",
            inputs=(),
            outputs=output_tables(program),
            delay=largest(self._delay(thing) for thing in evaluated),
            state=(),
            kernel=kernel,
        )

    def _delay(self, thing: Evaluated) -> Bound:
        return self._delays[thing.name if isinstance(thing, Output) else f"trigger {thing.number}"]

    def _counter(self, joined: Joined) -> TableSchema:
        text = written(self._program.source, joined.node.span)
        return TableSchema(text, (("value", str(joined.node.type)),))

    def _states_of(self, shards: Shards) -> Iterator[StateBytes]:
        """What is exported is counted by a loop of its own, beside the one that answers."""
        yield self._bound(shards.program, options=self._options)
        if shards.exported:
            exporting = replace(
                self._options,
                quantified=QuantifiedMode.EXPORT,
                joined=shards.exported,
                emit=Emit.TRIGGERS,
            )
            yield self._bound(shards.program, options=exporting)


def _without_parameters(program: Program) -> Iterator[Evaluated]:
    for thing in things(program):
        if not (isinstance(thing, Output) and thing.parameters):
            yield thing


def _requires(shards: Shards) -> Iterator[str]:
    by_key: dict[str, list[str]] = {}
    for key, other in shards.present:
        by_key.setdefault(key, []).append(f"`{other}`")
    for key, others in by_key.items():
        verb = "has a value" if len(others) == 1 else "have values"
        yield f"{', '.join(others)} {verb} in every row with a value of `{key}`"


def _items(states: Iterator[StateBytes] | list[StateBytes]) -> Iterator[StateItem]:
    """Rows that are not decided yet come on top; how many these are, the stream says."""
    known = list(states)
    yield StateItem("a shard", total(state.fixed for state in known), "byte")
    each = total(state.per_instance for state in known)
    if each != Bounded(0):
        yield StateItem("each instance", each, "byte")
