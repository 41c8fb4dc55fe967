"""The syntax tree of a DatalogMTL program, as written. Data only.

Comparison ignores spans: two trees are equal iff they say the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from horae.data.intervals import Interval
from horae.rules.terms import Atom
from horae.source.text import Span, span_field


class Operator(StrEnum):
    """An operator with one argument."""

    BOX_MINUS = "Boxminus"  # ⊟: always in the past interval
    DIAMOND_MINUS = "Diamondminus"  # ◇⁻: sometime in the past interval
    BOX_PLUS = "Boxplus"  # ⊞
    DIAMOND_PLUS = "Diamondplus"  # ◇⁺


class BinaryOperator(StrEnum):
    SINCE = "Since"
    UNTIL = "Until"


@dataclass(frozen=True, slots=True)
class Modal:
    """`Boxminus[0,5] formula`."""

    operator: Operator
    interval: Interval
    operand: Formula
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Binary:
    """`left Since[0,10] right`: right held some time ago, and left all the time in between."""

    operator: BinaryOperator
    interval: Interval
    left: Formula
    right: Formula
    span: Span = span_field()


Formula = Atom | Modal | Binary


@dataclass(frozen=True, slots=True)
class Literal:
    """A conjunct of a body, possibly negated."""

    formula: Formula
    negated: bool
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Head:
    """`Boxplus[0,10] Boxminus[1,2] monitors(X,Z)`: boxes around an atom, outermost first.

    Only `BOX_PLUS` and `BOX_MINUS` occur.
    """

    boxes: tuple[tuple[Operator, Interval], ...]
    atom: Atom
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Rule:
    head: Head
    body: tuple[Literal, ...]  # never empty
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Fact:
    """`up(a)@[1,5/2)`; without `@` it holds at all times (`ALWAYS`).

    `dated` is the time as it was written, where that was with dates.
    """

    atom: Atom  # ground
    interval: Interval
    dated: str = field(default="", compare=False)
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Query:
    """`?- flags, monitors.`: the predicates whose answers are wanted."""

    predicates: tuple[tuple[str, Span], ...] = field(compare=True)
    span: Span = span_field()


Statement = Rule | Fact | Query


@dataclass(frozen=True, slots=True)
class Tree:
    statements: tuple[Statement, ...]
