"""Infer the types of outputs that do not declare one.

The expressions are checked again and again, with what is known so far, until nothing new comes
out. Types only rise (unknown, int, double), so this ends. `output x := x[-1, 0] + 1` starts from
the type of the default. A type that stays unknown without an error belongs to streams that read
each other at the same position with nothing in between, which `order` refuses.
"""

from __future__ import annotations

from dataclasses import replace

from horae.data.types import Type
from horae.languages.rtlola.check.expressions import check_expression
from horae.languages.rtlola.check.scope import CheckScope, common_type


def infer_types(scope: CheckScope) -> dict[str, Type | None]:
    """The type of every stream of `scope.names`."""
    types: dict[str, Type | None] = {n: d.type.type for n, d in scope.names.inputs.items()}
    open_outputs = []
    for name, output in scope.names.outputs.items():
        types[name] = output.type.type if output.type else None
        if output.type is None:
            open_outputs.append(name)
    quiet = replace(scope, types=types, report=[], inferring=True)
    rising = True
    while rising:
        rising = sum(_learn(name, types, quiet) for name in open_outputs) > 0
        open_outputs.reverse()  # a long chain is learnt in two rounds, whichever way it runs
    return types


def _learn(name: str, types: dict[str, Type | None], scope: CheckScope) -> bool:
    """Whether the type of this output has risen."""
    output = scope.names.outputs[name]
    inside = replace(scope, parameters=scope.names.parameters(name))
    old, new = types[name], check_expression(output.expression, inside).type
    scope.report.clear()
    if new is None or new is old:
        return False
    types[name] = new if old is None else common_type(old, new) or old
    return types[name] is not old
