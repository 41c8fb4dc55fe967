"""Atoms and terms as text, in the spelling that all rule languages read."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import assert_never

from horae.data.rationals import write_number
from horae.frontend.quoting import quote
from horae.rules.terms import Atom, Constant, Term, Variable

_NAME = re.compile(r"[^\W\d]\w*(:+\w+)*")


def print_atom(atom: Atom) -> str:
    if not atom.arguments:
        return atom.predicate
    return f"{atom.predicate}({','.join(map(print_term, atom.arguments))})"


def print_term(term: Term) -> str:
    match term:
        case Variable(name):
            return name
        case Constant(str() as text):
            is_name = _NAME.fullmatch(text) is not None and not is_variable(text)
            return text if is_name else quote(text)
        case Constant(int() | Fraction() as number):
            return write_number(number)
        case _:
            assert_never(term)  # type: ignore[arg-type]


def is_variable(name: str) -> bool:
    return name[0] == "_" or name[0].isupper()
