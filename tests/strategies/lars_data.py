"""The predicates of random LARS programs, and random data for them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

LAST = 12
"""The last time point with data."""


@dataclass(frozen=True)
class Predicate:
    name: str
    arity: int


INPUT = (Predicate("p", 1), Predicate("e", 2), Predicate("o", 0), Predicate("r", 1))
BACKGROUND = (Predicate("k", 1), Predicate("len", 2))
"""`len(X,N)` has numbers as its second argument, and sometimes what is no length."""


def random_facts(rng: Random, constants: tuple[str, ...]) -> str:
    lines = [*_stream(rng, constants), *_background(rng, constants)]
    return "\n".join(lines) + "\n"


def random_times(rng: Random) -> list[int]:
    """Most where there is data to look back at."""
    return sorted(rng.sample(range(3, LAST + 2), rng.randint(2, 4)))


def write_atom(predicate: Predicate, terms: tuple[str, ...]) -> str:
    return f"{predicate.name}({','.join(terms)})" if terms else predicate.name


def _stream(rng: Random, constants: tuple[str, ...]) -> Iterator[str]:
    for _ in range(rng.randint(9, 16)):
        predicate = rng.choice(INPUT)
        terms = tuple(rng.choice(constants) for _ in range(predicate.arity))
        start = rng.randint(0, LAST - 2)
        when = f"[{start},{start + rng.randint(1, 3)}]" if rng.random() < 0.2 else str(start)
        yield f"{write_atom(predicate, terms)}@{when}"


def _background(rng: Random, constants: tuple[str, ...]) -> Iterator[str]:
    for constant in constants:
        if rng.random() < 0.7:
            yield f"k({constant})"
        number = rng.choice(("0", "1", "2", "3", "4", "2", "1/2", "-1"))
        yield f"len({constant},{number})"
