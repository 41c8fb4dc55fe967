"""Checked programs made by hand: the passes are tested on what they read, not on a parser's view.

Spans are those of the text, found by the snippet that each access names.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from horae.data.types import Type
from horae.languages.rtlola.program import (
    Access,
    Binary,
    BuiltinAggregation,
    Call,
    Chain,
    Constant,
    Expression,
    Follows,
    Hold,
    Input,
    Link,
    Offset,
    Output,
    Pace,
    Parameter,
    Periodic,
    Program,
    Quantified,
    Quantifier,
    Reference,
    Template,
    TimeOffset,
    Trigger,
    When,
    Window,
    accesses,
)
from horae.source.text import Source, Span

NOWHERE = Span(0, 0)
PLAIN = Template((), (), None, False)
ZERO = Constant(Type.DOUBLE, 0.0, span=NOWHERE)


def find(text: str, snippet: str) -> Span:
    start = text.index(snippet)
    return Span(start, start + len(snippet))


def ref(stream: str, *arguments: Expression) -> Reference:
    return Reference(stream, arguments, span=NOWHERE)


def hold(stream: str, *arguments: Expression, type: Type = Type.DOUBLE) -> Hold:
    return Hold(ref(stream, *arguments), None, type, span=NOWHERE)


def offset(stream: str, by: int, span: Span = NOWHERE) -> Offset:
    return Offset(ref(stream), by, ZERO, Type.DOUBLE, span=span)


def later(stream: str, seconds: Fraction | int, span: Span = NOWHERE) -> TimeOffset:
    return TimeOffset(ref(stream), Fraction(seconds), ZERO, Type.DOUBLE, span=span)


def window(
    stream: str,
    seconds: Fraction | int,
    gamma: str,
    *arguments: Expression,
    counted: Expression | None = None,
    span: Span = NOWHERE,
) -> Window:
    aggregation = BuiltinAggregation(gamma, counted)
    target = ref(stream, *arguments)
    return Window(target, Fraction(seconds), aggregation, ZERO, Type.DOUBLE, span=span)


def binary(
    operator: str, left: Expression, right: Expression, type: Type = Type.BOOL
) -> Binary | Chain:
    if operator in ("and", "or", *"+-*/%"):
        return Chain(left, (Link(operator, right, span=NOWHERE),), type, span=NOWHERE)
    return Binary(operator, left, right, type, span=NOWHERE)


def parameter(name: str, index: int = 0, type: Type = Type.INT) -> Parameter:
    return Parameter(name, index, type, span=NOWHERE)


def inputs(*names: str, type: Type = Type.DOUBLE) -> tuple[Input, ...]:
    return tuple(Input(name, type, False, span=NOWHERE) for name in names)


def output(
    name: str, expression: Expression, pace: Pace | None = None, template: Template = PLAIN
) -> Output:
    """Without a pace it follows the accesses of the expression."""
    pace = pace or Follows(tuple(accesses(expression)))
    return Output(name, Type.DOUBLE, template, pace, expression, span=NOWHERE)


def every(seconds: Fraction | int | str) -> Periodic:
    return Periodic(Fraction(seconds))


def template(
    *parameters: Parameter, invoke: tuple[str, ...] = (), terminate: Expression | None = None
) -> Template:
    closing = None if terminate is None else When(terminate)
    return Template(parameters, invoke, closing, False)


def trigger(number: int, condition: Expression, *followed: Access | Quantified) -> Trigger:
    return Trigger(number, condition, None, "", Follows(followed), span=NOWHERE)


def over(name: str, condition: Expression | None = None) -> Quantified:
    return Quantified(Quantifier.ANY, (name,), condition, Type.BOOL, span=NOWHERE)


def program(
    read: tuple[Input, ...],
    *outputs: Output,
    triggers: tuple[Trigger, ...] = (),
    text: str = " ",
    name: str = "test.lola",
) -> Program:
    order = tuple(o.name for o in outputs)
    layers = {o.name: 0 for o in outputs}
    return Program(Source(name, text), read, outputs, triggers, order, layers)


# --- the three variants of §3.1

_SPECS = Path(__file__).parent / "specs"
VARIANTS = ("variable", "clocked", "real_time")


def _previous_b(text: str) -> Access:
    return offset("b", -1, find(text, "b[-1,0]"))


def variant(name: str) -> Program:
    """The running example of §3.1, as the checker would build it."""
    text = (_SPECS / f"{name}.lola").read_text()
    start = text.index("a - ")
    a = Hold(ref("a"), None, Type.DOUBLE, span=Span(start, start + 1))
    b = later("b", 1, find(text, "b[1sec,0]")) if "b[1sec,0]" in text else _previous_b(text)
    difference = binary("-", a, b, Type.DOUBLE)
    expression = Call("abs", (difference,), Type.DOUBLE, span=NOWHERE)
    diff = output("diff", expression, None if name == "variable" else every(1))
    acc = output("acc", window("diff", 10, "avg", span=find(text, "diff[10sec,0,avg]")))
    built = program(inputs("a", "b"), diff, acc, text=text, name=f"{name}.lola")
    ahead = int(name == "real_time")  # `diff` looks into the future of `b`, and `acc` reads it
    return replace(built, layers={"a": 0, "b": 0, "diff": ahead, "acc": ahead})


# --- Fig. 8, and the views of §3


def _instances_of(name: str) -> Hold:
    return Hold(Reference(name, (), True, span=NOWHERE), None, Type.DOUBLE, span=NOWHERE)


def stars() -> Program:
    prod = parameter("prod", 0, Type.STRING)
    per_product = template(prod, invoke=("pid",))
    delta = binary("-", hold("star_avg_l", prod), hold("star_avg_s", prod), Type.DOUBLE)
    high = over("avg_delta", binary(">", _instances_of("avg_delta"), ZERO))
    fresh = When(binary("=", hold("pid", type=Type.STRING), prod))
    return program(
        (*inputs("uid", "pid", type=Type.STRING), *inputs("stars", "ts")),
        output("stars_by_prod", hold("stars"), fresh, per_product),
        output("star_avg_l", window("stars_by_prod", 100, "avg", prod), every(10), per_product),
        output("star_avg_s", window("stars_by_prod", 10, "avg", prod), every(10), per_product),
        output("avg_delta", delta, every(10), per_product),
        triggers=(trigger(1, high, high),),
    )


def views() -> Program:
    """Windows over a variable rate, read at a variable rate; `seen` counts by value."""
    item = parameter("id")
    viewed = When(binary("=", hold("viewed"), item))
    per_item = template(item, invoke=("viewed",), terminate=binary("=", hold("sold_out"), item))
    previous = Offset(ref("num_of_views", item), -1, ZERO, Type.INT, span=NOWHERE)
    return program(
        inputs("viewed", "sold_out", type=Type.INT),
        output("num_of_views", binary("+", previous, ZERO, Type.INT), viewed, per_item),
        output("view_freq", window("num_of_views", 7200, "count", item), viewed, per_item),
        output("seen", window("viewed", 3600, "count", counted=item), viewed, per_item),
        triggers=(trigger(1, over("view_freq"), over("view_freq")),),
    )
