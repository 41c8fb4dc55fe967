"""Time points of a declared precision: the same program over larger numbers."""

from __future__ import annotations

import re
from random import Random

import pytest
from tests.strategies.cql_queries import random_queries
from tests.strategies.lars_programs import random_program

import horae

_WINDOW = re.compile(r"(win1?\[)([^\[\]#a-zA-Z]*)(\])")
_RANGE = re.compile(r"\b(RANGE|SLIDE) (\d+)")
_INTERVAL = re.compile(r"@\[(\d+),[^\]]*\]")
_FACT = re.compile(r"@(\d+|\[[^\]]*\])")


def lars_windows(text: str, write) -> str:
    """The sizes of time windows, written anew."""
    return _WINDOW.sub(
        lambda m: m[1] + re.sub(r"\d+", lambda n: write(int(n[0])), m[2]) + m[3], text
    )


def cql_windows(text: str, write) -> str:
    return _RANGE.sub(lambda m: f"{m[1]} {write(int(m[2]))}", text)


def facts_times(text: str, factor: int) -> str:
    return _FACT.sub(lambda m: "@" + re.sub(r"\d+", lambda n: str(int(n[0]) * factor), m[1]), text)


def as_dates(text: str) -> str:
    """Milliseconds since 1970."""

    def moment(number: re.Match[str]) -> str:
        seconds, rest = divmod(int(number[0]), 1000)
        return (
            f"1970-01-01T{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{rest:03}Z"
        )

    return _FACT.sub(lambda m: "@" + re.sub(r"\d+", moment, m[1]), text)


def seconds(number: int) -> str:
    return f"{number} s"


def milliseconds(number: int) -> str:
    return f"{number} ms"


def thousands(number: int) -> str:
    return str(number * 1000)


def random_rules(rng: Random) -> str:
    """Without what looks at every time point of a window: there are a thousand times as many."""
    sizes = [str(rng.randint(0, 9)) for _ in range(4)]
    windows = [f"win[{sizes[0]}]", f"win[+{sizes[1]}]", f"win[{sizes[2]},{sizes[3]}]"]
    windows += [f"win[{sizes[0]},{sizes[1]},{rng.randint(1, 3)}]", "win[#2]", "win[inf]"]
    one, other = rng.choices(windows, k=2)
    negated = rng.choice(("", "not "))
    return f"d(X) :- {one} <> p(X), {negated}{other} <> o.\nat(T) :- {other} @T p(X).\n"


CASES = [("lars", seed) for seed in range(12)] + [("cql", seed) for seed in range(12)]


def sample(language: str, seed: int):
    rng = Random(seed)
    if language == "cql":
        text, facts, times = random_queries(rng, core=False)
        return text, facts, times, cql_windows
    text, facts, times = random_program(rng, kind="fast")
    return text, facts, times, lars_windows


def answers(language: str, text: str, facts: str, **options: object):
    return list(horae.compile(text, language).evaluate(facts, **options))


@pytest.mark.filterwarnings("ignore::horae.InputWarning")
@pytest.mark.parametrize(("language", "seed"), CASES)
def test_milliseconds_are_time_points(language: str, seed: int):
    """Whatever a time point is: the same numbers of them have the same answers."""
    text, facts, times, windows = sample(language, seed)
    expected = answers(language, text, facts, at=times)
    fine = windows(text, milliseconds)
    assert answers(language, fine, facts, at=times, precision="ms") == expected
    assert answers(language, fine, facts, at=times, precision="ms", time_unit="ms") == expected
    assert answers(language, fine, as_dates(facts), at=times, precision="ms") == expected


@pytest.mark.filterwarnings("ignore::horae.InputWarning")
@pytest.mark.parametrize(("language", "seed"), CASES)
def test_seconds_at_the_precision_of_milliseconds(language: str, seed: int):
    """Windows and times in seconds: like windows and times that are a thousandfold."""
    text, facts, times, windows = sample(language, seed)
    if language == "lars":
        text, facts = random_rules(Random(seed)), _INTERVAL.sub(r"@\1", facts)
    larger = [time * 1000 for time in times]
    expected = answers(language, windows(text, thousands), facts_times(facts, 1000), at=larger)
    fine = windows(text, seconds)
    found = answers(language, fine, facts, at=larger, precision="ms", time_unit="s")
    assert found == expected
