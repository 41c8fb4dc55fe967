"""Rules in the form of the fast path: a head atom, lookups of atoms, and comparisons. Data only.

[not] [@T] [win[…]] [<> | [] | @T2] atom
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from horae.languages.lars.syntax.tree import Rule, WindowFunction
from horae.rules.arithmetic import Comparison
from horae.rules.terms import Atom, Term, Variable
from horae.source.text import Span, span_field


class Modality(Enum):
    """Where in the window the atom must hold."""

    HERE = auto()  # at the reference time
    SOME = auto()
    ALWAYS = auto()
    AT = auto()  # at the time point `when`


@dataclass(frozen=True, slots=True)
class StreamPart:
    """The part of the stream that a lookup sees. Without a window it is all of it.

    `reference` None: the window is around the evaluation time.
    """

    reference: Term | None
    window: WindowFunction | None


@dataclass(frozen=True, slots=True)
class Lookup:
    place: StreamPart
    modality: Modality
    when: Term | None  # of AT
    atom: Atom
    negated: bool
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Inside:
    """`when` is a time point of the window: what is left of `win[…] @T not a` beside the negation."""

    place: StreamPart
    when: Term
    span: Span = span_field()


BodyLiteral = Lookup | Inside | Comparison


@dataclass(frozen=True, slots=True)
class FastRule:
    """`when` None: the head holds at the evaluation time, else at the time point `when`.

    `times` are the variables behind `@`: an instance gives them time points.
    """

    head: Atom
    when: Term | None
    body: tuple[BodyLiteral, ...]
    times: frozenset[str]
    of: Rule

    @property
    def lookups(self) -> tuple[Lookup, ...]:
        return tuple(literal for literal in self.body if isinstance(literal, Lookup))


@dataclass(frozen=True, slots=True)
class Excluded:
    """Why a rule is not in this form: the construct and its place."""

    construct: str
    span: Span


def time_variables(terms: tuple[Term | None, ...]) -> frozenset[str]:
    return frozenset(term.name for term in terms if isinstance(term, Variable))
