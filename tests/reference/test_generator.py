"""The random specifications: reproducible, checked, alive, and covering the whole language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

from tests.strategies.rtlola_specs import (
    attempt_specification,
    random_program,
    random_specification,
)
from tests.strategies.rtlola_traces import random_trace
from tests.strategies.shrinking import hold

from horae.languages.rtlola.check.check import load
from horae.languages.rtlola.check.functions import FUNCTIONS
from horae.languages.rtlola.program import (
    Binary,
    BuiltinAggregation,
    Call,
    Chain,
    Conditional,
    Expression,
    Hold,
    Offset,
    Output,
    Pace,
    Parameter,
    Periodic,
    Program,
    Quantified,
    TimeOffset,
    Unary,
    UserAggregation,
    When,
    Window,
    walk,
)
from horae.languages.rtlola.syntax.aggregations import AGGREGATIONS
from horae.reference.rtlola import evaluate
from horae.source.errors import InputError
from horae.source.text import Source

SEEDS = range(500)


@cache
def programs() -> tuple[Program, ...]:
    return tuple(random_program(Random(seed)) for seed in SEEDS)


def test_the_same_seed_gives_the_same_specification_and_trace():
    for seed in range(20):
        one, other = Random(seed), Random(seed)
        text = random_specification(one)
        assert text == random_specification(other)
        program, _ = load(Source("random.lola", text))
        assert program is not None
        assert random_trace(one, program) == random_trace(other, program)


def test_nearly_all_attempts_check():
    attempts = [attempt_specification(Random(seed)) for seed in range(200)]
    refused = [text for text in attempts if load(Source("random.lola", text))[0] is None]
    assert len(refused) <= 10


def test_most_runs_have_answers_and_hardly_any_fails():
    results = Counter(_result(program, seed) for seed, program in enumerate(programs()[:100]))
    assert results["answers"] >= 90
    assert results["failed"] <= 4


def _result(program: Program, seed: int) -> str:
    answers = _answers(program, random_trace(Random(seed), program))
    return "failed" if isinstance(answers, str) else "answers" if answers else "none"


def test_the_order_of_evaluation_does_not_matter():
    """Every question is answered on demand, also where streams read each other's past."""
    for seed, program in enumerate(programs()[:60]):
        rows = random_trace(Random(seed), program)
        turned = replace(program, outputs=program.outputs[::-1])
        assert _answers(turned, rows) == _answers(program, rows)


def _answers(program: Program, rows: list[dict[str, object]]) -> list[dict[str, object]] | str:
    try:
        return evaluate(program, rows)
    except InputError as error:
        return error.code


def test_traces_are_sorted_and_short():
    hold(lambda rng: random_trace(rng, random_program(rng)), _is_sorted_and_short, range(30))


def _is_sorted_and_short(rows) -> None:
    times = [row["time"] for row in rows]
    assert times == sorted(times)
    assert len(rows) <= 40
    assert not rows or times[-1] - times[0] <= 60


def test_every_construct_occurs():
    counts = Counter(construct for program in programs() for construct in _constructs(program))
    missing = {name: counts[name] for name in _EXPECTED if counts[name] < 5}
    assert missing == {}


_OPERATORS = ("+", "-", "*", "/", "%", "^", "=", "!=", "<", "<=", ">", ">=", "and", "or", "not")
_EXPECTED = [
    *(f"aggregation {name}" for name in AGGREGATIONS),
    *(f"function {name}" for name in FUNCTIONS),
    *(
        f"operator {symbol}"
        for symbol in [
            "+",
            "-",
            "*",
            "/",
            "%",
            "^",
            "=",
            "!=",
            "<",
            "<=",
            ">",
            ">=",
            "and",
            "or",
            "not",
        ]
    ),
    *(f"parameters {kinds}" for kinds in ("int", "string", "int int", "int string")),
    *(f"output {kind}" for kind in ("int", "double", "bool", "string")),
    *(f"pace {kind}" for kind in ("Periodic", "When", "Follows", "Always")),
    *(f"terminate {kind}" for kind in ("Periodic", "When", "after the own value")),
    *(f"invoke {kind}" for kind in ("input", "tuple", "output", "template", "no parameters")),
    *(f"access {kind}" for kind in ("bare", "hold", "past", "future", "time past", "time future")),
    *(f"reader {kind}" for kind in ("by event", "by clock")),
    *(f"over {kind}" for kind in ("any", "all", "count", "instances", "two templates")),
    *(f"user-defined {kind}" for kind in ("with inverse", "without inverse")),
    *(f"count of {kind}" for kind in ("a constant", "a parameter")),
    *("conditional", "over in an output", "over in a trigger", "access to an instance", "layers"),
    *("frequency", "timeinput", "recursion", "mutual recursion", "message", "reads the future"),
    *("terminate by a stream", "extend by a stream"),
]


