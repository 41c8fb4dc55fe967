"""The SPEC argument: a file with a program, or `-` for stdin."""

from __future__ import annotations

import sys
from pathlib import Path

from horae.cli.languages import LANGUAGES
from horae.cli.usage import WrongUsage
from horae.source.text import Source


def read_source(spec: str) -> Source:
    """The text of a program. A file that cannot be read is wrong usage, not a wrong program."""
    name = "<stdin>" if spec == "-" else spec
    try:
        text = sys.stdin.read() if spec == "-" else existing_spec(spec).read_text("utf-8-sig")
        return Source(name, text.removeprefix("\ufeff"))
    except UnicodeDecodeError:
        raise WrongUsage(f"`{name}` is not UTF-8 text; save it as UTF-8.") from None
    except OSError as error:
        raise WrongUsage(f"`{spec}` cannot be read: {error.strerror}.") from None


def existing_spec(spec: str) -> Path:
    path = Path(spec)
    if not path.exists():
        raise WrongUsage(f"there is no file `{spec}`.")
    if path.is_dir():
        raise WrongUsage(f"`{spec}` is a directory, not a specification.")
    if path.suffix not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise WrongUsage(f"the ending of `{spec}` names no language; known: {known}.")
    return path
