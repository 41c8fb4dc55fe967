"""Runs inputs through a target and keeps those that end in anything but an answer or a diagnostic."""

from __future__ import annotations

import faulthandler
import signal
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from traceback import extract_tb
from types import FrameType
from typing import Any

from tests.fuzz.target import Target

from horae.source.errors import HoraeError

SECONDS = 10
"""CPU time that one input may take."""
# Where a library hangs, the process ends so many seconds after the first of so many inputs.
_PATIENCE, _TOGETHER = 100 * SECONDS, 100
_MOST_TRIES = 300  # to make an input smaller


@dataclass(frozen=True, slots=True)
class Mistake:
    """An input that broke its target."""

    target: str
    index: int
    what: str
    place: str
    input: Any

    @property
    def kind(self) -> tuple[str, str, str]:
        """Mistakes of one kind are shown once."""
        return self.target, self.what.split(":")[0], self.place


class TooLong(BaseException):
    """An input took more than its time; no handler of the program catches it."""


def search(
    target: Target,
    seed: int,
    indices: Iterable[int],
    seen: Callable[[int], None] = lambda index: None,
) -> Iterator[Mistake]:
    """The mistakes among these inputs; `seen` is told the number of every input before it runs."""
    signal.signal(signal.SIGVTALRM, _give_up)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for index in indices:
            if index % _TOGETHER == 0:
                faulthandler.dump_traceback_later(_PATIENCE, exit=True)
            seen(index)
            input = target.input(seed, index)
            mistake = _try(target, input)
            if mistake is not None:
                what, place = mistake
                yield Mistake(target.name, index, what, place, smaller(target, input, place))
    faulthandler.cancel_dump_traceback_later()


def _try(target: Target, input: Any) -> tuple[str, str] | None:
    """The exception, and the line that raised it."""
    try:
        with _limited():
            target.run(input)
    except HoraeError:
        return None
    except (Exception, TooLong) as error:  # noqa: BLE001
        frame = extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {str(error)[:200]}", f"{frame.filename}:{frame.lineno}"
    return None


@contextmanager
def _limited() -> Iterator[None]:
    """Python code is interrupted after its CPU time."""
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _give_up(number: int, frame: FrameType | None) -> None:
    raise TooLong


def smaller(target: Target, input: Any, place: str) -> Any:
    """A shorter text that breaks at the same place; inputs that are no texts stay as they are."""
    if not isinstance(input, str):
        return input
    size, tries = len(input) // 2, iter(range(_MOST_TRIES))
    while size:
        for start in range(0, len(input), size):
            if next(tries, None) is None:
                return input
            shorter = input[:start] + input[start + size :]
            mistake = _try(target, shorter)
            if mistake is not None and mistake[1] == place:
                input = shorter
                break
        else:
            size //= 2
    return input
