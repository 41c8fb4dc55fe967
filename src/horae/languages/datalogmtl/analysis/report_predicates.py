"""One row per predicate: what is kept of it, and how long it waits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, assert_never

from horae.languages.datalogmtl.analysis.delays import Infeasible
from horae.languages.datalogmtl.analysis.windows import Memory
from horae.languages.datalogmtl.check.normal import JoinRule, Link, NormalProgram, NormalRule, Step
from horae.languages.datalogmtl.check.normalise import body_atoms
from horae.languages.datalogmtl.syntax.print_statement import print_interval
from horae.rules.print_atom import print_atom
from horae.rules.terms import Atom

if TYPE_CHECKING:
    from horae.languages.datalogmtl.report import DatalogMTLReport


@dataclass(frozen=True, slots=True)
class PredicateRow:
    """`delay` is None if no wait is long enough. `stands_for`: what a predicate of the normal form
    names.
    """

    name: str
    arity: int
    kind: str
    memory: Memory
    delay: Fraction | None
    stands_for: str


def list_predicates(report: DatalogMTLReport) -> Iterator[PredicateRow]:
    """Inputs and derived predicates as the text names them first, then those of the normal form."""
    normal = report.normal
    bodies: dict[str, list[str]] = {}
    for rule in normal.rules:
        if is_fresh(rule.head.predicate):
            bodies.setdefault(rule.head.predicate, []).append(print_body(rule))
    for name, arity in _arities(normal).items():
        kind = _kind(normal, name)
        memory = report.horizons.memory.get(name, Memory())
        stands_for = " or ".join(bodies.get(name, ()))
        yield PredicateRow(name, arity, kind, memory, _delay(report, name, kind), stands_for)


def _delay(report: DatalogMTLReport, name: str, kind: str) -> Fraction | None:
    """Input is known at its time; where the rules wait for ever, all that they derive may."""
    if kind == "input":
        return Fraction(0)
    found = report.delays
    return None if isinstance(found, Infeasible) else found.get(name, Fraction(0))


def is_fresh(predicate: str) -> bool:
    return predicate.startswith("~")


def _arities(normal: NormalProgram) -> dict[str, int]:
    atoms: list[Atom] = [a for r in normal.rules for a in (r.head, *body_atoms(r))]
    fresh = {a.predicate: len(a.arguments) for a in atoms if is_fresh(a.predicate)}
    return normal.program.arities | dict(sorted(fresh.items(), key=lambda pair: int(pair[0][1:])))


def _kind(normal: NormalProgram, name: str) -> str:
    if is_fresh(name):
        return "normal form"
    return "derived" if name in normal.program.derived else "input"


def print_body(rule: NormalRule) -> str:
    match rule:
        case Step(operator=operator, interval=interval, body=body):
            return f"{operator}{print_interval(interval)} {print_atom(body)}"
        case Link(operator=binary, interval=interval, left=left, right=right):
            return f"{print_atom(left)} {binary}{print_interval(interval)} {print_atom(right)}"
        case JoinRule(positive=positive, negative=negative):
            held = [print_atom(atom) for atom in positive]
            return ", ".join([*held, *(f"not {print_atom(atom)}" for atom in negative)])
        case _:
            assert_never(rule)
