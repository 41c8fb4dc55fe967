"""Temporal programs over events: checked, analysed, and run on Spark.

The names below are loaded on first use, so that `horae check` does not wait for Spark.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from horae import lars
    from horae.api import compile, load
    from horae.lars import Stream, Substream, register_window
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
    "lars",
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
    "Stream": "horae.lars",
    "Substream": "horae.lars",
    "register_window": "horae.lars",
}


def __getattr__(name: str) -> object:
    if name == "lars":
        return import_module("horae.lars")
    if name not in _HOMES:
        raise AttributeError(f"module 'horae' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
