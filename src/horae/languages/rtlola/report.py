"""Everything that is known of a specification before it runs, in one object.

The report keeps the results of the passes as they are; how they look is left to the renderers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from horae.engine.report.bounds import Bound
from horae.engine.report.draw import Picture
from horae.engine.report.report import Report
from horae.engine.report.sections import Section
from horae.engine.report.state_bound import StateBound
from horae.languages.rtlola.analysis.delays import find_delays
from horae.languages.rtlola.analysis.fragment import Fragment, find_fragment
from horae.languages.rtlola.analysis.graph import DependencyGraph, build_graph
from horae.languages.rtlola.analysis.lookups import ClauseLookup, find_lookups
from horae.languages.rtlola.analysis.memory import Need, find_needs
from horae.languages.rtlola.analysis.picture import picture_streams
from horae.languages.rtlola.analysis.report_data import to_data
from horae.languages.rtlola.analysis.report_sections import build_sections
from horae.languages.rtlola.analysis.storage import (
    StateBytes,
    StreamMemory,
    Totals,
    find_storage,
    sum_storage,
)
from horae.languages.rtlola.kernel.options import Options
from horae.languages.rtlola.kernel.state_bound import bound_state
from horae.languages.rtlola.plan.build_plan import build_plan
from horae.languages.rtlola.plan.timing import resolution
from horae.languages.rtlola.program import Program

_DECIMALS = 6  # of the times of rows, if nothing else is declared


@dataclass(frozen=True, slots=True, repr=False)
class RTLolaReport(Report):
    """`needs` has one entry per edge of `graph`, in the same order; `delays` is in seconds.

    `state` is that of the whole specification in one shard.
    """

    graph: DependencyGraph
    fragment: Fragment
    needs: tuple[Need, ...]
    memory: tuple[StreamMemory, ...]
    totals: Totals
    lookups: tuple[ClauseLookup, ...]
    delays: dict[str, Bound]
    state: StateBytes

    @property
    def state_bound(self) -> StateBound:
        return self.state.numbers

    @property
    def pictures(self) -> dict[str, Picture]:
        others = super(RTLolaReport, self).pictures
        return {"streams": picture_streams(self.graph, self.needs), **others}

    def own_sections(self) -> tuple[Section, ...]:
        return build_sections(self)

    def own_data(self) -> dict[str, object]:
        return to_data(self)


def analyze(program: Program) -> RTLolaReport:
    """All passes of the analysis, in their order."""
    graph = build_graph(program)
    needs = find_needs(graph)
    memory = find_storage(program, graph, needs)
    delays = find_delays(program, graph)
    ticks = resolution(program, _DECIMALS)
    options = Options(ticks, scale=ticks // 10**_DECIMALS)
    bound = partial(bound_state, graph=graph, needs=needs)
    return RTLolaReport(
        program.source,
        build_plan(program, delays, options, bound),
        graph,
        find_fragment(graph, needs, delays),
        needs,
        memory,
        sum_storage(memory),
        find_lookups(program),
        delays,
        bound(program, options=options),
    )
