"""A specification named on the command line, compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.cli.languages import language_of
from horae.cli.specs import read_source
from horae.cli.terminal import show_diagnostics

if TYPE_CHECKING:
    from horae.api import Program


def load_program(spec: str) -> Program:
    """The program; its warnings are shown on the way, its errors are raised."""
    from horae import api  # here, so that `horae check` and `horae fmt` start at once

    source = read_source(spec)
    program = api.compile(source.text, language_of(source).name, name=source.name)
    show_diagnostics(program.diagnostics, source)
    return program
