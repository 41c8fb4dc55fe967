"""`horae translate`: a program in another form."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from horae.cli.programs import load_program
from horae.cli.terminal import say
from horae.cli.usage import WrongUsage


class Target(StrEnum):
    NORMAL = "normal"


def translate(
    spec: Annotated[str, typer.Argument(metavar="SPEC", help="A DatalogMTL program.")],
    to: Annotated[Target, typer.Option(help="normal: no nested operators, no boxes in heads.")],
) -> None:
    """Print a program in another form."""
    program = load_program(spec)
    if program.language != "datalogmtl":
        raise WrongUsage("only DatalogMTL programs (.dmtl) have a normal form.")
    say(program.translate(to.value).removesuffix("\n"))
