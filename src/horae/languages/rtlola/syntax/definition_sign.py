"""Which `=` of an output starts its definition.

`=` also compares, and a clause may end in a comparison: `extend: viewed = id` followed by
`= views + 1`. A definition is mandatory and comparisons do not chain, which settles it:

1. A `:=` is the definition, and every `=` compares.
2. Else, if no condition stands before it (no clauses, or the last one is `invoke` or a rate),
   the first `=` is the definition.
3. Else only the `=` after the last clause keyword, outside of brackets, come into question;
   if some of them start a line, only those. Among them, the first that would chain a
   comparison (`viewed = id = e`) is the definition; else the first that starts a line; else
   the last one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lark import Token

_OPENING = frozenset(("LPAR", "LSQB", "LBRACE"))
_CLOSING = frozenset(("RPAR", "RSQB", "RBRACE"))
_CLAUSES = frozenset(("INVOKE", "EXTEND", "TERMINATE"))
_COMPARISONS = frozenset(("EQUAL", "UNEQUAL", "LESS", "AT_MOST", "MORE", "AT_LEAST"))
_SEPARATORS = frozenset(("AND", "OR", "NOT", "IF", "THEN", "ELSE", "COLON"))


@dataclass(frozen=True, slots=True)
class _Candidate:
    index: int
    starts_line: bool
    chains: bool


def mark_definition(tokens: Sequence[Token]) -> Sequence[Token]:
    """Give the definition's `=` the type DEFINE; unchanged if there is a `:=` or no `=`."""
    outer = list(_outside_brackets(tokens))
    if any(tokens[index].type == "DEFINE" for index in outer):
        return tokens
    index = _definition(tokens, outer)
    if index is None:
        return tokens
    return [*tokens[:index], tokens[index].update(type="DEFINE"), *tokens[index + 1 :]]


def _outside_brackets(tokens: Sequence[Token]) -> Iterator[int]:
    depth = 0
    for index, token in enumerate(tokens):
        if token.type in _OPENING:
            depth += 1
        elif token.type in _CLOSING:
            depth = max(0, depth - 1)
        elif depth == 0:
            yield index


def _definition(tokens: Sequence[Token], outer: Sequence[int]) -> int | None:
    clauses = [index for index in outer if tokens[index].type in _CLAUSES]
    if not clauses:
        return _first_equal(tokens, outer)
    after = [index for index in outer if index > clauses[-1]]
    if not _is_condition(tokens, clauses[-1]):
        found = _first_equal(tokens, after)
    else:
        found = _choose(_candidates(tokens, after))
    if found is None:  # perhaps a clause stands after the definition: let the grammar say so
        found = _first_equal(tokens, [index for index in outer if index < clauses[0]])
    return found


def _first_equal(tokens: Sequence[Token], indices: Sequence[int]) -> int | None:
    return next((index for index in indices if tokens[index].type == "EQUAL"), None)


def _is_condition(tokens: Sequence[Token], clause: int) -> bool:
    """Whether the clause is `extend: e` or `terminate: e`, and not a rate like `extend: 1Hz`."""
    kinds = [token.type for token in tokens[clause + 2 : clause + 4]]
    is_rate = kinds in (["INTEGER", "NAME"], ["DECIMAL", "NAME"])
    return tokens[clause].type != "INVOKE" and not is_rate


def _candidates(tokens: Sequence[Token], indices: Sequence[int]) -> list[_Candidate]:
    candidates = []
    compared = False
    for index in indices:
        token = tokens[index]
        if token.type == "EQUAL":
            starts_line = tokens[index - 1].end_line != token.line
            candidates.append(_Candidate(index, starts_line, compared))
        compared = token.type in _COMPARISONS or (compared and token.type not in _SEPARATORS)
    return candidates


def _choose(candidates: list[_Candidate]) -> int | None:
    at_line_start = [c for c in candidates if c.starts_line]
    eligible = at_line_start or candidates
    chaining = [c for c in eligible if c.chains]
    if chaining:
        return chaining[0].index
    if not eligible:
        return None
    return eligible[0].index if at_line_start else eligible[-1].index
