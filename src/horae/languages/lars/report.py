"""Everything that is known of a LARS program before it runs, in one object.

The report keeps the results of the passes as they are; how they look is left to the renderers.
"""

from __future__ import annotations

from dataclasses import dataclass

from horae.engine.report.report import Report
from horae.engine.report.sections import Section
from horae.languages.lars.analysis.reach import Reach, find_reach
from horae.languages.lars.analysis.report_data import to_data
from horae.languages.lars.analysis.report_sections import build_sections
from horae.languages.lars.analysis.written import written
from horae.languages.lars.check.paths import Paths, find_paths
from horae.languages.lars.plan.build_plan import build_plan
from horae.languages.lars.program import Program
from horae.source.text import Span


@dataclass(frozen=True, slots=True, repr=False)
class LARSReport(Report):
    """`paths`: what is evaluated on columns and what by the solver; `reach`: how far rules look."""

    program: Program
    paths: Paths
    reach: Reach

    def written(self, span: Span) -> str:
        """The text of a place, on one line."""
        return written(self.source, span)

    def own_sections(self) -> tuple[Section, ...]:
        return build_sections(self)

    def own_data(self) -> dict[str, object]:
        return to_data(self)


def analyze(program: Program) -> LARSReport:
    reach = find_reach(program)
    plan = build_plan(program, reach)
    return LARSReport(program.source, plan, program, find_paths(program), reach)
