"""The numbers that a report has for the state of a stream, to be shown beside what is measured.

A report says more than numbers can: LARS and CQL keep the rows of some time points, and how many those
are is for the stream to say. Only what is a number before the program runs is taken here.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import assert_never

from horae.analysis.bounds import Bound, Bounded
from horae.analysis.cql.report import Report as CQLReport
from horae.analysis.datalogmtl.report import Report as DatalogMTLReport
from horae.analysis.lars.report import Report as LARSReport
from horae.analysis.rtlola.report import Report as RTLolaReport
from horae.analysis.rtlola.storage import StateBytes

Report = RTLolaReport | DatalogMTLReport | LARSReport | CQLReport


@dataclass(frozen=True, slots=True)
class StateBound:
    """None where the report has no number. An instance adds at most `per_instance` bytes to `fixed`.

    Bytes are those of one shard, besides the rows that wait until they are decided.
    """

    values: int | None = None
    fixed: int | None = None
    per_instance: int = 0

    def bytes_of(self, instances: int, shards: int = 1) -> int | None:
        """In all, if there are so many instances in so many shards."""
        return None if self.fixed is None else self.fixed * shards + self.per_instance * instances


def find_state_bound(report: Report) -> StateBound:
    match report:
        case RTLolaReport():
            return StateBound() if report.state is None else _in_bytes(report.state)
        case DatalogMTLReport():
            known = [bound.value for bound in report.bounds if bound.value is not None]
            return StateBound(values=min(known, default=None))
        case LARSReport() | CQLReport():
            return StateBound()
        case _:
            assert_never(report)


def _in_bytes(state: StateBytes) -> StateBound:
    fixed, each = _number(state.fixed), _number(state.per_instance)
    return StateBound() if fixed is None or each is None else StateBound(None, fixed, each)


def _number(bound: Bound) -> int | None:
    return ceil(bound.n) if isinstance(bound, Bounded) else None
