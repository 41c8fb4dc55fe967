"""What each output needs of others, when, and where in the text that is said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from horae.languages.rtlola.check.paces import followed, streams_of
from horae.languages.rtlola.check.streams import TypedOutput
from horae.languages.rtlola.program import (
    Access,
    Expression,
    Follows,
    Hold,
    Offset,
    Pace,
    Quantified,
    TimeOffset,
    When,
    Window,
    walk,
)
from horae.source.text import Span


class Moment(Enum):
    """Relative to the position of the reader."""

    PAST = -1
    SAME = 0
    FUTURE = 1


class Reason(Enum):
    VALUE = "value"  # the expression reads it
    COUNT = "count"  # the expression reads an earlier value, counted back from the latest one
    EXTEND = "extend"
    PACE = "pace"  # there is no `extend`, so the reader follows it
    INSTANCE = "instance"  # its value names the instance that the reader follows
    INVOKE = "invoke"
    TERMINATE = "terminate"


@dataclass(frozen=True, slots=True)
class Dependency:
    reader: str
    target: str
    moment: Moment
    reason: Reason
    span: Span
    text: str


def find_dependencies(
    outputs: Sequence[TypedOutput], paces: Mapping[str, Pace]
) -> tuple[Dependency, ...]:
    """Everything that outputs need, of inputs and of each other, in the order of the text."""
    return tuple(d for output in outputs for d in _dependencies(output, paces[output.name]))


def _dependencies(output: TypedOutput, pace: Pace) -> Iterator[Dependency]:
    name = output.name
    yield from _values(name, output.expression)
    if isinstance(pace, When):
        yield from _condition(name, Reason.EXTEND, pace.condition)
    if isinstance(pace, Follows):
        yield from _pace(name, pace)
    for stream in output.declared.invoke:
        text = f"`{name}` is invoked by `{stream.name}`"
        yield Dependency(name, stream.name, Moment.SAME, Reason.INVOKE, stream.span, text)
    if isinstance(output.terminate, When):
        yield from _condition(name, Reason.TERMINATE, output.terminate.condition)


def _values(reader: str, expression: Expression) -> Iterator[Dependency]:
    for node in walk(expression):
        match node:
            case Hold() | Offset() | TimeOffset() | Window():
                target, moment = node.target.stream, _moment(node)
                reason = Reason.COUNT if _counts_back(node) else Reason.VALUE
                yield Dependency(reader, target, moment, reason, node.span, _reading(reader, node))
            case Quantified(templates=templates, quantifier=quantifier):
                for target in templates:
                    text = f"`{reader}` needs `{quantifier}` over the instances of `{target}`"
                    yield Dependency(reader, target, Moment.SAME, Reason.VALUE, node.span, text)
            case _:
                pass


def _moment(access: Access) -> Moment:
    match access:
        case Hold() | Window():
            return Moment.SAME
        case Offset(offset=shift) | TimeOffset(seconds=shift):
            return Moment((shift > 0) - (shift < 0))
        case _:
            assert_never(access)


def _counts_back(access: Access) -> bool:
    return isinstance(access, Offset) and access.offset < 0


def _reading(reader: str, access: Access) -> str:
    target, moment = access.target.stream, _moment(access)
    if isinstance(access, Window):
        return f"`{reader}` needs the values of `{target}` up to now"
    if moment is Moment.SAME:
        return f"`{reader}` needs the value of `{target}` now"
    return f"`{reader}` needs {'an earlier' if moment is Moment.PAST else 'a later'} `{target}`"


def _condition(reader: str, reason: Reason, condition: Expression) -> Iterator[Dependency]:
    """A condition is considered where what it reads is extended: it needs to know that now."""
    for dependency in _values(reader, condition):
        if dependency.moment is Moment.FUTURE:
            yield dependency
    for access in followed(condition):
        for target in streams_of(access):
            text = f"`{reason.value}` of `{reader}` needs `{target}` now"
            yield Dependency(reader, target, Moment.SAME, reason, access.span, text)


def _pace(reader: str, pace: Follows) -> Iterator[Dependency]:
    for access in pace.accesses:
        if not isinstance(access, Quantified):
            yield from _instance(reader, access)
        for target in streams_of(access):
            text = f"`{reader}` has no `extend`, so it follows `{target}`"
            yield Dependency(reader, target, Moment.SAME, Reason.PACE, access.span, text)


def _instance(reader: str, access: Access) -> Iterator[Dependency]:
    target = access.target.stream
    for argument in access.target.arguments:
        for read in followed(argument):
            for stream in streams_of(read):
                text = f"`{reader}` follows the instance of `{target}` that `{stream}` names"
                yield Dependency(reader, stream, Moment.SAME, Reason.INSTANCE, read.span, text)
