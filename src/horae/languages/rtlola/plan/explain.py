"""The plan in words, for the report."""

from __future__ import annotations

from collections.abc import Iterator

from horae.languages.rtlola.plan.reads import name_of, things
from horae.languages.rtlola.plan.stages import Join, Partition, Shards, Single
from horae.languages.rtlola.program import Program


def explain(plan: Partition) -> tuple[str, ...]:
    """A line per stage, with its key, what it needs, and why it is not spread."""
    lines = [line for shards in plan.shards for line in _shards(shards)]
    if plan.join is not None:
        lines.append(_join(plan.join))
    if plan.single is not None:
        lines.extend(_single(plan.single, spread=plan.is_spread))
    return tuple(lines)


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _all(program: Program) -> str:
    return ", ".join(map(name_of, things(program))) or "nothing"


def _shards(stage: Shards) -> Iterator[str]:
    yield f"spread by the value of {_names(stage.keys)}: {_all(stage.program)}"
    by_key: dict[str, list[str]] = {}
    for key, other in stage.present:
        by_key.setdefault(key, []).append(other)
    for key, others in by_key.items():
        verb = "has a value" if len(others) == 1 else "have values"
        yield f"  if {_names(tuple(others))} {verb} in every row with a value of `{key}`"


def _join(stage: Join) -> str:
    return f"then in one place, from what the shards count: {_all(stage.program)}"


def _single(stage: Single, *, spread: bool) -> Iterator[str]:
    """Outputs without parameters need no reason: there is one instance of each."""
    where = "beside it in one place, over all rows" if spread else "in one place, over all rows"
    yield f"{where}: {_all(stage.program)}"
    yield from (f"  not spread, {reason}" for reason in stage.reasons)
