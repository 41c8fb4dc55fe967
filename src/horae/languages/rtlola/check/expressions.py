"""Check an expression: resolve its names, find its type, make conversions explicit.

This file only takes the tree apart; the rules stand in `operators`, `calls`, `quantifiers`,
`templates` and `accesses`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from horae.languages.rtlola.check import catalogue_checks as catalogue
from horae.languages.rtlola.check.accesses import (
    check_hold,
    check_offset,
    check_time_offset,
    check_window,
)
from horae.languages.rtlola.check.calls import check_call
from horae.languages.rtlola.check.functions import FUNCTIONS
from horae.languages.rtlola.check.names import QUANTIFIERS
from horae.languages.rtlola.check.operators import (
    check_binary,
    check_conditional,
    check_link,
    check_literal,
    check_unary,
    is_smallest_integer,
    smallest_integer,
)
from horae.languages.rtlola.check.quantifiers import (
    check_count_of_instances,
    check_over,
    counts_instances,
)
from horae.languages.rtlola.check.scope import CheckScope, Typed, Variables, known, unknown
from horae.languages.rtlola.check.templates import AccessTarget, resolve_instance, resolve_name
from horae.languages.rtlola.syntax import tree
from horae.languages.rtlola.syntax.aggregations import AGGREGATIONS, ALIASES
from horae.source.suggest import did_you_mean
from horae.source.text import Span


def check_expression(expression: tree.Expression, scope: CheckScope) -> Typed:
    match expression:
        case tree.Literal():
            return check_literal(expression, scope.report)
        case tree.Name():
            return _check_name(expression, scope)
        case tree.Field():
            return _check_field(expression, scope)
        case tree.Apply():
            return _check_apply(expression, scope)
        case tree.Unary():
            return _check_unary(expression, scope)
        case tree.Binary(left=left, right=right):
            operands = check_expression(left, scope), check_expression(right, scope)
            return check_binary(expression, *operands, scope.report)
        case tree.Chain():
            return _check_chain(expression, scope)
        case tree.Conditional():
            return _check_conditional(expression, scope)
        case tree.Offset() | tree.TimeOffset() | tree.Window():
            return _check_access(expression, scope)
        case _:
            assert_never(expression)


def _check_unary(expression: tree.Unary, scope: CheckScope) -> Typed:
    if is_smallest_integer(expression):
        return smallest_integer(expression)
    operand = check_expression(expression.operand, scope)
    return check_unary(expression, operand, scope.report)


def _check_chain(chain: tree.Chain, scope: CheckScope) -> Typed:
    left = check_expression(chain.first, scope)
    for link in chain.rest:
        left = check_link(link, left, check_expression(link.operand, scope), scope.report)
    return left


def _check_conditional(expression: tree.Conditional, scope: CheckScope) -> Typed:
    branches = [
        (check_expression(branch.condition, scope), check_expression(branch.then, scope))
        for branch in expression.branches
    ]
    otherwise = check_expression(expression.otherwise, scope)
    return check_conditional(expression, branches, otherwise, scope.report)


# --- names


def _check_name(name: tree.Name, scope: CheckScope) -> Typed:
    if scope.variables is not None:
        return _check_variable(name.name, name.span, scope.variables, scope)
    parameter = scope.parameter(name.name)
    if parameter is not None:
        return known(replace(parameter, span=name.span))
    target = _stream(name, scope)
    return unknown(name.span) if target is None else check_hold(target, name.span)


def _check_field(field: tree.Field, scope: CheckScope) -> Typed:
    if scope.variables is not None:
        name = f"{field.owner}.{field.name}"
        return _check_variable(name, field.span, scope.variables, scope)
    found = catalogue.FIELD_OUTSIDE_AGGREGATION(field.span, owner=field.owner, name=field.name)
    scope.report.append(found)
    return unknown(field.span)


def _check_variable(name: str, span: Span, variables: Variables, scope: CheckScope) -> Typed:
    if name in variables.by_name:
        return known(replace(variables.by_name[name], span=span))
    if scope.names.is_stream(name):
        scope.report.append(catalogue.STREAM_IN_AGGREGATION(span, name=name))
    else:
        available = list(variables.by_name)
        scope.report.append(catalogue.unknown_variable(name, span, available, variables.part))
    return unknown(span)


def _stream(name: tree.Name, scope: CheckScope) -> AccessTarget | None:
    """The stream that a name without arguments means."""
    if scope.names.is_stream(name.name):
        return resolve_name(name, scope)
    help = _name_help(name.name, scope)
    scope.report.append(catalogue.UNKNOWN_NAME(name.span, name=name.name, help=help))
    return None


def _name_help(name: str, scope: CheckScope) -> str:
    if name in FUNCTIONS:
        return f"`{name}` is a function: `{name}(…)`"
    if _is_aggregation(name, scope):
        return f"`{name}` is an aggregation: `a[10s, 0, {name}]`"
    return did_you_mean(name, (*scope.names.streams(), *(p.name for p in scope.parameters)))


def _is_aggregation(name: str, scope: CheckScope) -> bool:
    return name in AGGREGATIONS or name in ALIASES or name in scope.names.aggregations


# --- calls, instances, quantifiers


def _check_apply(expression: tree.Apply, scope: CheckScope) -> Typed:
    if expression.name in QUANTIFIERS and scope.variables is None:
        return _check_over(expression, scope)
    if expression.name in FUNCTIONS:
        arguments = tuple(check_expression(a, scope) for a in expression.arguments)
        return check_call(expression, arguments, scope.report)
    target = _instance(expression, scope)
    return unknown(expression.span) if target is None else check_hold(target, expression.span)


def _instance(expression: tree.Apply, scope: CheckScope) -> AccessTarget | None:
    arguments = tuple(check_expression(a, scope) for a in expression.arguments)
    name, span = expression.name, expression.span
    if scope.variables is not None and scope.names.is_stream(name):
        scope.report.append(catalogue.STREAM_IN_AGGREGATION(span, name=name))
        return None
    if scope.names.is_stream(name):
        return resolve_instance(expression, arguments, scope)
    scope.report.append(catalogue.unknown_function(name, span, _function_help(name, scope)))
    return None


def _function_help(name: str, scope: CheckScope) -> str:
    if _is_aggregation(name, scope):
        return f"`{name}` is an aggregation, and stands in a window: `a[10s, 0, {name}]`"
    templates = [s for s in scope.names.outputs if scope.names.is_template(s)]
    return did_you_mean(name, (*FUNCTIONS, *QUANTIFIERS, *templates))


def _check_over(expression: tree.Apply, scope: CheckScope) -> Typed:
    if len(expression.arguments) != 1:
        given, span = len(expression.arguments), expression.span
        found = catalogue.function_arity(expression.name, given, "1 argument", span)
        scope.report.append(found)
        return unknown(span)
    if counts_instances(expression, scope):
        return check_count_of_instances(expression, scope)
    ranged: dict[str, Span] = {}
    inside, found_before = replace(scope, ranged=ranged), len(scope.report)
    condition = check_expression(expression.arguments[0], inside)
    if not ranged and len(scope.report) > found_before:
        return unknown(expression.span)  # the template may hide behind what was found
    return check_over(expression, condition, ranged, scope)


# --- accesses


def _check_access(access: tree.Offset | tree.TimeOffset | tree.Window, scope: CheckScope) -> Typed:
    target = _target(access.target, scope)
    default = check_expression(access.default, scope)
    argument = None
    if isinstance(access, tree.Window) and access.aggregation.argument is not None:
        argument = check_expression(access.aggregation.argument, scope)
    if target is None:
        return unknown(access.span)
    match access:
        case tree.Offset():
            return check_offset(access, target, default, scope)
        case tree.TimeOffset():
            return check_time_offset(access, target, default, scope)
        case tree.Window():
            return check_window(access, target, default, argument, scope)
        case _:
            assert_never(access)


def _target(target: tree.Name | tree.Apply, scope: CheckScope) -> AccessTarget | None:
    if isinstance(target, tree.Apply):
        return _instance(target, scope)
    if scope.variables is not None:
        scope.report.append(catalogue.STREAM_IN_AGGREGATION(target.span, name=target.name))
        return None
    if scope.parameter(target.name) is not None:
        scope.report.append(catalogue.PARAMETER_AS_STREAM(target.span, name=target.name))
        return None
    return _stream(target, scope)
