"""`horae analyze`: what is known of a specification before it runs."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, assert_never

import typer

from horae.cli.specs import LanguageOption, load_program
from horae.cli.terminal import say
from horae.cli.usage import WrongUsage
from horae.engine.report.draw import Picture, to_dot, to_svg
from horae.languages import languages

if TYPE_CHECKING:
    from horae.engine.report.report import Report
    from horae.program import Program


class ReportFormat(StrEnum):
    TEXT = "text"
    JSON = "json"
    DOT = "dot"
    SVG = "svg"


def analyze(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A specification, or - for stdin.")],
    format: Annotated[ReportFormat, typer.Option(help="Pictures show one graph.")] = (
        ReportFormat.TEXT
    ),
    picture: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Which graph: plan; of RTLola also streams, the default."
        ),
    ] = None,
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
    """Report paces, memory bounds, delays and the plan: stages, keys, and why one shard."""
    program = load_program(spec, language)
    numbers = {"objects": objects, "gcd": gcd, "step": step}
    report = _report(program, {n: given for n, given in numbers.items() if given is not None})
    say(_rendered(report, format, picture).removesuffix("\n"))


def _report(program: Program, numbers: dict[str, object]) -> Report:
    for name in numbers:
        if name not in program.record.report_numbers:
            takers = [r.title for r in languages().values() if name in r.report_numbers]
            raise WrongUsage(f"--{name} is for the bounds of {' and '.join(takers)} programs.")
    try:
        return program.report_for(**numbers) if numbers else program.report
    except ValueError as error:
        raise WrongUsage(f"{error}.") from None


def _rendered(report: Report, format: ReportFormat, picture: str | None) -> str:
    if picture is not None and format in (ReportFormat.TEXT, ReportFormat.JSON):
        raise WrongUsage("--picture is for --format dot and svg.")
    match format:
        case ReportFormat.TEXT:
            return str(report)
        case ReportFormat.JSON:
            return json.dumps(report.to_dict(), ensure_ascii=False, indent=2)
        case ReportFormat.DOT:
            return to_dot(_picture(report, picture))
        case ReportFormat.SVG:
            return to_svg(_picture(report, picture))
        case _:
            assert_never(format)


def _picture(report: Report, name: str | None) -> Picture:
    known = report.pictures
    if name is None:
        return next(iter(known.values()))
    if name not in known:
        raise WrongUsage(f"there is no picture `{name}` of it, but {', '.join(known)}.")
    return known[name]
