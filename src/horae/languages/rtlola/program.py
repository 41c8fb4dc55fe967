"""A checked RTLola specification: names resolved, types inferred, paces known. Data only.

Every later floor (analysis, plan, kernels, reference) reads this and never the syntax tree.
Implicit conversions are explicit here: where an `int` meets a `double` stands a `Call("double", …)`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from horae.data.types import Type
from horae.source.text import Source, Span, span_field

StreamValue = bool | int | float | str


# --- expressions


@dataclass(frozen=True, slots=True)
class Constant:
    type: Type
    value: StreamValue
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Parameter:
    """The `index`-th parameter of the template that contains this expression."""

    name: str
    index: int
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Variable:
    """Inside a user-defined aggregation only: a state variable of `owner`, or its argument.

    `owner` is "state" (in `step` and `result`), "argument" (in `step`), "left" and "right" (in
    `combine`), "whole" and "left" (in `inverse`, which yields the right part).
    """

    owner: str
    name: str
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Unary:
    """`-` or `not`."""

    operator: str
    operand: Expression
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Binary:
    """Power `^` or comparison `= != < <= > >=`. Both operands have one type."""

    operator: str
    left: Expression
    right: Expression
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Link:
    """An operator of a chain and its right operand; its span begins with the chain."""

    operator: str
    operand: Expression
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Chain:
    """Operators that group to the left: arithmetic `+ -` or `* / %`, or logic `and` or `or`.

    All operands have the type of the chain. `and` and `or` evaluate an operand only if it matters. A
    chain is one node, however long it is, so that no stage needs more recursion than was written.
    """

    first: Expression
    rest: tuple[Link, ...]
    type: Type
    span: Span = span_field()

    @property
    def logic(self) -> str | None:
        """`and` or `or`; None for arithmetic."""
        operator = self.rest[0].operator
        return operator if operator in ("and", "or") else None

    @property
    def operands(self) -> tuple[Expression, ...]:
        return (self.first, *(link.operand for link in self.rest))

    def is_of_level(self, operator: str) -> bool:
        own = self.rest[0].operator
        return own == operator or any(own in level and operator in level for level in ("+-", "*/%"))


@dataclass(frozen=True, slots=True)
class Branch:
    """What a conditional is where its condition holds and those before do not."""

    condition: Expression
    then: Expression


@dataclass(frozen=True, slots=True)
class Conditional:
    """Only conditions up to the first that holds, and its branch, are evaluated."""

    branches: tuple[Branch, ...]
    otherwise: Expression
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Call:
    """A built-in function or cast: see `functions.py` for the table."""

    function: str
    arguments: tuple[Expression, ...]
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Reference:
    """An input, an output, or an instance of a template (one argument per parameter).

    In the condition of an `Quantified`, and there only, a template may have no arguments: it then means
    the instance under consideration (`every_instance`).
    """

    stream: str
    arguments: tuple[Expression, ...] = ()
    every_instance: bool = False
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Hold:
    """The latest value; without one, `default`, or no value at all where that is None."""

    target: Reference
    default: Expression | None
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Offset:
    """The value `offset` ≠ 0 extensions away in the target's local time, else `default`."""

    target: Reference
    offset: int
    default: Expression
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class TimeOffset:
    """The last value with time ≤ now + `seconds`, else `default`."""

    target: Reference
    seconds: Fraction
    default: Expression
    type: Type
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Window:
    """The aggregate of the target's values with now − seconds ≤ time ≤ now, else `default`."""

    target: Reference
    seconds: Fraction
    aggregation: Aggregation
    default: Expression
    type: Type
    span: Span = span_field()


class Quantifier(StrEnum):
    ANY = "any"
    ALL = "all"
    COUNT = "count"


@dataclass(frozen=True, slots=True)
class Quantified:
    """`any(e)`, `all(e)`, `count(e)` over the active instances of `templates`.

    `condition` is None for `count(s)`, which counts active instances. Several templates (they have
    the same parameter types) mean the parameter values for which all of them are active.
    An instance for which the condition has no value is passed over.
    """

    quantifier: Quantifier
    templates: tuple[str, ...]
    condition: Expression | None
    type: Type
    span: Span = span_field()


Expression = (
    Constant
    | Parameter
    | Variable
    | Unary
    | Binary
    | Chain
    | Conditional
    | Call
    | Hold
    | Offset
    | TimeOffset
    | Window
    | Quantified
)
Access = Hold | Offset | TimeOffset | Window

# --- aggregations


@dataclass(frozen=True, slots=True)
class BuiltinAggregation:
    """A row of the table in `aggregations.py`; `argument` is the v of `count(v)`, typed as the target.

    `percent` is the p of `percentile(p)`, 0 ≤ p ≤ 100.
    """

    name: str
    argument: Expression | None = None
    percent: float | None = None


@dataclass(frozen=True, slots=True)
class StateVariable:
    name: str
    type: Type
    initial: StreamValue


