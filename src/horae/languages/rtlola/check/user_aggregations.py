"""Check user-defined aggregations: each part assigns each state variable once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from horae.data.types import Type
from horae.languages.rtlola.check import catalogue_checks as catalogue
from horae.languages.rtlola.check.expressions import check_expression
from horae.languages.rtlola.check.names import DeclaredNames
from horae.languages.rtlola.check.scope import CheckScope, Variables, fits, unknown, widen
from horae.languages.rtlola.program import (
    Expression,
    StateVariable,
    StreamValue,
    UserAggregation,
    Variable,
)
from horae.languages.rtlola.syntax import tree
from horae.source.diagnostic import Diagnostic
from horae.source.suggest import did_you_mean

# Which state a name means in a part: by owner as written, "" for a name without owner.
_OWNERS = {
    "step": {"": "state"},
    "combine": {"": "left", "left": "left", "right": "right", "other": "right"},
    "inverse": {"": "whole", "whole": "whole", "left": "left", "other": "left"},
    "result": {"": "state"},
}


def check_aggregations(names: DeclaredNames) -> tuple[dict[str, UserAggregation], list[Diagnostic]]:
    report: list[Diagnostic] = []
    scope = CheckScope(names, {}, {}, report)
    checked = {name: _check(a, scope) for name, a in names.aggregations.items()}
    return checked, report


def _check(aggregation: tree.Aggregation, scope: CheckScope) -> UserAggregation:
    scope.report.extend(_variables_declared_twice(aggregation))
    result = _result(aggregation, scope)
    inverse = _assigned("inverse", aggregation.inverse, aggregation, scope)
    return UserAggregation(
        name=aggregation.name.name,
        argument=aggregation.argument.name.name,
        argument_type=aggregation.argument.type.type,
        state=tuple(_state_variable(v, scope.report) for v in aggregation.state),
        step=_assigned("step", aggregation.step, aggregation, scope),
        combine=_assigned("combine", aggregation.combine, aggregation, scope),
        inverse=inverse if aggregation.inverse else (),
        result=result,
        type=aggregation.result_type.type,
        span=aggregation.span,
    )


def _variables_declared_twice(aggregation: tree.Aggregation) -> list[Diagnostic]:
    report = []
    first = {aggregation.argument.name.name: aggregation.argument.name.span}
    for variable in aggregation.state:
        name, span = variable.name.name, variable.name.span
        if name in first:
            report.append(catalogue.declared_twice("the variable", name, span, first[name]))
        first.setdefault(name, span)
    return report


# --- the initial state


def _state_variable(variable: tree.StateVariable, report: list[Diagnostic]) -> StateVariable:
    type = variable.type.type
    value = _initial(variable.initial, type)
    if value is None:
        name, span = variable.name.name, variable.initial.span
        report.append(catalogue.INITIAL_VALUE(span, variable=name, wanted=type))
        value = 0
    return StateVariable(variable.name.name, type, value)


def _initial(expression: tree.Expression, wanted: Type) -> StreamValue | None:
    """The constant as a value of the wanted type."""
    match expression:
        case tree.Literal(type=given, value=value) if fits(given, wanted):
            value = float(value) if wanted is Type.DOUBLE else value
            return value if _in_range(value) else None
        case tree.Unary(operator="-", operand=tree.Literal(type=given, value=int() | float() as v)):
            return _initial(tree.Literal(given, -v, span=expression.span), wanted)
        case _:
            return None


def _in_range(value: StreamValue) -> bool:
    match value:
        case bool() | str():
            return True
        case int():
            return -(2**63) <= value < 2**63
        case float():
            return abs(value) < float("inf")


# --- the parts


def _assigned(
    part: str,
    assignments: tuple[tree.Assignment, ...],
    aggregation: tree.Aggregation,
    scope: CheckScope,
) -> tuple[Expression, ...]:
    """One expression per state variable, in their order."""
    inside = replace(scope, variables=_variables(part, aggregation))
    state = {v.name.name: v for v in aggregation.state}
    values: dict[str, Expression] = {}
    for assignment in assignments:
        scope.report.extend(_misassigned(part, assignment, state, values))
        variable = state.get(assignment.name.name)
        value = _assign(assignment, variable, inside)
        values.setdefault(assignment.name.name, value)
    if assignments or part != "inverse":
        scope.report.extend(_unassigned(part, assignments, aggregation, values))
    return tuple(values.get(v, unknown(state[v].span).node) for v in state)


def _misassigned(
    part: str,
    assignment: tree.Assignment,
    state: Mapping[str, tree.StateVariable],
    values: Mapping[str, Expression],
) -> list[Diagnostic]:
    name = assignment.name
    if name.name not in state:
        help = did_you_mean(name.name, state)
        return [catalogue.ASSIGNMENT_UNKNOWN(name.span, variable=name.name, part=part, help=help)]
    if name.name in values:
        return [catalogue.assignment_repeated(name.name, part, name.span)]
    return []


def _unassigned(
    part: str,
    assignments: tuple[tree.Assignment, ...],
    aggregation: tree.Aggregation,
    values: Mapping[str, Expression],
) -> list[Diagnostic]:
    span = aggregation.name.span
    if assignments:
        span = assignments[0].span.to(assignments[-1].span)
    declared = {v.name.name: v.name.span for v in aggregation.state}
    return [
        catalogue.assignment_missing(name, part, span, place)
        for name, place in declared.items()
        if name not in values
    ]


def _assign(
    assignment: tree.Assignment, variable: tree.StateVariable | None, scope: CheckScope
) -> Expression:
    if variable is None:
        return check_expression(assignment.expression, scope).node
    what = f"the state variable `{variable.name.name}`"
    return _value(what, assignment.expression, variable.type, scope)


def _result(aggregation: tree.Aggregation, scope: CheckScope) -> Expression:
    inside = replace(scope, variables=_variables("result", aggregation))
    what = f"the result of `{aggregation.name.name}`"
    return _value(what, aggregation.result, aggregation.result_type, inside)


def _value(
    what: str, expression: tree.Expression, declared: tree.TypeName, scope: CheckScope
) -> Expression:
    value = check_expression(expression, scope)
    if value.type is not None and not fits(value.type, declared.type):
        found = catalogue.value_type(
            what, declared.type, value.type, expression.span, declared.span
        )
        scope.report.append(found)
    return widen(value, declared.type)


def _variables(part: str, aggregation: tree.Aggregation) -> Variables:
    by_name: dict[str, Variable] = {}
    for written, owner in _OWNERS[part].items():
        for variable in aggregation.state:
            name, type = variable.name.name, variable.type.type
            full = f"{written}.{name}" if written else name
            by_name[full] = Variable(owner, name, type, span=variable.span)
    if part == "step":
        argument = aggregation.argument
        name, type = argument.name.name, argument.type.type
        by_name[name] = Variable("argument", name, type, span=argument.span)
    return Variables(part, by_name)
