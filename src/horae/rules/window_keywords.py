"""Keywords of rules with windows, in lower case; they are written in any case.

What prints such rules calls no predicate and no variable so.
"""

from __future__ import annotations

RESERVED = {"not": "NOT", "and": "AND", "or": "OR", "some": "SOME", "always": "ALWAYS"}
"""What cannot name a predicate, with the kind of token it is."""

WINDOWS = frozenset(("win", "win1"))
"""Keywords before `[` only: `win(X)` is an atom."""

TIME = "at"
"""A keyword before a term only: `at(X,Y)` is an atom."""

INFINITY = frozenset(("inf", "infinity"))
