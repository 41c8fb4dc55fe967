"""Everything that is known of a program before it runs, in one object.

The report keeps the results of the passes as they are; how they look is left to the renderers.
`plan` and `state` are empty until plan and loops exist: the floors below fill them in with
`dataclasses.replace`.
"""

from __future__ import annotations

from dataclasses import dataclass

from horae.engine.report.bounds import Bound
from horae.engine.report.report_html import sections_to_html
from horae.engine.report.report_text import sections_to_text
from horae.engine.report.state_bound import StateBound
from horae.languages.rtlola.analysis.delays import find_delays
from horae.languages.rtlola.analysis.draw import to_svg
from horae.languages.rtlola.analysis.fragment import Fragment, find_fragment
from horae.languages.rtlola.analysis.graph import Graph, build_graph
from horae.languages.rtlola.analysis.lookups import ClauseLookup, find_lookups
from horae.languages.rtlola.analysis.memory import Need, find_needs
from horae.languages.rtlola.analysis.report_data import to_data
from horae.languages.rtlola.analysis.report_sections import build_sections
from horae.languages.rtlola.analysis.storage import (
    StateBytes,
    StreamMemory,
    Totals,
    find_storage,
    sum_storage,
)
from horae.languages.rtlola.program import Program


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """`needs` has one entry per edge of `graph`, in the same order; `delays` is in seconds."""

    graph: Graph
    fragment: Fragment
    needs: tuple[Need, ...]
    memory: tuple[StreamMemory, ...]
    totals: Totals
    lookups: tuple[ClauseLookup, ...]
    delays: dict[str, Bound]
    plan: tuple[str, ...] = ()
    state: StateBytes | None = None

    @property
    def state_bound(self) -> StateBound:
        """The numbers of the bounds on the state of a stream."""
        return StateBound() if self.state is None else self.state.numbers

    def to_dict(self) -> dict[str, object]:
        """Plain data with a stable shape, fit for JSON."""
        return to_data(self)

    def __str__(self) -> str:
        return sections_to_text(self.graph.source.name, build_sections(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        name = self.graph.source.name
        return sections_to_html(name, build_sections(self), picture=to_svg(self))


def analyze(program: Program) -> Report:
    """All passes of the analysis, in their order."""
    graph = build_graph(program)
    needs = find_needs(graph)
    memory = find_storage(program, graph, needs)
    delays = find_delays(program, graph)
    return Report(
        graph,
        find_fragment(graph, needs, delays),
        needs,
        memory,
        sum_storage(memory),
        find_lookups(program),
        delays,
    )
