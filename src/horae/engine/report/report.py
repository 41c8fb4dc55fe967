"""The report of a program: everything that is known of it before it runs.

Each language adds its own fields, sections and data; name, places, plan and the three forms (text,
data, notebook) are the same for all.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from horae.engine.plan import Plan
from horae.engine.report.draw import Picture, to_svg
from horae.engine.report.plan_data import plan_to_data
from horae.engine.report.plan_picture import picture_plan
from horae.engine.report.plan_section import plan_section
from horae.engine.report.report_html import sections_to_html
from horae.engine.report.report_text import sections_to_text
from horae.engine.report.sections import Section
from horae.engine.report.state_bound import StateBound
from horae.source.text import Source, Span


@dataclass(frozen=True, slots=True, repr=False)
class Report(ABC):
    source: Source
    plan: Plan

    @abstractmethod
    def own_sections(self) -> tuple[Section, ...]:
        """What the language has to say, in the order of reading; the plan comes after it."""

    @abstractmethod
    def own_data(self) -> dict[str, object]:
        """The same as plain data with a stable shape."""

    @property
    def name(self) -> str:
        return self.source.name

    def place(self, span: Span) -> str:
        """Line and column of the beginning."""
        position = self.source.position(span.start)
        return f"{position.line}:{position.column}"

    @property
    def state_bound(self) -> StateBound:
        """The numbers of the bounds on the state of a stream."""
        return StateBound()

    @property
    def pictures(self) -> dict[str, Picture]:
        """The pictures by name; the one that is usually wanted comes first."""
        return {"plan": picture_plan(self.plan)}

    @property
    def sections(self) -> tuple[Section, ...]:
        """Those with content; the first one stays, its title says the most."""
        first, *others = (*self.own_sections(), plan_section(self.plan))
        return first, *(section for section in others if not section.is_empty)

    def to_dict(self) -> dict[str, object]:
        """Plain data with a stable shape, fit for JSON."""
        return {"name": self.name, **self.own_data(), "plan": plan_to_data(self.plan)}

    def __str__(self) -> str:
        return sections_to_text(self.name, self.sections)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        drawn = "".join(map(to_svg, self.pictures.values()))
        return sections_to_html(self.name, self.sections, picture=drawn)
