"""The elements of FROM: what they name, their windows, and what they are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from horae.languages.cql.check import catalogue_names as catalogue
from horae.languages.cql.check.scope import KnownTable, QueryContext, SelectNames, SourceKind, same
from horae.languages.cql.program import FromElement, Nested, Scan
from horae.languages.cql.syntax import tree
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span


def check_sources(
    context: QueryContext, written: Sequence[tree.FromElement], outer: SelectNames | None
) -> tuple[tuple[FromElement, ...], bool]:
    """The elements that are right, and whether all are."""
    context.report += _same_aliases(written)
    checked = [_element(context, element, outer) for element in written]
    found = tuple(element for element in checked if element is not None)
    return found, len(found) == len(written)


def _element(
    context: QueryContext, element: tree.FromElement, outer: SelectNames | None
) -> FromElement | None:
    match element:
        case tree.FromSource():
            return _scan(context, element)
        case tree.Nested():
            body = context.check_body(context, element.query, outer)
            if body is None:
                return None
            return Nested(body, element.alias.text, body.outputs, span=element.span)
        case _:
            assert_never(element)


# --- names


def _same_aliases(written: Sequence[tree.FromElement]) -> list[Diagnostic]:
    firsts: dict[str, Span] = {}
    found = []
    for element in written:
        alias = _alias(element)
        first = firsts.setdefault(alias.text.lower(), alias.span)
        if first != alias.span:
            found.append(catalogue.alias_twice(alias.text, alias.span, first))
    return found


def _alias(element: tree.FromElement) -> tree.Name:
    if isinstance(element, tree.FromSource) and element.alias is None:
        return element.name
    assert element.alias is not None
    return element.alias


def _find(context: QueryContext, name: tree.Name) -> KnownTable | None:
    key = name.text.lower()
    if key in context.known:
        return context.known[key]
    if key == context.query:
        context.report.append(catalogue.READS_ITSELF(name.span, name=name.text))
    elif key in context.later:
        later = context.later[key]
        context.report.append(catalogue.reads_later(name.text, name.span, later))
    elif key not in context.broken:
        names = [known.name for known in context.known.values()]
        context.report.append(catalogue.unknown_source(name.text, name.span, names))
    return None


# --- windows


def _scan(context: QueryContext, source: tree.FromSource) -> Scan | None:
    known = _find(context, source.name)
    if known is None:
        return None
    problems = _window_problems(known, source)
    places, unknown = _partition(known, source.window)
    context.report += [*problems, *unknown]
    return Scan(
        known.name,
        _alias(source).text,
        known.kind is SourceKind.QUERY,
        source.window,
        places,
        known.columns,
        span=source.span,
    )


def _window_problems(known: KnownTable, source: tree.FromSource) -> list[Diagnostic]:
    window = source.window
    if window is None:
        is_missing = known.kind is SourceKind.STREAM
        return [catalogue.MISSING_WINDOW(source.name.span, name=known.name)] if is_missing else []
    if known.kind is SourceKind.RELATION:
        return [catalogue.WINDOW_ON_RELATION(window.span, name=known.name)]
    if isinstance(window, tree.RangeWindow) and _is_sparse(window):
        length = window.length or 0
        return [catalogue.slide_beyond_range(length, window.slide, window.span)]
    return []


def _is_sparse(window: tree.RangeWindow) -> bool:
    """Left out, SLIDE is 1: `[RANGE 0]` is allowed."""
    return window.length is not None and window.slide > max(window.length, 1)


def _partition(
    known: KnownTable, window: tree.StreamWindow | None
) -> tuple[tuple[int, ...], list[Diagnostic]]:
    """The places of the columns of PARTITION BY."""
    places: list[int] = []
    problems = []
    for name in window.by if isinstance(window, tree.RowsWindow) else ():
        found = [i for i, column in enumerate(known.columns) if same(column.name, name.text)]
        places += found[:1]
        if not found:
            columns = [column.name for column in known.columns]
            problems.append(catalogue.unknown_partition(name.text, known.name, name.span, columns))
        elif len(found) > 1:
            problems.append(
                catalogue.AMBIGUOUS_PARTITION(name.span, name=name.text, source=known.name)
            )
    return tuple(places), problems
