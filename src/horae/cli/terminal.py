"""What the command line writes: its product on stdout, problems and progress on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from horae.data import catalogue
from horae.source.diagnostic import Diagnostic, Severity
from horae.source.errors import InputError
from horae.source.render import render
from horae.source.text import Source

_RED, _YELLOW, _CYAN, _BLUE = "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;36m", "\x1b[1;34m"
_BOLD, _END = "\x1b[1m", "\x1b[0m"


def say(text: str) -> None:
    """A line of the product of a command."""
    write(text + "\n")


def write(text: str) -> None:
    """A part of the product. A reader that has seen enough (`| head`) is no problem."""
    try:
        sys.stdout.write(text)
    except OSError as error:
        _give_up(error)


def flush() -> None:
    """What is still on its way; at the exit of Python a failure could not be told any more."""
    try:
        sys.stdout.flush()
    except OSError as error:
        _give_up(error)


def _give_up(error: OSError) -> None:
    """Nothing more can be written: from now on, the product goes nowhere."""
    sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if not isinstance(error, BrokenPipeError):
        raise cannot_write(error) from error


def cannot_write(error: OSError) -> InputError:
    reason = error.strerror or str(error)
    return catalogue.CANNOT_WRITE(what="the output", reason=reason)


def open_streams() -> None:
    """Python has no stdout or stderr where they were closed before the start (`>&-`).

    What is written to such a stdout is an error; nobody wants to see a closed stderr.
    """
    streams: tuple[TextIO | None, TextIO | None] = (sys.stdout, sys.stderr)
    if streams[0] is None:
        sys.stdout = Path(os.devnull).open("r", encoding="utf-8")  # noqa: SIM115
    if streams[1] is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115


def tell(text: str) -> None:
    """A line beside the product: a problem, a remark."""
    sys.stderr.write(text + "\n")


def has_color(stream: TextIO) -> bool:
    """Colours are for terminals, and `NO_COLOR` (set to anything) turns them off."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def show_diagnostics(diagnostics: Iterable[Diagnostic], source: Source) -> None:
    for diagnostic in diagnostics:
        tell(render(diagnostic, source, color=has_color(sys.stderr)) + "\n")


def show_input_error(error: InputError) -> None:
    """Print an error in the form of a diagnostic, with the row where that has the source line."""
    tell(render_problem(error.code, error.message, _where(error), error.help))


def show_input_warning(problem: InputError) -> None:
    """The same for what does not stop a run."""
    where = _where(problem)
    tell(
        render_problem(problem.code, problem.message, where, problem.help, Severity.WARNING) + "\n"
    )


def render_problem(
    code: str, message: str, where: str = "", help: str = "", severity: Severity = Severity.ERROR
) -> str:
    paint = _paint if has_color(sys.stderr) else _plain
    style = _RED if severity is Severity.ERROR else _YELLOW
    lines = [paint(style, f"{severity}[{code}]") + paint(_BOLD, f": {message}")]
    if where:
        lines.append(f"{paint(_BLUE, ' -->')} {where}")
    if help:
        lines.append(f"{paint(_BLUE, '  =')} {paint(_CYAN, 'help')}: {help}")
    return "\n".join(lines)


def _where(error: InputError) -> str:
    row = "" if error.row is None else f"row {error.row}"
    time = "" if error.time is None else f"time {error.time}"
    return ", ".join(part for part in (error.place, row, time) if part)


def _paint(style: str, text: str) -> str:
    return f"{style}{text}{_END}"


def _plain(_: str, text: str) -> str:
    return text


@contextmanager
def progress(text: str) -> Iterator[None]:
    """A spinner on stderr while something runs, if somebody is there to see it.

    Stdout stays what it is: it may lead elsewhere.
    """
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.live import Live
    from rich.spinner import Spinner

    console, spinner = Console(stderr=True), Spinner("dots", text)
    with Live(
        spinner, console=console, transient=True, redirect_stdout=False, redirect_stderr=False
    ):
        yield
