"""CQL into LARS rules, one per query, with what the rules do not say as comments before them."""

from __future__ import annotations

from collections.abc import Iterator

from horae.data.clock import NAMES
from horae.data.types import Type
from horae.languages.cql.check.walk import values_in_query
from horae.languages.cql.program import Arithmetic, Program, Scan, Select
from horae.languages.cql.syntax.tree import RowsWindow
from horae.languages.cql.translate.core import outside_core
from horae.languages.cql.translate.translate_names import name_predicates
from horae.languages.cql.translate.translate_select import translate_select
from horae.source.diagnostic import Diagnostic

_HEAD = (
    "LARS rules for CQL queries, one per query.",
    "Rules have sets where CQL has bags: a row that a query gives several times comes once.",
)
_ROWS = "In a window of rows, a row that comes several times at one time point counts once."
_DOUBLES = (
    "Arithmetic is exact here; CQL rounds doubles. Where CQL stops at a division by zero, "
    "there is no answer here."
)
_FINE = "Time points are {points}: run the rules with --precision {precision}."


def translate(program: Program) -> tuple[str | None, list[Diagnostic]]:
    """The text of the rules, or None and what leaves the core."""
    found = [d for query in program.queries for d in outside_core(query)]
    if found:
        return None, sorted(found, key=lambda d: (d.span.start, d.code))
    predicates = name_predicates([*_input_names(program), *(q.name for q in program.queries)])
    selects = [(q.name, q.body.rows) for q in program.queries if isinstance(q.body.rows, Select)]
    rules = [translate_select(name, select, predicates) for name, select in selects]
    remarks = [*_remarks([select for _, select in selects]), *_renamed(predicates)]
    if program.precision != "s":
        remarks.append(_FINE.format(points=NAMES[program.precision], precision=program.precision))
    return "".join(f"{line}\n" for line in [*(f"% {remark}" for remark in remarks), *rules]), []


def _input_names(program: Program) -> Iterator[str]:
    yield from (each.name for each in program.inputs)


def _remarks(selects: list[Select]) -> Iterator[str]:
    yield from _HEAD
    scans = [s for select in selects for s in select.sources if isinstance(s, Scan)]
    if any(isinstance(scan.window, RowsWindow) for scan in scans):
        yield _ROWS
    if any(_has_doubles(select) for select in selects):
        yield _DOUBLES


def _has_doubles(select: Select) -> bool:
    return any(
        isinstance(value, Arithmetic) and value.type is Type.DOUBLE
        for value in values_in_query(select)
    )


def _renamed(predicates: dict[str, str]) -> Iterator[str]:
    for name, predicate in predicates.items():
        if name != predicate:
            yield f"`{name}` is called `{predicate}` here."
