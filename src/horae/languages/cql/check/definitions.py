"""Names that a WHERE clause defines.

WHERE a.x = b.x AND T2 = a.t + 1      →      T2 stands for a.t + 1, and WHERE a.x = b.x stays

A name is defined where it is no column and stands alone on one side of `=` in the outermost AND. The
first such comparison defines it; a second one compares with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from horae.languages.cql.check import catalogue_names as catalogue
from horae.languages.cql.check.scope import (
    Definition,
    QueryContext,
    SelectNames,
    column_names,
    is_known,
)
from horae.languages.cql.syntax import tree
from horae.rules.arithmetic import Comparator
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span


def split_definitions(
    scope: SelectNames, where: tree.Condition | None
) -> tuple[SelectNames, tree.Condition | None]:
    """The scope with the defined names, and what is left to be a condition."""
    definitions: dict[str, Definition] = {}
    conditions: list[tree.Condition] = []
    for part in _conjuncts(where):
        found = _definition(scope, part, definitions)
        if found is None:
            conditions.append(part)
        else:
            definitions[found.name.text.lower()] = found
    return replace(scope, definitions=definitions), _joined(conditions)


def _conjuncts(where: tree.Condition | None) -> Iterator[tree.Condition]:
    match where:
        case None:
            return
        case tree.And(operands=operands):
            for operand in operands:
                yield from _conjuncts(operand)
        case _:
            yield where


def _joined(conditions: list[tree.Condition]) -> tree.Condition | None:
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    span = Span(conditions[0].span.start, conditions[-1].span.end)
    return tree.And(tuple(conditions), span=span)


def _definition(
    scope: SelectNames, part: tree.Condition, defined: dict[str, Definition]
) -> Definition | None:
    if not isinstance(part, tree.Compare) or part.comparator is not Comparator.EQUAL:
        return None
    for side, value in ((part.left, part.right), (part.right, part.left)):
        if isinstance(side, tree.Column) and _is_new(scope, side, defined):
            return Definition(side.name, value)
    return None


def _is_new(scope: SelectNames, column: tree.Column, defined: dict[str, Definition]) -> bool:
    name = column.name.text.lower()
    is_free = column.source is None and name not in defined and name not in scope.aliases
    return is_free and scope.is_complete and not is_known(scope, column)


def check_use(context: QueryContext, scope: SelectNames) -> None:
    """A name that nothing uses was probably meant to be a column."""
    for name, definition in scope.definitions.items():
        if name not in scope.used:
            columns = column_names(scope)
            context.report.append(_unused(definition.name, columns))


def _unused(name: tree.Name, columns: list[str]) -> Diagnostic:
    if name.is_quoted:
        return catalogue.quoted_text(name.text, name.span, columns)
    return catalogue.unused_definition(name.text, name.span, columns)
