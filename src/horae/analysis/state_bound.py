"""The numbers that a report has for the state of a stream, to be shown beside what is measured.

A report says more than numbers can: LARS and CQL keep the rows of some time points, and how many those
are is for the stream to say. Only what is a number before the program runs is taken here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from typing import assert_never

from horae.analysis.bounds import Bound, Bounded
from horae.analysis.cql.report import Report as CQLReport
from horae.analysis.datalogmtl.report import Report as DatalogMTLReport
from horae.analysis.lars.report import Report as LARSReport
from horae.analysis.rtlola.report import Report as RTLolaReport

Report = RTLolaReport | DatalogMTLReport | LARSReport | CQLReport


@dataclass(frozen=True, slots=True)
class StateBound:
    """None where the report has no number. An instance adds at most `per_instance` bytes to `fixed`."""

    values: int | None = None
    fixed: int | None = None
    per_instance: int = 0

    def bytes_of(self, instances: int) -> int | None:
        """In all, if there are so many instances."""
        return None if self.fixed is None else self.fixed + self.per_instance * instances


def find_state_bound(report: Report) -> StateBound:
    match report:
        case RTLolaReport():
            fixed = _number(report.totals.fixed)
            each = [_number(bound) for _, bound in report.totals.per_instance]
            return _in_bytes(fixed, each)
        case DatalogMTLReport():
            known = [bound.value for bound in report.bounds if bound.value is not None]
            return StateBound(values=min(known, default=None))
        case LARSReport() | CQLReport():
            return StateBound()
        case _:
            assert_never(report)


def _in_bytes(fixed: int | None, each: Iterable[int | None]) -> StateBound:
    """An instance may be one of all streams with the same parameters, so theirs are added up."""
    added = 0
    for size in each:
        if size is None:
            return StateBound()
        added += size
    return StateBound(fixed=fixed, per_instance=added)


def _number(bound: Bound) -> int | None:
    return ceil(bound.n) if isinstance(bound, Bounded) else None
