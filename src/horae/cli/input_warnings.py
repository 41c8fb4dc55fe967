"""Warnings about the input, as the command line shows them: like diagnostics."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from horae.cli.terminal import show_input_warning
from horae.source.errors import InputError, InputWarning


@contextmanager
def shown_warnings(show: Callable[[InputError], None] = show_input_warning) -> Iterator[None]:
    """Warnings about input are shown as they come."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", InputWarning)
        others = warnings.showwarning

        def show_any(message: Any, *rest: Any) -> None:
            if isinstance(message, InputWarning):
                show(message.problem)
            else:
                others(message, *rest)

        warnings.showwarning = show_any  # type: ignore[assignment]
        yield


@contextmanager
def kept_warnings() -> Iterator[None]:
    """Warnings about input are shown at the end, when nothing moves on the terminal any more."""
    found: list[InputError] = []
    try:
        with shown_warnings(found.append):
            yield
    finally:
        for problem in found:
            show_input_warning(problem)
