"""Plain Python functions over arrays that become machine code where that pays.

To load numba and its cached code takes as long as some ten thousand steps of plain Python take. So small
calls run the function as it is written, until they have cost that much together; from then on, and in
large calls at once, the function runs as numba compiled it, once per machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, update_wrapper
from threading import local
from typing import Any, Literal, TypeVar, cast

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

_LARGE = 1_000  # elements; a join of so many may already find a hundred thousand pairs
_ENOUGH = 20_000


class _Effort(local):
    """What plain calls have cost in this thread, in elements, and whether one is under way."""

    spent = 0
    is_plain = False


_effort = _Effort()


def compiled(function: F, *, error_model: Literal["python", "numpy"] = "python") -> F:
    """The function, compiled if it is worth it; the plain one stays as `.py_func`."""
    return cast("F", Compiled(function, error_model))


@contextmanager
def plain_python() -> Iterator[None]:
    """Plain Python that computes like machine code: what is out of range is silent."""
    before, _effort.is_plain = _effort.is_plain, True
    try:
        with np.errstate(all="ignore"):
            yield
    finally:
        _effort.is_plain = before


class Compiled:
    """One such function. Compiled functions that call it see numba's own object."""

    def __init__(
        self, function: Callable[..., Any], error_model: Literal["python", "numpy"]
    ) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._error_model = error_model

    @cached_property
    def machine_code(self) -> Any:
        import numba

        return numba.njit(cache=True, error_model=self._error_model)(self.py_func)

    @property
    def _numba_type_(self) -> Any:
        """How numba asks for the type of an object that it does not know."""
        return self.machine_code._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        if _effort.spent >= _ENOUGH:
            return self.machine_code(*arguments)
        if _effort.is_plain:  # the call around it has been counted
            _effort.spent += 1
            return self.py_func(*arguments)
        size = _elements(arguments)
        _effort.spent += size if size <= _LARGE else _ENOUGH
        if size > _LARGE:
            return self.machine_code(*arguments)
        with plain_python():
            result = self.py_func(*arguments)
        _effort.spent += _elements(result if isinstance(result, tuple) else (result,))
        return result

    def __reduce__(self) -> str:
        return self.py_func.__qualname__


def _elements(values: tuple[Any, ...]) -> int:
    """The size of all arrays together, and one for the rest."""
    return 1 + sum(value.size for value in values if isinstance(value, np.ndarray))
