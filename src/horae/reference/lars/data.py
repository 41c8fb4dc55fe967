"""What is given at an evaluation: background data, the data stream, and atoms of earlier evaluations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from horae.data.constants import Value
from horae.data.intervals import ALWAYS, Interval
from horae.languages.lars.check.window_functions import TimedAtom
from horae.languages.lars.program import Program
from horae.reference.lars.arithmetic import order_keys
from horae.reference.lars.spans import Span, is_empty, time_points
from horae.rules.terms import Constant

GroundAtom = tuple[str, tuple[Value, ...]]
GroundFact = tuple[str, Sequence[Value], Interval]


@dataclass(frozen=True)
class Data:
    """`stream`: where each input atom holds. `history`: derived at earlier evaluation times."""

    background: frozenset[GroundAtom]
    stream: tuple[tuple[GroundAtom, Span], ...]
    history: frozenset[TimedAtom] = frozenset()

    def atoms_until(self, last: int) -> list[TimedAtom]:
        """The input atoms by time and, at a time, in the order of ties."""
        found = {
            TimedAtom(time, *atom)
            for atom, (start, end) in self.stream
            for time in range(start, (last if end is None else end) + 1)
        }
        return sorted(found, key=tie_order)

    @property
    def times(self) -> Iterator[int]:
        """Where input atoms begin and cease to hold; those after the last hold for ever."""
        for _, (start, end) in self.stream:
            yield start
            yield start if end is None else end
        yield from (atom.time for atom in self.history)


def tie_order(atom: TimedAtom) -> tuple[object, ...]:
    return atom.time, atom.predicate, order_keys(atom.arguments)


def gather(program: Program, facts: Iterable[GroundFact]) -> Data:
    """The facts of the program and of the input. A fact without a time is background data."""
    background: set[GroundAtom] = set()
    stream: dict[tuple[GroundAtom, Span], None] = {}
    for predicate, arguments, interval in [*_written(program), *facts]:
        atom = (predicate, tuple(arguments))
        span = time_points(interval)
        if interval == ALWAYS:
            background.add(atom)
        elif not is_empty(span):
            stream[atom, span] = None
    return Data(frozenset(background), tuple(stream))


def _written(program: Program) -> Iterator[GroundFact]:
    for fact in program.facts:
        terms = fact.atom.arguments
        values = tuple(term.value for term in terms if isinstance(term, Constant))
        yield fact.atom.predicate, values, fact.interval
