"""A specification named on the command line, compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.cli.specs import read_spec
from horae.cli.terminal import show_diagnostics

if TYPE_CHECKING:
    from horae.program import Program


def load_program(spec: str, language: str | None = None) -> Program:
    """The program; its warnings are shown on the way, its errors are raised."""
    from horae import api  # here, so that `horae check` and `horae fmt` start at once

    found = read_spec(spec, language)
    program = api.compile(found.source.text, found.language.name, name=found.source.name)
    show_diagnostics(program.diagnostics, found.source)
    return program
