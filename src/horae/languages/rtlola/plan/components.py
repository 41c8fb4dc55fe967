"""Templates that belong together, and who reads their instances from outside.

Instances that read each other, or stand together under one operator over instances, must be in the same
shard: their templates form a *component*, which is spread as a whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator

from horae.languages.rtlola.plan.pivots import NoPivot
from horae.languages.rtlola.plan.reads import (
    all_quantified,
    expressions,
    name_of,
    template_reads,
    things,
)
from horae.languages.rtlola.program import (
    Expression,
    Hold,
    Output,
    Program,
    Quantified,
    accesses,
    walk,
)


def template_components(program: Program) -> list[tuple[str, ...]]:
    """The templates of each component, in the order of the source."""
    leader = {output.name: output.name for output in program.outputs if output.parameters}
    for one, other in _connected(program):
        old, new = leader[one], leader[other]
        leader = {name: new if found == old else found for name, found in leader.items()}
    members: dict[str, list[str]] = {}
    for name, found in leader.items():
        members.setdefault(found, []).append(name)
    return [tuple(names) for names in members.values()]


def _connected(program: Program) -> Iterator[tuple[str, str]]:
    for output in program.outputs:
        if output.parameters:
            yield from ((output.name, access.target.stream) for access in template_reads(output))
    for over in all_quantified(program):
        yield from ((over.templates[0], other) for other in over.templates[1:])


def outside_reader(program: Program, component: tuple[str, ...]) -> NoPivot | None:
    """Somebody who needs instances of all shards at once, other than through sums over shards."""
    for thing in things(program):
        if not (isinstance(thing, Output) and thing.name in component):
            for expression in expressions(thing):
                reason = _needs_all(program, expression, component)
                if reason is not None:
                    return NoPivot(component[0], f"{name_of(thing)} {reason}")
    return _invoker(program, component)


def _needs_all(program: Program, expression: Expression, component: tuple[str, ...]) -> str | None:
    for node in walk(expression):
        if isinstance(node, Quantified) and not set(component).isdisjoint(node.templates):
            reason = _cannot_be_summed(program, node)
            if reason is not None:
                return reason
    for access in accesses(expression):
        if access.target.stream in component and not access.target.every_instance:
            return f"reads one instance of `{access.target.stream}`"
    return None


def _invoker(program: Program, component: tuple[str, ...]) -> NoPivot | None:
    for output in program.outputs:
        for stream in output.template.invoke:
            if stream in component:
                return NoPivot(stream, f"its values invoke instances of `{output.name}`")
    return None


def _cannot_be_summed(program: Program, over: Quantified) -> str | None:
    """Why the counters of shards do not simply add up, if so."""
    outputs = [program.output(template) for template in over.templates]
    if not _looks_at_latest(over):
        return "asks its instances for more than their latest values"
    if len({_life(output) for output in outputs}) > 1:
        return "asks for instances that do not live and die together"
    if any(output.template.closes_after for output in outputs):
        return "asks for instances that close after their own last value"
    return None


def _life(output: Output) -> object:
    template = output.template
    types = tuple(parameter.type for parameter in template.parameters)
    return types, template.invoke, repr(template.terminate)


def _looks_at_latest(over: Quantified) -> bool:
    if over.condition is None:
        return True
    nested = any(isinstance(node, Quantified) for node in walk(over.condition))
    return not nested and all(
        isinstance(access, Hold) and access.target.every_instance
        for access in accesses(over.condition)
    )
