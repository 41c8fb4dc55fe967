"""The report as plain data for tools: the keys are a contract, amounts are numbers or "unbounded"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.engine.report.bounds import Bound, Bounded
from horae.engine.report.plan_data import JSONObject
from horae.engine.report.units import exact
from horae.languages.rtlola.analysis.graph import Edge, Vertex
from horae.languages.rtlola.analysis.memory import Need
from horae.languages.rtlola.analysis.rates import ClockedRate
from horae.languages.rtlola.analysis.storage import StateBytes, Store, StreamMemory, Totals

if TYPE_CHECKING:
    from horae.languages.rtlola.report import RTLolaReport


def to_data(report: RTLolaReport) -> JSONObject:
    graph = report.graph
    return {
        "fragment": _fragment(report),
        "paces": [_pace(v) for v in graph.vertices],
        "edges": [_edge(report, need) for need in report.needs],
        "memory": [_memory(m) for m in report.memory],
        "totals": _totals(report.totals),
        "state": _state(report.state),
        "unbounded": [_unbounded(report, n) for n in report.needs if n.suggestion is not None],
        "bindings": [
            {
                "stream": row.stream,
                "clause": row.clause,
                "lookup": str(row.lookup),
                "detail": row.detail,
                "at": report.place(row.span),
            }
            for row in report.lookups
        ],
        "delays": [_delay(name, delay) for name, delay in report.delays.items()],
    }


def _fragment(report: RTLolaReport) -> JSONObject:
    return {
        "name": report.fragment.name,
        "contains_program": report.fragment.contains_program,
        "exclusions": [
            {
                "construct": e.construct,
                "reason": e.reason,
                "remedy": e.remedy,
                "at": report.place(e.span),
            }
            for e in report.fragment.exclusions
        ],
    }


def _pace(vertex: Vertex) -> JSONObject:
    rate = vertex.rate
    return {
        "stream": vertex.name,
        "kind": str(vertex.kind),
        "parameters": list(vertex.parameters),
        "rate": str(rate),
        "hertz": exact(rate.hertz) if isinstance(rate, ClockedRate) else None,
        "periods": [exact(p) for p in rate.periods] if isinstance(rate, ClockedRate) else [],
    }


def _edge(report: RTLolaReport, need: Need) -> JSONObject:
    edge = need.edge
    return _ends(edge) | {
        "label": str(edge.label),
        "kind": str(edge.kind),
        "keeping": str(need.keeping),
        "values": amount(need.values),
        "panes": need.panes,
        "kept": amount(need.kept),
        "at": report.place(edge.span),
    }


def _ends(edge: Edge) -> JSONObject:
    return {"reader": edge.reader, "target": edge.target}


def _memory(memory: StreamMemory) -> JSONObject:
    return {
        "stream": memory.name,
        "values": amount(memory.values),
        "bytes_per_instance": amount(memory.bytes),
        "instances": amount(memory.instances),
        "bytes": amount(memory.bytes * memory.instances),
        "stores": [_store(store) for store in memory.stores],
    }


def _store(store: Store) -> JSONObject:
    return {
        "title": store.title,
        "keeping": str(store.keeping),
        "values": amount(store.values),
        "kept": amount(store.kept),
        "bytes": amount(store.bytes),
        "readers": list(store.readers),
    }


def _totals(totals: Totals) -> JSONObject:
    return {
        "bytes": amount(totals.fixed),
        "bytes_per_instance": {title: amount(bound) for title, bound in totals.per_instance},
    }


def _state(state: StateBytes) -> JSONObject:
    return {"bytes": amount(state.fixed), "bytes_per_instance": amount(state.per_instance)}


def _unbounded(report: RTLolaReport, need: Need) -> JSONObject:
    assert need.suggestion is not None
    why = "" if isinstance(need.values, Bounded) else need.values.why
    return _ends(need.edge) | {
        "label": str(need.edge.label),
        "why": why,
        "suggestion": need.suggestion.text,
        "values_then": need.suggestion.values,
        "at": report.place(need.edge.span),
    }


def _delay(name: str, delay: Bound) -> JSONObject:
    why = None if isinstance(delay, Bounded) else delay.why
    return {"stream": name, "seconds": amount(delay), "why": why}


def amount(bound: Bound) -> object:
    return exact(bound.n) if isinstance(bound, Bounded) else "unbounded"
