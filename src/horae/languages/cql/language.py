"""CQL, as the rest of the house knows it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from horae.engine.language import Language
from horae.source.diagnostic import Diagnostic
from horae.source.errors import ProgramError
from horae.source.text import Source

if TYPE_CHECKING:
    from horae.data.schema import TableSchema
    from horae.languages.cql.options import CQLOptions
    from horae.languages.cql.program import Program
    from horae.languages.cql.report import CQLReport
    from horae.languages.cql.run import CQLRun


def _check(source: Source) -> tuple[Program | None, list[Diagnostic]]:
    from horae.languages.cql.check.check import load

    return load(source)


def _fit(program: Program, options: CQLOptions) -> Program:
    from horae.engine.precision import at_precision
    from horae.languages.cql.check.check import load

    timed = at_precision(program, options.precision, load)
    inputs = tuple(replace(item, clock=options.clock) for item in timed.inputs)
    return replace(timed, inputs=inputs)


def _format(source: Source) -> str:
    from horae.languages.cql.syntax.format import format_source

    return format_source(source)


def _report(program: Program) -> CQLReport:
    from horae.languages.cql.report import analyze

    return analyze(program)


def _to_lars(program: Program) -> str:
    """Rules for the core fragment."""
    from horae.languages.cql.translate.translate import translate

    text, diagnostics = translate(program)
    if text is None:
        raise ProgramError(program.source, diagnostics)
    return text


def _options() -> type[CQLOptions]:
    from horae.languages.cql.options import CQLOptions

    return CQLOptions


def _run(program: Program, options: CQLOptions) -> CQLRun:
    from horae.languages.cql.run import CQLRun

    return CQLRun(program, options)


def _inputs(program: Program) -> tuple[TableSchema, ...]:
    from horae.languages.cql.tables import input_tables

    return input_tables(program)


def _outputs(program: Program) -> tuple[TableSchema, ...]:
    from horae.languages.cql.tables import output_tables

    return output_tables(program)


LANGUAGE = Language(
    name="cql",
    title="CQL",
    ending=".cql",
    check=_check,
    format=_format,
    report=_report,
    inputs=_inputs,
    outputs=_outputs,
    options=_options,
    fit=_fit,
    fields=("time", "query", "row", "kind"),
    run=_run,
    translations={"lars": _to_lars},
)
