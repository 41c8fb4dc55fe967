"""The plan as a picture: tables on the left, then the stages, with the ways of rows on the links."""

from __future__ import annotations

from textwrap import wrap

from horae.engine.plan import DERIVED_HERE, Plan, PlanStage, StageInput
from horae.engine.report.draw import Box, LabelledArc, Picture, Shade
from horae.engine.report.plan_section import delay_in_words, way_in_words

_WIDTH = 34  # of the text in a box


def picture_plan(plan: Plan) -> Picture:
    tables = [Box(f"table {name}", (name,), Shade.INPUT) for name in plan.tables]
    stages = [_stage(plan, stage) for stage in plan.stages]
    links = tuple(link for stage in plan.stages for link in _links(stage))
    return Picture("plan", "The stages of the plan", (*tables, *stages), links)


def _stage(plan: Plan, stage: PlanStage) -> Box:
    """One that is in one shard has another colour."""
    where = "spread" if stage.is_spread else "in one shard"
    delay = delay_in_words(plan, stage.delay).split(":")[0]
    waits = [f"delay {delay}"] if delay != "none" else []
    lines = (f"{stage.name}, {where}", *wrap(stage.runs.replace("`", ""), _WIDTH), *waits)
    return Box(stage.name, lines, Shade.PLAIN if stage.is_spread else Shade.SPECIAL)


def _links(stage: PlanStage) -> list[LabelledArc]:
    """One per table or stage that is read; faint if the stage derives the table itself."""
    groups: dict[str, list[StageInput]] = {}
    for given in stage.inputs:
        groups.setdefault(given.stage or f"table {given.table}", []).append(given)
    return [
        LabelledArc(origin, stage.name, _lines(group), all(i.note == DERIVED_HERE for i in group))
        for origin, group in groups.items()
    ]


def _lines(group: list[StageInput]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_line(given) for given in group))


def _line(given: StageInput) -> str:
    way = way_in_words(given.way).replace("`", "").strip()
    if given.stage is None:
        return way or "all rows"
    return f"{given.table} {way}".strip()
