"""From a checked expression to statements of the loop.

`value` writes statements and returns an atom (a name or a literal) for the result. An expression
without a value sets the scope's `ok` to False; what is computed after that is not used. A fault
(division by zero, overflow) sets `err` and the loop stops at the end of the position.
`condition` is Kleene's logic for `extend` and `terminate`: it returns a value and "is defined".
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, assert_never

from horae.kernels.rtlola import runtime
from horae.kernels.rtlola.model import Family, is_own_instance
from horae.languages.rtlola.program import (
    Binary,
    BuiltinAggregation,
    Call,
    Conditional,
    Constant,
    Expression,
    Hold,
    Offset,
    Output,
    Over,
    Parameter,
    Reference,
    TimeOffset,
    Unary,
    Variable,
    Window,
)
from horae.languages.rtlola.types import Type

if TYPE_CHECKING:
    from horae.kernels.rtlola.generate import Generator


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an expression is evaluated: for which instance, on whose behalf, by which rules."""

    family: Family
    slot: str
    reader: Output | None  # whose pace it is: decides which panes serve its windows
    extending: str | None = None  # the stream that is getting its value right now
    ok: str = "ok"
    only_fresh: bool = False  # bare accesses count only where the stream is extended now
    variables: dict[tuple[str, str], str] | None = None  # inside user-defined aggregations


ZERO = {Type.INT: "0", Type.DOUBLE: "0.0", Type.BOOL: "False", Type.STRING: "0"}
_COMPARE = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def value(g: Generator, expression: Expression, scope: Scope) -> str:
    """Write the evaluation; return the atom that holds the result."""
    match expression:
        case Constant():
            return constant(g, expression)
        case Parameter(index=index):
            return f"{scope.family.name}_p{index}[{scope.slot}]"
        case Variable(owner=owner, name=name):
            assert scope.variables is not None
            return scope.variables[owner, name]
        case Unary():
            return _unary(g, expression, scope)
        case Binary(operator=("and" | "or")):
            return _logic(g, expression, scope)
        case Binary():
            return _binary(g, expression, scope)
        case Conditional():
            return _conditional(g, expression, scope)
        case Call():
            return _call(g, expression, scope)
        case Hold():
            return _hold(g, expression, scope)
        case Offset():
            return _offset(g, expression, scope)
        case TimeOffset():
            return _time_offset(g, expression, scope)
        case Window():
            return _window(g, expression, scope)
        case Over():
            return g.overs.read(expression)
        case _:
            assert_never(expression)


def constant(g: Generator, node: Constant) -> str:
    if node.type is Type.STRING:
        return str(g.strings.code(str(node.value)))
    if node.type is Type.DOUBLE:
        return repr(float(node.value))
    return repr(node.value)


def condition(g: Generator, expression: Expression, scope: Scope) -> tuple[str, str]:
    """Kleene's value and whether there is one."""
    match expression:
        case Unary(operator="not", operand=operand):
            held, known = condition(g, operand, scope)
            return f"(not {held})", known
        case Binary(operator=("and" | "or") as operator, left=left, right=right):
            return _kleene(g, operator == "and", left, right, scope)
        case _:
            known = g.code.fresh("k")
            g.code.line(f"{known} = True")
            held = value(g, expression, replace(scope, ok=known, only_fresh=True))
            return _bind(g, held), known


def _kleene(
    g: Generator, conjunction: bool, left: Expression, right: Expression, scope: Scope
) -> tuple[str, str]:
    held1, known1 = condition(g, left, scope)
    held, known = g.code.fresh("h"), g.code.fresh("k")
    decided = f"{known1} and {'not ' if conjunction else ''}{held1}"
    g.code.line(f"{held} = {not conjunction}")
    g.code.line(f"{known} = True")
    with g.code.block(f"if not ({decided})"):
        held2, known2 = condition(g, right, scope)
        g.code.line(f"{held} = {held2}")
        decides = f"{known2} and {'not ' if conjunction else ''}{held2}"
        g.code.line(f"{known} = ({known1} and {known2}) or ({decides})")
    return held, known


