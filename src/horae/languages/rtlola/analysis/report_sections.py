"""The report of a specification as titled tables and sentences."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from horae.engine.report.bounds import Bound, Bounded, Unbounded
from horae.engine.report.sections import Finding, Section, Table, TableColumn
from horae.engine.report.units import duration
from horae.languages.rtlola.analysis.graph import EdgeKind, Vertex
from horae.languages.rtlola.analysis.memory import Need
from horae.languages.rtlola.analysis.storage import StateBytes, StreamMemory, Totals

if TYPE_CHECKING:
    from horae.languages.rtlola.report import RTLolaReport


def headline(report: RTLolaReport) -> str:
    kind = report.fragment.name
    return kind.capitalize() if report.fragment.contains_program else f"Not {kind}"


def build_sections(report: RTLolaReport) -> tuple[Section, ...]:
    return (
        Section(headline(report), findings=tuple(_findings(report))),
        Section("Streams", _streams(report), lines=tuple(_sums(report))),
        Section("Accesses", _accesses(report)),
        Section("Instances", _instances(report)),
    )


def _findings(report: RTLolaReport) -> Iterator[Finding]:
    for e in report.fragment.exclusions:
        yield Finding(report.place(e.span), e.construct, e.reason, e.remedy)


def _streams(report: RTLolaReport) -> Table:
    kept = {m.name: m for m in report.memory}
    columns = (
        TableColumn("stream"),
        TableColumn("kind"),
        TableColumn("π"),
        TableColumn("values", True),
        TableColumn("bytes", True),
        TableColumn("instances", True),
        TableColumn("delay", True),
    )
    rows = (_stream_row(report, v, kept.get(v.name)) for v in report.graph.vertices)
    return Table(columns, tuple(rows))


def _stream_row(
    report: RTLolaReport, vertex: Vertex, memory: StreamMemory | None
) -> tuple[str, ...]:
    rate, delay = str(vertex.rate), describe_delay(report.delays[vertex.name])
    if memory is None:
        return (vertex.title, vertex.kind, rate, "", "", "", delay)
    count = "any number" if isinstance(memory.instances, Unbounded) else str(memory.instances)
    sizes = (_amount(memory.values), _amount(memory.bytes), count)
    return (vertex.title, vertex.kind, rate, *sizes, delay)


def describe_delay(delay: Bound) -> str:
    return duration(Fraction(delay.n)) if isinstance(delay, Bounded) else "no bound"


def _sums(report: RTLolaReport) -> Iterator[str]:
    yield from describe_totals(report.totals)
    yield from describe_state(report.state)


def describe_state(state: StateBytes) -> Iterator[str]:
    """Rows that wait are not for the program to say."""
    if isinstance(state.fixed, Unbounded) or isinstance(state.per_instance, Unbounded):
        return
    more = f", and {_bytes(state.per_instance)} per instance" if state.per_instance.n else ""
    yield f"The state of a shard takes at most {_bytes(state.fixed)}{more}, besides rows that wait"


def describe_totals(totals: Totals) -> Iterator[str]:
    """The figure of a template stays one per instance."""
    kept = " of values and their times" if isinstance(totals.fixed, Bounded) else ""
    yield f"In all {_bytes(totals.fixed)}{kept}"
    for title, bound in totals.per_instance:
        yield f"     + {_bytes(bound)} per instance of {title}"


def _bytes(bound: Bound) -> str:
    return f"{bound.n:,} bytes" if isinstance(bound, Bounded) else "unbounded"


def _amount(bound: Bound) -> str:
    return str(bound) if isinstance(bound, Bounded) else "∞"


def _accesses(report: RTLolaReport) -> Table:
    columns = (
        TableColumn("at", True),
        TableColumn("reader"),
        TableColumn("reads"),
        TableColumn("λ"),
        TableColumn("in"),
        TableColumn("values", True),
        TableColumn("the engine keeps"),
    )
    rows = tuple(_access_row(report, need) for need in report.needs)
    return Table(columns, rows)


def _access_row(report: RTLolaReport, need: Need) -> tuple[str, ...]:
    edge = need.edge
    clause = "" if edge.kind is EdgeKind.VALUE else str(edge.kind)
    place = report.place(edge.span)
    names = (edge.reader, edge.target, str(edge.label), clause)
    return (place, *names, _amount(need.values), describe_kept(need))


def describe_kept(need: Need) -> str:
    """Only where it differs from the figure of the paper."""
    if not isinstance(need.kept, Bounded) or need.kept == need.values:
        return ""
    return f"{need.kept} {need.keeping}" if need.panes else f"{need.kept} values"


def _instances(report: RTLolaReport) -> Table:
    columns = (
        TableColumn("at", True),
        TableColumn("template"),
        TableColumn("clause"),
        TableColumn("finds"),
        TableColumn(""),
    )
    rows = tuple(
        (report.place(r.span), r.stream, r.clause, r.lookup, r.detail) for r in report.lookups
    )
    return Table(columns, rows)
