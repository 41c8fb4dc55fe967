"""The exceptions that reach a caller. Nothing else does."""

from __future__ import annotations

from collections.abc import Sequence

from horae.source.diagnostic import Diagnostic
from horae.source.text import Source


class HoraeError(Exception):
    """The base of all errors that Horae raises on purpose."""


def _with_help(head: str, help: str) -> str:
    return f"{head}\nhelp: {help}" if help else head


class ProgramError(HoraeError):
    """The program has errors; `diagnostics` lists them (and the warnings)."""

    def __init__(self, source: Source, diagnostics: Sequence[Diagnostic]) -> None:
        self.source = source
        self.diagnostics = tuple(diagnostics)
        first = next(d for d in self.diagnostics if d.is_error)
        place = source.position(first.span.start)
        head = f"{source.name}:{place.line}:{place.column}: {first.code}: {first.message}"
        super().__init__(_with_help(head, first.help))


class InputError(HoraeError):
    """The input does not fit the program, or a run failed on it.

    `row` counts the rows of the input from 1 where it is known; `time` is the row's time as text.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        place: str = "",
        row: int | None = None,
        time: str | None = None,
        help: str = "",
    ) -> None:
        self.code = code
        self.message = message
        self.place = place
        self.row = row
        self.time = time
        self.help = help
        super().__init__(self._text())

    def _text(self) -> str:
        where = self.place
        if self.row is not None:
            where += f"{', ' if where else ''}row {self.row}"
        if self.time is not None:
            where += f"{', ' if where else ''}time {self.time}"
        head = f"{self.code}: {self.message}" + (f" ({where})" if where else "")
        return _with_help(head, self.help)

    def at(self, place: str, row: int | None = None) -> InputError:
        """The same error, at a place that somebody else knows."""
        return InputError(
            self.code, self.message, place=place, row=row, time=self.time, help=self.help
        )

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore, (self.code, self.message, self.place, self.row, self.time, self.help))


class InputWarning(UserWarning):
    """Something about the input that is seldom meant: a `problem` that is an error with `strict`."""

    def __init__(self, problem: InputError) -> None:
        self.problem = problem
        super().__init__(str(problem))

    @property
    def code(self) -> str:
        return self.problem.code


def _restore(
    code: str, message: str, place: str, row: int | None, time: str | None, help: str
) -> InputError:
    return InputError(code, message, place=place, row=row, time=time, help=help)
