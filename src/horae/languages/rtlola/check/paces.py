"""When each output and trigger is evaluated."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from horae.frontend.graph import components
from horae.languages.rtlola.check import catalogue_checks as catalogue
from horae.languages.rtlola.check.rewrite import rename_parameters
from horae.languages.rtlola.check.streams import TypedOutput
from horae.languages.rtlola.program import (
    Access,
    Always,
    Expression,
    Follows,
    Hold,
    Offset,
    Pace,
    Parameter,
    Periodic,
    Quantified,
    TimeOffset,
    Window,
    walk,
)
from horae.source.diagnostic import Diagnostic


def find_paces(
    outputs: Sequence[TypedOutput], frequency: Fraction | None
) -> tuple[dict[str, Pace], list[Diagnostic]]:
    """`extend`; else the `frequency` header; else where what the output reads is extended."""
    paces: dict[str, Pace] = {o.name: o.extend for o in outputs if o.extend is not None}
    without = {o.name: o for o in outputs if o.extend is None}
    if frequency is not None:
        return paces | {name: Periodic(frequency) for name in without}, []
    report: list[Diagnostic] = []
    reads = {
        name: [s for a in followed(o.expression) for s in streams_of(a) if s in without]
        for name, o in without.items()
    }
    for names in components(reads):
        members = [without[name] for name in names]
        paces |= _shared_pace(members, report)
    return paces, report


def trigger_pace(condition: Expression) -> Pace:
    """Where a stream that the condition reads is extended; the `frequency` does not matter."""
    return _follow(followed(condition))


def followed(expression: Expression) -> list[Access | Quantified]:
    """The accesses that set the pace of an expression.

    An access to the instance under consideration does not count: its `Quantified` stands for it.
    """
    found: list[Access | Quantified] = []
    for node in walk(expression):
        match node:
            case Hold() | Offset() | TimeOffset() | Window():
                if not node.target.every_instance:
                    found.append(node)
            case Quantified():
                found.append(node)
            case _:
                pass
    return found


def streams_of(access: Access | Quantified) -> tuple[str, ...]:
    return access.templates if isinstance(access, Quantified) else (access.target.stream,)


def _shared_pace(members: Sequence[TypedOutput], report: list[Diagnostic]) -> dict[str, Pace]:
    """One pace for outputs that read each other: what they read outside of their cycle."""
    names = {m.name for m in members}
    outside = [
        access
        for member in members
        for access in followed(member.expression)
        if names.isdisjoint(streams_of(access))
    ]
    types = {tuple(p.type for p in m.parameters) for m in members}
    if len(types) > 1 and any(_has_parameter(access) for access in outside):
        places = [(m.name, [p.type for p in m.parameters], m.declared.name.span) for m in members]
        report.append(catalogue.no_shared_pace(places))
        return {name: Always() for name in names}
    return {
        m.name: _follow([rename_parameters(access, m.parameters) for access in outside])
        for m in members
    }


def _has_parameter(access: Access | Quantified) -> bool:
    return any(isinstance(node, Parameter) for node in walk(access))


def _follow(accesses: Sequence[Access | Quantified]) -> Pace:
    """Two accesses to one stream, or to one instance, set the same pace."""
    first: dict[object, Access | Quantified] = {}
    for access in accesses:
        key = access.templates if isinstance(access, Quantified) else access.target
        first.setdefault(key, access)
    return Follows(tuple(first.values())) if first else Always()
