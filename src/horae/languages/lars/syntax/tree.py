"""The syntax tree of a LARS program, as written. Data only.

Comparison ignores spans: two trees are equal iff they say the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from horae.data.intervals import Interval
from horae.rules.arithmetic import Comparison, TermExpression
from horae.rules.terms import Atom, Term, Variable
from horae.source.text import Span, span_field

# --- window functions (Def. 2)


@dataclass(frozen=True, slots=True)
class Infinite:
    """`inf`: a window without a bound on that side."""

    span: Span = span_field()


Extent = TermExpression | Infinite
"""A parameter of a window: a number, a variable, or arithmetic on variables that the body binds."""


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """`win[past, future, step]`. Left out: future 0, step 1; `win[+5]` has past 0."""

    past: Extent
    future: Extent
    step: TermExpression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class TupleWindow:
    """`win[#past, future]`. Left out: future 0; `win[#+2]` has past 0."""

    past: TermExpression
    future: TermExpression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class PartitionWindow:
    """`win[tram(ID, _) by ID #1]`: the atoms that match the pattern, one substream per value of `by`.

    The variables of the pattern belong to the window alone: they name columns and are not bound by
    the rule, even where the rule has variables of the same name. An empty `by` (`win[tram(_, _)
    #1]`) is one substream of all atoms that match.
    """

    pattern: Atom
    by: tuple[Variable, ...]
    past: TermExpression
    future: TermExpression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class NamedWindow:
    """`win[session 5]`, `win[f 1, X]`: a window function of the registry (`window_functions.py`)."""

    name: str
    parameters: tuple[TermExpression, ...]
    span: Span = span_field()


WindowFunction = TimeWindow | TupleWindow | PartitionWindow | NamedWindow


class Choice(IntEnum):
    """Which stream a window is cut from."""

    ORIGINAL = 1  # win1: the stream of the whole evaluation, S*
    CURRENT = 2  # win: the window under consideration


# --- formulas (Def. 5)


@dataclass(frozen=True, slots=True)
class Not:
    operand: Formula
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class And:
    """At least two operands; a nested And stays nested where it stood in parentheses."""

    operands: tuple[Formula, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Or:
    """A disjunction of at least two operands."""

    operands: tuple[Formula, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Implies:
    """`a -> b`, to the right: `a -> b -> c` is `a -> (b -> c)`."""

    left: Formula
    right: Formula
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Some:
    """`<> f`, ◇."""

    operand: Formula
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Always:
    """`[] f`, □."""

    operand: Formula
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class At:
    """`@T f`, `@5 f`."""

    time: Term
    operand: Formula
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Window:
    """`win[10] f`."""

    choice: Choice
    function: WindowFunction
    operand: Formula
    span: Span = span_field()


Formula = Atom | Comparison | Not | And | Or | Implies | Some | Always | At | Window


# --- statements


@dataclass(frozen=True, slots=True)
class Rule:
    """`head :- body.` The conjuncts of the body apart. Without a head it is a constraint: `:- body.`

    A rule without a body is one whose head is no plain ground atom: `a or b.`, `@3 a.`
    """

    head: Formula | None
    body: tuple[Formula, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Fact:
    """`tram(a1, p1)@36.`, `up(a)@[3,8].`; without `@` it is background data (`ALWAYS`)."""

    atom: Atom  # ground
    interval: Interval
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Query:
    """`?- rel, gc.`: the predicates whose atoms are wanted; without one, all derived predicates."""

    predicates: tuple[tuple[str, Span], ...]
    span: Span = span_field()


Statement = Rule | Fact | Query


@dataclass(frozen=True, slots=True)
class Tree:
    """`precision` is the size of a time point: durations are whole numbers of them."""

    statements: tuple[Statement, ...]
    has_durations: bool = False
    precision: str = "s"
