"""Built-in functions and casts on arguments that are already computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.data.types import Type
from horae.languages.rtlola.kernel import runtime
from horae.languages.rtlola.kernel.guards import bind, fault, guarded
from horae.languages.rtlola.kernel.scope import LoopScope
from horae.languages.rtlola.program import Call, Constant

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator


def call(g: Generator, node: Call, arguments: list[str], scope: LoopScope) -> str:
    first = node.arguments[0].type
    match node.function:
        case "abs" if first is Type.INT:
            test = f"{arguments[0]} == {runtime.MIN_INT}"
            fault(g, test, runtime.INTEGER_OVERFLOW, node, scope)
            return bind(g, f"abs({arguments[0]})")
        case "abs":
            return bind(g, f"abs({arguments[0]})")
        case "min" | "max":
            return bind(g, f"{node.function}({', '.join(arguments)})")
        case "sqrt" | "exp" | "log" | "sin" | "cos" | "tan":
            return _real_function(g, node, arguments[0], scope)
        case "floor" | "ceil" | "round":
            return _rounding(g, node, arguments[0], scope)
        case "int" | "double":
            return _to_number(g, node, arguments[0], scope)
        case "string":
            return arguments[0] if first is Type.STRING else _to_text(g, first, arguments[0], scope)
        case "length" | "contains" | "matches":
            return _text_function(g, node, arguments, scope)
        case _:
            raise AssertionError(node.function)


_REAL = {
    "sqrt": "math.sqrt",
    "log": "math.log",
    "exp": "exponential",
    "sin": "sine",
    "cos": "cosine",
    "tan": "tangent",
}


def _real_function(g: Generator, node: Call, x: str, scope: LoopScope) -> str:
    if node.function == "sqrt":
        fault(g, f"{x} < 0.0", runtime.NOT_FINITE, node, scope)
    elif node.function == "log":
        fault(g, f"{x} <= 0.0", runtime.NOT_FINITE, node, scope)
    return guarded(g, f"{_REAL[node.function]}({x})", scope, "0.0")


def _rounding(g: Generator, node: Call, x: str, scope: LoopScope) -> str:
    if node.arguments[0].type is Type.INT:
        return x
    fault(g, f"not fits_int({x})", runtime.INTEGER_OVERFLOW, node, scope)
    function = "round_half_away" if node.function == "round" else f"math.{node.function}"
    return guarded(g, f"int({function}({x}))", scope)


def _to_number(g: Generator, node: Call, x: str, scope: LoopScope) -> str:
    source, result = node.arguments[0].type, node.type
    if source is result:
        return x
    if source is Type.STRING:
        table = g.strings_table(result.value, "")
        known = g.strings_table(f"{result.value}_ok", "")
        fault(g, f"not {known}[{x}]", runtime.CAST_FAILED, node, scope)
        return bind(g, f"{table}[{x}]")
    if result is Type.DOUBLE:
        return bind(g, f"float({x})")
    if source is Type.DOUBLE:
        fault(g, f"not fits_int({x})", runtime.CAST_FAILED, node, scope)
        return guarded(g, f"int({x})", scope)
    return bind(g, f"(1 if {x} else 0)")


def _to_text(g: Generator, source: Type, x: str, scope: LoopScope) -> str:
    """New strings at run time need the dictionary: only the interpreted loop has it."""
    g.needs_interpreter("string() of a value that is not text")
    return guarded(g, f"strings.text_of({x}, {source.value!r})", scope)


def _text_function(g: Generator, node: Call, arguments: list[str], scope: LoopScope) -> str:
    if node.function == "length":
        return bind(g, f"{g.strings_table('length', '')}[{arguments[0]}]")
    second = node.arguments[1]
    if isinstance(second, Constant):
        table = g.strings_table(node.function, str(second.value))
        return bind(g, f"{table}[{arguments[0]}]")
    g.needs_interpreter(f"{node.function}() with a pattern that is not constant")
    if node.function == "matches":
        test = f"not strings.is_pattern({arguments[1]})"
        fault(g, test, runtime.BAD_PATTERN, node, scope)
    text = f"strings.{node.function}({arguments[0]}, {arguments[1]})"
    return guarded(g, text, scope, "False")
