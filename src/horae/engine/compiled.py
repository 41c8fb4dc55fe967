"""Compiling plain Python functions with numba, once per machine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Machine code on first call; the plain function stays as `.py_func`."""
    return cast(F, numba.njit(cache=True)(function))
