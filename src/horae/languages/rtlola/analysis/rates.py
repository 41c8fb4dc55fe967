"""The annotation π of the dependency graph: a stream's rate is variable or known.

A known rate is a set of clocks, not just a number: the union of the clocks 2s and 3s ticks four
times in six seconds, and only the periods tell how many ticks can fall into a window.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil, gcd, lcm
from typing import assert_never

from horae.engine.report.units import frequency
from horae.languages.rtlola.program import (
    Always,
    Expression,
    Follows,
    Pace,
    Periodic,
    Program,
    Quantified,
    When,
    accesses,
    walk,
)

# Inclusion and exclusion visits every subset; beyond this many clocks the plain sum is the bound.
_MOST_CLOCKS = 12
_MOST_TICKS = 2000


@dataclass(frozen=True, slots=True)
class VariableRate:
    """The rate of events: nothing is known."""

    def __str__(self) -> str:
        return "var"


@dataclass(frozen=True, slots=True)
class ClockedRate:
    """At most at the ticks of these periods (seconds); none is a multiple of another."""

    periods: tuple[Fraction, ...]

    @property
    def hertz(self) -> Fraction:
        """Distinct tick times per second."""
        if len(self.periods) > _MOST_CLOCKS:
            return sum((1 / p for p in self.periods), Fraction(0))
        return sum(
            (
                (-1) ** (size + 1) / _common_multiple(group)
                for size in range(1, len(self.periods) + 1)
                for group in combinations(self.periods, size)
            ),
            Fraction(0),
        )

    def ticks_within(self, seconds: Fraction) -> int:
        """The most distinct ticks in a span of time, both of its ends included."""
        if self._is_intricate:
            return sum(int(seconds / p) + 1 for p in self.periods)
        return self._most_ticks(seconds, bisect_right)

    def ticks_after(self, seconds: Fraction) -> int:
        """The most distinct ticks in a span of time without its beginning."""
        if self._is_intricate:
            return sum(ceil(seconds / p) for p in self.periods)
        return self._most_ticks(seconds, bisect_left)

    @property
    def _is_intricate(self) -> bool:
        """The pattern of ticks repeats too late to be looked at as a whole."""
        cycle = _common_multiple(self.periods)
        return sum(cycle / p for p in self.periods) > _MOST_TICKS

    def _most_ticks(
        self, seconds: Fraction, count: Callable[[Sequence[Fraction], Fraction], int]
    ) -> int:
        """A span that holds the most begins at a tick; the pattern repeats after `cycle`."""
        cycle = _common_multiple(self.periods)
        whole, rest = divmod(seconds, cycle)
        ticks = sorted({p * k for p in self.periods for k in range(int(2 * cycle / p))})
        starts = bisect_left(ticks, cycle)
        return whole * starts + max(count(ticks, ticks[i] + rest) - i for i in range(starts))

    def __str__(self) -> str:
        return frequency(self.hertz)


StreamRate = VariableRate | ClockedRate
VARIABLE = VariableRate()
_NEVER = ClockedRate(())


def _common_multiple(periods: Iterable[Fraction]) -> Fraction:
    listed = tuple(periods)
    numerator = lcm(*(p.numerator for p in listed))
    return Fraction(numerator, gcd(*(p.denominator for p in listed)))


def clocked(periods: Iterable[Fraction]) -> ClockedRate:
    """The union of clocks; a clock whose ticks another one has too adds nothing."""
    distinct = sorted(set(periods))
    return ClockedRate(
        tuple(p for p in distinct if not any(q < p and (p / q).denominator == 1 for q in distinct))
    )


def union_of_rates(rates: Iterable[StreamRate]) -> StreamRate:
    """The pace of streams taken together: variable as soon as one of them is."""
    periods: list[Fraction] = []
    for rate in rates:
        if isinstance(rate, VariableRate):
            return VARIABLE
        periods.extend(rate.periods)
    return clocked(periods)


def find_rates(program: Program) -> dict[str, StreamRate]:
    """π of every input and output.

    Streams may follow each other in cycles, so this is a least fixed point from "never" on. What
    is still "never" in the end follows nothing that is known and counts as variable.
    """
    rates: dict[str, StreamRate] = {i.name: VARIABLE for i in program.inputs}
    rates |= {o.name: _NEVER for o in program.outputs}
    changed = True
    while changed:
        new = {o.name: _pace_rate(program, o.pace, rates) for o in program.outputs}
        changed = any(rates[name] != rate for name, rate in new.items())
        rates |= new
    return {name: _known(rate) for name, rate in rates.items()}


def known_rate(program: Program, pace: Pace, rates: dict[str, StreamRate]) -> StreamRate:
    """The rate of a trigger, whose pace no stream depends on, from the rates of all streams."""
    return _known(_pace_rate(program, pace, rates))


def _known(rate: StreamRate) -> StreamRate:
    return VARIABLE if rate == _NEVER else rate


def _pace_rate(program: Program, pace: Pace, rates: dict[str, StreamRate]) -> StreamRate:
    """The rate of a pace, given those of the streams it depends on."""
    match pace:
        case Periodic(period=period):
            return clocked((period,))
        case Follows(accesses=followed):
            return union_of_rates(
                rate
                for a in followed
                for rate in (
                    _life_rates(program, a, rates)
                    if isinstance(a, Quantified)
                    else (rates[a.target.stream],)
                )
            )
        case When(condition=condition):
            return _reading_rate(program, condition, rates)
        case Always():
            return VARIABLE
        case _:
            assert_never(pace)


def _reading_rate(
    program: Program, expression: Expression, rates: dict[str, StreamRate]
) -> StreamRate:
    """Where a stream that the expression reads is extended."""
    read: list[StreamRate] = [rates[a.target.stream] for a in accesses(expression)]
    for node in walk(expression):
        if isinstance(node, Quantified):
            read.extend(_life_rates(program, node, rates))
    return union_of_rates(read)


def _life_rates(
    program: Program, over: Quantified, rates: dict[str, StreamRate]
) -> list[StreamRate]:
    """A `Quantified` is evaluated where instances are invoked, extended or terminated."""
    found: list[StreamRate] = []
    for name in over.templates:
        template = program.output(name).template
        found.append(rates[name])
        found.extend(rates[invoking] for invoking in template.invoke)
        match template.terminate:
            case Periodic(period=period):
                found.append(clocked((period,)))
            case When(condition=condition):
                found.append(_reading_rate(program, condition, rates))
            case None:
                pass
            case other:
                assert_never(other)
    return found
