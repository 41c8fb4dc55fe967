"""The solver path of LARS: any program, grounded and solved by clingo, one time after the other."""

from __future__ import annotations

from horae.kernels.lars.solver.solver import Solver

__all__ = ["Solver"]
