"""Programs whose durations are counted in time points, for a run whose time points have another size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from horae.data.catalogue_facts import DURATION_TOO_FINE, DURATION_TOO_LONG, place_of
from horae.data.clock import DECIMALS
from horae.source.diagnostic import Diagnostic
from horae.source.errors import InputError
from horae.source.text import Source


class HasPrecision(Protocol):
    """A checked program; `precision` is the size of a time point."""

    @property
    def source(self) -> Source: ...

    @property
    def precision(self) -> str: ...


_Program = TypeVar("_Program", bound=HasPrecision)
Load = Callable[[Source, str], tuple[_Program | None, Sequence[Diagnostic]]]


def at_precision(program: _Program, precision: str, load: Load[_Program]) -> _Program:
    """The same program, read again; refused where a duration is no whole number of time points."""
    if program.precision == precision:
        return program
    again, diagnostics = load(program.source, precision)
    if again is None:
        wrong = next(d for d in diagnostics if d.is_error)
        raise _unfit(program.source, wrong, program.precision, precision)
    return again


def _unfit(source: Source, wrong: Diagnostic, needed: str, precision: str) -> InputError:
    is_finer = DECIMALS[needed] > DECIMALS[precision]
    message = DURATION_TOO_FINE if is_finer else DURATION_TOO_LONG
    return message(
        place=place_of(source, wrong.span),
        problem=wrong.message,
        needed=needed,
        precision=precision,
    )
