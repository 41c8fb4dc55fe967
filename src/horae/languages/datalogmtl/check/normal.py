"""The normal form of a DatalogMTL program (Prop. 6): what kernels and the analysis work on. Data
only.

Every rule is a *step* (one operator applied to one atom) or a *join* (a conjunction of atoms, some
negated). Predicates that the rewriting adds start with `~`; they carry the variables of the
subformula they name.
"""

from __future__ import annotations

from dataclasses import dataclass

from horae.data.intervals import Interval
from horae.languages.datalogmtl.program import Program
from horae.languages.datalogmtl.syntax.tree import BinaryOperator, Fact, Operator, Rule
from horae.rules.terms import Atom


@dataclass(frozen=True, slots=True)
class Step:
    """`head :- operator body`; `of` is the rule as written that it comes from."""

    head: Atom
    operator: Operator
    interval: Interval
    body: Atom
    of: Rule


@dataclass(frozen=True, slots=True)
class Link:
    """`head :- left Since right` (or Until)."""

    head: Atom
    operator: BinaryOperator
    interval: Interval
    left: Atom
    right: Atom
    of: Rule


@dataclass(frozen=True, slots=True)
class JoinRule:
    """`head :- positive, …, not negative, …`, all at the same time."""

    head: Atom
    positive: tuple[Atom, ...]
    negative: tuple[Atom, ...]
    of: Rule


NormalRule = Step | Link | JoinRule


@dataclass(frozen=True, slots=True)
class NormalProgram:
    """`components`: strongly connected predicates, in an order of evaluation; negation looks back
    only.
    """

    program: Program
    rules: tuple[NormalRule, ...]
    facts: tuple[Fact, ...]
    components: tuple[frozenset[str], ...]