def _bind(g: Generator, atom: str) -> str:
    name = g.code.fresh()
    g.code.line(f"{name} = {atom}")
    return name


def fault(g: Generator, test: str, number: int, expression: Expression, scope: Scope) -> None:
    """Stop the run at the end of this position if the test holds."""
    site = g.site(expression, scope.extending)
    with g.code.block(f"if {scope.ok} and err == 0 and {test}"):
        g.code.line(f"err = {number}")
        g.code.line(f"err_site = {site}")
        g.code.line(f"{scope.ok} = False")


def _unary(g: Generator, node: Unary, scope: Scope) -> str:
    operand = value(g, node.operand, scope)
    if node.operator == "not":
        return f"(not {operand})"
    if node.type is Type.INT:
        if isinstance(node.operand, Constant):
            return f"(-{operand})"
        fault(g, f"{operand} == {runtime.MIN_INT}", runtime.INTEGER_OVERFLOW, node, scope)
    return _bind(g, f"-{operand}")


def _logic(g: Generator, node: Binary, scope: Scope) -> str:
    result = _bind(g, value(g, node.left, scope))
    with g.code.block(f"if {'' if node.operator == 'and' else 'not '}{result}"):
        g.code.line(f"{result} = {value(g, node.right, scope)}")
    return result


def _conditional(g: Generator, node: Conditional, scope: Scope) -> str:
    test = value(g, node.condition, scope)
    result = g.code.fresh()
    with g.code.block(f"if {test}"):
        g.code.line(f"{result} = {value(g, node.then, scope)}")
    with g.code.block("else"):
        g.code.line(f"{result} = {value(g, node.otherwise, scope)}")
    return result


def _binary(g: Generator, node: Binary, scope: Scope) -> str:
    left = value(g, node.left, scope)
    right = value(g, node.right, scope)
    if node.operator in _COMPARE:
        return _compare(g, node, left, right)
    if node.type is Type.INT:
        return _integer(g, node, left, right, scope)
    return _real(g, node, left, right, scope)


def _compare(g: Generator, node: Binary, left: str, right: str) -> str:
    if node.left.type is Type.STRING and node.operator not in ("=", "!="):
        rank = g.strings_table("rank", "")
        left, right = f"{rank}[{left}]", f"{rank}[{right}]"
    return _bind(g, f"{left} {_COMPARE[node.operator]} {right}")


_OVERFLOWS = {"+": "add_overflows", "-": "subtract_overflows", "*": "multiply_overflows"}


def _integer(g: Generator, node: Binary, left: str, right: str, scope: Scope) -> str:
    left, right = _bind(g, left), _bind(g, right)
    operator = node.operator
    if operator in _OVERFLOWS:
        test = f"{_OVERFLOWS[operator]}({left}, {right})"
        fault(g, test, runtime.INTEGER_OVERFLOW, node, scope)
        return _guarded(g, f"{left} {operator} {right}", scope)
    if operator == "^":
        fault(g, f"{right} < 0", runtime.NEGATIVE_EXPONENT, node, scope)
        fault(g, f"power_overflows({left}, {right})", runtime.INTEGER_OVERFLOW, node, scope)
        return _guarded(g, f"power({left}, {right})", scope)
    fault(g, f"{right} == 0", runtime.DIVISION_BY_ZERO, node, scope)
    if operator == "/":
        test = f"{left} == {runtime.MIN_INT} and {right} == -1"
        fault(g, test, runtime.INTEGER_OVERFLOW, node, scope)
        return _guarded(g, f"divide({left}, {right})", scope)
    return _guarded(g, f"remainder({left}, {right})", scope)


def _guarded(g: Generator, expression: str, scope: Scope, zero: str = "0") -> str:
    """Compute only where everything so far has a value."""
    result = g.code.fresh()
    g.code.line(f"{result} = {zero}")
    with g.code.block(f"if {scope.ok}"):
        g.code.line(f"{result} = {expression}")
    return result


