"""`horae translate`: a program in another form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from horae.cli.programs import load_program
from horae.cli.specs import LanguageOption
from horae.cli.terminal import say
from horae.cli.usage import WrongUsage
from horae.languages import languages


def translate(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC", help="A DatalogMTL program or CQL queries.")
    ],
    to: Annotated[
        str,
        typer.Option(
            metavar="FORM",
            help="normal: DatalogMTL without nested operators; lars: the rules for CQL queries.",
        ),
    ],
    language: LanguageOption = None,
) -> None:
    """Print a program in another form."""
    program = load_program(spec, language)
    if to not in program.record.translations:
        raise WrongUsage(f"{'; '.join(_translations())}.")
    say(program.translate(to).removesuffix("\n"))


def _translations() -> Iterator[str]:
    for language in languages().values():
        if language.translations:
            forms = " or ".join(language.translations)
            yield f"{language.title} ({language.ending}) is translated to {forms}"
