"""An unexpected token as a diagnostic: found, expected, and help for the usual mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lark import Token

from horae.frontend.chunks import Chunk
from horae.frontend.expectations import Surprise
from horae.frontend.lalr import Stuck, span_of
from horae.languages.lars.syntax import catalogue_syntax as catalogue
from horae.languages.lars.syntax.expected_words import accepted_in_words, described
from horae.rules.window_keywords import RESERVED
from horae.source.diagnostic import Diagnostic
from horae.source.suggest import closest
from horae.source.text import Span

_ARITHMETIC = frozenset(("PLUS", "MINUS", "TIMES", "DIVIDE"))
_VALUES = frozenset(("VARIABLE", "NUMBER", "STRING", "NAME", "RPAR"))
_STARTS = frozenset(("NAME", "VARIABLE", "NOT", "SOME", "ALWAYS", "WINDOW", "QUERY", "LPAR"))
_SEPARATORS = frozenset(("IMPLIES", "COMMA", "AND", "OR", "NOT", "ARROW", "LPAR", "CALL"))
_OPERATORS = {
    "diamond": "<>",
    "eventually": "<>",
    "sometime": "<>",
    "sometimes": "<>",
    "exists": "<>",
    "box": "[]",
    "globally": "[]",
    "forall": "[]",
    "window": "win",
}
_SHORTEST = 3
_WORDS = ("and", "or", "not", "some", "always", "win")


def explain(chunk: Chunk, stuck: Stuck) -> Diagnostic:
    """The most specific diagnostic for the place."""
    surprise = Surprise(chunk, stuck.index, stuck.accepted)
    found = (special(surprise) for special in _SPECIAL_CASES)
    return next((diagnostic for diagnostic in found if diagnostic is not None), _general(surprise))


# --- the special cases


def _window_without_size(surprise: Surprise) -> Diagnostic | None:
    if surprise.kinds[-1:] != ["WINDOW"]:
        return None
    sign = surprise.all_before[-1]
    if surprise.token is not None and surprise.token.type == "ALWAYS":
        return catalogue.EMPTY_WINDOW(span_of(sign).to(span_of(surprise.token)), sign=str(sign))
    return catalogue.MISSING_WINDOW(span_of(sign), sign=str(sign))


def _argument(surprise: Surprise) -> Diagnostic | None:
    """`p(X + 1)`, `p(f(X))`."""
    token = surprise.token
    if token is None or _around(surprise.all_before) != "CALL":
        return None
    if token.type == "CALL":
        return catalogue.NESTED_TERM(
            span_of(surprise.all_before[-1]), name=str(surprise.all_before[-1])
        )
    sign = next((t for t in (token, surprise.all_before[-1]) if t.type in _ARITHMETIC), None)
    if sign is None:
        return None
    return catalogue.ARGUMENT_ARITHMETIC(
        span_of(sign), sign=str(sign), place="the arguments of an atom"
    )


def _around(tokens: Sequence[Token]) -> str:
    """The kind of the bracket that is open at the end of the tokens."""
    opened: list[str] = []
    for token in tokens:
        if token.type in ("CALL", "LPAR", "LSQB"):
            opened.append(token.type)
        elif token.type in ("RPAR", "RSQB") and opened:
            opened.pop()
    return opened[-1] if opened else ""


def _time_arithmetic(surprise: Surprise) -> Diagnostic | None:
    """`@T+1 p`, `@(T+1) p`; in `@T-1 p` only the `p` is a surprise."""
    token = surprise.token
    if token is None:
        return None
    tokens = [*surprise.all_before, token]
    for start in range(max(0, len(tokens) - 5), len(tokens) - 1):
        behind = tokens[start + 1 : start + 3]
        if tokens[start].type != "AT" or behind[0].type not in ("LPAR", "VARIABLE", "NAME"):
            continue
        sign = next((t for t in behind if t.type in _ARITHMETIC or t is token), None)
        if sign is not None and sign.type in (*_ARITHMETIC, "LPAR"):
            return catalogue.ARGUMENT_ARITHMETIC(
                span_of(sign), sign=str(sign), place="the time of `@`"
            )
    return None


def _uppercase_predicate(surprise: Surprise) -> Diagnostic | None:
    token = surprise.token
    if token is None or token.type != "CALL" or surprise.kinds[-1:] != ["VARIABLE"]:
        return None
    name = surprise.all_before[-1]
    return catalogue.uppercase_predicate(span_of(name), str(name))


def _comparison(surprise: Surprise) -> Diagnostic | None:
    """`1 < X < 5`, `X <> Y`."""
    token, kinds = surprise.token, surprise.kinds
    if token is None or not kinds or kinds[-1] not in _VALUES:
        return None
    if token == "<>" and "COMPARATOR" in surprise.accepted:
        return catalogue.DIAMOND_BETWEEN_VALUES(span_of(token))
    since = next((i for i in range(len(kinds), 0, -1) if kinds[i - 1] in _SEPARATORS), 0)
    is_second = token.type == "COMPARATOR" and "COMPARATOR" in kinds[since:]
    return catalogue.CHAINED_COMPARISON(span_of(token)) if is_second else None


def _time_behind_atom(surprise: Surprise) -> Diagnostic | None:
    """`q :- p(X)@T.` and `p(X)@T :- q.`"""
    token, kinds = surprise.token, surprise.kinds
    if token is None:
        return None
    if token.type == "AT" and surprise.accepted & {"COMMA", "RPAR", "$END"}:
        return catalogue.TIME_BEHIND_ATOM(span_of(token))
    is_head = token.type == "IMPLIES" and "IMPLIES" not in {*kinds, *surprise.accepted}
    if is_head and "AT" in kinds and "$END" in surprise.accepted:
        place = max(i for i, kind in enumerate(kinds) if kind == "AT")
        return catalogue.TIME_BEHIND_ATOM(span_of(surprise.all_before[place]))
    return None


def _remainder(surprise: Surprise) -> Diagnostic | None:
    """`X mod 2`."""
    token = surprise.token
    if token is None or token.type != "NAME" or token.lower() not in ("mod", "rem"):
        return None
    is_behind_value = bool(_VALUES.intersection(surprise.kinds[-1:]))
    return catalogue.no_remainder(span_of(token), str(token)) if is_behind_value else None


def _unknown_operator(surprise: Surprise) -> Diagnostic | None:
    """`diamond p(X)`, `wim[10] p(X)`, `a adn b`."""
    token = surprise.token
    if token is None or not surprise.all_before or token.type not in (*_STARTS, "LSQB"):
        return None
    for word in (surprise.all_before[-1], token):
        if word.type in ("NAME", "VARIABLE") and word.line == surprise.all_before[-1].line:
            meant = _OPERATORS.get(word.lower()) or _similar(word)
            if meant is not None:
                help = f"did you mean `{meant}`?"
                return catalogue.unexpected(
                    span_of(word), described(word), "an operator", help=help
                )
    return None


def _similar(word: str) -> str | None:
    """Words of one or two letters are similar by chance."""
    return closest(word, _WORDS) if len(word) >= _SHORTEST else None


def _missing_dot(surprise: Surprise) -> Diagnostic | None:
    """A statement starts before the one in front of it has ended."""
    token = surprise.token
    if token is None or token.type not in _STARTS or "$END" not in surprise.accepted:
        return None
    if not surprise.all_before:
        return None
    if token.line == surprise.all_before[-1].line and "IMPLIES" in surprise.accepted:
        help = "a rule is written `head :- body.`, and a fact ends with a dot"
        return catalogue.unexpected(span_of(token), described(token), "`:-` or `.`", help=help)
    end = span_of(surprise.all_before[-1]).end
    return catalogue.missing_dot(Span(end, end), described(token))


_SPECIAL_CASES: tuple[Callable[[Surprise], Diagnostic | None], ...] = (
    _window_without_size,
    _argument,
    _time_arithmetic,
    _uppercase_predicate,
    _comparison,
    _time_behind_atom,
    _remainder,
    _unknown_operator,
    _missing_dot,
)


# --- all others


def _general(surprise: Surprise) -> Diagnostic:
    expected = accepted_in_words(surprise.accepted) if surprise.index else "a statement"
    return catalogue.unexpected(surprise.span, _found(surprise), expected, help=_help(surprise))


def _found(surprise: Surprise) -> str:
    if surprise.token is not None:
        return described(surprise.token)
    return "`.`" if surprise.chunk.end is not None else "the end of the file"


def _help(surprise: Surprise) -> str:
    token = surprise.token
    if token is None:
        return ""
    if token.type == "IMPLIES" and "IMPLIES" in surprise.kinds:
        return _help_with_second_rule(surprise, token)
    if token.type == "LSQB":
        return "brackets stand behind `win`, and behind the `@` of a fact"
    if token.type == "HASH" and _is_directive(surprise):
        return "there are no directives; `?- p, q.` says what is answered"
    if token.type == "HASH":
        return "comments start with `%` or `//`; `#` counts atoms inside of `win[…]`"
    if token.lower() in RESERVED and "NAME" in surprise.accepted:
        return f"`{token}` is a keyword; choose another name"
    return ""


def _is_directive(surprise: Surprise) -> bool:
    """`#show a/1.`: the name stands close to the sign."""
    tokens = surprise.chunk.tokens
    if surprise.index > 0 or len(tokens) < 2:
        return False
    return tokens[1].type == "NAME" and span_of(tokens[1]).start == span_of(tokens[0]).end


def _help_with_second_rule(surprise: Surprise, token: Token) -> str:
    """A missing dot, or `X<-1`, which is read as the arrow of a rule."""
    if token == "<-" and surprise.kinds[-1:] == ["VARIABLE"]:
        return "for “less than minus” put a space between: `X < -1`"
    lines = [t for t in surprise.all_before if t.line != token.line]
    if lines and lines[-1].type == "COMMA":
        return f"line {lines[-1].line} ends with `,`, so its rule goes on here; end it with `.`"
    return "a rule has one `:-`; end the one before with `.`"
