"""Words and signs of other dialects of RTLola, and how the same is written here.

People know the syntax of today's compiler (`constant`, `spawn`, `a.offset(by: -1)`), or write as in
other languages (`if … then trigger`, `where`). They are looked at only where the grammar stopped: all
these words may be names of streams.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lark import Token

_CONDITION = "a condition is a clause before the definition: `output int b extend: a > 3 := a`"
_TRIGGER = 'a trigger is a condition and a message: `trigger a > 3 "high"`'
_CONSTANT = "there are no constants: write the value where it is used"
_IMPORT = "leave it out: all functions are there without it"
_LATEST = "the latest value, or a default, is `a[0, 0]`; `a` alone is the latest value"

_WORDS = {
    **dict.fromkeys(("constant", "const", "let", "var"), _CONSTANT),
    **dict.fromkeys(("where", "when", "filter"), _CONDITION),
    "every": "a rate is a clause before the definition: `output int b extend: 10s := a`",
    "spawn": "instances are made by the clause `invoke: a`",
    "eval": "when a stream has a value is the clause `extend: a > 3`; what value follows `:=`",
    "with": "the value of a stream follows `:=`",
    "close": "instances end by the clause `terminate: a = 0`",
    "mirrors": "give the stream a pace and a value: `output int b extend: a > 3 := a`",
    "import": _IMPORT,
    "include": "there is one file per specification: copy what it needs",
    **dict.fromkeys(("elif", "elsif", "elseif"), "write `else if … then …`"),
}
_METHODS = {
    "offset": "an earlier value, or a default, is `a[-1, 0]`; `a[-1s, 0]` is that of a second ago",
    "aggregate": "a window with a default is `a[5s, 0, sum]`; over instances `count(t > 3)`",
    "get": "a stream with `extend: …` has a value only where what its condition reads is fresh",
    "is_fresh": "the clause `extend: …` holds only where what its condition reads is fresh",
    **dict.fromkeys(("hold", "defaults", "last", "default"), _LATEST),
}
_PARAMETERS = "parameters stand in angle brackets: `output int b<int p> invoke: a := …`"
_TRIGGER_PARAMETERS = "a trigger has none: `trigger any(t > 3)` looks at all instances of `t`"


class Foreign(NamedTuple):
    """What was written, and how it is written here."""

    token: Token
    help: str


def find_foreign(tokens: Sequence[Token], index: int, follower: Token | None) -> Foreign | None:
    """What explains that the grammar stopped at this token; `follower` starts the next declaration."""
    return (
        _condition_before_trigger(tokens, index, follower)
        or _word(tokens, index)
        or (_sign(tokens, index) if 0 < index < len(tokens) else None)
    )


def _condition_before_trigger(
    tokens: Sequence[Token], index: int, follower: Token | None
) -> Foreign | None:
    """`if a > 3 then trigger "high"`."""
    if follower is None or follower.type != "TRIGGER" or tokens[-1].type != "THEN":
        return None
    opening = [token for token in tokens[: index + 1] if token.type == "IF"]
    return Foreign(opening[-1], _TRIGGER) if opening else None


def _word(tokens: Sequence[Token], index: int) -> Foreign | None:
    """At the place itself; in `output b mirrors a` just before it, as `b` could be a type."""
    in_head = tokens[0].type == "OUTPUT" and index > 2 and _is_head(tokens[:index])
    for token in tokens[index - in_head : index + 1]:
        help = _WORDS.get(str(token)) if token.type == "NAME" else None
        if help is not None:
            is_condition = tokens[0].type == "TRIGGER" and help == _CONDITION
            return Foreign(token, _TRIGGER if is_condition else help)
    return None


def _sign(tokens: Sequence[Token], index: int) -> Foreign | None:
    token, before = tokens[index], tokens[index - 1]
    match token.type:
        case "STRING" if tokens[0].type == "TRIGGER" and tokens[1].type == "IF":
            return Foreign(tokens[1], _TRIGGER)
        case "LPAR" if index > 1 and tokens[index - 2].type == "DOT" and str(before) in _METHODS:
            return Foreign(before, _METHODS[str(before)])
        case "LPAR" if tokens[0].type == "OUTPUT" and _is_head(tokens[:index]):
            return Foreign(token, _PARAMETERS)
        case "COLON" if [t.type for t in tokens[:index]] == ["TRIGGER", "LPAR", "NAME"]:
            return Foreign(tokens[1], _TRIGGER_PARAMETERS)
        case "MORE" if index > 2 and tokens[index - 3] == "cast":
            return Foreign(tokens[index - 3], "a type is a function: `double(a)`, `int(a)`")
        case "TIMES" if before.type == "TIMES":
            return Foreign(token, "a power is `a ^ 2`")
        case "ARROW":
            return Foreign(token, "an implication is `not a or b`")
        case _:
            return None


def _is_head(tokens: Sequence[Token]) -> bool:
    """`output b`, `output int b`, `output b: int`: nothing but names and types."""
    return {token.type for token in tokens[1:]} <= {"NAME", "TYPE", "COLON"}
