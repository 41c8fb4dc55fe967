"""LARS, as the rest of the house knows it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from horae.engine.language import Language
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source

if TYPE_CHECKING:
    from horae.data.schema import TableSchema
    from horae.engine.run import Run
    from horae.languages.lars.options import LARSOptions
    from horae.languages.lars.program import Program
    from horae.languages.lars.report import LARSReport


def _check(source: Source) -> tuple[Program | None, list[Diagnostic]]:
    from horae.languages.lars.check.check import load

    return load(source)


def _fit(program: Program, options: LARSOptions) -> Program:
    from horae.engine.options import asked
    from horae.engine.precision import at_precision
    from horae.languages.lars.check.check import load

    timed = at_precision(program, options.precision, load)
    return replace(timed, clock=options.clock, queries=asked(timed.queries, options.only))


def _format(source: Source) -> str:
    from horae.languages.lars.syntax.format import format_source

    return format_source(source)


def _report(program: Program) -> LARSReport:
    from horae.languages.lars.report import analyze

    return analyze(program)


def _options() -> type[LARSOptions]:
    from horae.languages.lars.options import LARSOptions

    return LARSOptions


def _run(program: Program, options: LARSOptions) -> Run:
    from horae.languages.lars.run import LARSRun

    return LARSRun(program, options)


def _inputs(program: Program) -> tuple[TableSchema, ...]:
    from horae.languages.lars.tables import input_tables

    return input_tables(program)


def _outputs(program: Program) -> tuple[TableSchema, ...]:
    from horae.languages.lars.tables import output_tables

    return output_tables(program)


LANGUAGE = Language(
    name="lars",
    title="LARS",
    ending=".lars",
    check=_check,
    format=_format,
    report=_report,
    inputs=_inputs,
    outputs=_outputs,
    options=_options,
    fit=_fit,
    fields=("time", "at", "answer", "predicate", "args", "inconsistent"),
    run=_run,
)
