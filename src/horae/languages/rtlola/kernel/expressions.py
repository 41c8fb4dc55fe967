"""From a checked expression to statements of the loop.

`value` writes statements and returns an atom (a name or a literal) for the result. An expression
without a value sets the scope's `ok` to False; what is computed after that is not used. A fault
(division by zero, overflow) sets `err` and the loop stops at the end of the position.
`condition` is Kleene's logic for `extend` and `terminate`: it returns a value and "is defined".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from horae.data.types import Type
from horae.languages.rtlola.kernel import runtime
from horae.languages.rtlola.kernel.accesses import hold, offset, time_offset, window
from horae.languages.rtlola.kernel.functions import call
from horae.languages.rtlola.kernel.guards import bind, fault, guarded
from horae.languages.rtlola.kernel.scope import ZERO, LoopScope
from horae.languages.rtlola.program import (
    Binary,
    Branch,
    Call,
    Chain,
    Conditional,
    Constant,
    Expression,
    Hold,
    Link,
    Offset,
    Parameter,
    Quantified,
    TimeOffset,
    Unary,
    Variable,
    Window,
)

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator


_COMPARE = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def value(g: Generator, expression: Expression, scope: LoopScope) -> str:
    """Write the evaluation; return the atom that holds the result."""
    match expression:
        case Constant():
            return constant_code(g, expression)
        case Parameter(index=index):
            return f"{scope.family.name}_p{index}[{scope.slot}]"
        case Variable(owner=owner, name=name):
            assert scope.variables is not None
            return scope.variables[owner, name]
        case Unary():
            return _unary(g, expression, scope)
        case Binary():
            return _binary(g, expression, scope)
        case Chain(logic=None):
            return _arithmetic(g, expression, scope)
        case Chain():
            return _logic(g, expression, scope)
        case Conditional():
            return _conditional(g, expression, scope)
        case Call():
            arguments = [bind(g, g.value(a, scope)) for a in expression.arguments]
            return call(g, expression, arguments, scope)
        case Hold():
            return hold(g, expression, scope)
        case Offset():
            return offset(g, expression, scope)
        case TimeOffset():
            return time_offset(g, expression, scope)
        case Window():
            return window(g, expression, scope)
        case Quantified():
            return g.quantified.read(expression, scope)
        case _:
            assert_never(expression)


def constant_code(g: Generator, node: Constant) -> str:
    if node.type is Type.STRING:
        return str(g.strings.code(str(node.value)))
    if node.type is Type.DOUBLE:
        return repr(float(node.value))
    return repr(node.value)


def condition(g: Generator, expression: Expression, scope: LoopScope) -> tuple[str, str]:
    """Kleene's value and whether there is one."""
    match expression:
        case Unary(operator="not", operand=operand):
            held, known = condition(g, operand, scope)
            return f"(not {held})", known
        case Chain(logic=("and" | "or")):
            return _kleene(g, expression, scope)
        case _:
            known = g.code.fresh("k")
            g.code.line(f"{known} = True")
            held = g.value(expression, replace(scope, ok=known, only_fresh=True))
            return bind(g, held), known


def _kleene(g: Generator, chain: Chain, scope: LoopScope) -> tuple[str, str]:
    """`held` and `known` of the operands so far; the next one is evaluated unless these decide."""
    first, is_known = condition(g, chain.first, scope)
    held, known = bind(g, first), bind(g, is_known)
    opposite = "not " if chain.logic == "and" else ""
    for link in chain.rest:
        with g.code.block(f"if not ({known} and {opposite}{held})"):
            held2, known2 = condition(g, link.operand, scope)
            decides = f"{known2} and {opposite}{held2}"
            g.code.line(f"{known} = ({known} and {known2}) or ({decides})")
            g.code.line(f"{held} = {held2}")
    return held, known


def _unary(g: Generator, node: Unary, scope: LoopScope) -> str:
    operand = g.value(node.operand, scope)
    if node.operator == "not":
        return f"(not {operand})"
    if node.type is Type.INT:
        if isinstance(node.operand, Constant):
            return f"(-{operand})"
        fault(g, f"{operand} == {runtime.MIN_INT}", runtime.INTEGER_OVERFLOW, node, scope)
    return bind(g, f"-{operand}")


def _logic(g: Generator, node: Chain, scope: LoopScope) -> str:
    """An operand is evaluated only if it matters; in a condition, by Kleene's logic."""
    if scope.only_fresh:
        return _inner_kleene(g, node, scope)
    result = bind(g, g.value(node.first, scope))
    undecided = f"{'' if node.logic == 'and' else 'not '}{result}"
    for link in node.rest:
        with g.code.block(f"if {_and_known(undecided, scope)}"):
            g.code.line(f"{result} = {g.value(link.operand, scope)}")
    return result


