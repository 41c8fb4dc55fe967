"""`horae translate`: a program in another form."""

from __future__ import annotations

from typing import Annotated

import typer

from horae.cli.specs import LanguageOption, load_program
from horae.cli.terminal import say
from horae.cli.usage import WrongUsage
from horae.languages import languages


def translate(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A program, or - for stdin.")],
    to: Annotated[str, typer.Option(metavar="FORM", help="The form, as its language calls it.")],
    language: LanguageOption = None,
) -> None:
    """Print a program in another form."""
    program = load_program(spec, language)
    try:
        text = program.translate(to)
    except ValueError as error:
        raise WrongUsage(f"--to: {error}. There is {_known_forms()}.") from None
    say(text.removesuffix("\n"))


def _known_forms() -> str:
    """`DatalogMTL to normal, CQL to lars`."""
    records = [record for record in languages().values() if record.translations]
    return ", ".join(f"{r.title} to {' or '.join(r.translations)}" for r in records)
