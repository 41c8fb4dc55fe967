"""ORDER BY: names of outputs, positions, or expressions over FROM, which become hidden values."""

from __future__ import annotations

from collections.abc import Sequence

from horae.data.schema import SchemaColumn
from horae.languages.cql.check import catalogue_types as catalogue
from horae.languages.cql.check.check_expressions import check_value
from horae.languages.cql.check.scope import QueryContext, SelectNames, same
from horae.languages.cql.program import Expression, Order
from horae.languages.cql.syntax import tree


def order_select(
    context: QueryContext,
    scope: SelectNames,
    select: tree.Select,
    outputs: Sequence[SchemaColumn],
    values: list[Expression],
    items: Sequence[tree.OrderItem],
) -> tuple[Order, ...]:
    """The order of a SELECT. What is not among the values yet is added to them."""
    orders = []
    for item in items:
        place = _output_place(context, outputs, values, item.value)
        if place is None:
            place = _hidden_place(context, scope, select, values, item)
        if place is not None and place >= 0:
            orders.append(Order(place, item.descending))
    return tuple(orders)


def order_combined(
    context: QueryContext, outputs: Sequence[SchemaColumn], items: Sequence[tree.OrderItem]
) -> tuple[Order, ...]:
    """The order of a UNION, EXCEPT or INTERSECT: by its outputs only."""
    orders = []
    for item in items:
        place = _output_place(context, outputs, (), item.value)
        if place is None:
            context.report.append(catalogue.order_needs_output(item.span, is_distinct=False))
        elif place >= 0:
            orders.append(Order(place, item.descending))
    return tuple(orders)


_WRONG = -1


def _output_place(
    context: QueryContext,
    outputs: Sequence[SchemaColumn],
    values: Sequence[Expression],
    value: tree.Expression,
) -> int | None:
    """The output that a position or a name means; None if it is neither, −1 if it is wrong."""
    if isinstance(value, tree.Number) and not value.is_double:
        return _position(context, outputs, value)
    if not isinstance(value, tree.Column) or value.source is not None:
        return None
    name = value.name.text
    places = [i for i, output in enumerate(outputs) if same(output.name, name)]
    is_one = len({values[i] for i in places}) <= 1 if values else len(places) <= 1
    if not is_one:
        context.report.append(catalogue.AMBIGUOUS_ORDER(value.span, name=name))
        return _WRONG
    return places[0] if places else None


def _position(context: QueryContext, outputs: Sequence[SchemaColumn], number: tree.Number) -> int:
    if 1 <= number.value <= len(outputs):
        return int(number.value) - 1
    problem = catalogue.position_out_of_range(int(number.value), len(outputs), number.span)
    context.report.append(problem)
    return _WRONG


def _hidden_place(
    context: QueryContext,
    scope: SelectNames,
    select: tree.Select,
    values: list[Expression],
    item: tree.OrderItem,
) -> int | None:
    value = check_value(context, scope, item.value, "ORDER BY")
    if value is None:
        return None
    if value in values:
        return values.index(value)
    if select.distinct:
        context.report.append(catalogue.order_needs_output(item.span, is_distinct=True))
        return None
    values.append(value)
    return len(values) - 1
