"""Random windows of LARS, as text."""

from __future__ import annotations

from random import Random

_PATTERNS = ("p(K) by K", "e(K,_) by K", "e(_,K) by K", "e(K,M) by K,M", "p(_)", "e(a,_)", "e(K,K)")


def random_window(rng: Random, *, choices: tuple[str, ...] = ("win",), number: str = "") -> str:
    """`number` is a variable that the rule binds to a number: sometimes it is a parameter."""
    kind = rng.choices(("time", "tuple", "partition", "session"), (10, 3, 3, 1))[0]
    return f"{rng.choice(choices)}[{_inside(rng, kind, number)}]"


def random_bounded_window(rng: Random, *, choices: tuple[str, ...] = ("win",)) -> str:
    """A time window that ends, and does not depend on data."""
    return f"{rng.choice(choices)}[{_time(rng, '')}]"


def _inside(rng: Random, kind: str, number: str) -> str:
    match kind:
        case "time":
            return (
                rng.choice(("inf", "1,inf", "inf,2")) if rng.random() < 0.1 else _time(rng, number)
            )
        case "tuple":
            return f"#{_counts(rng, number)}"
        case "partition":
            return f"{rng.choice(_PATTERNS)} #{_counts(rng, number).removeprefix('+')}"
        case _:
            return f"session {_length(rng, number, 3)}"


def _time(rng: Random, number: str) -> str:
    past, future = _length(rng, number, 5), _length(rng, number, 3)
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
