"""The report as titled tables and sentences, the same for text and for notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from horae.engine.report.sections import Finding, Section, Table, TableColumn
from horae.languages.datalogmtl.analysis.delays import Infeasible
from horae.languages.datalogmtl.analysis.report_bounds import MemoryBound, StreamNumbers
from horae.languages.datalogmtl.analysis.report_predicates import PredicateRow, list_predicates
from horae.languages.datalogmtl.check.fragments import Exclusion, FragmentName
from horae.languages.datalogmtl.syntax.print_statement import print_statement

if TYPE_CHECKING:
    from horae.languages.datalogmtl.report import DatalogMTLReport

# From this many digits on, a number is told by its size.
_LONG = 10**18


def build_sections(report: DatalogMTLReport) -> tuple[Section, ...]:
    return (
        Section(str(report.fragment.name), findings=tuple(_exclusions(report))),
        Section("Predicates", _predicates(report), lines=tuple(_windows(report))),
        Section("Look-ahead", findings=tuple(_waits(report)), lines=tuple(_delays(report))),
        Section("Memory", lines=tuple(_memory(report))),
    )


# --- the fragment


def _exclusions(report: DatalogMTLReport) -> Iterator[Finding]:
    """The first construct that leaves each smaller fragment, and how many more there are."""
    for fragment in FragmentName:
        found = [e for e in report.fragment.exclusions if e.fragment is fragment]
        if found:
            yield _exclusion(report, found)


def _exclusion(report: DatalogMTLReport, found: list[Exclusion]) -> Finding:
    first = found[0]
    more = f" ({len(found) - 1} more)" if len(found) > 1 else ""
    text = f"{first.reason}; that leaves {first.fragment}{more}"
    return Finding(report.place(first.rule.span), first.construct, text, "")


# --- windows


def _predicates(report: DatalogMTLReport) -> Table:
    columns = (
        TableColumn("predicate"),
        TableColumn("kind"),
        TableColumn("window", True),
        TableColumn("ever held"),
        TableColumn("delay", True),
        TableColumn("stands for"),
    )
    return Table(columns, tuple(_row(row) for row in list_predicates(report)))


def _row(row: PredicateRow) -> tuple[str, ...]:
    memory = row.memory
    window = "" if memory.reach is None else str(memory.reach)
    history = "H" if memory.history else "Since" if memory.since else ""
    delay = "no bound" if row.delay is None else str(row.delay) if row.delay else ""
    return (f"{row.name}/{row.arity}", row.kind, window, history, delay, row.stands_for)


def _windows(report: DatalogMTLReport) -> Iterator[str]:
    gran = report.horizons.granularity
    shortest = "no interval has two ends" if gran is None else f"gran = {gran}"
    yield f"w = {report.horizons.w}, {shortest}"
    written, sizes = len(report.normal.program.rules), report.sizes
    yield f"{_count(written, 'rule')} as written, {sizes.rules} in normal form"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


# --- delays


def _waits(report: DatalogMTLReport) -> Iterator[Finding]:
    if isinstance(report.delays, Infeasible):
        for rule in dict.fromkeys(step.of for step in report.delays.path):
            text = "no bounded wait decides it: a stream cannot run it, a batch can"
            yield Finding(report.place(rule.span), print_statement(rule), text, "")


def _delays(report: DatalogMTLReport) -> Iterator[str]:
    found = report.delays
    if isinstance(found, Infeasible):
        yield f"Because {found.why}, answers to a stream would never be final."
    elif found:
        yield f"Answers to a stream come at most {max(found.values())} after their time."


# --- the theorems


def _memory(report: DatalogMTLReport) -> Iterator[str]:
    for bound in report.bounds:
        yield from _bound(bound, report.stream)
    if any(bound.formula for bound in report.bounds):
        yield "|O|: the number of constants; step: how far time moves on at once."


def _bound(bound: MemoryBound, stream: StreamNumbers) -> Iterator[str]:
    if bound.why_not:
        yield f"{bound.theorem} does not apply: {bound.why_not}."
        return
    yield f"{bound.theorem}, {bound.about}, at most"
    yield f"    {bound.formula}"
    if bound.value is not None:
        yield f"    = {_large(bound.value)} elements for {_known(stream)}"


def _large(value: int) -> str:
    return f"{value:,}" if value < _LONG else f"about 10^{len(str(value)) - 1}"


def _known(stream: StreamNumbers) -> str:
    known = (("|O|", stream.objects), ("g", stream.gcd), ("step", stream.step))
    return ", ".join(f"{name} = {value}" for name, value in known if value is not None)
