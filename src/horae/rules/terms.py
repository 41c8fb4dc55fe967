"""Terms and atoms, as all rule languages have them. Data only.

Spans do not take part in comparison: two terms are equal iff they say the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from horae.data.constants import Value
from horae.source.text import Span, span_field


@dataclass(frozen=True, slots=True)
class Variable:
    """`X`, `_x`. Every bare `_` is a variable of its own; the parser names them `_1`, `_2`, …"""

    name: str
    span: Span = span_field()


@dataclass(frozen=True, slots=True)
class Constant:
    """`n1`, `"two words"`, `7`, `2.5`. The name n1 and the text "n1" are the same constant."""

    value: Value
    span: Span = span_field()


Term = Variable | Constant


@dataclass(frozen=True, slots=True)
class Atom:
    """`monitors(X, s1)`, or `alarm` without arguments."""

    predicate: str
    arguments: tuple[Term, ...]
    span: Span = span_field()

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the variables, each once, in order."""
        return tuple(dict.fromkeys(t.name for t in self.arguments if isinstance(t, Variable)))
