"""Values: names become columns, and every part gets its type.

Defined names are replaced by their expressions. `None` stands for what is wrong and has been reported.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from horae.data.types import Type
from horae.languages.cql.check import catalogue_names
from horae.languages.cql.check import catalogue_types as catalogue
from horae.languages.cql.check.check_names import resolve_name
from horae.languages.cql.check.scope import Definition, QueryContext, SelectNames
from horae.languages.cql.check.walk import columns_in, deepen
from horae.languages.cql.program import Aggregate, Arithmetic, ColumnOf, Expression, Literal
from horae.languages.cql.syntax import catalogue_syntax as syntax
from horae.languages.cql.syntax import tree
from horae.languages.cql.syntax.durations import GREATEST
from horae.languages.cql.syntax.tree import Aggregation
from horae.rules.arithmetic import Sign

NUMBERS = (Type.INT, Type.DOUBLE)
AGGREGATE = "another aggregate"


def check_value(
    context: QueryContext, scope: SelectNames, node: tree.Expression, clause: str
) -> Expression | None:
    """`clause` says where it stands: aggregates may stand in SELECT, HAVING and ORDER BY."""
    match node:
        case tree.Column():
            return _column(context, scope, node)
        case tree.Number():
            return _number(context, node)
        case tree.Text(value=text):
            return Literal(text, Type.STRING, span=node.span)
        case tree.Truth(value=truth):
            return Literal(truth, Type.BOOL, span=node.span)
        case tree.Arithmetic():
            return _arithmetic(context, scope, node, clause)
        case tree.Aggregate():
            return _aggregate(context, scope, node, clause)
        case _:
            assert_never(node)


def _number(context: QueryContext, node: tree.Number) -> Literal | None:
    if node.is_double:
        return _double(context, node)
    if node.value > GREATEST:
        context.report.append(syntax.NUMBER_TOO_LARGE(node.span))
        return None
    return Literal(int(node.value), Type.INT, span=node.span)


def _double(context: QueryContext, node: tree.Number) -> Literal | None:
    try:
        return Literal(float(node.value), Type.DOUBLE, span=node.span)
    except OverflowError:
        context.report.append(syntax.DOUBLE_TOO_LARGE(node.span))
        return None


# --- names


def _column(context: QueryContext, scope: SelectNames, node: tree.Column) -> Expression | None:
    found = resolve_name(context, scope, node)
    if found is None or isinstance(found, ColumnOf):
        return found
    depth, level, definition = found
    value = _defined(context, level, definition)
    return None if value is None else replace(deepen(value, depth), span=node.span)


def _defined(
    context: QueryContext, level: SelectNames, definition: Definition
) -> Expression | None:
    name = definition.name.text.lower()
    level.used.add(name)
    if (id(level), name) in context.resolving:
        _report_circle(context, level, definition)
        return None
    context.resolving.append((id(level), name))
    value = check_value(context, level, definition.value, "WHERE")
    context.resolving.pop()
    return value


def _report_circle(context: QueryContext, level: SelectNames, definition: Definition) -> None:
    name = definition.name.text.lower()
    start = context.resolving.index((id(level), name))
    circle = [level.definitions[other] for _, other in context.resolving[start + 1 :]]
    places = [(other.name.text, other.name.span) for other in circle]
    problem = catalogue_names.circular_definition(
        definition.name.text, definition.name.span, places
    )
    context.report.append(problem)


# --- operations


def _arithmetic(
    context: QueryContext, scope: SelectNames, node: tree.Arithmetic, clause: str
) -> Arithmetic | None:
    left = check_value(context, scope, node.left, clause)
    right = check_value(context, scope, node.right, clause)
    wrong = [side for side in (left, right) if side is not None and side.type not in NUMBERS]
    context.report += [catalogue.no_number(node.sign, (s.type, s.span)) for s in wrong]
    if wrong or left is None or right is None:
        return None
    is_int = node.sign is not Sign.DIVIDED and left.type is right.type is Type.INT
    result = Type.INT if is_int else Type.DOUBLE
    return Arithmetic(node.sign, left, right, result, span=node.span)


def _aggregate(
    context: QueryContext, scope: SelectNames, node: tree.Aggregate, clause: str
) -> Aggregate | None:
    if clause == AGGREGATE:
        context.report.append(catalogue.NESTED_AGGREGATE(node.span, function=node.function))
        return None
    if clause in ("WHERE", "GROUP BY"):
        context.report.append(catalogue.aggregate_in(clause, node.function, node.span))
        return None
    if node.argument is None:
        return Aggregate(node.function, None, False, Type.INT, span=node.span)
    argument = check_value(context, scope, node.argument, AGGREGATE)
    if argument is None or not _is_aggregable(context, node, argument):
        return None
    result = _aggregated(node.function, argument.type)
    return Aggregate(node.function, argument, node.distinct, result, span=node.span)


def _is_aggregable(context: QueryContext, node: tree.Aggregate, argument: Expression) -> bool:
    needs_number = node.function in (Aggregation.SUM, Aggregation.AVG)
    if needs_number and argument.type not in NUMBERS:
        found = (argument.type, argument.span)
        context.report.append(catalogue.no_number_to_aggregate(node.function, found))
        return False
    depths = {column.depth for column in columns_in(argument)}
    if depths and 0 not in depths:
        context.report.append(catalogue.OUTER_AGGREGATE(node.span, function=node.function))
        return False
    return True


def _aggregated(function: Aggregation, argument: Type) -> Type:
    match function:
        case Aggregation.COUNT:
            return Type.INT
        case Aggregation.AVG:
            return Type.DOUBLE
        case Aggregation.SUM | Aggregation.MIN | Aggregation.MAX:
            return argument
        case _:
            assert_never(function)
