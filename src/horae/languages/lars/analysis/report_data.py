"""The report as plain data for tools: the keys are a contract."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from horae.engine.report.bounds import Bound, Bounded
from horae.engine.report.plan_data import JSONObject
from horae.languages.lars.analysis.memory import Kept, Newest
from horae.languages.lars.analysis.ranges import Cause
from horae.languages.lars.analysis.reasons import remedy_ahead, why_ahead
from horae.languages.lars.analysis.report_delay import endless_reads
from horae.languages.lars.analysis.report_paths import (
    PathRow,
    Stratum,
    list_paths,
    list_strata,
    summarise,
)
from horae.languages.lars.analysis.report_predicates import PredicateRow, list_predicates

if TYPE_CHECKING:
    from horae.languages.lars.report import LARSReport


def to_data(report: LARSReport) -> JSONObject:
    rows = tuple(list_predicates(report))
    return {
        "paths": {
            "summary": summarise(report.paths),
            "rules": [_path(report, row) for row in list_paths(report)],
        },
        "predicates": [_predicate(row) for row in rows],
        "memory": [_kept(report, row.kept) for row in rows if not row.is_derived],
        "history": [_kept(report, row.kept) for row in rows if row.is_derived],
        "delay": _delay(report),
        "strata": [_stratum(stratum) for stratum in list_strata(report)],
    }


def _path(report: LARSReport, row: PathRow) -> JSONObject:
    why = row.why
    return {
        "rule": report.written(row.rule.span),
        "at": report.place(row.rule.span),
        "path": row.path,
        "why": None if why is None else why.construct,
        "why_at": None if why is None else report.place(why.span),
    }


def _predicate(row: PredicateRow) -> JSONObject:
    return {
        "predicate": row.name,
        "arity": row.arity,
        "kind": row.kind,
        "stratum": row.stratum or None,
        "back": _distance(min(row.where.first, 0)),
        "ahead": _distance(max(row.where.last, 0)),
    }


def _distance(end: float) -> object:
    return "unbounded" if abs(end) == inf else abs(int(end))


def _kept(report: LARSReport, kept: Kept) -> JSONObject:
    return {
        "predicate": kept.predicate,
        "time_points": _bound(kept.points),
        "newest": [_newest(report, newest) for newest in kept.newest],
        "why": None if isinstance(kept.points, Bounded) else kept.points.why,
        "cause": None if kept.cause is None else _cause(report, kept.cause),
        "remedy": kept.remedy or None,
    }


def _bound(bound: Bound) -> object:
    return int(bound.n) if isinstance(bound, Bounded) else "unbounded"


def _newest(report: LARSReport, newest: Newest) -> JSONObject:
    return {
        "atoms": newest.count,
        "pattern": None if newest.pattern is None else report.written(newest.pattern.span),
        "by": list(newest.by),
    }


def _delay(report: LARSReport) -> JSONObject:
    wait, cause = report.reach.delay, report.reach.input.ahead
    return {
        "time_points": "unbounded" if wait is None else wait,
        "cause": None if cause is None or not wait else _cause(report, cause),
        "endless": [_endless(report, cause) for cause in endless_reads(report.reach)],
    }


def _endless(report: LARSReport, cause: Cause) -> JSONObject:
    remedy = remedy_ahead(cause) or None
    return {"why": why_ahead(cause), "cause": _cause(report, cause), "remedy": remedy}


def _cause(report: LARSReport, cause: Cause) -> JSONObject:
    """The formula, and the rule in which it stands."""
    span = cause.formula.span
    rule = next(r for r in report.program.rules if r.span.start <= span.start < r.span.end)
    return {
        "formula": report.written(span),
        "at": report.place(span),
        "rule": report.written(rule.span),
    }


def _stratum(stratum: Stratum) -> JSONObject:
    return {
        "predicates": list(stratum.predicates),
        "path": "solver" if stratum.by_solver else "fast",
        "recursive": None if stratum.by_solver else stratum.is_recursive,
        "rules": stratum.rules,
        "constraints": stratum.constraints,
    }
