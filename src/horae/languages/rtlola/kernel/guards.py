"""Statements that the writers of expressions have in common: names, faults, defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from horae.languages.rtlola.kernel.scope import LoopScope
from horae.languages.rtlola.program import Expression, Link

if TYPE_CHECKING:
    from horae.languages.rtlola.kernel.generator import Generator


def bind(g: Generator, atom: str) -> str:
    """A name for the value of an atom."""
    name = g.code.fresh()
    g.code.line(f"{name} = {atom}")
    return name


def bind_all(g: Generator, atoms: list[str]) -> list[str]:
    """Names for several values, all of them computed before the first is used."""
    return [bind(g, atom) for atom in atoms]


def fault(
    g: Generator, test: str, number: int, expression: Expression | Link, scope: LoopScope
) -> None:
    """Stop the run at the end of this position if the test holds."""
    if scope.rehearsal is not None:
        with g.code.block(f"if {scope.live} and {test}"):
            g.code.line(f"{scope.ok} = False")
        return
    site = g.site(expression.span, scope.extending)
    with g.code.block(f"if {scope.ok} and err == 0 and {test}"):
        g.code.line(f"err = {number}")
        g.code.line(f"err_site = {site}")
        g.code.line(f"{scope.ok} = False")


def guarded(g: Generator, expression: str, scope: LoopScope, zero: str = "0") -> str:
    """Compute only where everything so far has a value."""
    result = g.code.fresh()
    g.code.line(f"{result} = {zero}")
    with g.code.block(f"if {scope.live}"):
        g.code.line(f"{result} = {expression}")
    return result


def with_default(g: Generator, test: str, found: str, default: Expression, scope: LoopScope) -> str:
    """`found` where the test holds, else the default, which is evaluated only then."""
    result = g.code.fresh()
    with g.code.block(f"if {test}"):
        g.code.line(f"{result} = {found}")
    with g.code.block("else"):
        g.code.line(f"{result} = {g.value(default, scope)}")
    return result


def present(slot: str) -> str:
    """The start of a test: the instance is active. Slot 0 of a family without parameters is."""
    return "" if slot == "0" else f"{slot} >= 0 and "


def if_present(slot: str) -> str:
    return "if True" if slot == "0" else f"if {slot} >= 0"
