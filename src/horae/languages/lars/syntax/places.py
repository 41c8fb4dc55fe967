"""What a token means where it stands.

`At` is a variable in `p(At)`, a predicate in `at(X)` and a keyword in `at T p(X)`; `(` opens arguments
behind a predicate and else a group. A look at the neighbours settles all of it, so the grammar needs no
tricks.
"""

from __future__ import annotations

from collections.abc import Sequence

from lark import Token

from horae.data.durations import UNITS
from horae.rules.print_atom import is_variable
from horae.rules.window_keywords import INFINITY, RESERVED, TIME, WINDOWS

_SIGNS = frozenset(("COMPARATOR", "PLUS", "MINUS", "TIMES", "DIVIDE"))
_AFTER_A_VALUE = frozenset(("COMPARATOR", "TIMES", "DIVIDE"))
_TERMS = frozenset(("NAME", "NUMBER", "STRING"))
_OPENING = frozenset(("CALL", "LPAR", "LSQB"))
_CLOSING = frozenset(("RPAR", "RSQB"))
_CALLED = frozenset(("NAME", "PATTERN", "VARIABLE"))


def settle(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens of one statement, each with its meaning."""
    settled: list[Token] = []
    opened: list[str] = []
    for index, token in enumerate(tokens):
        kind = _kind(tokens, index, settled, opened)
        settled.append(token if kind == token.type else token.update(type=kind))
        if kind in _OPENING:
            opened.append(kind)
        elif kind in _CLOSING and opened:
            opened.pop()
    return tuple(settled)


def _kind(
    tokens: Sequence[Token], index: int, settled: Sequence[Token], opened: Sequence[str]
) -> str:
    token = tokens[index]
    if token.type == "LPAR":
        return "CALL" if _is_call(settled) else "LPAR"
    if token.type != "NAME":
        return token.type
    if opened[-1:] == ["CALL"] or (settled and settled[-1].type == "AT"):
        return _term(token)
    if "LSQB" in opened:
        return _in_brackets(tokens, index)
    return _keyword(tokens, index) or _term(token)


def _is_call(settled: Sequence[Token]) -> bool:
    """`p(` is a call; in `@T (a and b)` the parenthesis is a group."""
    if not settled or settled[-1].type not in _CALLED:
        return False
    return len(settled) < 2 or settled[-2].type != "AT"


def _term(token: Token) -> str:
    return "VARIABLE" if is_variable(token) else "NAME"


def _keyword(tokens: Sequence[Token], index: int) -> str | None:
    """The kind of a keyword; None where the word is a name: beside a sign there is a value."""
    word, following = tokens[index].lower(), _at(tokens, index + 1)
    before = tokens[index - 1].type if index else ""
    if before in _SIGNS or (following is not None and following.type in _AFTER_A_VALUE):
        return None
    if word in WINDOWS:
        is_window = following is not None and following.type in ("LSQB", "ALWAYS")
        return "WINDOW" if is_window else None
    if word == TIME:
        return "AT" if _starts_time(following) else None
    return RESERVED.get(word)


def _starts_time(token: Token | None) -> bool:
    return token is not None and token.type in _TERMS and token.lower() not in RESERVED


def _in_brackets(tokens: Sequence[Token], index: int) -> str:
    token, word, before = tokens[index], tokens[index].lower(), tokens[index - 1].type
    if word in INFINITY:
        return "INFINITE"
    if before == "NUMBER" and word in UNITS:
        return "UNIT"
    if before == "LSQB" and not is_variable(token):
        return "PATTERN" if _is_pattern(tokens, index) else "WINDOW_NAME"
    return "BY" if word == "by" and before not in _SIGNS else _term(token)


def _is_pattern(tokens: Sequence[Token], index: int) -> bool:
    """`p(X,_) by X #3` and `p #3` are about atoms; `f (X + 1), 2` has parameters."""
    behind = _behind_parenthesis(tokens, index + 1)
    return behind is not None and (behind.type == "HASH" or behind.lower() == "by")


def _behind_parenthesis(tokens: Sequence[Token], start: int) -> Token | None:
    """The token behind the parenthesis that opens here, or this one if none does."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += {"LPAR": 1, "RPAR": -1}.get(tokens[index].type, 0)
        if depth <= 0:
            return _at(tokens, index + 1 if index > start else index)
    return None


def _at(tokens: Sequence[Token], index: int) -> Token | None:
    return tokens[index] if index < len(tokens) else None
