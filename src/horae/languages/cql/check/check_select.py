"""One SELECT: its clauses in the order in which they get their meaning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from horae.data.schema import SchemaColumn
from horae.languages.cql.check import catalogue_types as catalogue
from horae.languages.cql.check.check_conditions import check_condition
from horae.languages.cql.check.check_expressions import check_value
from horae.languages.cql.check.check_names import check_alias
from horae.languages.cql.check.check_sources import check_sources
from horae.languages.cql.check.definitions import check_use, split_definitions
from horae.languages.cql.check.grouping import check_groups
from horae.languages.cql.check.ordering import order_select
from horae.languages.cql.check.scope import QueryContext, SelectNames, same
from horae.languages.cql.check.walk import has_aggregate
from horae.languages.cql.program import ColumnOf, Condition, Expression, Order, Select
from horae.languages.cql.syntax import tree


def check_select(
    context: QueryContext,
    select: tree.Select,
    outer: SelectNames | None,
    order: Sequence[tree.OrderItem] = (),
) -> tuple[Select, tuple[Order, ...]] | None:
    """The SELECT and its order; None if something is wrong, which is reported then."""
    before = len(context.report)
    sources, is_complete = check_sources(context, select.sources, outer)
    bare = SelectNames(sources, is_complete, outer, aliases=frozenset(_aliases(select)))
    scope, condition = split_definitions(bare, select.where)
    outputs, values = _outputs(context, scope, select.items)
    where = _condition(context, scope, condition, "WHERE")
    groups = _groups(context, scope, select.group_by)
    having = _condition(context, scope, select.having, "HAVING")
    orders = order_select(context, scope, select, outputs, values, order)
    is_grouped = _is_grouped(select, values)
    if is_grouped and len(groups) == len(select.group_by):
        check_groups(context, groups, values, having)
    check_use(context, scope)
    if len(context.report) > before or not is_complete:
        return None
    parts = (outputs, tuple(values), sources, where, is_grouped, groups, having)
    return Select(select.distinct, *parts, span=select.span), orders


def _is_grouped(select: tree.Select, values: Sequence[Expression]) -> bool:
    is_written = bool(select.group_by) or select.having is not None
    return is_written or any(map(has_aggregate, values))


def _aliases(select: tree.Select) -> Iterator[str]:
    """The names that SELECT gives to something else."""
    for item in select.items:
        if isinstance(item, tree.Item) and item.alias is not None:
            value, alias = item.value, item.alias.text
            is_itself = isinstance(value, tree.Column) and same(value.name.text, alias)
            if not is_itself:
                yield alias.lower()


def _condition(
    context: QueryContext, scope: SelectNames, condition: tree.Condition | None, clause: str
) -> Condition | None:
    return None if condition is None else check_condition(context, scope, condition, clause)


def _groups(
    context: QueryContext, scope: SelectNames, written: Sequence[tree.Expression]
) -> tuple[Expression, ...]:
    groups = []
    for node in written:
        if isinstance(node, tree.Number | tree.Text | tree.Truth):
            context.report.append(catalogue.GROUP_BY_POSITION(node.span))
            continue
        group = check_value(context, scope, node, "GROUP BY")
        if group is not None:
            groups.append(group)
    return tuple(groups)


# --- outputs


def _outputs(
    context: QueryContext, scope: SelectNames, items: Sequence[tree.Star | tree.Item]
) -> tuple[tuple[SchemaColumn, ...], list[Expression]]:
    """The columns of a SELECT and their values, without those that are wrong."""
    outputs: list[SchemaColumn] = []
    values: list[Expression] = []
    for item in items:
        for name, value in _values(context, scope, item, len(outputs) + 1):
            outputs.append(SchemaColumn(name, value.type))
            values.append(value)
    return tuple(outputs), values


def _values(
    context: QueryContext, scope: SelectNames, item: tree.Star | tree.Item, place: int
) -> Iterator[tuple[str, Expression]]:
    match item:
        case tree.Star():
            if item.source is None or check_alias(context, scope, item.source):
                yield from _all_columns(scope, item)
        case tree.Item(value=node, alias=alias):
            value = check_value(context, scope, node, "SELECT")
            if value is not None:
                yield (_name(node, value, place) if alias is None else alias.text), value
        case _:
            assert_never(item)


def _all_columns(scope: SelectNames, star: tree.Star) -> Iterator[tuple[str, ColumnOf]]:
    for number, source in enumerate(scope.sources):
        if star.source is None or same(star.source.text, source.alias):
            for place, column in enumerate(source.columns):
                found = ColumnOf(0, number, place, column.name, column.type, span=star.span)
                yield column.name, found


def _name(node: tree.Expression, value: Expression, place: int) -> str:
    """Columns keep their name; an aggregate is called `count`, any other expression `column2`."""
    match node:
        case tree.Column(name=name):
            return value.name if isinstance(value, ColumnOf) else name.text
        case tree.Aggregate(function=function):
            return function.lower()
        case _:
            return f"column{place}"
