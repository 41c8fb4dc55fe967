"""Everything that is known of a DatalogMTL program before it runs, in one object.

The report keeps the results of the passes as they are; how they look is left to the renderers.
`plan` is empty until the plan exists: the floor above fills it in with `dataclasses.replace`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from horae.engine.report.report_html import sections_to_html
from horae.engine.report.report_text import sections_to_text
from horae.engine.report.state_bound import StateBound
from horae.languages.datalogmtl.analysis.delays import Infeasible, find_delays
from horae.languages.datalogmtl.analysis.report_bounds import MemoryBound, Stream, find_bounds
from horae.languages.datalogmtl.analysis.report_data import to_data
from horae.languages.datalogmtl.analysis.report_sections import build_sections
from horae.languages.datalogmtl.analysis.theorems import Sizes, find_sizes
from horae.languages.datalogmtl.analysis.windows import Horizons, find_windows
from horae.languages.datalogmtl.check.fragments import Fragment, find_fragment
from horae.languages.datalogmtl.check.normal import NormalProgram
from horae.languages.datalogmtl.check.normalise import normalise
from horae.languages.datalogmtl.program import Program
from horae.source.text import Span


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """`delays` has the predicates that must wait, or the reason why no wait is long enough."""

    normal: NormalProgram
    fragment: Fragment
    horizons: Horizons
    delays: dict[str, Fraction] | Infeasible
    sizes: Sizes
    stream: Stream
    bounds: tuple[MemoryBound, ...]
    plan: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.normal.program.source.name

    def place(self, span: Span) -> str:
        """Line and column of the beginning."""
        position = self.normal.program.source.position(span.start)
        return f"{position.line}:{position.column}"

    @property
    def state_bound(self) -> StateBound:
        """The numbers of the bounds on the state of a stream."""
        known = [bound.value for bound in self.bounds if bound.value is not None]
        return StateBound(values=min(known, default=None))

    def to_dict(self) -> dict[str, object]:
        """Plain data with a stable shape, fit for JSON."""
        return to_data(self)

    def __str__(self) -> str:
        return sections_to_text(self.name, build_sections(self))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return sections_to_html(self.name, build_sections(self))


def analyze(
    program: Program,
    *,
    objects: int | None = None,
    gcd: Fraction | int | None = None,
    step: Fraction | int | None = None,
) -> Report:
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
    stream = Stream(objects, _exact(gcd), _exact(step))
    bounds = find_bounds(fragment, horizons, sizes, stream)
    return Report(normal, fragment, horizons, delays, sizes, stream, bounds)


def _exact(number: Fraction | int | None) -> Fraction | None:
    return None if number is None else Fraction(number)
