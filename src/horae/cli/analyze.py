"""`horae analyze`: what is known of a specification before it runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from horae.cli.programs import load_program
from horae.cli.specs import LanguageOption
from horae.cli.terminal import say
from horae.cli.usage import WrongUsage
from horae.languages.rtlola.analysis.draw import to_dot, to_svg
from horae.languages.rtlola.analysis.report import Report

if TYPE_CHECKING:
    from horae.api import Program


class ReportFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    DOT = "dot"
    SVG = "svg"


class AnyReport(Protocol):
    """Reports of all languages are text by `str`, and data."""

    def to_dict(self) -> dict[str, object]: ...


def _to_json(report: AnyReport) -> str:
    return json.dumps(report.to_dict(), ensure_ascii=False, indent=2)


_TEXTS: dict[ReportFormat, Callable[[AnyReport], str]] = {
    ReportFormat.TEXT: str,
    ReportFormat.JSON: _to_json,
}
_PICTURES: dict[ReportFormat, Callable[[Report], str]] = {
    ReportFormat.DOT: to_dot,
    ReportFormat.SVG: to_svg,
}


def analyze(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A specification, or - for stdin.")],
    format: Annotated[ReportFormat, typer.Option(help="Pictures show the dependency graph.")] = (
        ReportFormat.TEXT
    ),
    objects: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="DatalogMTL: how many constants.")
    ] = None,
    gcd: Annotated[
        str | None, typer.Option(metavar="T", help="DatalogMTL: all times are multiples of this.")
    ] = None,
    step: Annotated[
        str | None, typer.Option(metavar="T", help="DatalogMTL: how far time moves on at once.")
    ] = None,
    language: LanguageOption = None,
) -> None:
    """Report paces, memory bounds, delays and the shard plan."""
    program = load_program(spec, language)
    report: AnyReport = program.report
    if any(option is not None for option in (objects, gcd, step)):
        report = _for_a_stream(program, objects, gcd, step)
    say(_rendered(report, format).removesuffix("\n"))


def _for_a_stream(
    program: Program, objects: int | None, gcd: str | None, step: str | None
) -> AnyReport:
    if program.language != "datalogmtl":
        raise WrongUsage("--objects, --gcd and --step are for the bounds of DatalogMTL programs.")
    try:
        return program.report_for(objects=objects, gcd=gcd, step=step)
    except ValueError as error:
        raise WrongUsage(f"{error}.") from None


def _rendered(report: AnyReport, format: ReportFormat) -> str:
    if format in _TEXTS:
        return _TEXTS[format](report)
    if not isinstance(report, Report):
        raise WrongUsage("pictures show the streams of RTLola; rules have --format text and json.")
    return _PICTURES[format](report)
