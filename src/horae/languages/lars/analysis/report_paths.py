"""Which rule takes which path, and in which order the predicates are derived."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from horae.languages.lars.check.normal import Excluded
from horae.languages.lars.check.paths import Component, Paths
from horae.languages.lars.syntax.tree import Rule

if TYPE_CHECKING:
    from horae.languages.lars.report import LARSReport


@dataclass(frozen=True, slots=True)
class PathRow:
    """`why` is there if the rule goes to the solver."""

    rule: Rule
    why: Excluded | None

    @property
    def path(self) -> str:
        return "fast" if self.why is None else "solver"


@dataclass(frozen=True, slots=True)
class Stratum:
    """Predicates that are derived together; those of the solver are all in the last one.

    `rules` and `constraints` are numbers of statements.
    """

    number: int
    predicates: tuple[str, ...]
    by_solver: bool
    is_recursive: bool
    rules: int
    constraints: int = 0


def list_paths(report: LARSReport) -> Iterator[PathRow]:
    """The rules with their paths, in the order of the program."""
    why = {solved.rule.span: solved.why for solved in report.paths.solved}
    for rule in report.program.rules:
        yield PathRow(rule, why.get(rule.span))


def summarise(paths: Paths) -> str:
    if not paths.solved:
        return "All rules on the fast path" if paths.components else "No rules"
    has_fast = any(component.rules for component in paths.components)
    return "Fast path and solver" if has_fast else "Solver"


def list_strata(report: LARSReport) -> Iterator[Stratum]:
    """The strata in the order of evaluation, numbered from 1."""
    place = {name: number for number, name in enumerate(report.program.arities)}
    components = report.paths.components
    for number, component in enumerate(components, start=1):
        yield _fast(number, component, place)
    solved = report.paths.solved
    if solved:
        names = tuple(sorted(report.paths.decided, key=place.__getitem__))
        constraints = sum(s.rule.head is None for s in solved)
        rules = len(solved) - constraints
        yield Stratum(len(components) + 1, names, True, False, rules, constraints)


def _fast(number: int, component: Component, place: dict[str, int]) -> Stratum:
    names = tuple(sorted(component.predicates, key=place.__getitem__))
    return Stratum(number, names, False, component.is_recursive, len(component.rules))
