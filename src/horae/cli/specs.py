"""The SPEC arguments: files with programs, or `-` for stdin, each with its language."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from horae.cli.terminal import show_diagnostics
from horae.cli.usage import WrongUsage
from horae.engine.language import Language
from horae.languages import by_ending, languages
from horae.source.text import Source

if TYPE_CHECKING:
    from horae.program import Program

STDIN = "-"

LanguageOption = Annotated[
    str | None,
    typer.Option(help="The language of stdin, or of a file whose ending names none."),
]


@dataclass(frozen=True, slots=True)
class Spec:
    """The text of a program, and the language that it is written in."""

    source: Source
    language: Language


def load_program(spec: str, language: str | None = None) -> Program:
    """The program of a specification; its warnings are shown on the way, its errors are raised."""
    from horae import api  # here, so that `horae check` and `horae fmt` start at once

    found = read_spec(spec, language)
    program = api.compile(found.source.text, found.language.name, name=found.source.name)
    show_diagnostics(program.diagnostics, found.source)
    return program


def read_spec(spec: str, language: str | None = None) -> Spec:
    """What cannot be read, or has no known language, is wrong usage and not a wrong program."""
    return read_specs([spec], language)[0]


def read_specs(specs: Sequence[str], language: str | None = None) -> list[Spec]:
    """The ending of a file says its language; `language` is for stdin and files that do not say."""
    _check_given(specs, language)
    return [Spec(_read(spec), _language_of(spec, language)) for spec in specs]


def _check_given(specs: Sequence[str], language: str | None) -> None:
    """Before stdin is read, for which somebody may have to type."""
    known, endings = languages(), by_ending()
    names = ", ".join(known)
    if language is not None and language not in known:
        raise WrongUsage(f"--language: `{language}` is not one of {names}.")
    if STDIN in specs and language is None:
        raise WrongUsage(f"a program from stdin needs --language, one of {names}.")
    said = [endings[Path(spec).suffix].name for spec in specs if Path(spec).suffix in endings]
    if language is not None and len(said) == len(specs) and {*said} != {language}:
        raise WrongUsage(
            f"`{specs[0]}` is {said[0]} by its ending, not {language}: leave --language out."
        )


def _language_of(spec: str, language: str | None) -> Language:
    endings = by_ending()
    found = endings.get(Path(spec).suffix)
    if found is not None:
        return found
    if language is not None:
        return languages()[language]
    known = ", ".join(endings)
    raise WrongUsage(
        f"the ending of `{spec}` names no language; known: {known}. Or say it with --language."
    )


def _read(spec: str) -> Source:
    name = "<stdin>" if spec == STDIN else spec
    try:
        text = sys.stdin.read() if spec == STDIN else _existing(spec).read_text("utf-8-sig")
        text.encode()  # in some locales, bytes of stdin that are no text arrive as lone surrogates
        return Source(name, text.removeprefix("\ufeff"))
    except UnicodeError:
        raise WrongUsage(f"`{name}` is not UTF-8 text; save it as UTF-8.") from None
    except OSError as error:
        raise WrongUsage(f"`{spec}` cannot be read: {error.strerror}.") from None


def _existing(spec: str) -> Path:
    path = Path(spec)
    if not path.exists():
        raise WrongUsage(f"there is no file `{spec}`.")
    if path.is_dir():
        raise WrongUsage(f"`{spec}` is a directory, not a specification.")
    return path
