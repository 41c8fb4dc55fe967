"""The registry of further window functions (Def. 2 of the paper leaves their kinds open).

A window function takes a stream, a reference time point and parameters, and returns a substream:

    def session(stream: Stream, time: int, gap: Value) -> Substream: ...

    register_window("session", session, parameters=("gap",))       win[session 5] <> reading(S, V)

`stream` has the input atoms only, never derived ones: so a window does not depend on what it is used to
derive. The substream is an interval of time, with all atoms in it (`atoms` left out: derived atoms
are seen too), or with a choice of the input atoms (`atoms` given).

In a stream, a function may ask for time points after the reference time only if `future` says how
far: the answers wait that long. `past` says how far back it can look, for the bound on the state;
without it the whole past is kept.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from operator import index
from typing import Any, NamedTuple

from horae.data.constants import Value
from horae.languages.lars import catalogue
from horae.source.errors import InputError


class TimedAtom(NamedTuple):
    time: int
    predicate: str
    arguments: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Stream:
    """The input atoms from which a window is cut, by time (and in the order of ties), and the timeline.

    `end` is None where the timeline has no end.
    """

    atoms: Sequence[TimedAtom]
    start: int
    end: int | None


@dataclass(frozen=True, slots=True)
class Substream:
    """The timeline from `start` to `end`, both included (`end` None: without end).

    `start` after `end` is an empty timeline. A timeline beyond that of the stream is clipped.
    """

    start: int
    end: int | None
    atoms: Iterable[TimedAtom] | None = None


Select = Callable[..., Substream]
WindowReach = Callable[..., int | None]


@dataclass(frozen=True, slots=True)
class RegisteredWindow:
    """The functions of a user. What they raise, or give in a wrong type, is an error of the run."""

    name: str
    function: Select
    parameters: tuple[str, ...]
    back: WindowReach
    ahead: WindowReach

    def select(self, stream: Stream, time: int, *parameters: Value | None) -> Substream:
        found = self._call("", self.function, stream, time, *parameters)
        try:
            return _plain(found)
        except (TypeError, AttributeError):
            raise self._wrong("", f"gives {_shown(found)}, which is no substream") from None

    def past(self, *parameters: Value | None) -> int | None:
        """How far back the function looks; None: no bound."""
        return self._reach("`past` of ", self.back, parameters)

    def future(self, *parameters: Value | None) -> int | None:
        return self._reach("`future` of ", self.ahead, parameters)

    def _reach(
        self, which: str, function: WindowReach, parameters: Sequence[Value | None]
    ) -> int | None:
        found: object = self._call(which, function, *parameters)
        if found is None:
            return None
        if isinstance(found, Integral) and int(found) >= 0:
            return int(found)
        raise self._wrong(which, f"gives {_shown(found)}, and not a number of time points or None")

    def _call(self, which: str, function: Callable[..., Any], *arguments: object) -> Any:
        try:
            return function(*arguments)
        except Exception as failure:
            problem = f"fails: {type(failure).__name__}: {failure}"
            raise self._wrong(which, problem) from failure

    def _wrong(self, which: str, problem: str) -> InputError:
        return catalogue.WRONG_WINDOW_FUNCTION(which=which, name=self.name, problem=problem)


def _plain(found: Substream) -> Substream:
    """With plain integers and tuples; a TypeError where something else stands there."""
    end = None if found.end is None else index(found.end)
    atoms = None if found.atoms is None else tuple(TimedAtom(*atom) for atom in found.atoms)
    return Substream(index(found.start), end, atoms)


def _shown(found: object) -> str:
    text = repr(found)
    return f"`{text if len(text) <= _LONGEST else text[: _LONGEST - 1] + '…'}`"


_LONGEST = 80


_REGISTRY: dict[str, RegisteredWindow] = {}


def register_window(
    name: str,
    select: Select,
    *,
    parameters: Sequence[str],
    past: WindowReach = lambda *_: None,
    future: WindowReach = lambda *_: 0,
) -> None:
    """Make `win[name …]` known. A second registration of a name replaces the first."""
    if not name.isidentifier() or not name[0].islower():
        raise ValueError(
            f"`{name}` cannot name a window: a lowercase letter, then letters or digits"
        )
    for function in (select, past, future):
        if not callable(function):
            raise TypeError(f"the window `{name}` needs functions, and `{function!r}` is none")
    if isinstance(parameters, str):
        raise TypeError(f'the parameters of `{name}` are a list of names: ("{parameters}",)')
    _REGISTRY[name] = RegisteredWindow(name, select, tuple(parameters), past, future)


def find_window(name: str) -> RegisteredWindow | None:
    return _REGISTRY.get(name)


def window_names() -> list[str]:
    return sorted(_REGISTRY)


def session_window(stream: Stream, time: int, gap: Value) -> Substream:
    """The current session: back from `time` as long as input is at most `gap` time points apart.

    Without input in the last `gap` time points there is no session: the timeline is `time` alone.
    """
    if isinstance(gap, str):
        raise TypeError(f"the gap is a number, not `{gap}`")
    start = time
    until = bisect_right(stream.atoms, time, key=lambda atom: atom.time)
    for place in reversed(range(until)):
        atom = stream.atoms[place]
        if start - atom.time > gap:
            break
        start = min(start, atom.time)
    return Substream(start, time)


register_window("session", session_window, parameters=("gap",))
