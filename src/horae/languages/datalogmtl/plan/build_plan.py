"""The plan of a DatalogMTL program: the stages of its rules, with what each keeps and waits for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from horae.data.schema import predicate_schema
from horae.engine.plan import (
    DERIVED_HERE,
    ByKey,
    Key,
    Plan,
    PlanStage,
    StageInput,
    StateItem,
    ToEvery,
    ToOne,
    Way,
    stage_names,
)
from horae.engine.report.bounds import Bound, Bounded, Unbounded, largest
from horae.languages.datalogmtl.analysis.delays import Infeasible
from horae.languages.datalogmtl.analysis.windows import Memory
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.languages.datalogmtl.check.normalise import body_atoms
from horae.languages.datalogmtl.plan.make_stages import make_stages
from horae.languages.datalogmtl.plan.stages import Route, RuleStage, Spread
from horae.languages.datalogmtl.syntax.print_statement import print_statement
from horae.rules.print_keys import key_name, variables_at
from horae.rules.terms import Atom

Delays = Mapping[str, Fraction] | Infeasible


def build_plan(normal: NormalProgram, memory: Mapping[str, Memory], delays: Delays) -> Plan:
    """`memory` and `delays` by predicate, those of the normal form too."""
    stages: list[PlanStage] = []
    origins: dict[str, str] = {}
    for name, stage in zip(stage_names(), make_stages(normal).stages, strict=False):
        stages.append(_stage(name, stage, normal, origins, memory, delays))
        origins |= dict.fromkeys(stage.emits.values(), name)
    return Plan("unit of time", tuple(stages))


def _stage(
    name: str,
    stage: RuleStage,
    normal: NormalProgram,
    origins: Mapping[str, str],
    memory: Mapping[str, Memory],
    delays: Delays,
) -> PlanStage:
    arities = normal.program.arities
    variables = variables_at(_atoms(stage), {r.name: _place(r) for r in stage.routes})
    derived = ", ".join(f"`{n}`" for n in sorted(stage.derives) if not n.startswith("~"))
    return PlanStage(
        name,
        derived or ("parts of rules" if stage.derives else "nothing but the facts"),
        inputs=tuple(
            StageInput(
                r.predicate,
                _way(stage, r, variables.get(r.name, ""), arities.get(r.predicate, 0)),
                origins.get(r.predicate),
                DERIVED_HERE if r.predicate in stage.derives else "",
            )
            for r in sorted(stage.routes, key=lambda r: r.predicate in stage.derives)
        ),
        outputs=tuple(
            predicate_schema(predicate, _arity(stage, predicate, arities))
            for predicate in stage.emits.values()
        ),
        delay=largest(_delay(predicate, delays) for predicate in sorted(stage.derives)),
        state=tuple(_state(stage, memory)),
        one_shard=tuple(_reasons(stage)),
        kernel=stage,
    )


def _atoms(stage: RuleStage) -> Iterator[Atom]:
    for rule in stage.program.rules:
        yield rule.head
        yield from body_atoms(rule)


def _place(route: Route) -> int | None:
    return route.place if isinstance(route.place, int) else None


def _way(stage: RuleStage, route: Route, variable: str, arity: int) -> Way:
    if not stage.is_spread:
        return ToOne()
    match route.place:
        case Spread.EVERYWHERE:
            return ToEvery()
        case Spread.BY_ALL:
            return ByKey(tuple(Key(place, key_name(place, "")) for place in range(arity)))
        case int(place):
            return ByKey((Key(place, key_name(place, variable)),))


def _arity(stage: RuleStage, predicate: str, arities: Mapping[str, int]) -> int:
    """The program knows the arities of its own predicates; the normal form introduces others."""
    if predicate in arities:
        return arities[predicate]
    return next(len(atom.arguments) for atom in _atoms(stage) if atom.predicate == predicate)


def _delay(predicate: str, delays: Delays) -> Bound:
    """The delay of a predicate; where rules wait for each other without end, it has no bound."""
    if isinstance(delays, Infeasible):
        return Unbounded(delays.why, delays.path[0].of.span)
    return Bounded(delays.get(predicate, Fraction(0)))


def _state(stage: RuleStage, memory: Mapping[str, Memory]) -> Iterator[StateItem]:
    """Of what the stage reads or derives: how far back its intervals are kept."""
    names = {route.predicate for route in stage.routes} | stage.derives
    for name in sorted(names & memory.keys()):
        kept = memory[name]
        if kept.reach:
            yield StateItem(f"`{name}`", Bounded(kept.reach), "unit of time")
        if kept.history:
            yield StateItem(f"whether `{name}` ever held", Bounded(1), "interval", "per fact")
        if kept.since:
            yield StateItem(f"since when `{name}` holds", Bounded(1), "interval", "per fact")


def _reasons(stage: RuleStage) -> Iterator[str]:
    if stage.obstacle is not None:
        yield f"{stage.obstacle.reason}: `{print_statement(stage.obstacle.rule.of)}`"
