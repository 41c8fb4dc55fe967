"""The plan of a LARS program: one stage, spread by the keys of its predicates where that is exact."""

from __future__ import annotations

from collections.abc import Iterator

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
    stage_names,
)
from horae.engine.report.bounds import Bound, Bounded, Unbounded
from horae.languages.lars.analysis.memory import Newest, find_kept
from horae.languages.lars.analysis.reach import Reach
from horae.languages.lars.analysis.reasons import why_ahead
from horae.languages.lars.check.occurrences import formulas_of
from horae.languages.lars.plan.route_program import route_program
from horae.languages.lars.plan.routes import Route, RoutedProgram
from horae.languages.lars.program import Program, atoms
from horae.languages.lars.syntax.print_statement import print_statement
from horae.languages.lars.tables import output_tables
from horae.rules.print_keys import key_name, variables_at


def build_plan(program: Program, reach: Reach) -> Plan:
    routed = route_program(program)
    reasons = tuple(_reasons(routed))
    stage = PlanStage(
        next(stage_names()),
        _runs(program),
        inputs=tuple(_in_one_shard(program) if reasons else _spread(routed)),
        outputs=output_tables(program),
        delay=_delay(reach),
        state=tuple(_state(program, reach)),
        one_shard=reasons,
        kernel=routed,
    )
    return Plan("time point", (stage,))


def _runs(program: Program) -> str:
    names = ", ".join(f"`{name}`" for name in sorted(program.derived))
    return names or ("constraints" if program.rules else "nothing but the facts")


def _reasons(routed: RoutedProgram) -> Iterator[str]:
    if routed.obstacle is not None:
        yield f"{routed.obstacle.reason}: `{print_statement(routed.obstacle.rule)}`"
    elif not routed.pivots:
        yield "no rule derives anything"


def _in_one_shard(program: Program) -> Iterator[StageInput]:
    for name in program.arities:
        if name not in program.derived:
            yield StageInput(name, ToOne())


def _spread(routed: RoutedProgram) -> Iterator[StageInput]:
    """Facts about a derived predicate come to where it is derived."""
    rules = routed.program.rules
    used = (a for rule in rules for formula in formulas_of(rule) for a in atoms(formula))
    variables = variables_at(used, {route.predicate: route.place for route in routed.routes})
    for route in sorted(routed.routes, key=lambda r: r.predicate in routed.pivots):
        if route.place is None:
            yield StageInput(route.predicate, ToEvery())
        else:
            key = Key(route.place, key_name(route.place, variables.get(route.predicate, "")))
            yield StageInput(route.predicate, ByKey((key,)), note=_note(routed, route))


def _note(routed: RoutedProgram, route: Route) -> str:
    if route.predicate in routed.pivots:
        return DERIVED_HERE
    names = ", ".join(f"`{name}`" for name in sorted(route.unless))
    return f"to every shard if there is background data about {names}" if names else ""


def _delay(reach: Reach) -> Bound:
    if reach.delay is not None:
        return Bounded(reach.delay)
    cause = reach.input.ahead
    assert cause is not None, "something looks ahead"
    return Unbounded(why_ahead(cause), cause.formula.span)


def _state(program: Program, reach: Reach) -> Iterator[StateItem]:
    """What a stage keeps of input; what is derived is kept with `history` only."""
    for name in program.arities:
        if name not in program.derived:
            kept = find_kept(name, reach)
            if kept.points != Bounded(0):
                yield StateItem(f"`{name}`", kept.points, "time point")
            for newest in kept.newest:
                yield StateItem(f"`{name}`", Bounded(newest.count), "atom", _per(newest))


def _per(newest: Newest) -> str:
    if newest.pattern is None:
        return "of all input"
    return f"per ({', '.join(newest.by)})" if newest.by else ""
