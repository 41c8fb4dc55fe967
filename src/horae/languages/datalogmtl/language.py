"""DatalogMTL, as the rest of the house knows it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from horae.engine.language import Language
from horae.source.diagnostic import Diagnostic
from horae.source.text import Source

if TYPE_CHECKING:
    from fractions import Fraction

    from horae.data.schema import TableSchema
    from horae.languages.datalogmtl.check.normal import NormalProgram
    from horae.languages.datalogmtl.options import DatalogMTLOptions
    from horae.languages.datalogmtl.program import Program
    from horae.languages.datalogmtl.report import DatalogMTLReport
    from horae.languages.datalogmtl.run import DatalogMTLRun


def _check(source: Source) -> tuple[Program | None, list[Diagnostic]]:
    from horae.languages.datalogmtl.check.check import load

    return load(source)


def _fit(program: Program, options: DatalogMTLOptions) -> Program:
    from horae.engine.options import asked

    return replace(program, clock=options.clock, queries=asked(program.queries, options.only))


def _format(source: Source) -> str:
    from horae.languages.datalogmtl.syntax.format import format_source

    return format_source(source)


def _normal(program: Program) -> NormalProgram:
    from horae.languages.datalogmtl.check.normalise import normalise

    return normalise(program)


def _report(
    program: Program,
    *,
    objects: int | None = None,
    gcd: str | Fraction | None = None,
    step: str | Fraction | None = None,
) -> DatalogMTLReport:
    """For a stream with so many constants, whose times are multiples of `gcd`, decided by `step`s."""
    from horae.data.answer_times import read_exact_option
    from horae.languages.datalogmtl.report import analyze

    numbers = (read_exact_option("gcd", gcd), read_exact_option("step", step))
    return analyze(program, objects=objects, gcd=numbers[0], step=numbers[1])


def _to_normal_form(program: Program) -> str:
    from horae.languages.datalogmtl.check.print_normal import print_normal

    return print_normal(_normal(program))


def _options() -> type[DatalogMTLOptions]:
    from horae.languages.datalogmtl.options import DatalogMTLOptions

    return DatalogMTLOptions


def _run(program: Program, options: DatalogMTLOptions) -> DatalogMTLRun:
    from horae.languages.datalogmtl.run import DatalogMTLRun

    return DatalogMTLRun(program, options)


def _inputs(program: Program) -> tuple[TableSchema, ...]:
    from horae.languages.datalogmtl.tables import input_tables

    return input_tables(program)


def _outputs(program: Program) -> tuple[TableSchema, ...]:
    from horae.languages.datalogmtl.tables import output_tables

    return output_tables(program)


LANGUAGE = Language(
    name="datalogmtl",
    title="DatalogMTL",
    ending=".dmtl",
    check=_check,
    format=_format,
    report=_report,
    inputs=_inputs,
    outputs=_outputs,
    options=_options,
    fit=_fit,
    fields=("time", "predicate", "args", "interval"),
    run=_run,
    report_numbers=("objects", "gcd", "step"),
    translations={"normal": _to_normal_form},
)
