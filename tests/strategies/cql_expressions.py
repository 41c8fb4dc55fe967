"""Random expressions and conditions of CQL as text, of a given type, over the columns in sight.

Nothing divides by anything but a constant, and numbers stay small.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

_COMPARATORS = ("=", "<>", "<", "<=", "<=", ">", ">=", ">=", "!=")
_LITERALS = {
    "int": ("0", "1", "2", "3"),
    "double": ("0.5", "1.5", "2.0"),
    "string": ("'a'", "'b'", "'c'"),
    "bool": ("TRUE", "FALSE"),
}
_NUMBERS = ("int", "double")


@dataclass(frozen=True)
class Term:
    """A piece of text with its type: a column, an aggregate, a whole expression."""

    text: str
    type: str


Subquery = Callable[[Sequence[Term], Sequence[str] | None], str]
"""The text of a query that sees these columns around it; with outputs of these types, or any."""


def literal(rng: Random, type: str) -> str:
    return rng.choice(_LITERALS[type])


def value(rng: Random, type: str, terms: Sequence[Term], depth: int = 1) -> str:
    """An expression of exactly this type, with a term wherever one fits."""
    choices = [term.text for term in terms if term.type == type]
    if type in _NUMBERS and depth > 0 and rng.random() < 0.35:
        return _arithmetic(rng, type, terms, depth)
    if choices and rng.random() < 0.9:
        return rng.choice(choices)
    return literal(rng, type)


def _arithmetic(rng: Random, type: str, terms: Sequence[Term], depth: int) -> str:
    left = value(rng, rng.choice(_NUMBERS) if type == "double" else "int", terms, depth - 1)
    if type == "double":
        return (
            f"({left} {rng.choice('+-*')} {literal(rng, 'double')})"
            if rng.random() < 0.5
            else (f"({left} / {rng.choice(('2', '4', '3'))})")
        )
    if rng.random() < 0.1:
        return f"-{left}"
    return f"({left} {rng.choice('+-*')} {value(rng, 'int', terms, depth - 1)})"


def comparison(rng: Random, terms: Sequence[Term], *, core: bool = False) -> str:
    """Of a term with a term or literal of the same type, or of numbers of both types."""
    left = rng.choice(terms)
    others = [term for term in terms if term != left]
    if left.type == "bool":
        return f"{left.text} {rng.choice(('=', '<>'))} {value(rng, 'bool', others)}"
    type = left.type
    if not core and type in _NUMBERS and rng.random() < 0.2:
        type = rng.choice(_NUMBERS)
    return f"{left.text} {rng.choice(_COMPARATORS)} {value(rng, type, others)}"


def condition(rng: Random, terms: Sequence[Term], subquery: Subquery | None, depth: int = 2) -> str:
    """Any condition; one that a random row has a fair chance to meet."""
    kind = rng.random()
    if depth > 0 and kind < 0.3:
        operator = rng.choice((" AND ", " OR ", " OR "))
        return f"({operator.join(condition(rng, terms, subquery, depth - 1) for _ in range(2))})"
    if depth > 0 and kind < 0.4:
        return f"NOT {condition(rng, terms, subquery, depth - 1)}"
    if kind < 0.6 and subquery is not None:
        return _with_subquery(rng, terms, subquery)
    return _simple(rng, terms)


def _simple(rng: Random, terms: Sequence[Term]) -> str:
    kind, term = rng.random(), rng.choice(terms)
    if term.type == "bool" and kind < 0.5:
        return term.text
    if kind < 0.1:
        return f"{term.text} IS {rng.choice(('', 'NOT ', 'NOT '))}NULL"
    if kind < 0.2:
        choices = ", ".join(literal(rng, term.type) for _ in range(rng.randint(1, 3)))
        return f"{term.text} {rng.choice(('', 'NOT '))}IN ({choices})"
    return comparison(rng, terms)


def _with_subquery(rng: Random, terms: Sequence[Term], subquery: Subquery) -> str:
    negation = rng.choice(("", "NOT "))
    if rng.random() < 0.5:
        return f"{negation}EXISTS ({subquery(terms, None)})"
    wanted = [rng.choice(terms) for _ in range(rng.choice((1, 1, 1, 2)))]
    values = ", ".join(term.text for term in wanted)
    left = f"({values})" if len(wanted) > 1 else values
    return f"{left} {negation}IN ({subquery(terms, [term.type for term in wanted])})"
