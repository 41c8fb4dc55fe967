"""Replace leaves of checked expressions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

from horae.data.types import Type
from horae.languages.rtlola.program import (
    Access,
    Call,
    Expression,
    Parameter,
    Quantified,
    UserAggregation,
    Variable,
)

Rewritten = TypeVar("Rewritten")


def take_integers(aggregation: UserAggregation) -> UserAggregation:
    """The same aggregation over ints: `x` in `step` → `double(x)` with an int `x`."""

    def cast(leaf: object) -> Expression | None:
        if not isinstance(leaf, Variable) or leaf.owner != "argument":
            return None
        argument = replace(leaf, type=Type.INT)
        return Call("double", (argument,), Type.DOUBLE, span=leaf.span)

    return replace(
        aggregation,
        argument_type=Type.INT,
        step=tuple(rewrite(step, cast) for step in aggregation.step),
    )


def rename_parameters(
    access: Access | Quantified, parameters: tuple[Parameter, ...]
) -> Access | Quantified:
    """The access as it reads in another template with the same parameter types."""

    def rename(leaf: object) -> Parameter | None:
        if not isinstance(leaf, Parameter):
            return None
        return replace(parameters[leaf.index], span=leaf.span)

    return rewrite(access, rename)


def rewrite(node: Rewritten, leaf: Callable[[object], object | None]) -> Rewritten:
    """Copy the node with every part for which `leaf` gives something replaced by that."""
    found = leaf(node)
    if found is not None:
        return found  # type: ignore[return-value]
    if isinstance(node, tuple):
        return tuple(rewrite(part, leaf) for part in node)  # type: ignore[return-value]
    if not is_dataclass(node) or isinstance(node, type):
        return node
    parts = {f.name: getattr(node, f.name) for f in fields(node)}
    changed = {name: rewrite(part, leaf) for name, part in parts.items()}
    return replace(node, **changed)
