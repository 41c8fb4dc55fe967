"""The number of arguments of each predicate, and what is said where uses differ."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from horae.frontend.catalogue_syntax import error
from horae.rules.terms import Atom
from horae.source.diagnostic import Diagnostic, Label


@dataclass(frozen=True, slots=True)
class Clash:
    """A use with another number of arguments than the first one."""

    use: Atom
    first: Atom


def find_arities(atoms: Iterable[Atom]) -> tuple[dict[str, int], list[Clash]]:
    """The first use of a predicate decides."""
    firsts: dict[str, Atom] = {}
    clashes: list[Clash] = []
    for atom in atoms:
        first = firsts.setdefault(atom.predicate, atom)
        if len(first.arguments) != len(atom.arguments):
            clashes.append(Clash(atom, first))
    return {name: len(first.arguments) for name, first in firsts.items()}, clashes


def arity_clash(code: str, clash: Clash) -> Diagnostic:
    """The error about a use that differs from the first, with the code of the language."""
    here, first = (_arguments(len(atom.arguments)) for atom in (clash.use, clash.first))
    return error(
        code,
        f"`{clash.use.predicate}` has {here} here, but {first} elsewhere",
        clash.use.span,
        here,
        labels=[Label(clash.first.span, first)],
    )


def _arguments(number: int) -> str:
    return {0: "no arguments", 1: "1 argument"}.get(number, f"{number} arguments")
