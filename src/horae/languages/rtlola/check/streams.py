"""Check outputs and triggers, each on its own: types, clauses, conditions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from horae.data.types import Type
from horae.languages.rtlola.check import catalogue_checks as catalogue
from horae.languages.rtlola.check.clauses import check_extend, check_terminate
from horae.languages.rtlola.check.expressions import check_expression
from horae.languages.rtlola.check.scope import CheckScope, Typed, carried, fits, widen
from horae.languages.rtlola.check.templates import check_invoke
from horae.languages.rtlola.program import (
    Always,
    Expression,
    Parameter,
    Periodic,
    When,
)
from horae.languages.rtlola.syntax import tree


@dataclass(frozen=True, slots=True)
class TypedOutput:
    """An output with its types; `extend` is None where it is not given. Paces come next."""

    declared: tree.Output
    type: Type
    parameters: tuple[Parameter, ...]
    extend: Periodic | When | Always | None
    terminate: Periodic | When | None
    expression: Expression

    @property
    def name(self) -> str:
        return self.declared.name.name


def check_outputs(scope: CheckScope) -> tuple[TypedOutput, ...]:
    return tuple(_check_output(output, scope) for output in scope.names.outputs.values())


def _check_output(output: tree.Output, scope: CheckScope) -> TypedOutput:
    name = output.name.name
    inside = replace(scope, parameters=scope.names.parameters(name))
    scope.report.extend(check_invoke(output, scope))
    extend = check_extend(output.extend, inside)
    terminate = check_terminate(output.terminate, inside)
    value = check_expression(output.expression, inside)
    _check_value(output, value, scope)
    type = scope.types[name]
    node = widen(value, type)
    return TypedOutput(output, carried(type), inside.parameters, extend, terminate, node)


def _check_value(output: tree.Output, value: Typed, scope: CheckScope) -> None:
    wanted = scope.types[output.name.name]
    if value.type is None or wanted is None or fits(value.type, wanted):
        return
    what = f"`{output.name.name}`"
    declared = output.name.span if output.type is None else output.type.span
    span = output.expression.span
    scope.report.append(catalogue.value_type(what, wanted, value.type, span, declared))


def check_trigger_condition(condition: tree.Expression, scope: CheckScope) -> Expression:
    checked = check_expression(condition, scope)
    if checked.type not in (None, Type.BOOL):
        help = "compare it, for example `… > 0`"
        found = catalogue.CONDITION_TYPE(
            condition.span, what="a trigger", given=checked.type, help=help
        )
        scope.report.append(found)
    return checked.node
