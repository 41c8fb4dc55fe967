"""One row per predicate: where it comes from, how far its atoms are looked for, what is kept of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from horae.data.intervals import ALWAYS
from horae.languages.lars.analysis.memory import Kept, find_kept
from horae.languages.lars.analysis.ranges import Range
from horae.languages.lars.analysis.report_paths import list_strata

if TYPE_CHECKING:
    from horae.languages.lars.report import LARSReport


@dataclass(frozen=True, slots=True)
class PredicateRow:
    """`where`: atoms that matter by their time. `kept` of a derived predicate is with `history`.

    `stratum` is 0 for what is not derived.
    """

    name: str
    arity: int
    kind: str
    stratum: int
    where: Range
    kept: Kept

    @property
    def is_derived(self) -> bool:
        return self.stratum > 0


def list_predicates(report: LARSReport) -> Iterator[PredicateRow]:
    """The predicates in the order in which the text names them first."""
    strata = {name: s.number for s in list_strata(report) for name in s.predicates}
    background = _background(report)
    for name, arity in report.program.arities.items():
        kind = "background" if name in background else _kind(report, name)
        where = report.reach.range(name)
        kept = find_kept(name, report.reach)
        yield PredicateRow(name, arity, kind, strata.get(name, 0), where, kept)


def _kind(report: LARSReport, name: str) -> str:
    if name in report.paths.decided:
        return "derived by the solver"
    return "derived" if name in report.program.derived else "input"


def _background(report: LARSReport) -> set[str]:
    """What has facts in the text, all without a time, and no rules."""
    static = {f.atom.predicate for f in report.program.facts if f.interval == ALWAYS}
    timed = {f.atom.predicate for f in report.program.facts if f.interval != ALWAYS}
    return static - timed - report.program.derived
