"""The names of a file: its inputs, its queries, and which of them clash."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from horae.data.schema import RegisteredInput, SchemaColumn
from horae.languages.cql.check import catalogue_names as catalogue
from horae.languages.cql.syntax.tree import Name, Query, Register
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span


def check_inputs(
    registers: Sequence[Register],
) -> tuple[tuple[RegisteredInput, ...], list[Diagnostic]]:
    """The registered inputs; of two with one name the first counts."""
    firsts: dict[str, Span] = {}
    inputs, found = [], []
    for register in registers:
        name = register.name
        first = firsts.setdefault(name.text.lower(), name.span)
        if first != name.span:
            found.append(catalogue.registered_twice(name.text, name.span, first))
            continue
        columns = tuple(SchemaColumn(a.name.text, a.type) for a in register.attributes)
        inputs.append(RegisteredInput(name.text, register.is_stream, columns))
        found += _attributes_twice([attribute.name for attribute in register.attributes])
    return tuple(inputs), found


def _attributes_twice(names: Sequence[Name]) -> Iterator[Diagnostic]:
    firsts: dict[str, Span] = {}
    for name in names:
        first = firsts.setdefault(name.text.lower(), name.span)
        if first != name.span:
            yield catalogue.attribute_twice(name.text, name.span, first)


def query_names(queries: Sequence[Query]) -> list[Name]:
    """A query without a name is called by its place."""
    return [
        query.name if query.name is not None else Name(f"q{place}", span=_start(query))
        for place, query in enumerate(queries, start=1)
    ]


def _start(query: Query) -> Span:
    """A place to point at: the first word."""
    return Span(query.span.start, query.span.start + len("SELECT"))


def check_query_names(names: Sequence[Name], registers: Sequence[Register]) -> Iterator[Diagnostic]:
    inputs = {r.name.text.lower(): r.name.span for r in reversed(registers)}
    firsts: dict[str, Span] = {}
    for name in names:
        key = name.text.lower()
        first = firsts.setdefault(key, name.span)
        if key in inputs:
            yield catalogue.query_named_as_input(name.text, name.span, inputs[key])
        elif first != name.span:
            yield catalogue.query_twice(name.text, name.span, first)
