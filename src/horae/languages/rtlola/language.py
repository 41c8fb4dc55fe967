"""RTLola, as the rest of the house knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.engine.language import Language
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source

if TYPE_CHECKING:
    from horae.data.schema import TableSchema
    from horae.languages.rtlola.options import RTLolaOptions
    from horae.languages.rtlola.program import Program
    from horae.languages.rtlola.report import RTLolaReport
    from horae.languages.rtlola.run import RTLolaRun


def _check(source: Source) -> tuple[Program | None, list[Diagnostic]]:
    from horae.languages.rtlola.check.check import load

    return load(source)


def _format(source: Source) -> str:
    from horae.languages.rtlola.syntax.format import format_source

    return format_source(source)


def _report(program: Program) -> RTLolaReport:
    from horae.languages.rtlola.report import analyze

    return analyze(program)


def _options() -> type[RTLolaOptions]:
    from horae.languages.rtlola.options import RTLolaOptions

    return RTLolaOptions


def _run(program: Program, options: RTLolaOptions) -> RTLolaRun:
    from horae.languages.rtlola.run import RTLolaRun

    return RTLolaRun(program, options)


def _inputs(program: Program) -> tuple[TableSchema, ...]:
    from horae.languages.rtlola.tables import input_tables

    return input_tables(program)


def _outputs(program: Program) -> tuple[TableSchema, ...]:
    from horae.languages.rtlola.tables import output_tables

    return output_tables(program)


LANGUAGE = Language(
    name="rtlola",
    title="RTLola",
    ending=".lola",
    check=_check,
    format=_format,
    report=_report,
    inputs=_inputs,
    outputs=_outputs,
    options=_options,
    fields=("time", "stream", "params", "value", "trigger", "message", "condition"),
    run=_run,
)
