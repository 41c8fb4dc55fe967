"""Everything that is known of a DatalogMTL program before it runs, in one object.

The report keeps the results of the passes as they are; how they look is left to the renderers.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from horae.engine.report.report import Report
from horae.engine.report.sections import Section
from horae.engine.report.state_bound import StateBound
from horae.languages.datalogmtl.analysis.delays import Infeasible, find_delays
from horae.languages.datalogmtl.analysis.report_bounds import (
    MemoryBound,
    StreamNumbers,
    find_bounds,
)
from horae.languages.datalogmtl.analysis.report_data import to_data
from horae.languages.datalogmtl.analysis.report_sections import build_sections
from horae.languages.datalogmtl.analysis.theorems import Sizes, find_sizes
from horae.languages.datalogmtl.analysis.windows import Horizons, find_windows
from horae.languages.datalogmtl.check.fragments import Fragment, find_fragment
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.languages.datalogmtl.check.normalise import normalise
from horae.languages.datalogmtl.plan.build_plan import build_plan
from horae.languages.datalogmtl.program import Program


@dataclass(frozen=True, slots=True, repr=False)
class DatalogMTLReport(Report):
    """`delays` has the predicates that must wait, or the reason why no wait is long enough."""

    normal: NormalProgram
    fragment: Fragment
    horizons: Horizons
    delays: dict[str, Fraction] | Infeasible
    sizes: Sizes
    stream: StreamNumbers
    bounds: tuple[MemoryBound, ...]

    @property
    def state_bound(self) -> StateBound:
        known = [bound.value for bound in self.bounds if bound.value is not None]
        return StateBound(values=min(known, default=None))

    def own_sections(self) -> tuple[Section, ...]:
        return build_sections(self)

    def own_data(self) -> dict[str, object]:
        return to_data(self)


def analyze(
    program: Program,
    *,
    objects: int | None = None,
    gcd: Fraction | int | None = None,
    step: Fraction | int | None = None,
) -> DatalogMTLReport:
    """All passes of the analysis, in their order.

    The bounds of the theorems become numbers with what they need of the stream: how many `objects`
    (constants) there are, the greatest common divisor of all times, and how far time moves on in one
    `step`.
    """
    normal = normalise(program)
    delays = find_delays(normal)
    waits = {} if isinstance(delays, Infeasible) else delays
    horizons, sizes = find_windows(normal, waits), find_sizes(normal)
    fragment = find_fragment(program)
    stream = StreamNumbers(objects, _exact(gcd), _exact(step))
    bounds = find_bounds(fragment, horizons, sizes, stream)
    plan = build_plan(normal, horizons.memory, delays)
    return DatalogMTLReport(
        program.source, plan, normal, fragment, horizons, delays, sizes, stream, bounds
    )


def _exact(number: Fraction | int | None) -> Fraction | None:
    return None if number is None else Fraction(number)
