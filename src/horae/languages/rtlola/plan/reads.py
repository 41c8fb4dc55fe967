"""Who reads what: the questions that the passes of the plan ask of a program."""

from __future__ import annotations

from collections.abc import Iterator

from horae.languages.rtlola.program import (
    Access,
    Evaluated,
    Expression,
    Follows,
    Offset,
    Output,
    Program,
    Quantified,
    TimeOffset,
    Trigger,
    When,
    accesses,
    walk,
)


def name_of(thing: Evaluated) -> str:
    """An output or a trigger as it is called in messages."""
    return f"`{thing.name}`" if isinstance(thing, Output) else f"trigger {thing.number}"


def expressions(thing: Evaluated) -> Iterator[Expression]:
    """All that is evaluated: the value and the conditions."""
    if isinstance(thing, Trigger):
        yield thing.condition
        return
    yield thing.expression
    for clause in (thing.pace, thing.template.terminate):
        if isinstance(clause, When):
            yield clause.condition


def _with_pace(thing: Evaluated) -> Iterator[Expression]:
    """The evaluated expressions, and what is followed without being evaluated."""
    yield from expressions(thing)
    if isinstance(thing.pace, Follows):
        yield from thing.pace.accesses


def quantified(thing: Evaluated) -> Iterator[Quantified]:
    """The operators over instances."""
    for expression in _with_pace(thing):
        yield from (node for node in walk(expression) if isinstance(node, Quantified))


def things(program: Program) -> tuple[Evaluated, ...]:
    """All that a program evaluates, in the order of the source."""
    return (*program.outputs, *program.triggers)


def all_quantified(program: Program) -> Iterator[Quantified]:
    for thing in things(program):
        yield from quantified(thing)


def plain_reads(thing: Evaluated) -> Iterator[Access]:
    """The accesses to one stream or instance, not those to every instance under an operator."""
    for expression in _with_pace(thing):
        yield from (a for a in accesses(expression) if not a.target.every_instance)


def template_reads(output: Output) -> Iterator[Access]:
    """The accesses to instances that the reader names."""
    return (access for access in plain_reads(output) if access.target.arguments)


def direct_needs(thing: Evaluated) -> Iterator[str]:
    """The streams that must be where the thing is evaluated: it reads them, or they invoke it."""
    yield from (access.target.stream for access in plain_reads(thing))
    if isinstance(thing, Output):
        yield from thing.template.invoke


def needs(thing: Evaluated) -> set[str]:
    """All streams that the thing depends on directly."""
    return {*direct_needs(thing), *(name for over in quantified(thing) for name in over.templates)}


def looks_ahead(thing: Evaluated) -> bool:
    """Whether it reads the future of a stream."""
    return any(
        (isinstance(access, Offset) and access.offset > 0)
        or (isinstance(access, TimeOffset) and access.seconds > 0)
        for expression in expressions(thing)
        for access in accesses(expression)
    )
