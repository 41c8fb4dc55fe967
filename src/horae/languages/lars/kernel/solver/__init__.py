"""The solver path of LARS: any program, grounded and solved by clingo, one time after the other."""

from __future__ import annotations

from horae.languages.lars.kernel.solver.search import Taken
from horae.languages.lars.kernel.solver.solver import AnswerSet, AnswerSets, Solver

__all__ = ["AnswerSet", "AnswerSets", "Solver", "Taken"]