def _constructs(program: Program) -> Iterator[str]:
    if program.frequency is not None:
        yield "frequency"
    if program.clock is not None:
        yield "timeinput"
    if max(program.layers.values()) >= 2:
        yield "layers"
    if _reads_in_a_cycle(program):
        yield "mutual recursion"
    for output in program.outputs:
        yield from _of_output(program, output)
    for trigger in program.triggers:
        yield from ("message",) if trigger.message else ()
        found = list(_of_expression(trigger.condition))
        yield from found
        yield from ("over in a trigger",) if any(c.startswith("over") for c in found) else ()


def _of_output(program: Program, output: Output) -> Iterator[str]:
    yield f"output {output.type}"
    yield f"parameters {' '.join(p.type for p in output.parameters)}"
    yield f"pace {type(output.pace).__name__}"
    yield from _of_life(program, output)
    for condition in _conditions(output.pace, output.template.terminate):
        yield from _of_expression(condition)
    found = list(_of_expression(output.expression))
    yield from found
    yield from ("over in an output",) if any(c.startswith("over") for c in found) else ()
    if any(isinstance(node, Window) for node in walk(output.expression)):
        yield "reader by clock" if isinstance(output.pace, Periodic) else "reader by event"
    yield from ("recursion",) if output.name in _read(output.expression) else ()
    yield from ("reads the future",) if program.layers[output.name] else ()


def _of_life(program: Program, output: Output) -> Iterator[str]:
    template = output.template
    if template.terminate is not None:
        yield f"terminate {type(template.terminate).__name__}"
    yield from ("terminate after the own value",) if template.closes_after else ()
    yield from ("invoke tuple",) if len(template.invoke) > 1 else ()
    yield from ("invoke no parameters",) if template.invoke and not output.parameters else ()
    for name in template.invoke:
        stream = program.stream(name)
        is_template = isinstance(stream, Output) and stream.parameters
        yield "invoke template" if is_template else f"invoke {type(stream).__name__.lower()}"
    match output.pace:
        case When(condition=Hold()):
            yield "extend by a stream"
        case _:
            pass
    match template.terminate:
        case When(condition=Hold()):
            yield "terminate by a stream"
        case _:
            pass


def _conditions(*paces: Pace | None) -> list[Expression]:
    return [pace.condition for pace in paces if isinstance(pace, When)]


def _of_expression(expression: Expression) -> Iterator[str]:
    for node in walk(expression):
        match node:
            case Unary(operator=operator) | Binary(operator=operator):
                yield f"operator {operator}"
            case Chain(rest=links):
                yield from (f"operator {link.operator}" for link in links)
            case Call(function=function):
                yield f"function {function}"
            case Conditional():
                yield "conditional"
            case Quantified():
                yield from _of_over(node)
            case Hold() | Offset() | TimeOffset() | Window():
                yield from ("access to an instance",) if node.target.arguments else ()
                yield from _of_access(node)
            case _:
                pass


def _of_over(over: Quantified) -> Iterator[str]:
    yield f"over {'instances' if over.condition is None else over.quantifier}"
    yield from ("over two templates",) if len(over.templates) > 1 else ()


def _of_access(access: Hold | Offset | TimeOffset | Window) -> Iterator[str]:
    match access:
        case Hold(default=default):
            yield "access bare" if default is None else "access hold"
        case Offset(offset=offset):
            yield "access future" if offset > 0 else "access past"
        case TimeOffset(seconds=seconds):
            yield "access time future" if seconds > 0 else "access time past"
        case Window(aggregation=UserAggregation(inverse=inverse)):
            yield f"user-defined {'with' if inverse else 'without'} inverse"
        case Window(aggregation=BuiltinAggregation(name=name, argument=argument)):
            yield f"aggregation {name}"
            if argument is not None:
                kind = "a parameter" if isinstance(argument, Parameter) else "a constant"
                yield f"count of {kind}"
        case Window():
            raise AssertionError("a window has one or the other kind of aggregation")


def _read(expression: Expression) -> set[str]:
    accesses = (n for n in walk(expression) if isinstance(n, Hold | Offset | TimeOffset | Window))
    return {access.target.stream for access in accesses}


def _reads_in_a_cycle(program: Program) -> bool:
    reads = {output.name: _read(output.expression) for output in program.outputs}
    return any(
        reader != target and reader in reads.get(target, ())
        for reader, targets in reads.items()
        for target in targets
    )