def _inner_kleene(g: Generator, node: Chain, scope: LoopScope) -> str:
    """Logic below another operator of a condition: without a value that has none either."""
    held, known = _kleene(g, node, scope)
    with g.code.block(f"if not {known}"):
        g.code.line(f"{scope.ok} = False")
    return held


def _and_known(test: str, scope: LoopScope) -> str:
    return test if scope.rehearsal is None else f"not {scope.rehearsal} and {test}"


def _conditional(g: Generator, node: Conditional, scope: LoopScope) -> str:
    """A ladder has a test per rung that it is still to be climbed, so that its code nests no deeper."""
    result, searching = g.code.fresh(), g.code.fresh("c")
    g.code.line(f"{result} = {ZERO[node.type]}")
    g.code.line(f"{searching} = True")
    for branch in node.branches:
        with g.code.block(f"if {searching}"):
            _rung(g, branch, result, searching, scope)
    with g.code.block(f"if {searching}"):
        g.code.line(f"{result} = {g.value(node.otherwise, scope)}")
    return result


def _rung(g: Generator, branch: Branch, result: str, searching: str, scope: LoopScope) -> None:
    """Which branch is taken may not be known yet: then none is evaluated."""
    test = bind(g, g.value(branch.condition, scope))
    if scope.rehearsal is not None:
        with g.code.block(f"if {scope.rehearsal}"):
            g.code.line(f"{searching} = False")
    with g.code.block(f"if {_and_known(test, scope)}"):
        g.code.line(f"{result} = {g.value(branch.then, scope)}")
        g.code.line(f"{searching} = False")


def _binary(g: Generator, node: Binary, scope: LoopScope) -> str:
    left = g.value(node.left, scope)
    right = g.value(node.right, scope)
    if node.operator in _COMPARE:
        return _compare(g, node, left, right)
    return _operate(g, node, node.type, left, right, scope)


def _arithmetic(g: Generator, node: Chain, scope: LoopScope) -> str:
    result = g.value(node.first, scope)
    for link in node.rest:
        right = g.value(link.operand, scope)
        result = _operate(g, link, node.type, result, right, scope)
    return result


def _operate(
    g: Generator, node: Binary | Link, kind: Type, left: str, right: str, scope: LoopScope
) -> str:
    operation = _integer if kind is Type.INT else _real
    return operation(g, node, left, right, scope)


def _compare(g: Generator, node: Binary, left: str, right: str) -> str:
    if node.left.type is Type.STRING and node.operator not in ("=", "!="):
        rank = g.strings_table("rank", "")
        left, right = f"{rank}[{left}]", f"{rank}[{right}]"
    return bind(g, f"{left} {_COMPARE[node.operator]} {right}")


_OVERFLOWS = {"+": "add_overflows", "-": "subtract_overflows", "*": "multiply_overflows"}


def _integer(g: Generator, node: Binary | Link, left: str, right: str, scope: LoopScope) -> str:
    left, right = bind(g, left), bind(g, right)
    operator = node.operator
    if operator in _OVERFLOWS:
        test = f"{_OVERFLOWS[operator]}({left}, {right})"
        fault(g, test, runtime.INTEGER_OVERFLOW, node, scope)
        return guarded(g, f"{left} {operator} {right}", scope)
    if operator == "^":
        fault(g, f"{right} < 0", runtime.NEGATIVE_EXPONENT, node, scope)
        fault(g, f"power_overflows({left}, {right})", runtime.INTEGER_OVERFLOW, node, scope)
        return guarded(g, f"power({left}, {right})", scope)
    fault(g, f"{right} == 0", runtime.DIVISION_BY_ZERO, node, scope)
    if operator == "/":
        test = f"{left} == {runtime.MIN_INT} and {right} == -1"
        fault(g, test, runtime.INTEGER_OVERFLOW, node, scope)
        return guarded(g, f"divide({left}, {right})", scope)
    return guarded(g, f"remainder({left}, {right})", scope)


def _real(g: Generator, node: Binary | Link, left: str, right: str, scope: LoopScope) -> str:
    operator = node.operator
    left, right = bind(g, left), bind(g, right)
    if operator in "/%":
        fault(g, f"{right} == 0.0", runtime.DIVISION_BY_ZERO, node, scope)
        text = f"{left} / {right}" if operator == "/" else f"real_remainder({left}, {right})"
        return guarded(g, text, scope, "0.0")
    if operator == "^":
        return bind(g, f"real_power({left}, {right})")
    return bind(g, f"{left} {operator} {right}")
