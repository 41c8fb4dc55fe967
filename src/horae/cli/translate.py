"""`horae translate`: a program in another form."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from horae.cli.programs import load_program
from horae.cli.specs import LanguageOption
from horae.cli.terminal import say
from horae.cli.usage import WrongUsage


class Target(StrEnum):
    NORMAL = "normal"
    LARS = "lars"


_TARGETS = {"datalogmtl": Target.NORMAL, "cql": Target.LARS}


def translate(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC", help="A DatalogMTL program or CQL queries.")
    ],
    to: Annotated[
        Target,
        typer.Option(
            help="normal: DatalogMTL without nested operators; lars: the rules for CQL queries."
        ),
    ],
    language: LanguageOption = None,
) -> None:
    """Print a program in another form."""
    program = load_program(spec, language)
    if _TARGETS.get(program.language) is not to:
        raise WrongUsage(
            "DatalogMTL programs (.dmtl) are translated to normal, CQL queries (.cql) to lars."
        )
    assert program.language in ("datalogmtl", "cql"), "those with a target"
    say(program.translate(to.value).removesuffix("\n"))
