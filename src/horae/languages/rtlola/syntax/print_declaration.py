"""A declaration as pieces of text: its head, and one piece per clause or section.

The pieces stand apart because comments may stand between them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import assert_never

from horae.frontend.quoting import quote
from horae.languages.rtlola.syntax import tree
from horae.languages.rtlola.syntax.print_expression import format_expression


@dataclass(frozen=True, slots=True)
class Piece:
    """`kind` is "head", "define", "close", or the keyword of the clause or section."""

    kind: str
    text: str


def pieces(declaration: tree.Declaration) -> list[Piece]:
    """The pieces of a declaration in canonical order, the head first."""
    match declaration:
        case tree.Frequency(rate):
            return [Piece("head", f"frequency {rate.text}")]
        case tree.Input():
            return [Piece("head", _input(declaration))]
        case tree.Output():
            return _output(declaration)
        case tree.Trigger():
            return [Piece("head", _trigger(declaration))]
        case tree.Aggregation():
            return _aggregation(declaration)
        case _:
            assert_never(declaration)


def _input(declaration: tree.Input) -> str:
    """`input int a, b`; with different types `input a: int, b: bool`."""
    keyword = "timeinput" if declaration.is_clock else "input"
    streams = declaration.streams
    types = {stream.type.type for stream in streams}
    if len(types) == 1:
        names = ", ".join(stream.name.name for stream in streams)
        return f"{keyword} {types.pop()} {names}"
    return f"{keyword} " + ", ".join(f"{s.name.name}: {s.type.type}" for s in streams)


def _trigger(declaration: tree.Trigger) -> str:
    conditions = ", ".join(map(format_expression, declaration.conditions))
    message = "" if declaration.message is None else f" {quote(declaration.message)}"
    return f"trigger {conditions}{message}"


def _output(declaration: tree.Output) -> list[Piece]:
    type_name = f"{declaration.type.type} " if declaration.type is not None else ""
    head = f"output {type_name}{declaration.name.name}{_parameters(declaration.parameters)}"
    found = [Piece("head", head)]
    if declaration.invoke:
        found.append(Piece("invoke", f"invoke: {_invoked(declaration.invoke)}"))
    if declaration.extend is not None:
        found.append(Piece("extend", f"extend: {_condition(declaration.extend)}"))
    if declaration.terminate is not None:
        found.append(Piece("terminate", f"terminate: {_condition(declaration.terminate)}"))
    return [*found, Piece("define", f":= {format_expression(declaration.expression)}")]


def _parameters(parameters: Iterable[tree.Declared]) -> str:
    text = ", ".join(map(_declared, parameters))
    return f"<{text}>" if text else ""


def _declared(declared: tree.Declared) -> str:
    return f"{declared.type.type} {declared.name.name}"


def _invoked(names: tuple[tree.Name, ...]) -> str:
    text = ", ".join(name.name for name in names)
    return text if len(names) == 1 else f"({text})"


def _condition(condition: tree.Expression | tree.Rate) -> str:
    return condition.text if isinstance(condition, tree.Rate) else format_expression(condition)


def _aggregation(declaration: tree.Aggregation) -> list[Piece]:
    argument = declaration.argument
    head = (
        f"aggregation {declaration.name.name}({argument.name.name}: {argument.type.type})"
        f" -> {declaration.result_type.type} {{"
    )
    sections = {
        "state": ", ".join(map(_state_variable, declaration.state)),
        "step": _assignments(declaration.step),
        "combine": _assignments(declaration.combine),
        "inverse": _assignments(declaration.inverse),
    }
    middle = [Piece(name, f"{name}: {text};") for name, text in sections.items() if text]
    result = Piece("result", f"result: {format_expression(declaration.result)}")
    return [Piece("head", head), *middle, result, Piece("close", "}")]


def _state_variable(variable: tree.StateVariable) -> str:
    initial = format_expression(variable.initial)
    return f"{variable.name.name} {variable.type.type} = {initial}"


def _assignments(assignments: Iterable[tree.Assignment]) -> str:
    return ", ".join(f"{a.name.name} := {format_expression(a.expression)}" for a in assignments)
