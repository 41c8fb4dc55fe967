"""Temporal programs over events: checked, analysed, and run on Spark.

The names below are loaded on first use, so that `horae check` does not wait for Spark.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from horae.api import compile, load
    from horae.languages.lars.check.window_functions import Stream, Substream, register_window
    from horae.program import Program
    from horae.source.errors import HoraeError, InputError, InputWarning, ProgramError

__version__ = "0.1.0"
__all__ = [
    "HoraeError",
    "InputError",
    "InputWarning",
    "Program",
    "ProgramError",
    "Stream",
    "Substream",
    "__version__",
    "compile",
    "load",
    "register_window",
]

_HOMES = {
    "load": "horae.api",
    "compile": "horae.api",
    "Program": "horae.program",
    "HoraeError": "horae.source.errors",
    "InputError": "horae.source.errors",
    "InputWarning": "horae.source.errors",
    "ProgramError": "horae.source.errors",
    "Stream": "horae.languages.lars.check.window_functions",
    "Substream": "horae.languages.lars.check.window_functions",
    "register_window": "horae.languages.lars.check.window_functions",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'horae' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
