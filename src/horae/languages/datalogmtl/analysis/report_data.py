"""The report as plain data for tools: the keys are a contract, times are numbers or exact text."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from horae.engine.report.plan_data import JSONObject
from horae.engine.report.units import exact
from horae.languages.datalogmtl.analysis.delays import Infeasible
from horae.languages.datalogmtl.analysis.report_bounds import MemoryBound
from horae.languages.datalogmtl.analysis.report_predicates import PredicateRow, list_predicates
from horae.languages.datalogmtl.check.fragments import Exclusion
from horae.languages.datalogmtl.syntax.print_statement import print_statement

if TYPE_CHECKING:
    from horae.languages.datalogmtl.report import DatalogMTLReport


# Larger numbers lose digits in many readers of JSON.
_LARGEST = 2**53


def to_data(report: DatalogMTLReport) -> JSONObject:
    return {
        "fragment": {
            "name": str(report.fragment.name),
            "exclusions": [_exclusion(report, e) for e in report.fragment.exclusions],
        },
        "w": _exact(report.horizons.w),
        "granularity": _exact(report.horizons.granularity),
        "predicates": [_predicate(row) for row in list_predicates(report)],
        "normal_form": _normal_form(report),
        "delays": _delays(report),
        "memory": [_bound(bound) for bound in report.bounds],
    }


def _exclusion(report: DatalogMTLReport, exclusion: Exclusion) -> JSONObject:
    return {
        "leaves": str(exclusion.fragment),
        "construct": exclusion.construct,
        "reason": exclusion.reason,
        "rule": print_statement(exclusion.rule),
        "at": report.place(exclusion.rule.span),
    }


def _predicate(row: PredicateRow) -> JSONObject:
    return {
        "predicate": row.name,
        "arity": row.arity,
        "kind": row.kind,
        "window": _exact(row.memory.reach),
        "history": row.memory.history,
        "since": row.memory.since,
        "delay": _exact(row.delay) if row.delay is not None else "unbounded",
        "stands_for": row.stands_for or None,
    }


def _normal_form(report: DatalogMTLReport) -> JSONObject:
    return {
        "written": len(report.normal.program.rules),
        "rules": report.sizes.rules,
        "predicates": report.sizes.predicates,
        "arity": report.sizes.arity,
    }


def _delays(report: DatalogMTLReport) -> JSONObject:
    found = report.delays
    if not isinstance(found, Infeasible):
        return {"bounded": True, "longest": _exact(max(found.values(), default=Fraction(0)))}
    rules = list(dict.fromkeys(rule.of for rule in found.path))
    return {
        "bounded": False,
        "why": found.why,
        "rules": [{"rule": print_statement(r), "at": report.place(r.span)} for r in rules],
    }


def _bound(bound: MemoryBound) -> JSONObject:
    value = bound.value
    return {
        "theorem": bound.theorem,
        "formula": bound.formula or None,
        "value": str(value) if value is not None and value > _LARGEST else value,
        "why_not": bound.why_not or None,
    }


def _exact(number: Fraction | None) -> object:
    return None if number is None else exact(number)
