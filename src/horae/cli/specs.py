"""The SPEC argument: a file with a program, or `-` for stdin."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from horae.source.text import Source

LANGUAGES = {".lola": "rtlola"}
"""The ending of a file selects its language."""


def read_source(spec: str) -> Source:
    """The text of a program. A file that cannot be read is wrong usage, not a wrong program."""
    if spec == "-":
        return Source("<stdin>", sys.stdin.read())
    path = existing_spec(spec)
    try:
        return Source(spec, path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise typer.BadParameter(f"`{spec}` is not UTF-8 text.") from None
    except OSError as error:
        raise typer.BadParameter(f"`{spec}` cannot be read: {error.strerror}.") from None


def existing_spec(spec: str) -> Path:
    path = Path(spec)
    if not path.exists():
        raise typer.BadParameter(f"there is no file `{spec}`.")
    if path.is_dir():
        raise typer.BadParameter(f"`{spec}` is a directory, not a specification.")
    if path.suffix not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise typer.BadParameter(f"the ending of `{spec}` names no language; known: {known}.")
    return path
