"""The value of an expression at a position, by the definitions of the language reference."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from horae.languages.rtlola.program import (
    Access,
    Binary,
    BuiltinAggregation,
    Call,
    Chain,
    Conditional,
    Constant,
    Expression,
    Hold,
    Offset,
    Parameter,
    Quantified,
    Quantifier,
    Reference,
    StreamValue,
    TimeOffset,
    Unary,
    UserAggregation,
    Variable,
    Window,
)
from horae.reference.rtlola.aggregate import aggregate
from horae.reference.rtlola.functions import call
from horae.reference.rtlola.history import (
    PENDING,
    AbsentError,
    Entry,
    Parameters,
    Pending,
    Result,
    Streams,
)
from horae.reference.rtlola.operators import apply_binary, apply_unary
from horae.reference.rtlola.positions import Position

Variables = Mapping[tuple[str, str], StreamValue]


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an expression is evaluated.

    `instance` is what a template without arguments means inside `any`, `all`, `count`.
    `condition` selects the rules of `extend` and `terminate`: a bare access has a value only where
    its stream is extended, and logic is Kleene's.
    """

    position: Position
    parameters: Parameters = ()
    instance: Parameters = ()
    condition: bool = False
    variables: Variables = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evaluator:
    streams: Streams

    def value(self, expression: Expression, scope: Scope) -> Result:
        """Raises `AbsentError` where the expression has no value."""
        match expression:
            case Constant(value=value):
                return value
            case Parameter(index=index):
                return scope.parameters[index]
            case Variable(owner=owner, name=name):
                return scope.variables[owner, name]
            case Unary() | Call():
                return self._strict(expression, scope)
            case Binary():
                return self._strict(expression, scope)
            case Chain(logic=None):
                return self._chain(expression, scope)
            case Chain():
                return self._logic(expression, scope)
            case Conditional():
                return self._conditional(expression, scope)
            case Hold() | Offset() | TimeOffset() | Window():
                return self._access(expression, scope)
            case Quantified():
                return self._over(expression, scope)
            case _:
                assert_never(expression)

    def is_extended(self, target: Reference, scope: Scope) -> bool:
        """Did the instance that the reference names get a value at this position?"""
        if target.every_instance:
            named: Iterable[Parameters] = self.streams.active(target.stream, scope.position)
        else:
            try:
                named = (self._named(target, scope),)
            except AbsentError:
                return False
        return any(self._is_fresh(target.stream, name, scope.position) for name in named)

    def _is_fresh(self, stream: str, parameters: Parameters, position: Position) -> bool:
        entries = self.streams.until(stream, parameters, position)
        return bool(entries) and entries[-1].position == position.index

    # --- operators

    def _strict(self, expression: Unary | Binary | Call, scope: Scope) -> Result:
        """All operands are needed; an absent one counts more than a pending one."""
        operands = _operands(expression)
        values = [self.value(operand, scope) for operand in operands]
        if any(value is PENDING for value in values):
            return PENDING
        match expression:
            case Unary(operator=operator):
                return apply_unary(operator, values[0])
            case Binary(operator=operator, left=left):
                return apply_binary(operator, left.type, values[0], values[1])
            case Call(function=function):
                return call(function, values)

    def _chain(self, chain: Chain, scope: Scope) -> Result:
        """From left to right; all operands are needed, as above."""
        left = self.value(chain.first, scope)
        for link in chain.rest:
            right = self.value(link.operand, scope)
            if left is PENDING or right is PENDING:
                left = PENDING
            else:
                left = apply_binary(link.operator, chain.type, left, right)
        return left

    def _conditional(self, expression: Conditional, scope: Scope) -> Result:
        for branch in expression.branches:
            holds = self.value(branch.condition, scope)
            if holds is PENDING:
                return PENDING
            if holds:
                return self.value(branch.then, scope)
        return self.value(expression.otherwise, scope)

    def _logic(self, chain: Chain, scope: Scope) -> Result:
        """`decisive` is the operand that settles the result whatever the others are."""
        decisive = chain.logic == "or"
        left = self._if_any(chain.first, scope)
        for link in chain.rest:
            if left is decisive or left is PENDING:
                return left
            if left is not None:
                left = self._if_any(link.operand, scope)
            elif scope.condition and self._if_any(link.operand, scope) is decisive:
                left = decisive
        if left is None:
            raise AbsentError
        return left

    def _if_any(self, expression: Expression, scope: Scope) -> Result | None:
        """The value, None where there is none."""
        try:
            return self.value(expression, scope)
        except AbsentError:
            return None

    # --- accesses

    def _named(self, target: Reference, scope: Scope) -> Parameters:
        if target.every_instance:
            return scope.instance
        values = [self.value(argument, scope) for argument in target.arguments]
        return tuple(_known(value) for value in values)

    def _until(self, target: Reference, scope: Scope) -> Sequence[Entry]:
        return self.streams.until(target.stream, self._named(target, scope), scope.position)

    def _whole(self, target: Reference, scope: Scope) -> Sequence[Entry]:
        return self.streams.whole(target.stream, self._named(target, scope), scope.position)

    def _access(self, access: Access, scope: Scope) -> Result:
        match access:
            case Hold():
                return self._hold(access, scope)
            case Offset():
                return self._offset(access, scope)
            case TimeOffset():
                return self._time_offset(access, scope)
            case Window():
                return self._window(access, scope)

    def _hold(self, access: Hold, scope: Scope) -> Result:
        entries = self._until(access.target, scope)
        if access.default is not None:
            return entries[-1].value if entries else self.value(access.default, scope)
        stale = scope.condition and entries and entries[-1].position != scope.position.index
        if not entries or stale:
            raise AbsentError
        return entries[-1].value

    def _offset(self, access: Offset, scope: Scope) -> Result:
        """Local time counts the extensions up to this position."""
        local = len(self._until(access.target, scope))
        look = self._whole if access.offset > 0 else self._until
        entries = look(access.target, scope)
        index = local - 1 + access.offset
        if 0 <= index < len(entries):
            return entries[index].value
        return self.value(access.default, scope)

    def _time_offset(self, access: TimeOffset, scope: Scope) -> Result:
        look = self._whole if access.seconds > 0 else self._until
        limit = scope.position.time + access.seconds
        entries = [entry for entry in look(access.target, scope) if entry.time <= limit]
        return entries[-1].value if entries else self.value(access.default, scope)

    def _window(self, window: Window, scope: Scope) -> Result:
        start = scope.position.time - window.seconds
        entries = [e for e in self._until(window.target, scope) if start <= e.time]
        if not entries:
            return self.value(window.default, scope)
        match window.aggregation:
            case UserAggregation():
                return self._fold(window.aggregation, entries, scope)
            case BuiltinAggregation():
                return self._aggregate(window.aggregation, entries, scope)

    def _aggregate(
        self, aggregation: BuiltinAggregation, entries: Sequence[Entry], scope: Scope
    ) -> Result:
        argument = aggregation.argument
        counted = None if argument is None else self.value(argument, scope)
        if counted is PENDING or any(entry.value is PENDING for entry in entries):
            return PENDING
        return aggregate(aggregation, [(entry.time, entry.value) for entry in entries], counted)

    def _fold(self, user: UserAggregation, entries: Sequence[Entry], scope: Scope) -> Result:
        """One step per value, from the neutral element; `combine` must not change the result."""
        state = [variable.initial for variable in user.state]
        names = [("state", variable.name) for variable in user.state]
        for entry in entries:
            if isinstance(entry.value, Pending):
                return PENDING
            variables = dict(zip(names, state, strict=True))
            variables["argument", user.argument] = entry.value
            inner = Scope(scope.position, variables=variables)
            state = [_known(self.value(step, inner)) for step in user.step]
        variables = dict(zip(names, state, strict=True))
        return self.value(user.result, Scope(scope.position, variables=variables))

    # --- over instances

    def _over(self, over: Quantified, scope: Scope) -> Result:
        """Every instance is looked at, so that an error in one shows whatever the others say."""
        actives = [set(self.streams.active(name, scope.position)) for name in over.templates]
        instances = sorted(set.intersection(*actives))
        if over.condition is None:
            return len(instances)
        results = [
            result
            for instance in instances
            for result in self._for_instance(over.condition, instance, scope)
        ]
        return PENDING if PENDING in results else _quantify(over.quantifier, results)

    def _for_instance(
        self, condition: Expression, instance: Parameters, scope: Scope
    ) -> list[Result]:
        """One result, or none where the condition has no value."""
        try:
            return [self.value(condition, replace(scope, instance=instance, condition=False))]
        except AbsentError:
            return []


def _operands(expression: Unary | Binary | Call) -> tuple[Expression, ...]:
    match expression:
        case Unary(operand=operand):
            return (operand,)
        case Binary(left=left, right=right):
            return (left, right)
        case Call(arguments=arguments):
            return arguments


def _known(value: Result) -> StreamValue:
    """Names of instances are needed at once: one that is pending names none."""
    if isinstance(value, Pending):
        raise AbsentError
    return value


def _quantify(quantifier: Quantifier, results: Sequence[Result]) -> StreamValue:
    match quantifier:
        case Quantifier.ANY:
            return any(results)
        case Quantifier.ALL:
            return all(results)
        case Quantifier.COUNT:
            return sum(1 for result in results if result)
