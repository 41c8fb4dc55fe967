"""What an expression can see while it is checked, and what checking it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from horae.data.types import Type
from horae.languages.rtlola.check.names import DeclaredNames
from horae.languages.rtlola.program import (
    Call,
    Constant,
    Expression,
    Parameter,
    UserAggregation,
    Variable,
)
from horae.source.diagnostic import Diagnostic
from horae.source.text import Span


@dataclass(frozen=True, slots=True)
class Typed:
    """A checked expression. Its type is None after an error, or while it is not inferred yet:

    nothing is reported about it then, and the type that the node carries means nothing.
    """

    node: Expression
    type: Type | None


@dataclass(frozen=True, slots=True)
class Variables:
    """The names that one part of an aggregation can use, as written: `lo`, `left.lo`."""

    part: str
    by_name: Mapping[str, Variable]


@dataclass(frozen=True, slots=True)
class CheckScope:
    """`report` collects what is found.

    `ranged` collects the templates inside `any`, `all`, `count` with their places; it is None
    outside. `variables` is set inside an aggregation, where no stream can be read. `inferring`
    while the types of outputs are not final: what does not fit yet may fit later.
    """

    names: DeclaredNames
    types: Mapping[str, Type | None]
    aggregations: Mapping[str, UserAggregation]
    report: list[Diagnostic]
    parameters: tuple[Parameter, ...] = ()
    ranged: dict[str, Span] | None = None
    variables: Variables | None = None
    inferring: bool = False

    def parameter(self, name: str) -> Parameter | None:
        return next((p for p in self.parameters if p.name == name), None)


def unknown(span: Span) -> Typed:
    """Stands in for an expression that has an error."""
    return Typed(Constant(Type.INT, 0, span=span), None)


def known(node: Expression) -> Typed:
    return Typed(node, node.type)


def carried(type: Type | None) -> Type:
    """The type for a node whose type may be unknown: such a node never gets into a program."""
    return Type.INT if type is None else type


def fits(given: Type | None, wanted: Type | None) -> bool:
    """Whether a value can stand where `wanted` is needed; the unknown fits everywhere."""
    if given is None or wanted is None or given is wanted:
        return True
    return given is Type.INT and wanted is Type.DOUBLE


def common_type(left: Type, right: Type) -> Type | None:
    """The type that both fit, if there is one."""
    if fits(left, right):
        return right
    return left if fits(right, left) else None


def widen(operand: Typed, wanted: Type | None) -> Expression:
    """`1` where a double is wanted → `double(1)`."""
    node = operand.node
    if operand.type is Type.INT and wanted is Type.DOUBLE:
        return Call("double", (node,), Type.DOUBLE, span=node.span)
    return node
