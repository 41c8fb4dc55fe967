"""Finding a timeline that is wide enough, and the answers on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from math import gcd, lcm

from horae.data.constants import Value
from horae.data.intervals import Interval
from horae.languages.datalogmtl.program import Program, atoms
from horae.languages.datalogmtl.syntax.tree import Binary, Formula, Modal, Rule
from horae.reference.datalogmtl.fixpoint import Bounds, Setting, TooNarrowError, complete
from horae.reference.datalogmtl.formulas import GroundAtom, Truth
from horae.reference.datalogmtl.regions import Timeline
from horae.rules.terms import Atom, Constant

GroundFact = tuple[str, Sequence[Value], Interval]

_MOST_REGIONS = 3000
_MOST_WIDER = 8
_ATTEMPTS = 4
_FAR = 6


class EndlessError(Exception):
    """The facts that follow reach ever further along the timeline, or too far for this evaluation."""


@dataclass(frozen=True)
class Solution:
    timeline: Timeline
    truth: Truth


@dataclass(frozen=True)
class Problem:
    """A program with its data; `step` divides all numbers, `low` and `high` enclose all times."""

    program: Program
    facts: tuple[GroundFact, ...]
    step: Fraction
    low: int
    high: int
    reach: int
    domain: tuple[Value, ...]


def solve(program: Program, facts: Iterable[GroundFact], horizon: Fraction | None) -> Solution:
    """Where each ground atom holds; what lies behind the horizon is cut off."""
    problem = _pose(program, facts, horizon)
    if horizon is None:
        return _exactly(problem)
    return _clip(_up_to(problem, horizon), horizon)


def _exactly(problem: Problem) -> Solution:
    timeline, bounds = _widen(problem, None)
    return Solution(timeline, bounds.lower)


def _up_to(problem: Problem, horizon: Fraction) -> Solution:
    """What looks back only is settled by the time before the horizon alone, the rest by some more."""
    found = _ignoring(problem, horizon, ahead=0)
    if found is not None:
        return found
    try:
        return _exactly(problem)
    except EndlessError:
        for attempt in range(_ATTEMPTS):
            found = _ignoring(problem, horizon, ahead=problem.reach << attempt)
            if found is not None:
                return found
        raise EndlessError(f"answers up to {horizon} depend on an endless future") from None


def enclose(
    program: Program, facts: Iterable[GroundFact], times: Sequence[Fraction]
) -> Iterator[tuple[Solution, Solution]]:
    """What certainly and what possibly holds at some times, whatever lies far from them and the data.

    Nothing is assumed about derived atoms before some time, behind some time, or both: each pair is
    right by itself. Where derivations do not stop at a side that is not cut off, there is no pair.
    """
    problem = _pose(program, facts, min(times))
    low = min(problem.low, int(min(times) // problem.step))
    high = max(problem.high, -int(-max(times) // problem.step))
    problem = replace(problem, low=low, high=high)
    margin = max(_FAR * problem.reach, 2 * (high - low))
    for first, last in ((None, high + margin), (low - margin, None), (low - margin, high + margin)):
        try:
            timeline, bounds = _widen(problem, last, first)
        except EndlessError:
            continue
        yield Solution(timeline, bounds.lower), Solution(timeline, bounds.upper)


def _ignoring(problem: Problem, horizon: Fraction, ahead: int) -> Solution | None:
    """Nothing is assumed about derived atoms from some time behind the horizon on.

    That is a solution if it makes no difference up to the horizon.
    """
    timeline, bounds = _widen(problem, int(horizon / problem.step) + ahead)
    known = timeline.mask(Interval(None, horizon))
    agree = _agree(problem.program, bounds, known)
    return Solution(timeline, bounds.lower) if agree else None


def _agree(program: Program, bounds: Bounds, known: int) -> bool:
    return all(
        mask & known == bounds.lower.get(atom, 0) & known
        for atom, mask in bounds.upper.items()
        if atom[0] in program.queries
    )


def _clip(solution: Solution, horizon: Fraction) -> Solution:
    known = solution.timeline.mask(Interval(None, horizon))
    return Solution(solution.timeline, {a: mask & known for a, mask in solution.truth.items()})


def _widen(
    problem: Problem, bound: int | None, first: int | None = None
) -> tuple[Timeline, Bounds]:
    """Wider and wider timelines, until one is wide enough.

    Behind the bound nothing is derived, nor before the `first` time.
    """
    low = problem.low if first is None else min(first, problem.low)
    high = problem.high if bound is None else max(bound, problem.high)
    left = right = 2 * problem.reach
    most = max(_MOST_REGIONS, _MOST_WIDER * 2 * (high - low + left + right))
    while True:
        timeline = Timeline(problem.step, low - left, high + right, problem.reach)
        if timeline.last > most:
            raise EndlessError(_explain(timeline, bound))
        try:
            setting = _setting(problem, timeline, bound, first)
            return timeline, complete(setting, _place(problem, timeline))
        except TooNarrowError as error:
            left, right = left << error.left, right << error.right


def _setting(problem: Problem, timeline: Timeline, bound: int | None, first: int | None) -> Setting:
    start = None if first is None else first * problem.step
    end = None if bound is None else bound * problem.step
    inside = timeline.mask(Interval(start, end))
    return Setting(problem.program, timeline, problem.domain, inside)


def _explain(timeline: Timeline, bound: int | None) -> str:
    start, end = timeline.low * timeline.step, timeline.high * timeline.step
    advice = "; a horizon would bound them" if bound is None else " towards the past"
    return f"facts go on to be derived beyond the range from {start} to {end}{advice}"


def _place(problem: Problem, timeline: Timeline) -> Truth:
    truth: dict[GroundAtom, int] = {}
    for predicate, arguments, interval in problem.facts:
        atom = (predicate, tuple(arguments))
        truth[atom] = truth.get(atom, 0) | timeline.mask(interval)
    return truth


def _pose(program: Program, facts: Iterable[GroundFact], horizon: Fraction | None) -> Problem:
    written = [(f.atom.predicate, _constants(f.atom), f.interval) for f in program.facts]
    data = tuple(fact for fact in [*written, *facts] if not fact[2].is_empty)
    times = [time for *_, interval in data for time in _ends(interval)]
    times += [] if horizon is None else [horizon]
    lengths = [end for rule in program.rules for end in _numbers(rule)]
    step = _greatest_divisor([*times, *lengths])
    return Problem(
        program,
        data,
        step,
        low=int(min(times, default=Fraction(0)) / step),
        high=int(max(times, default=Fraction(0)) / step),
        reach=int(max((sum(_numbers(rule)) for rule in program.rules), default=0) / step),
        domain=_domain(program, data),
    )


def _domain(program: Program, data: Iterable[GroundFact]) -> tuple[Value, ...]:
    """Never empty: a variable that nothing binds still has a value."""
    values = dict.fromkeys([*_mentioned(program), *(value for fact in data for value in fact[1])])
    return tuple(values) or ("",)


def _mentioned(program: Program) -> Iterator[Value]:
    for rule in program.rules:
        yield from _constants(rule.head.atom)
        for literal in rule.body:
            for atom in atoms(literal.formula):
                yield from _constants(atom)


def _constants(atom: Atom) -> tuple[Value, ...]:
    return tuple(term.value for term in atom.arguments if isinstance(term, Constant))


def _numbers(rule: Rule) -> Iterator[Fraction]:
    """The ends of all intervals of a rule. Their sum bounds how far the rule can look or write."""
    for _, interval in rule.head.boxes:
        yield from _ends(interval)
    for literal in rule.body:
        yield from _numbers_of(literal.formula)


def _numbers_of(formula: Formula) -> Iterator[Fraction]:
    match formula:
        case Atom():
            pass
        case Modal(interval=interval, operand=operand):
            yield from _ends(interval)
            yield from _numbers_of(operand)
        case Binary(interval=interval, left=left, right=right):
            yield from _ends(interval)
            yield from _numbers_of(left)
            yield from _numbers_of(right)


def _ends(interval: Interval) -> Iterator[Fraction]:
    yield from (end for end in (interval.low, interval.high) if end is not None)


def _greatest_divisor(numbers: Sequence[Fraction]) -> Fraction:
    """The largest step of which all numbers are multiples; 1 if all are 0."""
    denominator = lcm(*(number.denominator for number in numbers))
    numerator = reduce(gcd, (int(number * denominator) for number in numbers), 0)
    return Fraction(numerator or denominator, denominator)
