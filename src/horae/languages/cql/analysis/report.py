"""Everything that is known of a CQL file before it runs: queries, what a stream keeps, the plan.

`plan` is empty until the plan exists: the floor above fills it in with `dataclasses.replace`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from horae.engine.report.report_html import sections_to_html
from horae.engine.report.report_text import sections_to_text
from horae.engine.report.sections import Column, Finding, Section, Table
from horae.engine.report.state_bound import StateBound
from horae.languages.cql.check.scans import scans_of
from horae.languages.cql.program import Program, Query, Scan
from horae.languages.cql.syntax.tree import Now, Range, Rows, StreamWindow
from horae.languages.cql.translate.core import outside_core
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span


@dataclass(frozen=True, slots=True)
class Kept:
    """What a stream keeps for one window."""

    query: str
    source: str
    window: StreamWindow
    bound: str
    is_bounded: bool
    span: Span


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    program: Program
    outside: tuple[Diagnostic, ...]  # what has no translation to LARS
    kept: tuple[Kept, ...]
    plan: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.program.source.name

    def place(self, span: Span) -> str:
        """Line and column of the beginning."""
        position = self.program.source.position(span.start)
        return f"{position.line}:{position.column}"

    @property
    def state_bound(self) -> StateBound:
        """The numbers of the bounds on the state of a stream."""
        return StateBound()

    def to_dict(self) -> dict[str, object]:
        """Plain data with a stable shape, fit for JSON."""
        return {
            "name": self.name,
            "core": not self.outside,
            "outside_core": [
                {"code": d.code, "why": d.message, "at": self.place(d.span)} for d in self.outside
            ],
            "queries": [_query(query) for query in self.program.queries],
            "memory": [
                {
                    "query": k.query,
                    "source": k.source,
                    "keeps": k.bound,
                    "bounded": k.is_bounded,
                    "at": self.place(k.span),
                }
                for k in self.kept
            ],
            "plan": list(self.plan),
        }

    def __str__(self) -> str:
        return sections_to_text(self.name, _sections(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return sections_to_html(self.name, _sections(self))


def analyze(program: Program) -> Report:
    outside = tuple(d for query in program.queries for d in outside_core(query))
    kept = tuple(k for query in program.queries for k in _kept(query))
    return Report(program, outside, kept)


def _query(query: Query) -> dict[str, object]:
    return {
        "query": query.name,
        "kind": query.stream.value.lower(),
        "columns": [{"name": o.name, "type": o.type.value} for o in query.body.outputs],
        "reads": _reads(query),
    }


def _reads(query: Query) -> list[str]:
    return list(dict.fromkeys(scan.name for scan in scans_of(query.body)))


# --- what a stream keeps


def _kept(query: Query) -> Iterator[Kept]:
    for scan in scans_of(query.body):
        if scan.window is not None:
            bound, is_bounded = _bound(scan, scan.window)
            yield Kept(query.name, scan.name, scan.window, bound, is_bounded, scan.span)


def _bound(scan: Scan, window: StreamWindow) -> tuple[str, bool]:
    match window:
        case Now():
            return "the rows of 1 time point", True
        case Range(length=None):
            return "all rows: the window has no bound", False
        case Range(length=length, slide=slide):
            assert length is not None, "the case before"
            points = length + slide
            return f"the rows of {points:,} time point{'' if points == 1 else 's'}", True
        case Rows(count=count):
            by = ", ".join(scan.columns[place].name for place in scan.window_places)
            rows = f"the newest {count:,} row{'' if count == 1 else 's'}"
            return (f"{rows} for each ({by})" if by else rows), True


# --- as text


def _sections(report: Report) -> tuple[Section, ...]:
    sections = (
        Section(
            "Queries outside of the core"
            if report.outside
            else "All queries have a translation to LARS",
            _queries(report),
            findings=tuple(_outside(report)),
        ),
        Section("Memory", _memory(report)),
        Section("Plan", lines=report.plan),
    )
    return tuple(s for s in sections if s.table or s.lines or s.findings)


def _queries(report: Report) -> Table:
    columns = (Column("query"), Column("kind"), Column("columns"), Column("reads"))
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


def _outside(report: Report) -> Iterator[Finding]:
    for diagnostic in report.outside:
        yield Finding(report.place(diagnostic.span), diagnostic.code, diagnostic.message, "")


def _memory(report: Report) -> Table | None:
    if not report.kept:
        return None
    columns = (Column("query"), Column("stream"), Column("keeps"))
    return Table(columns, tuple((k.query, k.source, k.bound) for k in report.kept))
