"""A run of a specification over all positions: lives, paces and values of every instance.

Streams are evaluated layer by layer, each layer over all positions, so that a stream that looks
ahead finds the whole history of what it looks into. Within a position every question is answered
on demand; the order of evaluation cannot matter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product

from horae.languages.rtlola.program import (
    Access,
    Always,
    Expression,
    Follows,
    Hold,
    Offset,
    Output,
    Pace,
    Periodic,
    Program,
    Quantified,
    StreamValue,
    TimeOffset,
    Trigger,
    When,
    Window,
    walk,
)
from horae.reference.rtlola.decisions import Decisions
from horae.reference.rtlola.expressions import Evaluator, Scope
from horae.reference.rtlola.failures import NOT_FINITE, RunError
from horae.reference.rtlola.history import (
    PENDING,
    AbsentError,
    Entry,
    Life,
    Parameters,
    Pending,
    Result,
)
from horae.reference.rtlola.inputs import read_input
from horae.reference.rtlola.positions import Position
from horae.source.errors import InputError
from horae.source.text import Span

_READS = (Hold, Offset, TimeOffset, Window, Quantified)


class Run:
    """After `complete`, `lives` holds every life of every output, in the order of invocation."""

    def __init__(self, program: Program, positions: Sequence[Position]) -> None:
        self.program = program
        self.positions = positions
        self.lives: dict[str, list[tuple[Parameters, Life]]] = {o.name: [] for o in program.outputs}
        self._outputs = {output.name: output for output in program.outputs}
        self._inputs = {stream.name: read_input(stream, positions) for stream in program.inputs}
        self._decisions = Decisions()
        self._evaluator = Evaluator(self)
        self._complete: set[str] = set(self._inputs)

    def complete(self) -> None:
        for layer in sorted(set(self.program.layers.values())):
            outputs = [o for o in self.program.outputs if self.program.layers[o.name] == layer]
            for position in self.positions:
                for output in outputs:
                    self._settle(output, position)
                for output in outputs:
                    self._remaining(output, position)
            self._complete.update(output.name for output in outputs)

    def notifies(self, trigger: Trigger, position: Position) -> bool:
        scope = Scope(position)
        try:
            return self._is_due(trigger.pace, scope, trigger.span) is True and (
                self._evaluate(trigger.condition, scope, trigger.span) is True
            )
        except AbsentError:
            return False

    # --- how expressions look at streams

    def active(self, stream: str, position: Position) -> Mapping[Parameters, Life]:
        output = self._outputs[stream]
        question = ("active", stream, position.index)
        nobody: dict[Parameters, Life] = {}
        return self._decisions.decide(question, nobody, lambda: self._active(output, position))

    def until(self, stream: str, parameters: Parameters, position: Position) -> Sequence[Entry]:
        if stream in self._inputs:
            return _up_to(self._inputs[stream], position)
        life = self.active(stream, position).get(parameters)
        if life is None:
            return []
        entries = _up_to(life, position)
        if entries and entries[-1].position == position.index:
            return entries
        value = self._value(self._outputs[stream], parameters, position)
        return entries if value is None else [*entries, Entry(position.index, position.time, value)]

    def whole(self, stream: str, parameters: Parameters, position: Position) -> Sequence[Entry]:
        if stream in self._inputs:
            return self._inputs[stream].entries
        if stream not in self._complete:
            raise RuntimeError(f"the layers are wrong: {stream} is read ahead before it is known")
        life = self.active(stream, position).get(parameters)
        return [] if life is None else life.entries

    # --- lives

    def _before(self, output: Output, position: Position) -> dict[Parameters, Life]:
        if position.index == 0:
            return {}
        return self._remaining(output, self.positions[position.index - 1])

    def _remaining(self, output: Output, position: Position) -> dict[Parameters, Life]:
        """The instances that live on after the position."""
        actives = self.active(output.name, position)
        return {p: life for p, life in actives.items() if not self._closes(output, p, position)}

    def _active(self, output: Output, position: Position) -> dict[Parameters, Life]:
        """Λ of the paper: those of before and the invoked ones, without the terminated ones."""
        candidates = self._before(output, position)
        self._decisions.presume(("active", output.name, position.index), candidates)
        for parameters in self._invoked(output, position):
            candidates.setdefault(parameters, Life(position.index))
        if output.template.closes_after:
            return candidates
        return {p: life for p, life in candidates.items() if not self._ends(output, p, position)}

    def _invoked(self, output: Output, position: Position) -> list[Parameters]:
        values = [self._fresh_values(name, position) for name in output.template.invoke]
        combinations = product(*values)
        return [tuple(c) if output.parameters else () for c in combinations]

    def _fresh_values(self, stream: str, position: Position) -> list[StreamValue]:
        """What the stream, or each instance of the template, is extended with."""
        instances = [()] if stream in self._inputs else sorted(self.active(stream, position))
        entries = [e for i in instances for e in self.until(stream, i, position)[-1:]]
        fresh = [entry.value for entry in entries if entry.position == position.index]
        return [value for value in fresh if not isinstance(value, Pending)]

    def _ends(self, output: Output, parameters: Parameters, position: Position) -> bool:
        terminate = output.template.terminate
        if terminate is None:
            return False
        return self._is_due(terminate, Scope(position, parameters), output.span) is True

    def _closes(self, output: Output, parameters: Parameters, position: Position) -> bool:
        """Does the instance end with its value at this position?"""
        if not output.template.closes_after:
            return False
        question = ("closes", output.name, parameters, position.index)
        return self._decisions.decide(
            question, False, lambda: self._ends(output, parameters, position)
        )

    # --- values

    def _settle(self, output: Output, position: Position) -> None:
        for parameters, life in sorted(self.active(output.name, position).items(), key=_by_name):
            if life.start == position.index:
                self.lives[output.name].append((parameters, life))
            value = self._value(output, parameters, position)
            if value is PENDING:
                raise RuntimeError(f"{output.name} needs its own value at the same position")
            if value is not None:
                life.entries.append(Entry(position.index, position.time, value))

    def _value(self, output: Output, parameters: Parameters, position: Position) -> Result | None:
        """The value that extends an active instance here, None if it is not extended."""
        scope = Scope(position, parameters)
        due = self._decisions.decide(
            ("due", output.name, parameters, position.index),
            False,
            lambda: self._is_due(output.pace, scope, output.span) is not False,
        )
        if not due:
            return None
        question = ("value", output.name, parameters, position.index)
        presumed: Result | None = PENDING
        return self._decisions.decide(question, presumed, lambda: self._compute(output, scope))

    def _compute(self, output: Output, scope: Scope) -> Result | None:
        try:
            value = self._evaluate(output.expression, scope, output.span)
        except AbsentError:
            return None
        if isinstance(value, float) and not math.isfinite(value):
            failure = RunError(NOT_FINITE, f"a value of {output.name} is not a finite number")
            raise self._error(failure, scope, output.span)
        return value

    # --- paces

    def _is_due(self, pace: Pace, scope: Scope, span: Span) -> bool | Pending:
        match pace:
            case Always():
                return True
            case Periodic(period=period):
                return period in scope.position.periods
            case Follows(accesses=accesses):
                return any(self._follows(access, scope) for access in accesses)
            case When(condition=condition):
                return self._is_considered(condition, scope) and self._holds(condition, scope, span)

    def _follows(self, access: Access | Quantified, scope: Scope) -> bool:
        if isinstance(access, Quantified):
            return any(self._is_stirred(name, scope.position) for name in access.templates)
        return self._evaluator.is_extended(access.target, scope)

    def _is_considered(self, condition: Expression, scope: Scope) -> bool:
        """Where a stream that it reads is extended."""
        inner = Scope(scope.position, scope.parameters, condition=True)
        reads = [node for node in walk(condition) if isinstance(node, _READS)]
        return any(self._follows(read, inner) for read in reads)

    def _holds(self, condition: Expression, scope: Scope, span: Span) -> bool | Pending:
        inner = Scope(scope.position, scope.parameters, condition=True)
        try:
            value = self._evaluate(condition, inner, span)
        except AbsentError:
            return False
        return PENDING if isinstance(value, Pending) else bool(value)

    def _is_stirred(self, template: str, position: Position) -> bool:
        """Was an instance invoked, extended or terminated at this position?"""
        output = self._outputs[template]
        before = self._before(output, position)
        now = self.active(template, position)
        if before.keys() - now.keys() or any(life.start == position.index for life in now.values()):
            return True
        return any(
            self._closes(output, parameters, position)
            or self._value(output, parameters, position) is not None
            for parameters in now
        )

    # --- failures

    def _evaluate(self, expression: Expression, scope: Scope, span: Span) -> Result:
        try:
            return self._evaluator.value(expression, scope)
        except RunError as failure:
            raise self._error(failure, scope, span) from failure

    def _error(self, failure: RunError, scope: Scope, span: Span) -> InputError:
        source = self.program.source
        place = source.position(span.start)
        return InputError(
            failure.code,
            failure.message,
            place=f"{source.name}:{place.line}:{place.column}",
            row=scope.position.number,
            time=str(scope.position.time),
        )


def _up_to(life: Life, position: Position) -> list[Entry]:
    return [entry for entry in life.entries if entry.position <= position.index]


def _by_name(item: tuple[Parameters, Life]) -> Parameters:
    return item[0]
