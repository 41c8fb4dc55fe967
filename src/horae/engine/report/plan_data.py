"""The plan as plain data for tools: one stable shape for every language."""

from __future__ import annotations

from typing import assert_never

from horae.engine.plan import ByKey, Plan, PlanStage, StageInput, StateItem, ToEvery, ToOne, Way
from horae.engine.report.bounds import Bound, Bounded
from horae.engine.report.units import exact

JSONObject = dict[str, object]


def plan_to_data(plan: Plan) -> JSONObject:
    return {"time_unit": plan.time_unit, "stages": [_stage(stage) for stage in plan.stages]}


def _stage(stage: PlanStage) -> JSONObject:
    return {
        "name": stage.name,
        "runs": stage.runs,
        "spread": stage.is_spread,
        "why_one_shard": list(stage.one_shard),
        "requires": list(stage.requires),
        "inputs": [_input(given) for given in stage.inputs],
        "outputs": [
            {"table": o.name, "columns": [{"name": n, "type": t} for n, t in o.columns]}
            for o in stage.outputs
        ],
        "delay": _amount(stage.delay),
        "why_delay": _why(stage.delay),
        "state": [_item(item) for item in stage.state],
        "steps": list(stage.steps),
    }


def _input(given: StageInput) -> JSONObject:
    keys = given.way.keys if isinstance(given.way, ByKey) else ()
    return {
        "table": given.table,
        "stage": given.stage,
        "way": _way(given.way),
        "key": [{"column": key.place + 1, "name": key.name} for key in keys],
        "note": given.note or None,
    }


def _way(way: Way) -> str:
    match way:
        case ByKey():
            return "by key"
        case ToEvery():
            return "to every shard"
        case ToOne():
            return "to one shard"
        case _:
            assert_never(way)


def _item(item: StateItem) -> JSONObject:
    return {
        "what": item.what,
        "at_most": _amount(item.bound),
        "unit": item.unit,
        "per": item.per or None,
        "why": _why(item.bound),
    }


def _why(bound: Bound) -> str | None:
    return None if isinstance(bound, Bounded) else bound.why


def _amount(bound: Bound) -> object:
    return exact(bound.n) if isinstance(bound, Bounded) else "unbounded"
