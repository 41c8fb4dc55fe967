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
from typing import NamedTuple

from horae.languages.rules.terms import Value


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
Reach = Callable[..., int | None]


@dataclass(frozen=True, slots=True)
class RegisteredWindow:
    """`past` and `future` take the parameters, and give a number of time points, or None: no bound."""

    name: str
    select: Select
    parameters: tuple[str, ...]
    past: Reach
    future: Reach


_REGISTRY: dict[str, RegisteredWindow] = {}


def register_window(
    name: str,
    select: Select,
    *,
    parameters: Sequence[str],
    past: Reach = lambda *_: None,
    future: Reach = lambda *_: 0,
) -> None:
    """Make `win[name …]` known. A second registration of a name replaces the first."""
    if not name.isidentifier() or not name[0].islower():
        raise ValueError(
            f"`{name}` cannot name a window: a lowercase letter, then letters or digits"
        )
    _REGISTRY[name] = RegisteredWindow(name, select, tuple(parameters), past, future)


def find_window(name: str) -> RegisteredWindow | None:
    return _REGISTRY.get(name)


def window_names() -> list[str]:
    return sorted(_REGISTRY)


def session(stream: Stream, time: int, gap: Value) -> Substream:
    """The current session: back from `time` as long as input is at most `gap` time points apart.

    Without input in the last `gap` time points there is no session: the timeline is `time` alone.
    """
    start = time
    until = bisect_right(stream.atoms, time, key=lambda atom: atom.time)
    for place in reversed(range(until)):
        atom = stream.atoms[place]
        if not isinstance(gap, str) and start - atom.time > gap:
            break
        start = min(start, atom.time)
    return Substream(start, time)


register_window("session", session, parameters=("gap",))