@dataclass(frozen=True, slots=True)
class UserAggregation:
    """State starts at the neutral element; one expression per state variable, in their order."""

    name: str
    argument: str
    argument_type: Type
    state: tuple[StateVariable, ...]
    step: tuple[Expression, ...]
    combine: tuple[Expression, ...]
    inverse: tuple[Expression, ...]  # empty: none
    result: Expression
    type: Type
    span: Span = span_field()


Aggregation = BuiltinAggregation | UserAggregation

# --- paces


@dataclass(frozen=True, slots=True)
class Periodic:
    """A pace: at the multiples of `period` seconds."""

    period: Fraction


@dataclass(frozen=True, slots=True)
class When:
    """Where the condition is true, by the rules for conditions (`docs/languages/rtlola.md`).

    It is considered only where a stream that it reads is extended. There, a bare access to a stream
    that is not extended at this position has no value; `and`, `or`, `not` follow Kleene's logic;
    a condition without a value does not hold.
    """

    condition: Expression


@dataclass(frozen=True, slots=True)
class Follows:
    """Where one of these accesses is to a stream that is extended, or a `Quantified` is evaluated.

    An access with arguments follows the instance that its arguments name at this position.
    """

    accesses: tuple[Access | Quantified, ...]


@dataclass(frozen=True, slots=True)
class Always:
    """A pace: at every position."""


Pace = Periodic | When | Follows | Always

# --- streams


@dataclass(frozen=True, slots=True)
class Input:
    name: str
    type: Type
    is_clock: bool
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Template:
    """The parameters of an output and the life of its instances.

    `invoke` names one stream per parameter; an instance is invoked where all of them are extended.
    An output without parameters has one instance, active from the start unless `invoke` is given
    (then it is active from the first extension of that stream on).
    """

    parameters: tuple[Parameter, ...]
    invoke: tuple[str, ...]
    terminate: Periodic | When | None
    closes_after: bool  # `terminate` reads the instance's own current value: close after it


@dataclass(frozen=True, slots=True)
class Output:
    name: str
    type: Type
    template: Template
    pace: Pace
    expression: Expression
    span: Span = span_field()

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return self.template.parameters


@dataclass(frozen=True, slots=True)
class Trigger:
    """Numbered from 1 in source order; `text` is the condition as written."""

    number: int
    condition: Expression
    message: str | None
    text: str
    pace: Pace
    span: Span = span_field()


Stream = Input | Output
Evaluated = Output | Trigger


@dataclass(frozen=True, slots=True)
class Program:
    """`order` lists the outputs such that each comes after all it needs at the same position.

    `layers[name]` is 0 for a stream that never looks into the future, and one more than the layer
    of what it looks ahead into otherwise.
    """

    source: Source
    inputs: tuple[Input, ...]
    outputs: tuple[Output, ...]
    triggers: tuple[Trigger, ...]
    order: tuple[str, ...]
    layers: dict[str, int]
    frequency: Fraction | None = None  # the period of the `frequency` header
    ticks: tuple[Fraction, ...] = ()  # periods of streams elsewhere: positions here too

    def stream(self, name: str) -> Stream:
        streams: tuple[Stream, ...] = (*self.inputs, *self.outputs)
        return next(s for s in streams if s.name == name)

    def output(self, name: str) -> Output:
        return next(s for s in self.outputs if s.name == name)

    @property
    def clock(self) -> Input | None:
        return next((s for s in self.inputs if s.is_clock), None)


TRIGGERS = "trigger"
"""All triggers, where outputs are named; it is a keyword, so no output is called that."""


def answered(program: Program, only: Sequence[str] | None) -> Program:
    """With the outputs and triggers alone that are asked for; None: all."""
    if only is None:
        return program
    outputs = tuple(output for output in program.outputs if output.name in only)
    return replace(program, outputs=outputs, triggers=program.triggers if TRIGGERS in only else ())


def children(expression: Expression) -> tuple[Expression, ...]:
    """The direct subexpressions, in the order of the text."""
    match expression:
        case Constant() | Parameter() | Variable():
            return ()
        case Unary(operand=operand):
            return (operand,)
        case Binary(left=left, right=right):
            return (left, right)
        case Chain():
            return expression.operands
        case Conditional(branches=branches, otherwise=otherwise):
            ladder = (part for branch in branches for part in (branch.condition, branch.then))
            return (*ladder, otherwise)
        case Call(arguments=arguments):
            return arguments
        case Hold(target=target, default=default):
            return target.arguments if default is None else (*target.arguments, default)
        case Offset() | TimeOffset():
            return (*expression.target.arguments, expression.default)
        case Window(target=target, aggregation=aggregation, default=default):
            argument = getattr(aggregation, "argument", None)
            extra = () if argument is None or isinstance(argument, str) else (argument,)
            return (*target.arguments, *extra, default)
        case Quantified(condition=condition):
            return () if condition is None else (condition,)


def walk(expression: Expression) -> Iterator[Expression]:
    """The expression and all below it, in the order of the text."""
    yield expression
    for child in children(expression):
        yield from walk(child)


def accesses(expression: Expression) -> Iterator[Access]:
    """Every access to a stream in the expression."""
    for node in walk(expression):
        if isinstance(node, Hold | Offset | TimeOffset | Window):
            yield node
