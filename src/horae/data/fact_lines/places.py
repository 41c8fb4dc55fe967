"""What a token means where it stands.

`S` is a variable in `p(S)`, a predicate in `S(a)` and an operator in `p S[0,1] q`; `(` opens an
interval behind an operator, arguments behind a predicate, and else a group. One look at the
place before a token settles all of it, so the grammar needs no tricks.
"""

from __future__ import annotations

from enum import Enum, auto

from lark import Token

from horae.data.fact_lines.words import INFINITY, infix_kind, reserved_kind


class TokenPlace(Enum):
    """Where in a statement the next token stands."""

    FORMULA = auto()  # a formula must come
    ARGUMENTS_OR_AFTER = auto()  # just behind a predicate
    ARGUMENTS = auto()
    AFTER = auto()  # behind a formula: the statement may end here
    TIME = auto()  # behind `@`
    TIME_INTERVAL = auto()
    INTERVAL = auto()  # behind an operator: its interval must come
    BOUNDS = auto()  # inside the interval of an operator


def settle_token(place: TokenPlace, token: Token) -> tuple[Token, TokenPlace]:
    """The token with its meaning at this place, and the place behind it.

    Every name among arguments is a constant here; who has variables tells them apart.
    """
    match place:
        case TokenPlace.FORMULA:
            return _formula(token)
        case TokenPlace.ARGUMENTS_OR_AFTER if token.type == "LPAR":
            return token, TokenPlace.ARGUMENTS
        case TokenPlace.ARGUMENTS_OR_AFTER | TokenPlace.AFTER:
            return _after(token)
        case TokenPlace.ARGUMENTS:
            return _argument(token)
        case TokenPlace.TIME | TokenPlace.INTERVAL:
            return _interval_start(place, token)
        case TokenPlace.TIME_INTERVAL | TokenPlace.BOUNDS:
            return _bound(place, token)


def _formula(token: Token) -> tuple[Token, TokenPlace]:
    if token.type == "PREDICATE":
        token = _typed(token, reserved_kind(token) or "PREDICATE")
    match token.type:
        case "PREDICATE":
            return token, TokenPlace.ARGUMENTS_OR_AFTER
        case "OPERATOR" | "SINCE" | "UNTIL":
            return token, TokenPlace.INTERVAL
        case "RPAR":
            return token, TokenPlace.AFTER
        case _:
            return token, TokenPlace.FORMULA


def _after(token: Token) -> tuple[Token, TokenPlace]:
    if token.type == "PREDICATE":
        token = _typed(token, infix_kind(token) or "PREDICATE")
    match token.type:
        case "SINCE" | "UNTIL" | "OPERATOR":
            return token, TokenPlace.INTERVAL
        case "AT":
            return token, TokenPlace.TIME
        case "RPAR" | "INTERVAL_END":
            return token, TokenPlace.AFTER
        case "PREDICATE":
            return token, TokenPlace.ARGUMENTS_OR_AFTER
        case _:
            return token, TokenPlace.FORMULA


def _argument(token: Token) -> tuple[Token, TokenPlace]:
    if token.type == "RPAR":
        return token, TokenPlace.AFTER
    if token.type == "PREDICATE":
        token = _typed(token, "CONSTANT")
    return token, TokenPlace.ARGUMENTS


def _interval_start(place: TokenPlace, token: Token) -> tuple[Token, TokenPlace]:
    if token.type in ("LPAR", "INTERVAL_START"):
        inside = TokenPlace.TIME_INTERVAL if place is TokenPlace.TIME else TokenPlace.BOUNDS
        return _typed(token, "INTERVAL_START"), inside
    return (token, TokenPlace.AFTER) if place is TokenPlace.TIME else _formula(token)


def _bound(place: TokenPlace, token: Token) -> tuple[Token, TokenPlace]:
    if token.type in ("RPAR", "INTERVAL_END"):
        behind = TokenPlace.AFTER if place is TokenPlace.TIME_INTERVAL else TokenPlace.FORMULA
        return _typed(token, "INTERVAL_END"), behind
    if token.lower() in INFINITY:
        return _typed(token, "INFINITE"), place
    is_formula = token.type in ("PREDICATE", "OPERATOR")  # `Boxminus(q(X))`: no interval after all
    return _formula(token) if is_formula else (token, place)


def _typed(token: Token, kind: str) -> Token:
    return token if token.type == kind else token.update(type=kind)
