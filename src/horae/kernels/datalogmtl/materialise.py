"""Batch: all facts at once, to the fixpoint. The whole language, on a finite set of facts."""

from __future__ import annotations

from fractions import Fraction

from horae.analysis.datalogmtl.delays import Infeasible, find_delays
from horae.kernels.datalogmtl.endless import Guard
from horae.kernels.datalogmtl.fixpoint import Clip, Relations, Watch, Within, no_watch, saturate
from horae.kernels.datalogmtl.rules import Executable, positive_atoms
from horae.kernels.datalogmtl.symbols import Symbols
from horae.kernels.datalogmtl.time import Timeline
from horae.kernels.intervals.cuts import FUTURE, PAST
from horae.languages.datalogmtl.normal import JoinRule, NormalProgram, NormalRule
from horae.languages.rules.terms import Atom, Constant


def materialise(
    normal: NormalProgram,
    held: Relations,
    symbols: Symbols,
    timeline: Timeline,
    horizon: Fraction | None = None,
) -> Relations:
    """Everything that follows from the facts; with a horizon, exact up to that time."""
    rules = [Executable(rule, symbols, timeline) for rule in normal.rules]
    widths = predicate_widths(normal, held)
    end = FUTURE if horizon is None else 2 * timeline.ticks(horizon + look_ahead(normal)) + 1
    result = dict(held)
    for component in normal.components:
        within = _ALL
        watch: Watch = no_watch
        if horizon is None:
            watch = Guard(normal, result, timeline, component).watch
        elif _can_be_endless(normal, component):
            within = (PAST, end)
        saturate(rules, component, result, widths, always(within), watch)
    return result


_ALL = (PAST, FUTURE)


def always(part: Clip) -> Within:
    """The same part for every predicate."""
    return lambda _: part


def _can_be_endless(normal: NormalProgram, component: frozenset[str]) -> bool:
    """Recursion can go on for ever; and what is not behind a horizon is not known there.

    All else is computed to the end of time, because a rule may look ahead without end.
    """
    own = [rule for rule in normal.rules if rule.head.predicate in component]
    negated = any(isinstance(rule, JoinRule) and rule.negative for rule in own)
    recursive = any(a.predicate in component for rule in own for a in positive_atoms(rule))
    return negated or recursive


def look_ahead(normal: NormalProgram) -> Fraction:
    """How far behind a horizon facts can matter for what holds before it."""
    delays = find_delays(normal)
    if not isinstance(delays, Infeasible):
        return max(delays.values(), default=Fraction(0))
    ends = [r.interval.high or Fraction(0) for r in normal.rules if not isinstance(r, JoinRule)]
    return sum(ends, Fraction(0)) * (len(normal.rules) + 1)


def predicate_widths(normal: NormalProgram, held: Relations) -> dict[str, int]:
    widths = {name: rows.width for name, rows in held.items()}
    for rule in normal.rules:
        for atom in atoms_of(rule):
            widths[atom.predicate] = len(atom.arguments)
    return widths


def count_constants(normal: NormalProgram) -> int:
    """Different ones in the rules; they are the first that get codes."""
    terms = (term for rule in normal.rules for atom in atoms_of(rule) for term in atom.arguments)
    return len({(isinstance(t.value, str), t.value) for t in terms if isinstance(t, Constant)})


def atoms_of(rule: NormalRule) -> tuple[Atom, ...]:
    """The head and all atoms of the body."""
    negative = rule.negative if isinstance(rule, JoinRule) else ()
    return (rule.head, *positive_atoms(rule), *negative)
