"""Everything that is known of a LARS program before it runs, in one object.

The report keeps the results of the passes as they are; how they look is left to the renderers.
`plan` is empty until the plan exists: the floor above fills it in with `dataclasses.replace`.
"""

from __future__ import annotations

from dataclasses import dataclass

from horae.engine.report.report_html import sections_to_html
from horae.engine.report.report_text import sections_to_text
from horae.engine.report.state_bound import StateBound
from horae.languages.lars.analysis.reach import Reach, find_reach
from horae.languages.lars.analysis.report_data import to_data
from horae.languages.lars.analysis.report_sections import build_sections
from horae.languages.lars.analysis.written import written
from horae.languages.lars.check.paths import Paths, find_paths
from horae.languages.lars.program import Program
from horae.source.text import Span


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """`paths`: what is evaluated on columns and what by the solver; `reach`: how far rules look."""

    program: Program
    paths: Paths
    reach: Reach
    plan: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.program.source.name

    def place(self, span: Span) -> str:
        """Line and column of the beginning."""
        position = self.program.source.position(span.start)
        return f"{position.line}:{position.column}"

    def written(self, span: Span) -> str:
        """The text of a place, on one line."""
        return written(self.program.source, span)

    @property
    def state_bound(self) -> StateBound:
        """The numbers of the bounds on the state of a stream."""
        return StateBound()

    def to_dict(self) -> dict[str, object]:
        """Plain data with a stable shape, fit for JSON."""
        return to_data(self)

    def __str__(self) -> str:
        return sections_to_text(self.name, build_sections(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return sections_to_html(self.name, build_sections(self))


def analyze(program: Program) -> Report:
    return Report(program, find_paths(program), find_reach(program))
