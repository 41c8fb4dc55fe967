"""The plan in words, for the report."""

from __future__ import annotations

from collections.abc import Iterator

from horae.languages.datalogmtl.check.normalise import body_atoms
from horae.languages.datalogmtl.plan.stages import Obstacle, Route, Spread, Stage, StagedProgram
from horae.languages.datalogmtl.syntax.print_statement import print_statement
from horae.rules.terms import Variable


def explain(plan: StagedProgram) -> tuple[str, ...]:
    """Per stage: the key of each predicate, what goes everywhere, or why it is in one shard."""
    several = len(plan.stages) > 1
    lines: list[str] = []
    for number, stage in enumerate(plan.stages, start=1):
        name = f"stage {number}: " if several else ""
        lines += _stage(stage, name)
    return tuple(lines)


def _stage(stage: Stage, name: str) -> Iterator[str]:
    derived = [n for n in sorted(stage.derives) if not n.startswith("~")]
    if stage.obstacle is not None:
        yield f"{name}one shard: {_names(derived) or 'parts of rules'}"
        yield from _obstacle(stage.obstacle)
        return
    keys = "; ".join(_keys(stage))
    yield f"{name}sharded on {keys}" if keys else f"{name}sharded on all arguments"
    everywhere = sorted({r.predicate for r in stage.routes if r.place is Spread.EVERYWHERE})
    if everywhere:
        yield f"  sent to every shard: {_names(everywhere)}"


def _keys(stage: Stage) -> Iterator[str]:
    """`argument 2 (Z) of flags, monitors`, largest place first."""
    variables = _variables(stage)
    groups: dict[tuple[int, str], list[str]] = {}
    for route in stage.routes:
        if isinstance(route.place, int):
            key = (route.place, variables.get(route.name, ""))
            groups.setdefault(key, []).append(route.predicate)
    for (place, variable), names in sorted(groups.items(), key=lambda item: -item[0][0]):
        spelt = f" ({variable})" if variable else ""
        yield f"argument {place + 1}{spelt} of {_names(sorted(set(names)))}"


def _variables(stage: Stage) -> dict[str, str]:
    """What rules call the key of each route, where all of them call it the same."""
    routes: dict[str, Route] = {route.name: route for route in stage.routes}
    found: dict[str, set[str]] = {}
    for rule in stage.program.rules:
        for atom in (rule.head, *body_atoms(rule)):
            route = routes.get(atom.predicate)
            if route is not None and isinstance(route.place, int):
                term = atom.arguments[route.place]
                spelt = term.name if isinstance(term, Variable) else ""
                found.setdefault(atom.predicate, set()).add(spelt)
    return {name: spelt.pop() for name, spelt in found.items() if len(spelt) == 1}


def _obstacle(obstacle: Obstacle) -> Iterator[str]:
    yield f"  not spread: {obstacle.reason}"
    yield f"  `{print_statement(obstacle.rule.of)}`"


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
