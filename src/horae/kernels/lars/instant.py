"""One evaluation time, with all that is given there. Data only.

The solver and the fast path decide the same question in different ways; this is the question.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from horae.languages.lars.window_functions import TimedAtom
from horae.languages.rules.terms import Value

StaticAtom = tuple[str, tuple[Value, ...]]
"""A predicate and its arguments, true at all times."""


@dataclass(frozen=True)
class Instant:
    """`data` has each atom once, sorted by time and, within a time, in the order of ties.

    `known` has derived atoms that are decided already: those of lower strata, and those of earlier
    evaluations where they stay visible. Windows that choose atoms do not see them.
    """

    time: int
    data: Sequence[TimedAtom]
    background: Collection[StaticAtom] = ()
    known: Collection[TimedAtom] = ()
