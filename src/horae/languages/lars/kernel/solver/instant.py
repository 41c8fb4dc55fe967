"""One evaluation time, with all that is given there. Data only.

The solver and the fast path decide the same question in different ways; this is the question.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.kernel.solver.data import SolverData


@dataclass(frozen=True)
class Instant:
    """`known` has derived atoms that are decided already: those of lower strata, and those of earlier
    evaluations where they stay visible. Windows that choose atoms do not see them.
    """

    time: int
    data: SolverData
    known: Collection[TimedAtom] = ()
