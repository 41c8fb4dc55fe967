"""A roll of names: which of them the input has, beside those that a program reads.

Names that only one of both has are seldom meant. While a roll is open, readers note the names that they
meet; where they run in other processes, these tell what they noted (`sources`). Nothing is said per row:
what is wrong is said once per name, as a warning, or as an error where the caller is strict.
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from horae.data import catalogue_roll as catalogue
from horae.data.clock import Clock, is_count
from horae.source.errors import InputError, InputWarning

YEAR_3000 = 32_503_680_000
"""In seconds since 1970."""
_LARGE_TIME, _DATE = "#", "#date"  # no names
Notes = MutableMapping[str, str]
"""Names that the input has, each with the first place where it was met."""

_OWN = (str(Path(__file__).parent.parent), contextlib.__file__)


class _Notebook(NamedTuple):
    notes: Notes
    is_whole: bool


_notebook: ContextVar[_Notebook | None] = ContextVar("notebook", default=None)
_open: ContextVar[Roll | None] = ContextVar("roll", default=None)


@dataclass(frozen=True, slots=True)
class Names:
    """`known` are all names that the input may have; only the input can say something of `awaited` ones.

    `kind` is what a name names, for messages. In `any_case`, `Tram` and `tram` are one name.
    `seconds`: times that are numbers count seconds, and what helps where they do not.
    """

    known: Collection[str]
    awaited: Collection[str]
    kind: catalogue.NameKind
    any_case: bool = False
    seconds: catalogue.Seconds | None = None

    def key(self, name: str) -> str:
        return name.lower() if self.any_case else name


@dataclass
class Roll:
    """What was met of the names of a program; not `is_all`, where other runs had a part of the input."""

    names: Names
    strict: bool = False
    is_all: bool = True
    noted: dict[str, str] = field(default_factory=dict)
    sources: list[Callable[[], Mapping[str, str]]] = field(default_factory=list)
    _warned: set[str] = field(default_factory=set)

    def check_unknown(self) -> None:
        """Names that the program does not have, and times of a strange size; each is told once."""
        met = self._met()
        known = {*map(self.names.key, self.names.known), *self._warned, _DATE}
        if not self._counts_seconds(_DATE in met):
            known.add(_LARGE_TIME)
        for name, place in sorted(met.items()):
            if self.names.key(name) not in known:
                self._warned.add(self.names.key(name))
                attend(self._problem(name, place), self.strict)

    def _counts_seconds(self, has_dates: bool) -> bool:
        is_warned_by_dates = self.names.seconds is catalogue.Seconds.BESIDE_DATES
        return self.names.seconds is not None and (has_dates or not is_warned_by_dates)

    def _problem(self, name: str, place: str) -> InputError:
        if name == _LARGE_TIME:
            assert self.names.seconds is not None, "else it is no problem"
            number, unit = place.split()
            return catalogue.large_time(int(number), unit, YEAR_3000, self.names.seconds)
        return catalogue.unknown_name(name, place, self.names.kind, self.names.known)

    def check(self) -> None:
        """Also, at the end, names that the input does not have."""
        self.check_unknown()
        met = set(map(self.names.key, self._met()))
        missing = sorted(name for name in self.names.awaited if self.names.key(name) not in met)
        if missing and self.is_all and (met or not self.names.kind.needs_rows):
            attend(catalogue.nothing_given(missing, self.names.kind), self.strict)

    def _met(self) -> dict[str, str]:
        met = dict(self.noted)
        for source in self.sources:
            met = {**source(), **met}
        return met


def note_time(value: object, time: Fraction, clock: Clock) -> bool:
    """Note a date, or a number whose unit nobody named and that is a time after the year 3000.

    Such a number probably counts smaller units. Returns whether it was one.
    """
    if not is_count(value):
        note_date()
        return False
    is_large = time > YEAR_3000 * clock.per_second and clock.unit is None
    if is_large:
        number = time * clock.numbers_per_second / clock.per_second
        note(_LARGE_TIME, f"{number // 1} {clock.number_unit}")
    return is_large


def note_date() -> None:
    """The input has dates: so the program counts parts of seconds."""
    note(_DATE)


def note(name: str, place: str = "", exactly: str = "") -> None:
    """The input has something with this name: at a place, and `exactly` where, if all is read here."""
    notebook = _notebook.get()
    if notebook is not None:
        notebook.notes.setdefault(name, (notebook.is_whole and exactly) or place)


@contextmanager
def open_roll(names: Names, *, strict: bool = False, is_all: bool = True) -> Iterator[Roll]:
    """A roll in which all is noted that is read inside of the block."""
    roll = Roll(names, strict, is_all)
    before = current_roll()
    _open.set(roll)
    try:
        with noting(roll.noted):
            yield roll
    finally:
        _open.set(before)


@contextmanager
def called(names: Names, *, strict: bool = False) -> Iterator[None]:
    """The same, and checked at the end of the block."""
    with open_roll(names, strict=strict) as roll:
        yield
    roll.check()


@contextmanager
def noting(notes: Notes, *, is_whole: bool = True) -> Iterator[None]:
    """Not `is_whole`: a part of a file is read, in which lines have other numbers."""
    before = _notebook.get()
    _notebook.set(_Notebook(notes, is_whole))
    try:
        yield
    finally:  # anywhere: who reads a part of the rows leaves the rest to the garbage collector
        _notebook.set(before)


def current_roll() -> Roll | None:
    return _open.get()


def attend(problem: InputError, strict: bool) -> None:
    """A warning to the caller of Horae, or the error that it is where the caller is strict."""
    if strict:
        raise problem
    warnings.warn(InputWarning(problem), stacklevel=_outside())


def _outside() -> int:
    """How many calls it is to the first one that is not Horae's own."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OWN):
        level, frame = level + 1, frame.f_back
    return level
