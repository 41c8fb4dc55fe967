"""Random samples by seeds, of which Hypothesis shrinks those that fail.

Generators of this folder draw from a `Random`. Seeds give samples as large as a generator wants; where
one fails, the choices that were made go to Hypothesis as a known failure. It leaves out lines and rows,
then makes the other choices simpler, as long as the sample fails in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from math import inf
from random import Random
from time import process_time
from typing import Any, Generic, TypeVar

from hypothesis import Phase, find, settings
from hypothesis import strategies as st
from hypothesis.database import InMemoryExampleDatabase, choices_to_bytes
from hypothesis.errors import NoSuchExample

T = TypeVar("T")
Make = Callable[[Random], T]
"""Generates a sample; `repr` shows it."""
Check = Callable[[T], None]
"""Raises where something is wrong with a sample."""
_KEY = b"failure"
_UNUSED = 0  # what Hypothesis replays it shrinks only if there was a choice too many
_GRAIN = 1000
_TRIES = 150  # most of the way to a small sample takes fifty
_SECONDS = 60


def hold(make: Make[T], check: Check[T], seeds: Iterable[int | str]) -> None:
    """All samples are right; of the first that is not, a small one that fails like it is shown."""
    for seed in seeds:
        chance = Seeded(seed)
        sample = make(chance)
        try:
            check(sample)
        except Exception as error:
            small = shrunk(make, check, chance.record, type(error))
            shown = sample if small is None else small
            raise AssertionError(f"the sample of seed {seed!r} fails; in small: {shown}") from error


def shrunk(
    make: Make[T], check: Check[T], record: Sequence[int], kind: type[Exception]
) -> T | None:
    """A small sample that fails like the recorded one; None if that is too large for Hypothesis.

    What may be left out is searched first: it is little beside all choices, and a program of a few
    lines is checked faster than the whole.
    """
    search = _Search(make, check, kind, list(record), process_time() + _SECONDS)
    for _ in range(2):  # simpler lines need fewer others
        search.shrink(_flags(search.record), _numbers(search.record))
        search.shrink(search.record, None)
    return search.best


class _Enough(BaseException):
    """Ends a search: Hypothesis takes exceptions of other kinds as failures of the test."""


@dataclass
class _Search(Generic[T]):
    """The shortest sample so far that fails in a certain way, and its choices; for a while.

    Many choices make the same sample, which is checked once.
    """

    make: Make[T]
    check: Check[T]
    kind: type[Exception]
    record: list[int]
    until: float
    best: T | None = None
    length: float = inf
    tries: int = 0
    known: dict[str, bool] = field(default_factory=dict)

    def shrink(self, choices: Sequence[int], numbers: Sequence[int] | None) -> None:
        """From choices that are known to fail; with these numbers, only flags are chosen."""
        database = InMemoryExampleDatabase()
        database.save(_KEY, choices_to_bytes([*choices, _UNUSED]))
        phases = settings(database=database, phases=(Phase.reuse, Phase.shrink), deadline=None)
        self.tries = 0
        with suppress(NoSuchExample, _Enough):
            find(self._drawn(numbers), self._fails, settings=phases, database_key=_KEY)

    def _drawn(self, numbers: Sequence[int] | None) -> st.SearchStrategy[_Drawn]:
        @st.composite
        def drawn(draw: st.DrawFn) -> _Drawn:
            chance = _Drawn(draw, None if numbers is None else iter(numbers))
            with suppress(_UnfitError):
                chance.made = self.make(chance)
            return chance

        return drawn()

    def _fails(self, chance: _Drawn) -> bool:
        self.tries += 1
        if self.tries > _TRIES or process_time() > self.until:
            raise _Enough
        shown = repr(chance.made)
        if shown not in self.known:
            self.known[shown] = self._raises(chance.made)
        if self.known[shown] and len(shown) <= self.length:
            self.best, self.record, self.length = chance.made, chance.record, len(shown)
        return self.known[shown]

    def _raises(self, sample: T | None) -> bool:
        if sample is None:
            return False
        try:
            self.check(sample)
        except Exception as error:  # noqa: BLE001 - another mistake is not this one
            return isinstance(error, self.kind)
        return False


# --- what generators do to be shrunk


def thinned(rng: Random, items: Sequence[T]) -> list[T]:
    """All of them; when a failure is shrunk, those that it does not need are left out."""
    return [item for item in items if not isinstance(rng, _Chance) or rng.keeps()]


def thinned_lines(rng: Random, text: str) -> str:
    return "".join(thinned(rng, text.splitlines(keepends=True)))


def accepted(program: T | None) -> T:
    """A program that checks; one that lost a line which others need is not tried."""
    if program is None:
        raise _UnfitError
    return program


class _UnfitError(Exception):
    """A sample without a line that others need."""


# --- chance


class _Chance(Random):
    """Chance whose every choice is a flag or a number below another one; 0 is the simplest.

    The simplest `random()` is the greatest one: `random() < 0.3` mostly asks whether there is more.
    """

    def __init__(self) -> None:
        super().__init__()
        self.record: list[int] = []

    def keeps(self) -> bool:
        """A flag: whether something that may be left out stays."""
        self.record.append(self._flag())
        return bool(self.record[-1])

    def _below(self, end: int) -> int:
        self.record.append(self._number(end))
        return self.record[-1]

    def _flag(self) -> bool:
        raise NotImplementedError

    def _number(self, end: int) -> int:
        raise NotImplementedError

    def _randbelow(self, n: int) -> int:
        """What `Random` makes `randint`, `choice`, `sample` and `shuffle` of."""
        return self._below(n) if n > 1 else 0

    def random(self) -> float:
        return (_GRAIN - 1 - self._below(_GRAIN)) / _GRAIN

    def choices(
        self, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1
    ) -> list[Any]:
        """Weights are whole numbers."""
        copies = weights or [1] * len(population)
        pool = [one for one, n in zip(population, copies, strict=True) for _ in range(n)]
        return [self.choice(pool) for _ in range(k)]


class Seeded(_Chance):
    """Chance by a seed; nothing is left out."""

    def __init__(self, seed: int | str) -> None:
        super().__init__()
        self._seeded = Random(seed)

    def _flag(self) -> bool:
        return True

    def _number(self, end: int) -> int:
        return self._seeded.randrange(end)


class _Drawn(_Chance):
    """Chance that Hypothesis chooses: all, or the flags alone where numbers are given."""

    def __init__(self, draw: st.DrawFn, numbers: Iterator[int] | None) -> None:
        super().__init__()
        self.made: Any = None
        self._draw = draw
        self._given = numbers

    def _flag(self) -> bool:
        return self._draw(st.booleans())

    def _number(self, end: int) -> int:
        if self._given is None:
            return self._draw(_up_to(end - 1))
        return min(next(self._given, 0), end - 1)


def _flags(record: Sequence[int]) -> list[int]:
    return [choice for choice in record if isinstance(choice, bool)]


def _numbers(record: Sequence[int]) -> list[int]:
    return [choice for choice in record if not isinstance(choice, bool)]


@cache
def _up_to(last: int) -> st.SearchStrategy[int]:
    return st.integers(0, last)
