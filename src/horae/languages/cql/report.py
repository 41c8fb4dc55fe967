"""Everything that is known of a CQL file before it runs: queries, what a stream keeps, the plan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from horae.engine.report.bounds import Bounded
from horae.engine.report.report import Report
from horae.engine.report.sections import Finding, Section, Table, TableColumn
from horae.languages.cql.analysis.memory import WindowMemory, find_window_memory
from horae.languages.cql.check.scans import scans_of
from horae.languages.cql.plan.build_plan import build_plan
from horae.languages.cql.program import Program, Query
from horae.languages.cql.translate.core import outside_core
from horae.source.diagnostic import Diagnostic


@dataclass(frozen=True, slots=True, repr=False)
class CQLReport(Report):
    """`outside` is what has no translation to LARS."""

    program: Program
    outside: tuple[Diagnostic, ...]
    memory: tuple[WindowMemory, ...]

    def own_data(self) -> dict[str, object]:
        return {
            "core": not self.outside,
            "outside_core": [
                {"code": d.code, "why": d.message, "at": self.place(d.span)} for d in self.outside
            ],
            "queries": [_query(query) for query in self.program.queries],
            "memory": [
                {
                    "query": kept.query,
                    "source": kept.source,
                    "keeps": str(kept),
                    "bounded": isinstance(kept.bound, Bounded),
                    "at": self.place(kept.span),
                }
                for kept in self.memory
            ],
        }

    def own_sections(self) -> tuple[Section, ...]:
        title = "Queries outside of the core" if self.outside else _CORE
        return (
            Section(title, _queries(self), findings=tuple(_outside(self))),
            Section("Memory", _memory(self)),
        )


_CORE = "All queries have a translation to LARS"


def analyze(program: Program) -> CQLReport:
    outside = tuple(d for query in program.queries for d in outside_core(query))
    memory = tuple(kept for query in program.queries for kept in find_window_memory(query))
    return CQLReport(program.source, build_plan(program, memory), program, outside, memory)


def _query(query: Query) -> dict[str, object]:
    return {
        "query": query.name,
        "kind": query.stream.value.lower(),
        "columns": [{"name": o.name, "type": o.type.value} for o in query.body.outputs],
        "reads": _reads(query),
    }


def _reads(query: Query) -> list[str]:
    return list(dict.fromkeys(scan.name for scan in scans_of(query.body)))


def _queries(report: CQLReport) -> Table:
    columns = (
        TableColumn("query"),
        TableColumn("kind"),
        TableColumn("columns"),
        TableColumn("reads"),
    )
    rows = (
        (
            query.name,
            query.stream.value.lower(),
            ", ".join(f"{o.name} {o.type}" for o in query.body.outputs),
            ", ".join(_reads(query)),
        )
        for query in report.program.queries
    )
    return Table(columns, tuple(rows))


def _outside(report: CQLReport) -> Iterator[Finding]:
    for diagnostic in report.outside:
        yield Finding(report.place(diagnostic.span), diagnostic.code, diagnostic.message, "")


def _memory(report: CQLReport) -> Table:
    columns = (TableColumn("query"), TableColumn("stream"), TableColumn("keeps"))
    return Table(columns, tuple((k.query, k.source, str(k)) for k in report.memory))
