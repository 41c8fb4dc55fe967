"""How the instances of each template are found when a position concerns some of them.

Efficient bindings make the work per event independent of the number of instances. Where a clause
has none, this names the part of it that is to blame.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from horae.languages.rtlola.analysis.bindings import Binding, binding, bound_streams, unbound_part
from horae.languages.rtlola.analysis.written import conjunction, written
from horae.languages.rtlola.program import (
    Access,
    Always,
    Expression,
    Follows,
    Output,
    Parameter,
    Periodic,
    Program,
    Quantified,
    When,
)
from horae.source.text import Span


class Lookup(StrEnum):
    EFFICIENT = "efficient"  # one instance per alternative, found at once
    PARTIAL = "partial"  # the instances that share some parameters
    ALL = "all instances"


@dataclass(frozen=True, slots=True)
class ClauseLookup:
    """`detail` says which parameters are bound to what, or what prevents it."""

    stream: str
    clause: str
    lookup: Lookup
    detail: str
    span: Span


def find_lookups(program: Program) -> tuple[ClauseLookup, ...]:
    """One entry per clause of a template that concerns some instances only."""
    return tuple(
        row for output in program.outputs if output.parameters for row in _of(program, output)
    )


def _of(program: Program, output: Output) -> Iterator[ClauseLookup]:
    match output.pace:
        case When(condition=condition):
            yield _conditional(program, output, "extend", condition)
        case Follows(accesses=accesses):
            yield _following(output, accesses)
        case Always():
            detail = "extended at every position"
            yield ClauseLookup(output.name, "extend", Lookup.ALL, detail, output.span)
        case Periodic():
            pass  # a tick concerns every instance
        case _:
            assert_never(output.pace)
    if isinstance(output.template.terminate, When):
        yield _conditional(program, output, "terminate", output.template.terminate.condition)


def _conditional(
    program: Program, output: Output, clause: str, condition: Expression
) -> ClauseLookup:
    found = binding(program, condition, output.parameters)
    if found is None:
        part = conjunction(program.source, unbound_part(program, condition))
        detail = f"`{part or written(program.source, condition.span)}` names no instance"
        return ClauseLookup(output.name, clause, Lookup.ALL, detail, condition.span)
    lookup = Lookup.EFFICIENT if found.is_complete else Lookup.PARTIAL
    detail = _bound_detail(output, found)
    return ClauseLookup(output.name, clause, lookup, detail, condition.span)


def _bound_detail(output: Output, found: Binding) -> str:
    names = [p.name for p in output.parameters]
    bound = ", ".join(f"{names[index]} = {stream}" for index, stream in bound_streams(found))
    missing = [
        name
        for index, name in enumerate(names)
        if any(a.stream_of(index) is None for a in found.alternatives)
    ]
    return bound + (f"; {', '.join(missing)} left open" if missing else "")


def _following(output: Output, accesses: tuple[Access | Quantified, ...]) -> ClauseLookup:
    """An instance that follows the instance with its own parameters is found with that one."""
    for access in accesses:
        if not _names_reader(output, access):
            name = "an `any`, `all` or `count`" if isinstance(access, Quantified) else _name(access)
            detail = f"without `extend`, each follows {name}"
            return ClauseLookup(output.name, "extend", Lookup.ALL, detail, access.span)
    followed = ", ".join(dict.fromkeys(_name(a) for a in accesses if not isinstance(a, Quantified)))
    detail = f"follows the instance of {followed} with the same parameters"
    return ClauseLookup(output.name, "extend", Lookup.EFFICIENT, detail, output.span)


def _names_reader(output: Output, access: Access | Quantified) -> bool:
    if isinstance(access, Quantified):
        return False
    named = {a.index for a in access.target.arguments if isinstance(a, Parameter)}
    return named == set(range(len(output.parameters)))


def _name(access: Access) -> str:
    return f"`{access.target.stream}`"
