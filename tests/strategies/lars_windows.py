"""Random windows of LARS, as text."""

from __future__ import annotations

from random import Random

_PATTERNS = {
    "p": ("p(K) by K", "p(_)", "p(a)"),
    "e": ("e(K,_) by K", "e(_,K) by K", "e(K,M) by K,M", "e(a,_)", "e(K,K)", "e(_,_)"),
    "r": ("r(K) by K", "r(_)"),
    "o": ("o",),
}
_KINDS = ("time", "tuple", "partition", "session")


def random_window(
    rng: Random, about: str = "", *, choices: tuple[str, ...] = ("win",), number: str = ""
) -> str:
    """`about` is an input predicate, if the window is to see one.

    `number` is a variable that the rule binds to a number: sometimes it is a parameter.
    """
    kind = rng.choices(_KINDS, (10, 4, 5, 1) if about in _PATTERNS else (30, 1, 1, 1))[0]
    pattern = about if about in _PATTERNS and rng.random() < 0.9 else rng.choice([*_PATTERNS])
    inside = _inside(rng, kind, number, rng.choice(_PATTERNS[pattern]))
    return f"{rng.choice(choices)}[{inside}]"


def random_bounded_window(rng: Random, *, choices: tuple[str, ...] = ("win",)) -> str:
    """A time window that ends, and does not depend on data."""
    return f"{rng.choice(choices)}[{_time(rng, '')}]"


def _inside(rng: Random, kind: str, number: str, pattern: str) -> str:
    match kind:
        case "time":
            return (
                rng.choice(("inf", "1,inf", "inf,2")) if rng.random() < 0.1 else _time(rng, number)
            )
        case "tuple":
            return f"#{_counts(rng, number)}"
        case "partition":
            return f"{pattern} #{_counts(rng, number).removeprefix('+')}"
        case _:
            return f"session {_length(rng, number, 3)}"


def _time(rng: Random, number: str) -> str:
    past, future = _length(rng, number, 8), _length(rng, number, 3)
    step = rng.randint(1, 4)
    forms = (past, past, past, f"+{rng.randint(0, 3)}", f"{past},{future}")
    return rng.choice((*forms, f"{past},{future},{step}", f"{past},0,{step}"))


def _counts(rng: Random, number: str) -> str:
    past, future = _length(rng, number, 3), rng.randint(0, 2)
    return rng.choice((past, past, f"{past},{future}", f"+{future}"))


def _length(rng: Random, number: str, most: int) -> str:
    if number and rng.random() < 0.5:
        return rng.choice((number, number, f"{number} + 1", f"2 * {number}"))
    return str(rng.randint(0, most))
