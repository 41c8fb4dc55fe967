"""The plan as a section of a report: an entry per stage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from horae.data.schema import TableSchema
from horae.engine.plan import (
    ByKey,
    Plan,
    PlanStage,
    StageInput,
    StateItem,
    ToEvery,
    ToOne,
    Way,
)
from horae.engine.report.bounds import Bound, Bounded
from horae.engine.report.sections import Entry, Section
from horae.engine.report.units import counted, duration


def plan_section(plan: Plan) -> Section:
    return Section("Plan", entries=tuple(_entry(plan, stage) for stage in plan.stages))


def _entry(plan: Plan, stage: PlanStage) -> Entry:
    where = "spread" if stage.is_spread else "in one shard"
    return Entry(f"{stage.name}, {where}: {stage.runs}", tuple(_points(plan, stage)), stage.steps)


def _points(plan: Plan, stage: PlanStage) -> Iterator[tuple[str, str]]:
    if stage.inputs:
        yield "reads", "; ".join(_inputs(stage.inputs))
    yield from (("requires", text) for text in stage.requires)
    yield from (("why", reason) for reason in stage.one_shard)
    if stage.outputs:
        yield "gives", ", ".join(map(_schema, stage.outputs))
    yield "delay", delay_in_words(plan, stage.delay)
    yield "state", "; ".join(map(_item, stage.state)) or "nothing is kept"


def _inputs(inputs: tuple[StageInput, ...]) -> Iterator[str]:
    """`a`, `b` by `k`: those that come the same way together."""
    groups: dict[tuple[Way, str | None, str], list[str]] = {}
    for given in inputs:
        groups.setdefault((given.way, given.stage, given.note), []).append(f"`{given.table}`")
    for (way, stage, note), tables in groups.items():
        names = ", ".join(dict.fromkeys(tables))
        origin = f" of {stage}" if stage else ""
        ending = f" ({note})" if note else ""
        yield f"{names}{origin}{way_in_words(way)}{ending}"


def way_in_words(way: Way) -> str:
    """What stands behind the name of a table; nothing where there is one shard."""
    match way:
        case ByKey(keys=()):
            return " by all columns"
        case ByKey(keys=keys):
            return f" by {', '.join(key.name for key in keys)}"
        case ToEvery():
            return " to every shard"
        case ToOne():
            return ""
        case _:
            assert_never(way)


def _schema(schema: TableSchema) -> str:
    """Columns without names are counted."""
    if schema.columns and all(name.isdigit() for name, _ in schema.columns):
        return f"`{schema.name}`/{len(schema.columns)}"
    columns = ", ".join(f"{name}: {type}" for name, type in schema.columns)
    return f"`{schema.name}`({columns})" if columns else f"`{schema.name}`"


def delay_in_words(plan: Plan, delay: Bound) -> str:
    if not isinstance(delay, Bounded):
        return f"no bound: {delay.why}"
    if delay.n == 0:
        return "none"
    return duration(delay.n) if plan.time_unit == "second" else counted(delay.n, plan.time_unit)


def _item(item: StateItem) -> str:
    if not isinstance(item.bound, Bounded):
        return f"{item.what}: no bound, {item.bound.why}"
    per = f" {item.per}" if item.per else ""
    return f"{item.what}: at most {counted(item.bound.n, item.unit)}{per}"
