"""The plan in words, for the report."""

from __future__ import annotations

from horae.plan.stages import Join, Plan, Shards, Single


def explain(plan: Plan) -> tuple[str, ...]:
    """A line per stage, with its key, what it needs, and why it is not spread."""
    lines = [line for shards in plan.shards for line in _shards(shards)]
    if plan.join is not None:
        lines.extend(_join(plan.join))
    if plan.single is not None:
        lines.extend(_single(plan.single))
    return tuple(lines)


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _shards(stage: Shards) -> list[str]:
    outputs = _names([o.name for o in stage.program.outputs])
    lines = [f"shards by {_names(list(stage.keys))}: {outputs}"]
    for key, other in stage.present:
        lines.append(f"  spread only if `{other}` has a value in every row where `{key}` has one")
    return lines


def _join(stage: Join) -> list[str]:
    outputs = [o.name for o in stage.program.outputs]
    outputs += [f"trigger {t.number}" for t in stage.program.triggers]
    return [f"join of the shards' partial results: {_names(outputs)}"]


def _single(stage: Single) -> list[str]:
    outputs = [o.name for o in stage.program.outputs]
    outputs += [f"trigger {t.number}" for t in stage.program.triggers]
    lines = [f"one shard: {_names(outputs) or 'nothing'}"]
    lines.extend(f"  not spread: {reason}" for reason in stage.reasons)
    return lines
