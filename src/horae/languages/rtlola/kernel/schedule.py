"""The order of steps at one position: lives of families, values of streams, operators over instances.

Lives come as early as what they read allows, because a stream may read the past of one that has its turn
later: then it must find out whether that instance still lives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from horae.languages.rtlola.kernel.extension import write_output
from horae.languages.rtlola.kernel.families import Family
from horae.languages.rtlola.kernel.lifetimes import write_life, write_verdicts
from horae.languages.rtlola.kernel.model import QuantifiedUse
from horae.languages.rtlola.kernel.paces import reads
from horae.languages.rtlola.program import Expression, Quantified, When

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator

_Step = Callable[[], None]

# The ranks of what comes last at one place.
_LIFE, _VALUE = 10**6, 10**6 + 1


def write_outputs(g: Generator) -> None:
    """Everything between the inputs and the triggers."""
    for step in _steps(g):
        step()


def _steps(g: Generator) -> Iterable[_Step]:
    """By place; at the same place verdicts and operators as they need each other, lives, the value."""
    placed: list[tuple[int, int, _Step]] = []
    ranks = _Ranks(g)
    for family in _families(g):
        verdicts = partial(write_verdicts, g, family)
        placed.append((_verdict_place(g, family), ranks.of_verdict(family, ()), verdicts))
        placed.append((_life_place(g, family), _LIFE, partial(write_life, g, family)))
    for use in g.quantified.settled():
        settle = partial(g.quantified.settle, use)
        placed.append((_over_place(g, use), ranks.of_operator(use, ()), settle))
    for i, name in enumerate(g.program.order):
        if g.computes(name):
            placed.append((i, _VALUE, partial(write_output, g, g.program.output(name))))
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
        for stream in (node.templates if isinstance(node, Quantified) else (node.target.stream,))
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


def _over_place(g: Generator, use: QuantifiedUse) -> int:
    """Behind the templates, and behind the verdicts on them unless a reader comes before."""
    earliest, wanted = _after(g, use.node.templates), _wanted_place(g, use)
    return earliest if _is_read_early(g, use) else wanted


def _wanted_place(g: Generator, use: QuantifiedUse) -> int:
    verdicts = [_verdict_place(g, family) for family in _closing(g, use)]
    return max([_after(g, use.node.templates), *verdicts])


def _is_read_early(g: Generator, use: QuantifiedUse) -> bool:
    wanted = _wanted_place(g, use)
    return any(place < wanted for place in _reader_places(g, use))


def _closing(g: Generator, use: QuantifiedUse) -> list[Family]:
    """The families under an operator that end by verdicts."""
    return [g.family(t) for t in use.node.templates if g.family(t).closes_after]


@dataclass(frozen=True)
class _Ranks:
    """The order of verdicts and operators at one place.

    A verdict comes behind the operators that it reads, an operator behind the verdicts on its templates,
    unless that verdict, or another one on the way, waits for the operator itself.
    """

    g: Generator

    def of_verdict(self, family: Family, waiting: tuple[str, ...]) -> int:
        read = [use for use in self.g.quantified.settled() if _ends_by(family, use)]
        return max((self.of_operator(use, waiting) + 1 for use in read), default=1)

    def of_operator(self, use: QuantifiedUse, waiting: tuple[str, ...]) -> int:
        if use.name in waiting or _is_read_early(self.g, use):
            return 0
        awaited = [f for f in _closing(self.g, use) if not self._needs(f, use.name, ())]
        ranks = [self.of_verdict(family, (*waiting, use.name)) for family in awaited]
        return max((rank + 1 for rank in ranks), default=0)

    def _needs(self, family: Family, operator: str, seen: tuple[str, ...]) -> bool:
        """Whether the verdict on a family is reached through the operator."""
        read = [
            u for u in self.g.quantified.settled() if _ends_by(family, u) and u.name not in seen
        ]
        return any(
            use.name == operator
            or any(self._needs(f, operator, (*seen, use.name)) for f in _closing(self.g, use))
            for use in read
        )


def _reader_places(g: Generator, use: QuantifiedUse) -> Iterator[int]:
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


def _ends_by(family: Family, use: QuantifiedUse) -> bool:
    terminate = family.terminate
    return isinstance(terminate, When) and use.node in reads(terminate.condition)
