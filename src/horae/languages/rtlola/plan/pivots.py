"""Which parameter spreads a template's instances, such that each finds all it needs in its own shard.

A *pivot* is one parameter per template. It must be bound to an input, a *key*, wherever rows reach the
template: in `invoke`, `extend` and `terminate`. Then the rows with one value of the key are all that the
instances with that value ever see. What a template reads besides must come in the same row, or from
instances with the same pivot value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from horae.languages.rtlola.analysis.bindings import Alternative, binding
from horae.languages.rtlola.plan.reads import all_quantified, template_reads
from horae.languages.rtlola.program import (
    Access,
    Always,
    BuiltinAggregation,
    Constant,
    Expression,
    Follows,
    Hold,
    Offset,
    Output,
    Parameter,
    Periodic,
    Program,
    Quantified,
    TimeOffset,
    When,
    Window,
    walk,
)


@dataclass(frozen=True, slots=True)
class TemplatePivots:
    """A parameter per template, the inputs that it is bound to, and what rows must hold together."""

    parameter: dict[str, int]
    keys: tuple[str, ...]
    present: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class NoPivot:
    """Why the instances cannot be spread."""

    output: str
    reason: str


class _ObstacleError(Exception):
    def __init__(self, output: str, reason: str) -> None:
        super().__init__(reason)
        self.found = NoPivot(output, reason)


def find_template_pivots(program: Program, component: tuple[str, ...]) -> TemplatePivots | NoPivot:
    """Try the parameters of the templates of a component that read each other."""
    first: NoPivot | None = None
    for choice in _choices(program, component):
        try:
            return _Search(program, choice).run()
        except _ObstacleError as obstacle:
            first = first or obstacle.found
    assert first is not None, "every template has a parameter"
    return first


def _choices(program: Program, component: tuple[str, ...]) -> Iterator[dict[str, int]]:
    """A parameter for the first template; the others follow through what they read."""
    outputs = {name: program.output(name) for name in component}
    together = [over.templates for over in all_quantified(program) if over.templates[0] in outputs]
    for index in range(len(outputs[component[0]].parameters)):
        yield _propagate(outputs, together, {component[0]: index})


def _propagate(
    outputs: dict[str, Output], together: list[tuple[str, ...]], known: dict[str, int]
) -> dict[str, int]:
    while len(known) < len(outputs):
        more = dict(_forced(outputs, known)) | dict(_aligned(together, known))
        if not more:
            missing = next(name for name in outputs if name not in known)
            more = {missing: 0}
        known = known | more
    return known


def _forced(outputs: dict[str, Output], known: dict[str, int]) -> Iterator[tuple[str, int]]:
    """`reader(p)` reads `target(p)`: a pivot on one side is a pivot on the other."""
    for reader in outputs.values():
        for access in template_reads(reader):
            target = access.target.stream
            if target not in outputs:
                continue
            for at, argument in enumerate(access.target.arguments):
                if isinstance(argument, Parameter):
                    if known.get(reader.name) == argument.index and target not in known:
                        yield target, at
                    if known.get(target) == at and reader.name not in known:
                        yield reader.name, argument.index


def _aligned(together: list[tuple[str, ...]], known: dict[str, int]) -> Iterator[tuple[str, int]]:
    """One operator ranges over equal parameters of its templates."""
    for templates in together:
        pivot = next((known[name] for name in templates if name in known), None)
        if pivot is not None:
            yield from ((name, pivot) for name in templates if name not in known)


class _Search:
    """Checks one choice of pivots; the first obstacle ends it."""

    def __init__(self, program: Program, pivots: dict[str, int]) -> None:
        self.program = program
        self.pivots = pivots
        self.inputs = {i.name for i in program.inputs}
        self.keys: dict[str, None] = {}
        self.present: dict[tuple[str, str], None] = {}
        self.other_uses: dict[str, str] = {}  # input → an output that reads it other than as a key

    def run(self) -> TemplatePivots:
        for name in self.pivots:
            self._output(self.program.output(name))
        if len(self.keys) > 1:
            for key in self.keys:
                if key in self.other_uses:
                    raise _ObstacleError(
                        self.other_uses[key],
                        f"it reads `{key}`, which is also one of several keys",
                    )
        return TemplatePivots(self.pivots, tuple(self.keys), tuple(self.present))

    def _output(self, output: Output) -> None:
        self._invoke(output)
        keys = self._pace(output)
        self._terminate(output)
        for access in _accesses(output.expression, output):
            self._access(output, access, keys)

    def _invoke(self, output: Output) -> None:
        pivot = self.pivots[output.name]
        for at, stream in enumerate(output.template.invoke):
            if stream not in self.inputs:
                raise _ObstacleError(
                    output.name, f"it is invoked by `{stream}`, which is not an input"
                )
            if at == pivot:
                self.keys[stream] = None
            else:
                self.other_uses[stream] = output.name

    def _pace(self, output: Output) -> tuple[str, ...]:
        """The keys in whose rows the output is extended; empty at ticks."""
        match output.pace:
            case Periodic():
                return ()
            case When(condition=condition):
                return self._condition(output, condition)
            case Follows(accesses=followed):
                return self._follow(output, followed)
            case Always():
                raise _ObstacleError(output.name, "it is extended at every position")

    def _follow(self, output: Output, followed: tuple[Access | Quantified, ...]) -> tuple[str, ...]:
        for access in followed:
            if isinstance(access, Quantified) or not access.target.arguments:
                name = (
                    "an operator over instances"
                    if isinstance(access, Quantified)
                    else f"`{access.target.stream}`"
                )
                raise _ObstacleError(output.name, f"it is extended wherever {name} is")
            self._instance(output, access)
        return ()

    def _condition(self, output: Output, condition: Expression) -> tuple[str, ...]:
        """Every way to hold binds the pivot to an input; or it looks at the instance only."""
        found = list(_accesses(condition, output))
        if found and all(access.target.arguments for access in found):
            for access in found:
                self._instance(output, access)
            return ()
        pivot = self.pivots[output.name]
        keys = [
            self._alternative(output, alternative, pivot)
            for alternative in self._alternatives(output, condition)
        ]
        return tuple(dict.fromkeys(keys))

    def _alternatives(self, output: Output, condition: Expression) -> tuple[Alternative, ...]:
        found = binding(self.program, condition, output.parameters)
        if found is None:
            raise self._unbound(output)
        return found.alternatives

    def _alternative(self, output: Output, alternative: Alternative, pivot: int) -> str:
        """The key of one way to hold. All else that it reads must come with the key's row."""
        hold = alternative.stream_of(pivot)
        if hold is None or hold.target.stream not in self.inputs:
            raise self._unbound(output)
        key = hold.target.stream
        self.keys[key] = None
        others = [bound.stream for bound in alternative.bound if bound.parameter != pivot]
        for part in (*others, *alternative.residual):
            for access in _accesses(part, output):
                self._in_condition(output, access, key)
        return key

    def _in_condition(self, output: Output, access: Access, key: str) -> None:
        """In a condition a bare access has the value of the row, or none: no row is looked back at."""
        stream = access.target.stream
        is_bare_input = (
            isinstance(access, Hold) and access.default is None and stream in self.inputs
        )
        if not is_bare_input:
            self._access(output, access, (key,))
        elif stream != key:
            self.other_uses[stream] = output.name

    def _unbound(self, output: Output) -> _ObstacleError:
        name = output.parameters[self.pivots[output.name]].name
        return _ObstacleError(output.name, f"a condition does not bind `{name}` to an input")

    def _terminate(self, output: Output) -> None:
        if isinstance(output.template.terminate, When):
            self._condition(output, output.template.terminate.condition)

    def _access(self, output: Output, access: Access, keys: tuple[str, ...]) -> None:
        if access.target.arguments:
            self._instance(output, access)
        elif access.target.stream not in self.inputs:
            raise _ObstacleError(
                output.name, f"it reads `{access.target.stream}`, which has no parameters"
            )
        elif isinstance(access, Hold):
            self._read_input(output, access.target.stream, keys)
        elif not self._counts_own_key(output, access, keys):
            raise _ObstacleError(
                output.name, f"it looks back at the input `{access.target.stream}` over all rows"
            )

    def _read_input(self, output: Output, stream: str, keys: tuple[str, ...]) -> None:
        """The value must come in the row that extends the instance."""
        if not keys:
            raise _ObstacleError(
                output.name, f"it reads the input `{stream}` at times without a row of its own"
            )
        self.other_uses[stream] = output.name
        for key in keys:
            if key != stream:
                self.present[key, stream] = None

    def _counts_own_key(self, output: Output, access: Access, keys: tuple[str, ...]) -> bool:
        """`key[r, 0, count(pivot)]` counts rows that are all in this shard."""
        if not isinstance(access, Window) or not isinstance(access.aggregation, BuiltinAggregation):
            return False
        argument = access.aggregation.argument
        counts_pivot = (
            isinstance(argument, Parameter) and argument.index == self.pivots[output.name]
        )
        stream = access.target.stream
        default_is_zero = isinstance(access.default, Constant) and access.default.value == 0
        return counts_pivot and stream in self.keys and (default_is_zero or keys == (stream,))

    def _instance(self, output: Output, access: Access) -> None:
        """Another instance is in the same shard iff it has the same pivot value."""
        target, arguments = access.target.stream, access.target.arguments
        pivot = self.pivots.get(target)
        argument = arguments[pivot] if pivot is not None else None
        same = isinstance(argument, Parameter) and argument.index == self.pivots[output.name]
        if not same:
            raise _ObstacleError(
                output.name, f"it reads an instance of `{target}` in another shard"
            )


def _accesses(expression: Expression, output: Output) -> Iterator[Access]:
    for node in walk(expression):
        if isinstance(node, Quantified):
            raise _ObstacleError(output.name, "it reads an operator over instances")
        if isinstance(node, Hold | Offset | TimeOffset | Window):
            yield node
