"""`horae fmt`: one way of writing a specification."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from horae.cli.output import replace_file
from horae.cli.specs import LanguageOption, Spec, read_specs
from horae.cli.terminal import say, show_diagnostics
from horae.source.errors import ProgramError
from horae.source.text import Source


def fmt(
    specs: Annotated[
        list[str], typer.Argument(metavar="SPEC", help="Files, or - for stdin to stdout.")
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit code 1 if a file would change.")
    ] = False,
    language: LanguageOption = None,
) -> None:
    """Format specifications in place."""
    fine = [_format(spec, check) for spec in read_specs(specs, language)]
    if not all(fine):
        raise typer.Exit(1)


def _format(spec: Spec, check: bool) -> bool:
    """Whether the file is as it should be now. A file with syntax errors stays as it is."""
    source = spec.source
    try:
        formatted = spec.language.format(source)
    except ProgramError as error:
        show_diagnostics(error.diagnostics, source)
        return False
    is_changed = formatted != source.text
    if check:
        if is_changed:
            say(f"{source.name}: would be reformatted")
        return not is_changed
    _write(source, formatted, is_changed)
    return True


def _write(source: Source, formatted: str, is_changed: bool) -> None:
    if source.name == "<stdin>":
        say(formatted.removesuffix("\n"))
    elif is_changed:
        with replace_file(Path(source.name)) as draft:
            draft.write_text(formatted, encoding="utf-8")
        say(f"{source.name}: reformatted")
