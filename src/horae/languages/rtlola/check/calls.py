"""The types of function calls and casts."""

from __future__ import annotations

from horae.data.types import Type
from horae.languages.rtlola.check import catalogue_checks as catalogue
from horae.languages.rtlola.check.functions import FUNCTIONS, Signature
from horae.languages.rtlola.check.scope import Typed, fits, unknown, widen
from horae.languages.rtlola.program import Call, Constant
from horae.languages.rtlola.syntax import tree
from horae.source.diagnostic import Diagnostic
from horae.source.patterns import mistake_in
from horae.source.text import Span

_VARIADIC = frozenset(("min", "max"))


def check_call(
    expression: tree.Apply, arguments: tuple[Typed, ...], report: list[Diagnostic]
) -> Typed:
    """The first row of the table that all arguments fit; `int` arguments widen to it."""
    function, span = expression.name, expression.span
    rows = _rows(function, len(arguments))
    if not rows:
        report.append(_wrong_arity(function, len(arguments), span))
        return Typed(unknown(span).node, _only_result(FUNCTIONS[function]))
    row = next((r for r in rows if _fit(arguments, r)), None)
    if row is None:
        given = [a.type for a in arguments if a.type is not None]
        report.append(catalogue.function_types(function, given, _wanted(function), span))
        return Typed(unknown(span).node, _only_result(rows))
    report += _check_pattern(function, arguments)
    is_known = all(a.type is not None for a in arguments)
    nodes = tuple(widen(a, t) for a, t in zip(arguments, row.arguments, strict=True))
    node = Call(function, nodes, row.result, span=span)
    return Typed(node, row.result if is_known else _only_result(rows))


def _rows(function: str, count: int) -> tuple[Signature, ...]:
    """The rows with this many arguments; `min` and `max` repeat their argument type."""
    rows = FUNCTIONS[function]
    if function in _VARIADIC and count >= 2:
        return tuple(Signature((r.result,) * count, r.result) for r in rows)
    return tuple(r for r in rows if len(r.arguments) == count)


def _fit(arguments: tuple[Typed, ...], row: Signature) -> bool:
    return all(fits(a.type, t) for a, t in zip(arguments, row.arguments, strict=True))


def _only_result(rows: tuple[Signature, ...]) -> Type | None:
    """The result where it does not depend on the arguments."""
    results = {r.result for r in rows}
    return results.pop() if len(results) == 1 else None


def _wrong_arity(function: str, given: int, span: Span) -> Diagnostic:
    wanted = len(FUNCTIONS[function][0].arguments)
    text = "1 argument" if wanted == 1 else f"{wanted} arguments"
    if function in _VARIADIC:
        text = "2 or more arguments"
    return catalogue.function_arity(function, given, text, span)


def _wanted(function: str) -> list[str]:
    return ["(" + ", ".join(row.arguments) + ")" for row in FUNCTIONS[function]]


def _check_pattern(function: str, arguments: tuple[Typed, ...]) -> list[Diagnostic]:
    """A constant pattern is read now, so that a mistake in it does not wait for the run."""
    pattern = arguments[-1].node if arguments else None
    if function != "matches" or not isinstance(pattern, Constant):
        return []
    mistake = mistake_in(str(pattern.value))
    return [] if mistake is None else [catalogue.pattern(mistake, pattern.span)]
