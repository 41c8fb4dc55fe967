"""How long facts must be remembered: the window w, the granularity, and a window per predicate.

All numbers are computed after the rewriting to normal form (Prop. 6), as the algorithm needs them.
Where rules look ahead, a stream decides some predicates later than others, each by its delay: what
they read is kept so much longer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import assert_never

from horae.data.intervals import Interval
from horae.languages.datalogmtl.check.normal import JoinRule, Link, NormalProgram, NormalRule, Step
from horae.languages.datalogmtl.syntax.tree import BinaryOperator, Operator
from horae.rules.terms import Atom


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


Lag = Callable[[Atom], Fraction]
"""How much later the head of a rule is decided than an atom of its body."""

_NO_DELAYS: Mapping[str, Fraction] = MappingProxyType({})


def find_windows(normal: NormalProgram, delays: Mapping[str, Fraction] = _NO_DELAYS) -> Horizons:
    """`delays` tells how long after a time point a predicate is decided there, if not at once."""
    intervals = [r.interval for r in normal.rules if not isinstance(r, JoinRule)]
    ends = [end for i in intervals for end in (i.low, i.high) if end is not None]
    lengths = [length for i in intervals if (length := i.length) is not None]
    memory: dict[str, Memory] = {}
    for rule in normal.rules:
        for predicate, needed in _needs(rule, _lag(rule, delays)):
            memory[predicate] = _both(memory.get(predicate, Memory()), needed)
    return Horizons(max(ends, default=Fraction(0)), min(lengths, default=None), memory)


def _lag(rule: NormalRule, delays: Mapping[str, Fraction]) -> Lag:
    head = delays.get(rule.head.predicate, Fraction(0))
    return lambda atom: head - delays.get(atom.predicate, Fraction(0))


def _needs(rule: NormalRule, lag: Lag) -> list[tuple[str, Memory]]:
    match rule:
        case Step(operator=Operator.DIAMOND_MINUS, interval=interval, body=body):
            needed = _looking_back(interval, lag(body), history=interval.high is None)
            return [(body.predicate, needed)]
        case Step(operator=Operator.BOX_MINUS, interval=interval, body=body):
            return [(body.predicate, _looking_back(interval, lag(body)))]
        case Step(interval=interval, body=body):
            return _waiting((body,), lag, ahead=interval.low or Fraction(0))
        case Link(operator=BinaryOperator.SINCE, interval=interval, left=left, right=right):
            return [
                (a.predicate, _looking_back(interval, lag(a), since=interval.high is None))
                for a in (left, right)
            ]
        case Link(left=left, right=right):
            return _waiting((left, right), lag)
        case JoinRule(positive=positive, negative=negative):
            return _waiting((*positive, *negative), lag)
        case _:
            assert_never(rule)


def _looking_back(
    interval: Interval, lag: Fraction, *, history: bool = False, since: bool = False
) -> Memory:
    end = interval.high if interval.high is not None else interval.low
    return Memory((end or Fraction(0)) + lag, history, since)


def _waiting(
    atoms: tuple[Atom, ...], lag: Lag, ahead: Fraction = Fraction(0)
) -> list[tuple[str, Memory]]:
    """Decided, but not yet used: the head looks at the same time, or at least `ahead` of it."""
    return [(atom.predicate, Memory(lag(atom) - ahead)) for atom in atoms if lag(atom)]


def _both(a: Memory, b: Memory) -> Memory:
    reaches = [r for r in (a.reach, b.reach) if r is not None]
    return Memory(max(reaches, default=None), a.history or b.history, a.since or b.since)
