"""`horae check`: what is wrong with specifications."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from horae.cli.specs import LanguageOption, read_specs
from horae.cli.terminal import say, show_diagnostics
from horae.source.diagnostic import Diagnostic
from horae.source.render import to_dict
from horae.source.text import Source


class DiagnosticFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


def check(
    specs: Annotated[list[str], typer.Argument(metavar="SPEC", help="Files, or - for stdin.")],
    format: Annotated[
        DiagnosticFormat, typer.Option(help="JSON goes to stdout, text to stderr.")
    ] = DiagnosticFormat.TEXT,
    language: LanguageOption = None,
) -> None:
    """Find what is wrong with specifications.

    The exit code is 0 if they are fine, 1 if one has errors.
    """
    found = read_specs(specs, language)
    results = [(spec.source, list(spec.language.check(spec.source)[1])) for spec in found]
    if format is DiagnosticFormat.JSON:
        _print_json(results)
    else:
        _print_text(results)
    if any(diagnostic.is_error for _, found in results for diagnostic in found):
        raise typer.Exit(1)


def _print_json(results: list[tuple[Source, list[Diagnostic]]]) -> None:
    """One array over all files; each object names its file."""
    rows = [to_dict(diagnostic, source) for source, found in results for diagnostic in found]
    say(json.dumps(rows, ensure_ascii=False, indent=2))


def _print_text(results: list[tuple[Source, list[Diagnostic]]]) -> None:
    for source, found in results:
        show_diagnostics(found, source)
        say(f"{source.name}: {_summary(found)}")


def _summary(found: list[Diagnostic]) -> str:
    errors = sum(diagnostic.is_error for diagnostic in found)
    counts = ((errors, "error"), (len(found) - errors, "warning"))
    parts = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts if count]
    return ", ".join(parts) or "no problems"
