"""The keywords of LARS, in lower case; they are written in any case."""

from __future__ import annotations

RESERVED = {"not": "NOT", "and": "AND", "or": "OR", "some": "SOME", "always": "ALWAYS"}
"""What cannot name a predicate, with the kind of token it is."""

WINDOWS = frozenset(("win", "win1"))
"""Keywords before `[` only: `win(X)` is an atom."""

TIME = "at"
"""A keyword before a term only: `at(X,Y)` is an atom."""

INFINITY = frozenset(("inf", "infinity"))

MILLISECONDS = {
    "ms": 1,
    "s": 1000,
    "sec": 1000,
    "m": 60_000,
    "min": 60_000,
    "h": 3_600_000,
    "d": 86_400_000,
}
"""The units of durations."""
