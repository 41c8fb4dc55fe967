"""`any`, `all` and `count` over the instances of a template."""

from __future__ import annotations

from horae.data.types import Type
from horae.languages.rtlola.check import catalogue_checks as catalogue
from horae.languages.rtlola.check import catalogue_warnings
from horae.languages.rtlola.check.names import QUANTIFIERS
from horae.languages.rtlola.check.scope import CheckScope, Typed, known, unknown
from horae.languages.rtlola.program import Quantified, Quantifier
from horae.languages.rtlola.syntax import tree
from horae.source.text import Span


def counts_instances(expression: tree.Apply, scope: CheckScope) -> bool:
    """`count(s)`, with just the name of a template."""
    match expression:
        case tree.Apply(name="count", arguments=(tree.Name(name=name),)):
            return scope.parameter(name) is None and scope.names.is_template(name)
        case _:
            return False


def check_count_of_instances(expression: tree.Apply, scope: CheckScope) -> Typed:
    (template,) = expression.arguments
    assert isinstance(template, tree.Name)
    if scope.types.get(template.name) is Type.BOOL:
        found = catalogue_warnings.COUNTS_ALSO_FALSE(expression.span, template=template.name)
        scope.report.append(found)
    node = Quantified(Quantifier.COUNT, (template.name,), None, Type.INT, span=expression.span)
    return known(node)


def check_over(
    expression: tree.Apply, condition: Typed, ranged: dict[str, Span], scope: CheckScope
) -> Typed:
    quantifier, span = QUANTIFIERS[expression.name], expression.span
    type = Type.INT if quantifier is Quantifier.COUNT else Type.BOOL
    if not ranged:
        help = _range_help(expression, scope)
        scope.report.append(
            catalogue.NOTHING_TO_RANGE_OVER(span, quantifier=expression.name, help=help)
        )
        return Typed(unknown(span).node, type)
    if condition.type not in (None, Type.BOOL):
        what, help = f"the condition of `{quantifier}`", f"compare: `{quantifier}(… > 0)`"
        place = condition.node.span
        scope.report.append(
            catalogue.CONDITION_TYPE(place, what=what, given=condition.type, help=help)
        )
    _check_ranges(expression, ranged, scope)
    return known(Quantified(quantifier, tuple(ranged), condition.node, type, span=span))


def _check_ranges(expression: tree.Apply, ranged: dict[str, Span], scope: CheckScope) -> None:
    templates = [(name, scope.names.parameter_types(name), span) for name, span in ranged.items()]
    if len({types for _, types, _ in templates}) > 1:
        found = catalogue.ranges_differ(expression.name, expression.span, templates)
        scope.report.append(found)


def _range_help(expression: tree.Apply, scope: CheckScope) -> str:
    """Arguments pick one instance; a stream without parameters needs no quantifier."""
    instances = [n for n in _applied(expression) if scope.names.is_template(n)]
    if instances:
        return f"drop the arguments of `{instances[0]}` to range over its instances"
    if expression.name == "count":
        return "to count values over time, use a window: `a[10s, 0, count]`"
    return f"leave `{expression.name}` out: without instances there is one value to look at"


def _applied(expression: tree.Expression) -> list[str]:
    match expression:
        case tree.Apply(name=name, arguments=arguments):
            return [name, *(n for a in arguments for n in _applied(a))]
        case tree.Unary(operand=operand):
            return _applied(operand)
        case tree.Binary(left=left, right=right):
            return _applied(left) + _applied(right)
        case tree.Chain(first=first, rest=rest):
            operands = (first, *(link.operand for link in rest))
            return [name for operand in operands for name in _applied(operand)]
        case tree.Offset(target=target) | tree.TimeOffset(target=target):
            return _applied(target)
        case tree.Window(target=target):
            return _applied(target)
        case _:
            return []
