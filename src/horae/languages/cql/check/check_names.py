"""A name in an expression: the column that it means, or what is wrong with it."""

from __future__ import annotations

from horae.languages.cql.check import catalogue_names as catalogue
from horae.languages.cql.check.scope import (
    Definition,
    QueryContext,
    SelectNames,
    column_names,
    columns_named,
    levels,
    same,
)
from horae.languages.cql.program import ColumnOf, Scan
from horae.languages.cql.syntax import tree


def resolve_name(
    context: QueryContext, scope: SelectNames, column: tree.Column
) -> ColumnOf | tuple[int, SelectNames, Definition] | None:
    """The column, or a definition and the level that has it; None if there is neither."""
    for depth, level in levels(scope):
        found = columns_named(level, depth, column)
        if len(found) > 1:
            _report_ambiguous(context, level, column, found)
            return None
        if found:
            return found[0]
        definition = level.definitions.get(column.name.text.lower())
        if column.source is None and definition is not None:
            return depth, level, definition
        if not level.is_complete:
            return None
        if column.source is not None and _has_alias(level, column.source.text):
            break
    _report_unknown(context, scope, column)
    return None


def _has_alias(scope: SelectNames, alias: str) -> bool:
    return any(same(source.alias, alias) for source in scope.sources)


def _report_ambiguous(
    context: QueryContext, scope: SelectNames, column: tree.Column, found: list[ColumnOf]
) -> None:
    sources = [scope.sources[number] for number in dict.fromkeys(c.source for c in found)]
    name = column.name.text
    if len(sources) == 1:
        place = sources[0].span
        problem = catalogue.column_twice(name, sources[0].alias, column.span, place)
    else:
        places = [(source.alias, source.span) for source in sources]
        problem = catalogue.ambiguous_column(name, column.span, places)
    context.report.append(problem)


def _report_unknown(context: QueryContext, scope: SelectNames, column: tree.Column) -> None:
    name, source = column.name.text, column.source
    if source is None:
        is_output = name.lower() in scope.aliases
        columns = column_names(scope)
        if column.name.is_quoted and not is_output:
            context.report.append(catalogue.quoted_text(name, column.span, columns))
            return
        context.report.append(
            catalogue.unknown_column(name, column.span, columns, is_output=is_output)
        )
    elif not _is_unknown(context, scope, source):
        columns = _columns_of(scope, source.text)
        context.report.append(
            catalogue.unknown_column_of(name, source.text, column.name.span, columns)
        )


def _columns_of(scope: SelectNames, alias: str) -> list[str]:
    elements = [s for _, level in levels(scope) for s in level.sources if same(s.alias, alias)]
    return [output.name for output in elements[0].columns]


def _is_unknown(context: QueryContext, scope: SelectNames, name: tree.Name) -> bool:
    """Whether no level has such an element, which is reported then."""
    elements = [source for _, level in levels(scope) for source in level.sources]
    if any(same(element.alias, name.text) for element in elements):
        return False
    scans = [element for element in elements if isinstance(element, Scan)]
    hidden = next((scan.alias for scan in scans if same(scan.name, name.text)), "")
    aliases = [element.alias for element in elements]
    context.report.append(catalogue.unknown_alias(name.text, name.span, aliases, hidden=hidden))
    return True


def check_alias(context: QueryContext, scope: SelectNames, name: tree.Name) -> bool:
    """Whether this level has such an element (`name.*`); reported if not."""
    is_there = _has_alias(scope, name.text)
    if not is_there and scope.is_complete:
        _is_unknown(context, SelectNames(scope.sources, True, None), name)
    return is_there
