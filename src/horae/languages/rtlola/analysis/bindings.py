"""Efficient bindings (§4.2): conditions that name the instances they hold for.

`extend: pid = prod` can hold for one instance only, the one whose parameter equals the new value
of `pid`. A kernel finds it by a lookup instead of asking every instance. Each alternative of the
condition has to bind parameters for that; then only the instances that some alternative names
need to be asked for the whole condition.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from horae.data.types import Type
from horae.languages.rtlola.program import (
    Binary,
    Call,
    Chain,
    Expression,
    Hold,
    Parameter,
    Program,
    Unary,
    Window,
    walk,
)

# A condition in disjunctive form can be exponentially long; nobody writes one that needs more.
_MOST_ALTERNATIVES = 64


@dataclass(frozen=True, slots=True)
class BoundParameter:
    """The parameter with this index equals the fresh value of a stream without parameters."""

    parameter: int
    stream: Hold


@dataclass(frozen=True, slots=True)
class Alternative:
    """A conjunction: `bound` holds with one entry per parameter, `residual` is the rest of it.

    A parameter that is equated twice keeps its first stream; the other equation is residual.
    """

    bound: tuple[BoundParameter, ...]
    residual: tuple[Expression, ...]

    def stream_of(self, parameter: int) -> Hold | None:
        return next((b.stream for b in self.bound if b.parameter == parameter), None)


@dataclass(frozen=True, slots=True)
class ConditionLiteral:
    """A part of a condition without `and`, `or` and `not`, as written, and whether it is to hold."""

    atom: Expression
    positive: bool

    @property
    def expression(self) -> Expression:
        return self.atom if self.positive else _negated(self.atom)


@dataclass(frozen=True, slots=True)
class Binding:
    """The condition holds only for instances that one of the alternatives names.

    Two alternatives can name the same instance. Asking a named instance for `condition`, instead
    of the residuals, also gives the errors that the text as written would give.
    """

    condition: Expression
    parameters: int
    alternatives: tuple[Alternative, ...]

    @property
    def is_complete(self) -> bool:
        """Every alternative names one instance: constant time, however many there are."""
        return all(len(a.bound) == self.parameters for a in self.alternatives)


def binding(
    program: Program, condition: Expression, parameters: tuple[Parameter, ...]
) -> Binding | None:
    """How to find the instances that a condition can hold for; None if all must be asked."""
    alternatives = _alternatives(condition, positive=True)
    if not parameters or alternatives is None:
        return None
    bound = tuple(_bind(program, conjuncts) for conjuncts in alternatives)
    if not all(a.bound for a in bound):
        return None
    return Binding(condition, len(parameters), bound)


def unbound_part(program: Program, condition: Expression) -> tuple[ConditionLiteral, ...]:
    """The first alternative that binds no parameter, as its literals: why there is no binding."""
    alternatives = _alternatives(condition, positive=True) or [
        (ConditionLiteral(condition, positive=True),)
    ]
    return next((c for c in alternatives if not _bind(program, c).bound), ())


def _bind(program: Program, literals: tuple[ConditionLiteral, ...]) -> Alternative:
    """Left to right: what comes after an operand that can fail must not decide if it is run."""
    bound: dict[int, Hold] = {}
    residual: list[Expression] = []
    for conjunct in (literal.expression for literal in literals):
        equation = None if any(map(_can_fail, residual)) else _equation(program, conjunct)
        if equation is None or equation.parameter in bound:
            residual.append(conjunct)
        else:
            bound[equation.parameter] = equation.stream
    return Alternative(
        tuple(BoundParameter(p, s) for p, s in sorted(bound.items())), tuple(residual)
    )


def _equation(program: Program, conjunct: Expression) -> BoundParameter | None:
    """`parameter = stream`, either way round."""
    match conjunct:
        case Binary(operator="=", left=Parameter(index=index), right=Hold() as hold):
            return BoundParameter(index, hold) if _names_one_value(program, hold) else None
        case Binary(operator="=", left=Hold() as hold, right=Parameter(index=index)):
            return BoundParameter(index, hold) if _names_one_value(program, hold) else None
        case _:
            return None


def _names_one_value(program: Program, hold: Hold) -> bool:
    """A bare access to a stream without parameters: the same value for all instances."""
    has_parameters = any(o.name == hold.target.stream and o.parameters for o in program.outputs)
    return hold.default is None and not hold.target.arguments and not has_parameters


_Alternatives = list[tuple[ConditionLiteral, ...]]


def _alternatives(condition: Expression, *, positive: bool) -> _Alternatives | None:
    """Disjunctive form; None if it is too long. Kleene's logic distributes as Boole's does."""
    match condition:
        case Unary(operator="not", operand=operand):
            return _alternatives(operand, positive=not positive)
        case Chain(logic="and" | "or" as operator, operands=(first, *others)):
            found = _alternatives(first, positive=positive)
            for operand in others:
                more = _alternatives(operand, positive=positive)
                found = _combine(found, more, conjunction=(operator == "and") is positive)
            return found
        case _:
            return [(ConditionLiteral(condition, positive),)]


def _combine(
    left: _Alternatives | None, right: _Alternatives | None, *, conjunction: bool
) -> _Alternatives | None:
    if left is None or right is None:
        return None
    combined = [(*a, *b) for a, b in product(left, right)] if conjunction else left + right
    return combined if len(combined) <= _MOST_ALTERNATIVES else None


def _negated(atom: Expression) -> Expression:
    match atom:
        case Binary(operator="=" | "!=" as operator, left=left, right=right, type=type_):
            opposite = "!=" if operator == "=" else "="
            return Binary(opposite, left, right, type_, span=atom.span)
        case _:
            return Unary("not", atom, Type.BOOL, span=atom.span)


_FAILING_OPERATORS = frozenset("/%^")
_FAILING_FUNCTIONS = frozenset(
    ("abs", "sqrt", "exp", "log", "floor", "ceil", "round", "int", "double", "matches")
)


def _can_fail(expression: Expression) -> bool:
    """Whether evaluating it can stop the run; overflow of `int` counts."""
    return any(_fails(node) for node in walk(expression))


def _fails(node: Expression) -> bool:
    match node:
        case Binary(operator=operator):
            return operator in _FAILING_OPERATORS
        case Chain(logic=None, rest=rest, type=type_):
            return type_ is Type.INT or any(link.operator in _FAILING_OPERATORS for link in rest)
        case Unary(operator="-", type=Type.INT):
            return True
        case Window():
            return True
        case Call(function="double", arguments=(argument,)):
            return _fails_to_widen(argument)
        case Call(function=function):
            return function in _FAILING_FUNCTIONS
        case _:
            return False


def _fails_to_widen(argument: Expression) -> bool:
    """The cast to `double` fails on text only."""
    return getattr(argument, "type", None) is Type.STRING


def bound_streams(found: Binding) -> Iterator[tuple[int, str]]:
    """The pairs of parameter and stream, each once, in the order of the parameters."""
    pairs = {(b.parameter, b.stream.target.stream) for a in found.alternatives for b in a.bound}
    yield from sorted(pairs)
