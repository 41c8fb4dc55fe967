"""The report as titled tables and sentences, the same for text and for notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from horae.engine.report.bounds import Unbounded
from horae.engine.report.sections import Finding, Section, Table, TableColumn
from horae.engine.report.units import counted
from horae.languages.lars.analysis.memory import Kept, find_causes
from horae.languages.lars.analysis.ranges import Cause
from horae.languages.lars.analysis.reasons import remedy_ahead, remedy_past, why_ahead, why_past
from horae.languages.lars.analysis.report_delay import endless_reads
from horae.languages.lars.analysis.report_paths import (
    PathRow,
    Stratum,
    list_paths,
    list_strata,
    summarise,
)
from horae.languages.lars.analysis.report_predicates import PredicateRow, list_predicates
from horae.languages.lars.analysis.report_words import (
    distance,
    kept_in_short,
    kept_in_words,
    listed,
)
from horae.languages.lars.check.occurrences import walk
from horae.languages.lars.syntax.tree import Always, At, Rule, Some

if TYPE_CHECKING:
    from horae.languages.lars.report import LARSReport

_LONGEST_RULE = 48


def build_sections(report: LARSReport) -> tuple[Section, ...]:
    rows = tuple(list_predicates(report))
    given = [row for row in rows if not row.is_derived]
    derived = [row for row in rows if row.is_derived and not row.kept.is_nothing]
    return (
        Section(summarise(report.paths), _paths(report)),
        Section("Predicates", _predicates(rows)),
        Section("Memory", None, tuple(_kept_for_ever(report, given)), tuple(_memory(given))),
        Section(
            "Memory with history",
            None,
            tuple(_kept_for_ever(report, derived)),
            tuple(_history(report, derived)),
        ),
        Section("Look-ahead", None, tuple(_endless(report)), (_delay(report),)),
        Section("Evaluation order", lines=tuple(_order(s) for s in list_strata(report))),
    )


# --- the paths


def _paths(report: LARSReport) -> Table:
    """The last column has room for long text: the reasons if there are any, else the rules."""
    columns = (TableColumn("at"), TableColumn("path"), TableColumn("rule"), TableColumn("why"))
    rows = list_paths(report)
    if not report.paths.solved:
        return Table(columns[:-1], tuple(_fast(report, row) for row in rows))
    return Table(columns, tuple(_path(report, row) for row in rows))


def _fast(report: LARSReport, row: PathRow) -> tuple[str, ...]:
    return report.place(row.rule.span), row.path, report.written(row.rule.span)


def _path(report: LARSReport, row: PathRow) -> tuple[str, ...]:
    *cells, rule = _fast(report, row)
    short = rule if len(rule) <= _LONGEST_RULE else rule[: _LONGEST_RULE - 1] + "…"
    why = "" if row.why is None else f"{row.why.construct} ({report.place(row.why.span)})"
    return (*cells, short, why)


def _order(stratum: Stratum) -> str:
    names = listed(stratum.predicates)
    parts = [counted(stratum.rules, "rule")] if stratum.rules else []
    parts += [counted(stratum.constraints, "constraint")] if stratum.constraints else []
    parts += ["recursive"] if stratum.is_recursive else []
    by = ("the solver: " if names else "the solver") if stratum.by_solver else ""
    return f"{stratum.number}. {by}{names} ({', '.join(parts)})"


# --- predicates


def _predicates(rows: tuple[PredicateRow, ...]) -> Table:
    columns = (
        TableColumn("predicate"),
        TableColumn("kind"),
        TableColumn("stratum", True),
        TableColumn("back", True),
        TableColumn("ahead", True),
        TableColumn("kept"),
    )
    return Table(columns, tuple(_predicate(row) for row in rows))


def _predicate(row: PredicateRow) -> tuple[str, ...]:
    kept = "always" if row.kind == "background" else kept_in_short(row.kept)
    return (
        f"{row.name}/{row.arity}",
        row.kind,
        str(row.stratum or ""),
        distance(min(row.where.first, 0)),
        distance(max(row.where.last, 0)),
        f"with history: {kept}" if row.is_derived and kept else kept,
    )


# --- memory


def _memory(rows: list[PredicateRow]) -> Iterator[str]:
    """What is kept of input; background data is apart, since it has no time."""
    given = [row for row in rows if row.kind == "input"]
    yield from (_bounded(row.kept) for row in given if _has_bound(row) and not row.kept.is_nothing)
    nothing = [row.name for row in given if row.kept.is_nothing]
    if nothing:
        yield f"{listed(nothing)}: nothing but the atoms of the evaluation time."
    background = [row.name for row in rows if row.kind == "background"]
    if background:
        yield f"{listed(background)}: background data, which stays."


def _has_bound(row: PredicateRow) -> bool:
    return not isinstance(row.kept.points, Unbounded)


def _bounded(kept: Kept) -> str:
    return f"`{kept.predicate}`: {kept_in_words(kept)}."


def _history(report: LARSReport, rows: list[PredicateRow]) -> Iterator[str]:
    yield from (_bounded(row.kept) for row in rows if _has_bound(row))
    if any(_speaks_of_other_times(rule) for rule in report.program.rules):
        yield "Atoms that are derived for later time points are kept until then."


def _speaks_of_other_times(rule: Rule) -> bool:
    parts = () if rule.head is None else walk(rule.head)
    return any(isinstance(part, At | Some | Always) for part in parts)


def _kept_for_ever(report: LARSReport, rows: list[PredicateRow]) -> Iterator[Finding]:
    names = [row.name for row in rows if row.kind != "background"]
    for cause, kept in find_causes(names, report.reach).items():
        what = f"all atoms of {listed(kept)} are" if kept else "all input is"
        yield _finding(report, cause, f"{why_past(cause)}, so {what} kept", remedy_past(cause))


# --- look-ahead


def _endless(report: LARSReport) -> Iterator[Finding]:
    for cause in endless_reads(report.reach):
        text = f"{why_ahead(cause)}, so no wait is long enough"
        yield _finding(report, cause, text, remedy_ahead(cause))


def _delay(report: LARSReport) -> str:
    wait = report.reach.delay
    if wait is None:
        return "A batch can run the program; answers to a stream would never be final."
    if wait == 0:
        return "Answers to a stream come at their time."
    cause = report.reach.input.ahead
    assert cause is not None, "something looks ahead"
    return (
        f"Answers to a stream come {counted(wait, 'time point')} after their time, for "
        f"`{report.written(cause.formula.span)}` ({report.place(cause.formula.span)}). "
        "Until then its input is held as well."
    )


def _finding(report: LARSReport, cause: Cause, text: str, remedy: str) -> Finding:
    span = cause.formula.span
    return Finding(report.place(span), report.written(span), text, remedy)
