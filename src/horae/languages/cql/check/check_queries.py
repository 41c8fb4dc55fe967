"""Whole queries: a SELECT, or several combined, with their order and limit."""

from __future__ import annotations

from horae.data.schema import SchemaColumn
from horae.data.types import Type
from horae.languages.cql.check import catalogue_types as catalogue
from horae.languages.cql.check.check_conditions import are_comparable
from horae.languages.cql.check.check_select import check_select
from horae.languages.cql.check.ordering import order_combined
from horae.languages.cql.check.scope import QueryContext, SelectNames
from horae.languages.cql.program import Body, Combined, Select
from horae.languages.cql.syntax import tree


def check_body(context: QueryContext, body: tree.Body, outer: SelectNames | None) -> Body | None:
    """The checked query; None if something is wrong with it, which is reported then."""
    if isinstance(body.rows, tree.Select):
        found = check_select(context, body.rows, outer, body.order)
        return None if found is None else Body(found[0], found[1], body.limit)
    combined = _combined(context, body.rows, outer)
    if combined is None:
        return None
    before = len(context.report)
    order = order_combined(context, combined.outputs, body.order)
    return Body(combined, order, body.limit) if len(context.report) == before else None


def _rows(
    context: QueryContext, rows: tree.Select | tree.Combined, outer: SelectNames | None
) -> Select | Combined | None:
    if isinstance(rows, tree.Combined):
        return _combined(context, rows, outer)
    found = check_select(context, rows, outer)
    return None if found is None else found[0]


def _combined(
    context: QueryContext, rows: tree.Combined, outer: SelectNames | None
) -> Combined | None:
    left, right = _rows(context, rows.left, outer), _rows(context, rows.right, outer)
    if left is None or right is None:
        return None
    if len(left.outputs) != len(right.outputs):
        sides = (len(left.outputs), left.span), (len(right.outputs), right.span)
        context.report.append(catalogue.different_widths(rows.operator, *sides))
        return None
    outputs = _outputs(context, rows, left, right)
    if outputs is None:
        return None
    return Combined(rows.operator, rows.all, left, right, outputs, span=rows.span)


def _outputs(
    context: QueryContext, rows: tree.Combined, left: Select | Combined, right: Select | Combined
) -> tuple[SchemaColumn, ...] | None:
    """Named as on the left; int becomes double where the other side is."""
    outputs = []
    for place, (one, other) in enumerate(zip(left.outputs, right.outputs, strict=True), start=1):
        if not are_comparable(one.type, other.type):
            sides = (one.type, left.span), (other.type, right.span)
            context.report.append(catalogue.different_types(rows.operator, place, *sides))
            return None
        outputs.append(SchemaColumn(one.name, one.type if one.type is other.type else Type.DOUBLE))
    return tuple(outputs)
