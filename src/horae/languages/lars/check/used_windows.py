"""The windows of the registry that a program uses: they go with it into other processes."""

from __future__ import annotations

from collections.abc import Iterable

from horae.languages.lars.check.occurrences import walk
from horae.languages.lars.check.window_functions import (
    RegisteredWindow,
    find_window,
    register_window,
)
from horae.languages.lars.program import Program
from horae.languages.lars.syntax.tree import NamedWindow, Window


def used_windows(program: Program) -> tuple[RegisteredWindow, ...]:
    """Those that occur in bodies; heads have none."""
    parts = (part for rule in program.rules for f in rule.body for part in walk(f))
    names = {
        part.function.name: None
        for part in parts
        if isinstance(part, Window) and isinstance(part.function, NamedWindow)
    }
    found = (find_window(name) for name in names)
    return tuple(window for window in found if window is not None)


def register_again(windows: Iterable[RegisteredWindow]) -> None:
    """A worker is a process of its own."""
    for window in windows:
        names, past, future = window.parameters, window.back, window.ahead
        register_window(window.name, window.function, parameters=names, past=past, future=future)
