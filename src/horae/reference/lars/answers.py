"""Answers as dictionaries, like the lines of the output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from horae.data.constants import Value
from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.program import Program
from horae.reference.lars.data import tie_order
from horae.reference.lars.moments import Moment

Answer = dict[str, Any]


def list_answers(program: Program, moment: Moment, consequences: str) -> Iterator[Answer]:
    """The answers at a moment, by number, then by predicate, arguments and time point."""
    if not moment.answers:
        yield {"time": moment.time, "inconsistent": True}
        return
    for number, atoms in enumerate(_combine(moment.answers, consequences), start=1):
        for atom in sorted(atoms, key=_reading_order):
            if atom.predicate in program.queries:
                yield _named(moment.time, number, atom)


def _combine(
    answers: Sequence[Sequence[TimedAtom]], consequences: str
) -> Sequence[Sequence[TimedAtom]]:
    match consequences:
        case "all":
            return answers
        case "brave":
            return [sorted(set[TimedAtom]().union(*answers), key=tie_order)]
        case "cautious":
            return [sorted(set(answers[0]).intersection(*answers), key=tie_order)]
        case _:
            raise ValueError(f"consequences are all, brave or cautious, not {consequences}")


def _reading_order(atom: TimedAtom) -> tuple[Any, ...]:
    _, *name = tie_order(atom)
    return (*name, atom.time)


def _named(time: int, number: int, atom: TimedAtom) -> Answer:
    return {
        "time": time,
        "at": atom.time,
        "answer": number,
        "predicate": atom.predicate,
        "args": [_written(value) for value in atom.arguments],
    }


def _written(value: Value) -> str | int:
    return str(value) if isinstance(value, Fraction) else value
