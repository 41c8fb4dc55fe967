"""From the syntax tree to the checked file: inputs, names of queries, then query by query.

A query reads only queries before it, so one pass in the order of the text is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from horae.data.schema import RegisteredInput
from horae.languages.cql.check.check_queries import check_body
from horae.languages.cql.check.declarations import check_inputs, check_query_names, query_names
from horae.languages.cql.check.scope import KnownTable, QueryContext, SourceKind
from horae.languages.cql.program import Program, Query
from horae.languages.cql.syntax.parse import parse
from horae.languages.cql.syntax.tree import Name, Register, StreamOperator, Tree
from horae.languages.cql.syntax.tree import Query as WrittenQuery
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source


def load(source: Source, precision: str | None = None) -> tuple[Program | None, list[Diagnostic]]:
    """Parse and check. There is a program iff no diagnostic is an error.

    Durations are counted in time points of a precision, by default the coarsest that is fine enough.
    """
    tree, found = parse(source, precision)
    return (None, found) if tree is None else check(source, tree)


def check(source: Source, tree: Tree) -> tuple[Program | None, list[Diagnostic]]:
    """Every query reports what is wrong with it, and the next one goes on."""
    registers = [s for s in tree.statements if isinstance(s, Register)]
    written = [s for s in tree.statements if isinstance(s, WrittenQuery)]
    names = query_names(written)
    inputs, report = check_inputs(registers)
    report += check_query_names(names, registers)
    queries, found = _check_queries(inputs, written, names)
    report = _each_once([*report, *found])
    if any(d.is_error for d in report):
        return None, report
    return Program(source, inputs, queries, tree.has_durations, tree.precision), report


def _each_once(report: Iterable[Diagnostic]) -> list[Diagnostic]:
    """In source order. A defined name that is used twice would report what is wrong with it twice."""
    return sorted(dict.fromkeys(report), key=lambda d: (d.span.start, d.code))


def _check_queries(
    inputs: Sequence[RegisteredInput], written: Sequence[WrittenQuery], names: Sequence[Name]
) -> tuple[tuple[Query, ...], list[Diagnostic]]:
    known = {each.name.lower(): _known_input(each) for each in inputs}
    broken: set[str] = set()
    queries, report = [], list[Diagnostic]()
    for place, (statement, name) in enumerate(zip(written, names, strict=True)):
        key = name.text.lower()
        later = {other.text.lower(): other.span for other in names[place + 1 :]}
        context = QueryContext(known, later, broken, key, check_body, report)
        body = check_body(context, statement.body, None)
        if body is None:
            broken.add(key)
            continue
        operator = statement.stream or StreamOperator.RSTREAM
        queries.append(Query(name.text, operator, body, statement))
        known.setdefault(key, KnownTable(name.text, SourceKind.QUERY, body.outputs))
    return tuple(queries), report


def _known_input(each: RegisteredInput) -> KnownTable:
    return KnownTable(
        each.name, SourceKind.STREAM if each.is_stream else SourceKind.RELATION, each.columns
    )