def _real(g: Generator, node: Binary, left: str, right: str, scope: Scope) -> str:
    operator = node.operator
    left, right = _bind(g, left), _bind(g, right)
    if operator in "/%":
        fault(g, f"{right} == 0.0", runtime.DIVISION_BY_ZERO, node, scope)
        text = f"{left} / {right}" if operator == "/" else f"math.fmod({left}, {right})"
        return _guarded(g, text, scope, "0.0")
    if operator == "^":
        test = f"{left} < 0.0 and {right} != math.floor({right})"
        fault(g, test, runtime.NOT_FINITE, node, scope)
        fault(g, f"{left} == 0.0 and {right} < 0.0", runtime.DIVISION_BY_ZERO, node, scope)
        result = _guarded(g, f"real_power({left}, {right})", scope, "0.0")
        fault(g, f"not math.isfinite({result})", runtime.NOT_FINITE, node, scope)
        return result
    return _bind(g, f"{left} {operator} {right}")


# --- functions


def _call(g: Generator, node: Call, scope: Scope) -> str:
    arguments = [_bind(g, value(g, a, scope)) for a in node.arguments]
    first = node.arguments[0].type
    match node.function:
        case "abs" if first is Type.INT:
            test = f"{arguments[0]} == {runtime.MIN_INT}"
            fault(g, test, runtime.INTEGER_OVERFLOW, node, scope)
            return _bind(g, f"abs({arguments[0]})")
        case "abs":
            return _bind(g, f"abs({arguments[0]})")
        case "min" | "max":
            return _bind(g, f"{node.function}({', '.join(arguments)})")
        case "sqrt" | "exp" | "log" | "sin" | "cos" | "tan":
            return _real_function(g, node, arguments[0], scope)
        case "floor" | "ceil" | "round":
            return _rounding(g, node, arguments[0], scope)
        case "int" | "double":
            return _to_number(g, node, arguments[0], scope)
        case "string":
            return arguments[0] if first is Type.STRING else _to_text(g, first, arguments[0], scope)
        case "length" | "contains" | "matches":
            return _text_function(g, node, arguments)
    raise AssertionError(node.function)


def _real_function(g: Generator, node: Call, x: str, scope: Scope) -> str:
    if node.function == "sqrt":
        fault(g, f"{x} < 0.0", runtime.NOT_FINITE, node, scope)
    elif node.function == "log":
        fault(g, f"{x} <= 0.0", runtime.NOT_FINITE, node, scope)
    elif node.function == "exp":
        fault(g, f"{x} > 709.78", runtime.NOT_FINITE, node, scope)
    return _guarded(g, f"math.{node.function}({x})", scope, "0.0")


def _rounding(g: Generator, node: Call, x: str, scope: Scope) -> str:
    if node.arguments[0].type is Type.INT:
        return x
    fault(g, f"not fits_int({x})", runtime.INTEGER_OVERFLOW, node, scope)
    function = "round_half_away" if node.function == "round" else f"math.{node.function}"
    return _guarded(g, f"int({function}({x}))", scope)


def _to_number(g: Generator, node: Call, x: str, scope: Scope) -> str:
    source, result = node.arguments[0].type, node.type
    if source is result:
        return x
    if source is Type.STRING:
        table = g.strings_table(result.value, "")
        known = g.strings_table(f"{result.value}_ok", "")
        fault(g, f"not {known}[{x}]", runtime.CAST_FAILED, node, scope)
        return _bind(g, f"{table}[{x}]")
    if result is Type.DOUBLE:
        return _bind(g, f"float({x})")
    if source is Type.DOUBLE:
        fault(g, f"not fits_int({x})", runtime.INTEGER_OVERFLOW, node, scope)
        return _guarded(g, f"int({x})", scope)
    return _bind(g, f"(1 if {x} else 0)")


def _to_text(g: Generator, source: Type, x: str, scope: Scope) -> str:
    """New strings at run time need the dictionary: only the interpreted loop has it."""
    g.needs_interpreter("string() of a value that is not text")
    return _guarded(g, f"strings.text_of({x}, {source.value!r})", scope)


