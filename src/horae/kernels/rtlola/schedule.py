"""The order of steps at one position: lives of families, values of streams, operators over instances.

Lives come as early as what they read allows, because a stream may read the past of one that has its turn
later: then it must find out whether that instance still lives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from horae.kernels.rtlola.extension import write_output
from horae.kernels.rtlola.families import Family
from horae.kernels.rtlola.lives import write_life, write_verdicts
from horae.kernels.rtlola.model import OverUse
from horae.kernels.rtlola.paces import reads
from horae.languages.rtlola.program import Expression, Over, When

if TYPE_CHECKING:
    from horae.kernels.rtlola.generator import Generator

_Step = Callable[[], None]


def write_outputs(g: Generator) -> None:
    """Everything between the inputs and the triggers."""
    for step in _steps(g):
        step()


def _steps(g: Generator) -> Iterable[_Step]:
    """By place; at the same place verdicts, operators, lives, and the value."""
    placed: list[tuple[int, int, _Step]] = []
    for family in _families(g):
        placed.append((_verdict_place(g, family), 1, partial(write_verdicts, g, family)))
        placed.append((_life_place(g, family), 3, partial(write_life, g, family)))
    for use in g.overs.settled():
        place, waits = _over_place(g, use)
        placed.append((place, 2 if waits else 0, partial(g.overs.settle, use)))
    for i, name in enumerate(g.program.order):
        if g.computes(name):
            placed.append((i, 4, partial(write_output, g, g.program.output(name))))
    placed.sort(key=lambda entry: entry[:2])
    return [step for _, _, step in placed]


def _families(g: Generator) -> list[Family]:
    return [f for f in g.model.families.values() if any(map(g.computes, f.members))]


def _after(g: Generator, streams: Iterable[str]) -> int:
    """The place behind the last of these streams; inputs and other shards come before."""
    order = g.program.order
    return max((order.index(s) + 1 for s in streams if s in order), default=0)


def _streams_read(expression: Expression) -> list[str]:
    return [
        stream
        for node in reads(expression)
        for stream in (node.templates if isinstance(node, Over) else (node.target.stream,))
    ]


def _life_place(g: Generator, family: Family) -> int:
    needed = list(family.invoke)
    if isinstance(family.terminate, When) and not family.closes_after:
        needed += _streams_read(family.terminate.condition)
    return _after(g, needed)


def _verdict_place(g: Generator, family: Family) -> int:
    """Once the own values and all else that `terminate` reads are known."""
    needed = list(family.members)
    if isinstance(family.terminate, When):
        needed += _streams_read(family.terminate.condition)
    return _after(g, needed)


def _over_place(g: Generator, use: OverUse) -> tuple[int, bool]:
    """Behind the templates, and behind the verdicts on them unless a reader comes before."""
    earliest = _after(g, use.node.templates)
    closing = [g.family(t) for t in use.node.templates if g.family(t).closes_after]
    wanted = max([earliest, *(_verdict_place(g, family) for family in closing)])
    if any(place < wanted for place in _reader_places(g, use)):
        return earliest, False
    return wanted, not any(_ends_by(family, use) for family in closing)


def _reader_places(g: Generator, use: OverUse) -> Iterator[int]:
    """Where an operator must have been settled."""
    for family in _families(g):
        if _ends_by(family, use):
            yield (_verdict_place if family.closes_after else _life_place)(g, family)
    for i, name in enumerate(g.program.order):
        output = g.program.output(name)
        clauses = [output.expression]
        if isinstance(output.pace, When):
            clauses.append(output.pace.condition)
        if any(use.node in reads(clause) for clause in clauses):
            yield i


def _ends_by(family: Family, use: OverUse) -> bool:
    terminate = family.terminate
    return isinstance(terminate, When) and use.node in reads(terminate.condition)
