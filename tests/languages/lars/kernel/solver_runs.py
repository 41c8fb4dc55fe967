"""Whole programs through the solver alone, with answers in the form of the reference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from horae.data.constants import Value
from horae.data.fact_lines.parse import parse_facts
from horae.data.intervals import ALWAYS, Interval
from horae.languages.lars.check.check import load
from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.kernel.solver import Solver
from horae.languages.lars.kernel.solver.data import SolverData
from horae.languages.lars.kernel.solver.instant import Instant
from horae.languages.lars.program import Program
from horae.rules.terms import Atom, Constant
from horae.source.text import Source


def checked(text: str) -> Program:
    program, found = load(Source("spec.lars", text))
    assert program is not None, [d.message for d in found]
    return program


def solve(text: str, facts: str, time: int, known: Iterable[TimedAtom] = ()) -> list[list[str]]:
    """The answers at a time, each as the list of its atoms, `p(a)` or `p(a)@5` elsewhere."""
    program = checked(text)
    found = Solver(program.rules).answers(instant(program, facts, time, known)).in_order()
    return [[_short(atom, time) for atom in sorted(answer, key=_order)] for answer in found]


def evaluate(
    program: Program, facts: str, *, at: Sequence[int], mode: str = "stateless"
) -> list[dict[str, Any]]:
    """As `horae.reference.lars.evaluate`, for all answers."""
    solver, known, lines = Solver(program.rules), frozenset[TimedAtom](), []
    for time in sorted(set(at)):
        answers = [*solver.answers(instant(program, facts, time, known)).in_order()]
        lines += list(_lines(program, time, answers))
        if mode == "history" and answers:
            known |= answers[0]
    return lines


def ground_facts(facts: str) -> list[tuple[str, tuple[Value, ...], Interval]]:
    """The facts of the input (`facts`), in the form that the reference takes."""
    written, diagnostics = parse_facts(Source("input.facts", facts))
    assert not diagnostics, [d.message for d in diagnostics]
    return [(fact.predicate, fact.arguments, fact.interval) for fact, _ in written]


def instant(program: Program, facts: str, time: int, known: Iterable[TimedAtom] = ()) -> Instant:
    own = [(f.atom.predicate, _values(f.atom), f.interval) for f in program.facts]
    data: set[TimedAtom] = set()
    background: set[tuple[str, tuple[Value, ...]]] = set()
    for predicate, arguments, interval in [*own, *ground_facts(facts)]:
        if interval == ALWAYS:
            background.add((predicate, arguments))
        else:
            data |= {TimedAtom(t, predicate, arguments) for t in _times(interval)}
    return Instant(
        time, SolverData(sorted(data, key=_order), frozenset(background)), frozenset(known)
    )


def _values(atom: Atom) -> tuple[Value, ...]:
    return tuple(term.value for term in atom.arguments if isinstance(term, Constant))


def _times(interval: Interval) -> Iterable[int]:
    assert interval.low is not None
    assert interval.high is not None
    inside = range(max(0, int(interval.low)), int(interval.high) + 1)
    return (t for t in inside if Fraction(t) in interval)


def _order(atom: TimedAtom) -> tuple[Any, ...]:
    return atom.time, atom.predicate, [(isinstance(v, str), v) for v in atom.arguments]


def _short(atom: TimedAtom, time: int) -> str:
    arguments = f"({','.join(map(str, atom.arguments))})" if atom.arguments else ""
    return f"{atom.predicate}{arguments}{'' if atom.time == time else f'@{atom.time}'}"


def _lines(
    program: Program, time: int, answers: Sequence[frozenset[TimedAtom]]
) -> Iterable[dict[str, Any]]:
    if not answers:
        yield {"time": time, "inconsistent": True}
    for number, answer in enumerate(answers, 1):
        for atom in sorted(answer, key=lambda atom: (*_order(atom)[1:], atom.time)):
            if atom.predicate in program.queries:
                yield {
                    "time": time,
                    "at": atom.time,
                    "answer": number,
                    "predicate": atom.predicate,
                    "args": [str(v) if isinstance(v, Fraction) else v for v in atom.arguments],
                }