def _text_function(g: Generator, node: Call, arguments: list[str]) -> str:
    if node.function == "length":
        return _bind(g, f"{g.strings_table('length', '')}[{arguments[0]}]")
    second = node.arguments[1]
    if isinstance(second, Constant):
        table = g.strings_table(node.function, str(second.value))
        return _bind(g, f"{table}[{arguments[0]}]")
    g.needs_interpreter(f"{node.function}() with a pattern that is not constant")
    return _bind(g, f"strings.{node.function}({arguments[0]}, {arguments[1]})")


# --- accesses


def slot_of(g: Generator, target: Reference, scope: Scope) -> str:
    """The slot of the instance that is read; -1 at run time if it is not active."""
    if target.stream in g.input_names or g.family(target.stream).is_single:
        return "0"
    family = g.family(target.stream)
    if target.every_instance:
        return g.overs.slot_for(family, scope)
    if family.name == scope.family.name and is_own_instance(target, len(family.types)):
        return scope.slot
    return g.lookup(family, [value(g, a, scope) for a in target.arguments])


def _present(slot: str) -> str:
    return "" if slot == "0" else f"{slot} >= 0 and "


def _with_default(g: Generator, test: str, found: str, default: Expression, scope: Scope) -> str:
    result = g.code.fresh()
    with g.code.block(f"if {test}"):
        g.code.line(f"{result} = {found}")
    with g.code.block("else"):
        g.code.line(f"{result} = {value(g, default, scope)}")
    return result


def _hold(g: Generator, node: Hold, scope: Scope) -> str:
    slot = slot_of(g, node.target, scope)
    stream = g.name(node.target.stream)
    test = f"{_present(slot)}{stream}_has[{slot}]"
    if node.default is not None:
        return _with_default(g, test, f"{stream}_val[{slot}]", node.default, scope)
    if scope.only_fresh and not node.target.every_instance:
        test = f"{_present(slot)}{g.fresh_test(node.target.stream, slot)}"
    result = g.code.fresh()
    g.code.line(f"{result} = {ZERO[node.type]}")
    with g.code.block(f"if {test}"):
        g.code.line(f"{result} = {stream}_val[{slot}]")
    with g.code.block("else"):
        g.code.line(f"{scope.ok} = False")
    return result


def _offset(g: Generator, node: Offset, scope: Scope) -> str:
    slot = slot_of(g, node.target, scope)
    if node.offset > 0:
        return g.ahead.discrete(node, slot, scope)
    stream = g.name(node.target.stream)
    at = g.code.fresh("i")
    pending = g.pending(node.target, slot, scope)
    g.code.line(f"{at} = -1")
    with g.code.block(f"if {slot} >= 0") if slot != "0" else g.code.block("if True"):
        g.code.line(f"{at} = {stream}_cnt[{slot}] - 1 + {node.offset}{pending}")
    result = g.code.fresh()
    with g.code.block(f"if {at} < 0"):
        g.code.line(f"{result} = {value(g, node.default, scope)}")
    with g.code.block(f"elif {at} == {stream}_cnt[{slot}] - 1"):
        g.code.line(f"{result} = {stream}_val[{slot}]")
    with g.code.block("else"):
        depth = g.model.rings[node.target.stream]
        g.code.line(f"{result} = {stream}_ring[{slot}, {at} % {depth}]")
    return result


def _time_offset(g: Generator, node: TimeOffset, scope: Scope) -> str:
    slot = slot_of(g, node.target, scope)
    stream = g.name(node.target.stream)
    if node.seconds == 0:
        test = f"{_present(slot)}{stream}_has[{slot}]"
        return _with_default(g, test, f"{stream}_val[{slot}]", node.default, scope)
    if node.seconds > 0:
        return g.ahead.timed(node, slot, scope)
    found = g.lags.read(node, slot, scope)
    return _with_default(g, f"{found} >= 0", g.lags.found(node, scope, found), node.default, scope)


def _window(g: Generator, node: Window, scope: Scope) -> str:
    slot = slot_of(g, node.target, scope)
    argument = None
    if isinstance(node.aggregation, BuiltinAggregation) and node.aggregation.argument is not None:
        argument = _bind(g, value(g, node.aggregation.argument, scope))
    filled, result = g.windows.read(node, slot, argument, scope)
    return _with_default(g, filled, result, node.default, scope)
