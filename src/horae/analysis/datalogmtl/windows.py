"""How long facts must be remembered: the window w, the granularity, and a window per predicate.

All numbers are computed after the rewriting to normal form (Prop. 6), as the algorithm needs them.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from horae.languages.datalogmtl.intervals import Interval
from horae.languages.datalogmtl.normal import JoinRule, Link, NormalProgram, NormalRule, Step
from horae.languages.datalogmtl.tree import BinaryOperator, Operator


@dataclass(frozen=True, slots=True)
class Memory:
    """What must be kept of a predicate after a time point has been decided.

    `reach` is how far rules look back at it (None: only the same time). `history`: a ◇⁻[a,∞) asks
    whether it ever held (the set H of the paper). `since`: an unbounded Since must carry it as long
    as it goes on.
    """

    reach: Fraction | None = None
    history: bool = False
    since: bool = False


@dataclass(frozen=True, slots=True)
class Horizons:
    """`w` is the greatest number in an interval, `granularity` the least length of one (None:
    none).
    """

    w: Fraction
    granularity: Fraction | None
    memory: dict[str, Memory]


def find_windows(normal: NormalProgram) -> Horizons:
    intervals = [r.interval for r in normal.rules if not isinstance(r, JoinRule)]
    ends = [end for i in intervals for end in (i.low, i.high) if end is not None]
    lengths = [length for i in intervals if (length := i.length) is not None]
    memory: dict[str, Memory] = {}
    for rule in normal.rules:
        for predicate, needed in _needs(rule):
            memory[predicate] = _both(memory.get(predicate, Memory()), needed)
    return Horizons(max(ends, default=Fraction(0)), min(lengths, default=None), memory)


def _needs(rule: NormalRule) -> list[tuple[str, Memory]]:
    match rule:
        case Step(operator=Operator.DIAMOND_MINUS, interval=interval, body=body):
            return [(body.predicate, _looking_back(interval, history=interval.high is None))]
        case Step(operator=Operator.BOX_MINUS, interval=interval, body=body):
            return [(body.predicate, _looking_back(interval))]
        case Link(operator=BinaryOperator.SINCE, interval=interval, left=left, right=right):
            needed = _looking_back(interval, since=interval.high is None)
            return [(left.predicate, needed), (right.predicate, needed)]
        case _:
            return []


def _looking_back(interval: Interval, *, history: bool = False, since: bool = False) -> Memory:
    end = interval.high if interval.high is not None else interval.low
    return Memory(end, history, since)


def _both(a: Memory, b: Memory) -> Memory:
    reaches = [r for r in (a.reach, b.reach) if r is not None]
    return Memory(max(reaches, default=None), a.history or b.history, a.since or b.since)
