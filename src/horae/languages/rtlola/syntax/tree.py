"""The syntax tree of an RTLola specification, as written. Data only.

Spans do not take part in comparison: two trees are equal iff they say the same.
Names are not resolved here: `Name("x")` may be an input, an output or a parameter, and
`Apply("f", …)` a function, a cast, an instance of a template, or an operator over instances.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from horae.data.types import Type
from horae.source.text import Span, span_field

# --- expressions


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant; its Python type (`bool`, `int`, `float`, `str`) is its type."""

    type: Type
    value: bool | int | float | str
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Name:
    name: str
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Field:
    """`left.total`: a state variable inside a user-defined aggregation."""

    owner: str
    name: str
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Apply:
    """`name(arguments)`."""

    name: str
    arguments: tuple[Expression, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Unary:
    """`-` or `not`."""

    operator: str
    operand: Expression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Binary:
    """One of `= != < <= > >= ^`; other spellings are folded into these."""

    operator: str
    left: Expression
    right: Expression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Link:
    """`+ operand` in a chain; its span begins with the chain."""

    operator: str
    operand: Expression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Chain:
    """Operators of one level, which group to the left: `+ -`, `* / %`, `and`, or `or`.

    However long it is, it is one node: nothing below it is nested deeper than it was written.
    """

    first: Expression
    rest: tuple[Link, ...]
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Branch:
    """`if condition then then`; its span ends with the whole conditional."""

    condition: Expression
    then: Expression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Conditional:
    """`if … then … else if … then … else …`, one node for the whole ladder."""

    branches: tuple[Branch, ...]
    otherwise: Expression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class DurationLiteral:
    """`10 s`: exact seconds, and the text that was written (`10s`)."""

    seconds: Fraction
    text: str = field(compare=False)
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Rate:
    """`2Hz`, `0.1 Hz` or `10s`: the exact period in seconds, and the text that was written."""

    period: Fraction
    text: str = field(compare=False)
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Offset:
    """`target[offset, default]` in the target's local time."""

    target: Name | Apply
    offset: int
    default: Expression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class TimeOffset:
    """`target[duration, default]`; the duration may be negative."""

    target: Name | Apply
    offset: DurationLiteral
    default: Expression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class AggregationUse:
    """`avg`, `count(v)`, `percentile(90)`, or the name of a user-defined aggregation."""

    name: str
    argument: Expression | None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Window:
    """`target[duration, default, aggregation]`, in either order of the last two."""

    target: Name | Apply
    duration: DurationLiteral
    default: Expression
    aggregation: AggregationUse
    span: Span = span_field()


Expression = (
    Literal
    | Name
    | Field
    | Apply
    | Unary
    | Binary
    | Chain
    | Conditional
    | Offset
    | TimeOffset
    | Window
)

CHAINED = (frozenset("+-"), frozenset("*/%"), frozenset(("and",)), frozenset(("or",)))
"""The operators that one chain can have."""


def is_chained(operator: str) -> bool:
    return any(operator in level for level in CHAINED)


def continues(chain: Chain, operator: str) -> bool:
    """Whether the operator is of the level of the chain."""
    return any(operator in level and chain.rest[0].operator in level for level in CHAINED)


# --- declarations


@dataclass(frozen=True, slots=True)
class TypeName:
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Frequency:
    rate: Rate
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Declared:
    """A name with its type: an input, a parameter, the argument of an aggregation."""

    name: Name
    type: TypeName
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Input:
    """`input int a, b` or, with `is_clock`, `timeinput double ts`."""

    streams: tuple[Declared, ...]
    is_clock: bool
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Output:
    name: Name
    type: TypeName | None
    parameters: tuple[Declared, ...]
    invoke: tuple[Name, ...]  # empty: invoked from the start
    extend: Expression | Rate | None
    terminate: Expression | Rate | None
    expression: Expression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Trigger:
    """`trigger c1, c2 "message"`: each condition is a trigger of its own; they share the message."""

    conditions: tuple[Expression, ...]
    message: str | None
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class StateVariable:
    name: Name
    type: TypeName
    initial: Expression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Assignment:
    name: Name
    expression: Expression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Aggregation:
    """A user-defined aggregation: see `docs/languages/rtlola.md`, "Your own aggregations"."""

    name: Name
    argument: Declared
    result_type: TypeName
    state: tuple[StateVariable, ...]
    step: tuple[Assignment, ...]
    combine: tuple[Assignment, ...]
    inverse: tuple[Assignment, ...]  # empty: no inverse
    result: Expression
    span: Span = span_field()


Declaration = Frequency | Input | Output | Trigger | Aggregation


@dataclass(frozen=True, slots=True)
class Specification:
    declarations: tuple[Declaration, ...]
