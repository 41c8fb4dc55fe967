"""What is kept, how far is looked, and what a predicate waits for, in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import inf

from horae.engine.report.bounds import Bounded, Unbounded
from horae.engine.report.units import counted
from horae.languages.lars.analysis.memory import Kept, Newest
from horae.rules.print_atom import print_atom
from horae.rules.terms import Atom, Variable

NO_BOUND = "no bound"


def kept_in_words(kept: Kept) -> str:
    """`the atoms of the last 10 time points, and the last 3 atoms per value of (X)`."""
    if isinstance(kept.points, Unbounded):
        return "all atoms"
    points = [_last_points(kept.points)] if kept.points.n else []
    *others, last = [*points, *map(_newest, kept.newest)] or ["nothing"]
    return f"{', '.join(others)}, and {last}" if others else last


def kept_in_short(kept: Kept) -> str:
    """What is kept, for a cell: `10 time points, 3 atoms per (X)`."""
    if isinstance(kept.points, Unbounded):
        return NO_BOUND
    parts = [counted(kept.points.n, "time point")] if kept.points.n else []
    return ", ".join([*parts, *(_newest_in_short(newest) for newest in kept.newest)])


def distance(end: float) -> str:
    """How far the end of a range is from now; nothing for now itself."""
    amount = abs(end)
    return NO_BOUND if amount == inf else f"{int(amount):,}" if amount else ""


def listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _last_points(points: Bounded) -> str:
    if points.n == 1:
        return "the atoms of the last time point"
    return f"the atoms of the last {counted(points.n, 'time point')}"


def _newest(newest: Newest) -> str:
    last = "the last atom" if newest.count == 1 else f"the last {newest.count:,} atoms"
    if newest.pattern is None:
        return f"{last} of all input"
    among = "" if _is_general(newest.pattern) else f" like `{_print_pattern(newest.pattern)}`"
    return f"{last}{among}{_per(newest, 'per value of')}"


def _newest_in_short(newest: Newest) -> str:
    amount = counted(newest.count, "atom")
    return f"{amount} of all input" if newest.pattern is None else f"{amount}{_per(newest, 'per')}"


def _per(newest: Newest, word: str) -> str:
    return f" {word} ({', '.join(newest.by)})" if newest.by else ""


def _is_general(pattern: Atom) -> bool:
    """It matches all atoms of its predicate: variables, each of them once."""
    return len(set(pattern.variables)) == len(pattern.arguments)


def _print_pattern(pattern: Atom) -> str:
    """A pattern with `_` for what has no name."""
    shown = (
        Variable("_", span=term.span)
        if isinstance(term, Variable) and term.name[0] == "_"
        else term
        for term in pattern.arguments
    )
    return print_atom(replace(pattern, arguments=tuple(shown)))
